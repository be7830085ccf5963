"""Engines with one mistake each, to test that a walk finds it.

They extend the reference engine with the further interface of the compiled one. Each mistake is typical of
incremental engines.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import Any

import numpy as np

from hornbook.matcher.program.coded import AbsentOf, AggregateOf, AllOf, Change, CountOf, Derivation, Fact
from hornbook.matcher.program.errors import EngineError
from oracles.engine.derivation_checker import premise_facts
from oracles.reference.engine import EngineState, ReferenceEngine
from oracles.reference.relations import Database, IndexedRelation


class Columns(AbstractSet[Fact]):
    """A set of facts that can be read by columns."""

    def __init__(self, facts: Iterable[Fact], widths: list[int]) -> None:
        self._facts, self._widths = frozenset(facts), widths

    def __contains__(self, fact: object) -> bool:
        return fact in self._facts

    def __iter__(self) -> Iterator[Fact]:
        return iter(self._facts)

    def __len__(self) -> int:
        return len(self._facts)

    @classmethod
    def _from_iterable(cls, facts: Iterable[Any]) -> frozenset[Any]:
        return frozenset(facts)

    def columns(self, predicate: int) -> tuple[Any, ...]:
        rows = [fact.cells for fact in self._facts if fact.predicate == predicate]
        return _columns(rows, self._widths[predicate])


def _columns(rows: Iterable[tuple[int, ...]], width: int) -> tuple[Any, ...]:
    return tuple(np.array(list(rows), dtype=np.int64).reshape(-1, width).T) if width else ()


class FaultlessEngine(ReferenceEngine):
    """An engine without a mistake: the walk must find none."""

    def __init__(self, *arguments: Any, statistics: object = None, **named: Any) -> None:
        super().__init__(*arguments, **named)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_columns: Mapping[int, tuple[Any, ...]] | None = None,
        retract_columns: Mapping[int, tuple[Any, ...]] | None = None,
        **rules: Any,
    ) -> Change:
        change = super().update(
            add=[*add, *_facts(add_columns)], retract=[*retract, *_facts(retract_columns)], **rules
        )
        widths = [predicate.arity for predicate in self._predicates]
        return Change(Columns(change.added, widths), Columns(change.removed, widths))

    def count(self, predicate: int) -> int:
        return len(self.facts(predicate))

    def columns(self, predicate: int) -> tuple[Any, ...]:
        return _columns(self.facts(predicate), self._predicates[predicate].arity)


def _facts(columns: Mapping[int, tuple[Any, ...]] | None) -> list[Fact]:
    return [
        Fact(predicate, row)
        for predicate, found in (columns or {}).items()
        for row in zip(*(column.tolist() for column in found), strict=True)
    ]


def _with(
    state: EngineState, more: Mapping[Fact, Derivation | None], less: AbstractSet[Fact] = frozenset()
) -> EngineState:
    """Return the state with facts added and removed."""
    facts = Database(IndexedRelation)
    for predicate, relation in state.facts.items():
        for row, derivation in relation.rows.items():
            if Fact(predicate, row) not in less:
                facts[predicate].add(row, derivation)
    for fact, derivation in more.items():
        facts[fact.predicate].add(fact.cells, derivation)
    return replace(state, facts=facts)


def _derivation(state: EngineState, fact: Fact) -> Derivation | None:
    return state.facts[fact.predicate].rows[fact.cells]


class _Incremental(FaultlessEngine):
    """A base class whose subclasses choose the facts that an update fails to remove or to add."""

    def update(self, **arguments: Any) -> Change:
        old = self._state
        change = super().update(**arguments)
        new = self._state
        stays = {fact: _derivation(old, fact) for fact in self.stays(old, new, change)}
        lacks = self.lacks(old, new, change)
        self._state = _with(new, stays, lacks)
        widths = [predicate.arity for predicate in self._predicates]
        return Change(
            Columns(change.added - lacks, widths),
            Columns(change.removed - stays.keys(), widths),
        )

    def stays(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        return frozenset()

    def lacks(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        return frozenset()


class KeepsCircles(_Incremental):
    """A removed fact remains while one of its premises remains, even if that premise is derived from the
    fact.
    """

    def stays(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        staying = {
            fact
            for fact in change.removed
            if (fact.cells not in old.given.get(fact.predicate, ()))
            and any(self._stands(way, new) for way in self._ways(old, fact))
        }
        while True:
            unsupported = {
                fact
                for fact in staying
                if not any(
                    self._stands(way, new)
                    and all(premise in new or premise in staying for premise in premise_facts(way.premises))
                    for way in self._ways(old, fact)
                )
            }
            if not unsupported:
                return staying
            staying -= unsupported

    @staticmethod
    def _ways(old: EngineState, fact: Fact) -> Iterable[Derivation]:
        return [*old.derivations.get(fact, ()), *filter(None, [_derivation(old, fact)])]

    @staticmethod
    def _stands(way: Derivation, new: EngineState) -> bool:
        rule = new.rules.get(way.rule)
        return rule is not None and not any(isinstance(each, AbsentOf | AggregateOf) for each in rule.body)


class _DeafTo(_Incremental):
    """Conclusions from one kind of condition are not updated when only facts inside that condition change."""

    kind: type[Any]

    def stays(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        return {fact for fact in change.removed if self._rests(old, new, fact)}

    def lacks(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        return {fact for fact in change.added if self._rests(new, old, fact)}

    def _rests(self, state: EngineState, other: EngineState, fact: Fact) -> bool:
        derivation = _derivation(state, fact)
        if derivation is None or derivation.rule not in other.rules:
            return False
        body = state.rules[derivation.rule].body
        return any(isinstance(each, self.kind) for each in body) and all(
            premise in other
            for each, found in zip(body, derivation.premises, strict=True)
            if not isinstance(each, self.kind)
            for premise in premise_facts(found)
        )


class DeafToAbsence(_DeafTo):
    kind = AbsentOf


class DeafToAggregates(_DeafTo):
    kind = AggregateOf


class DeafToSets(_DeafTo):
    kind = AllOf


class DeafToSizes(_DeafTo):
    kind = CountOf


class ForgetsGiven(_Incremental):
    """A retracted fact is removed even if it is also derived."""

    def lacks(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        removed = {
            Fact(predicate, row)
            for predicate, rows in old.given.items()
            for row in rows - new.given.get(predicate, frozenset())
        }
        return {fact for fact in removed if fact in new}


class NeverRederives(_Incremental):
    """A fact is removed together with its first derivation, even if it has another one."""

    def lacks(self, old: EngineState, new: EngineState, change: Change) -> AbstractSet[Fact]:
        return {
            fact
            for predicate, relation in old.facts.items()
            for row, way in relation.rows.items()
            if (fact := Fact(predicate, row)) in new
            and way is not None
            and row not in new.given.get(predicate, ())
            and (way.rule not in new.rules or not all(each in new for each in premise_facts(way.premises)))
        }


class PopsWithoutGiven(FaultlessEngine):
    def pop(self) -> None:
        given = self._state.given
        super().pop()
        self._state = replace(self._state, given=given)


class PopsOneTooMany(FaultlessEngine):
    """A pop goes back by two marks if there are two."""

    def pop(self) -> None:
        super().pop()
        if self._marks:
            self._state = self._marks[-1]


class RefusesHalf(FaultlessEngine):
    """The given facts of a refused update remain."""

    def update(self, **arguments: Any) -> Change:
        try:
            return super().update(**arguments)
        except EngineError:
            retract = {fact.cells for fact in arguments.get("retract", ())}
            given = {number: rows - retract for number, rows in self._state.given.items()}
            self._state = replace(self._state, given=given)
            raise


class ForgetsRefusedRules(FaultlessEngine):
    """The rules that a refused update names are removed."""

    def update(self, **arguments: Any) -> Change:
        try:
            return super().update(**arguments)
        except EngineError:
            removed = set(arguments.get("remove_rules", ()))
            rules = {name: rule for name, rule in self._state.rules.items() if name not in removed}
            self._state = replace(self._state, rules=rules)
            raise


class OtherDerivationAfterPop(FaultlessEngine):
    """Derivations are computed anew after a pop, and differ."""

    _popped = False

    def pop(self) -> None:
        super().pop()
        self._popped = True

    def derivation(self, fact: Fact) -> Derivation | None:
        first = super().derivation(fact)
        ways = self._state.derivations.get(fact, ())
        return ways[-1] if first is not None and ways and self._popped else first


class RestsOnItself(FaultlessEngine):
    """A derivation is not the first one but any."""

    def derivation(self, fact: Fact) -> Derivation | None:
        first = super().derivation(fact)
        ways = [
            way for way in self._state.derivations.get(fact, ()) if fact in set(premise_facts(way.premises))
        ]
        return ways[0] if first is not None and ways else first


class ChangesWhatItGave(FaultlessEngine):
    """The removed facts that were returned for one update change with the next update."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **named)
        self._removed: Any = None

    def update(self, **arguments: Any) -> Change:
        change = super().update(**arguments)
        if self._removed is not None:
            self._removed._facts = change.removed._facts
        self._removed = change.removed
        return change


class LosesTheLastColumn(FaultlessEngine):
    """The last of the facts given by columns is lost for a predicate with two columns."""

    def update(self, **arguments: Any) -> Change:
        columns = dict(arguments.get("add_columns") or {})
        for predicate, found in columns.items():
            if len(found) == 2 and len(found[0]) > 2:
                columns[predicate] = tuple(column[:-1] for column in found)
        return super().update(**{**arguments, "add_columns": columns})


class MissesOverflows(FaultlessEngine):
    """Some errors are suppressed: the update is completed without the facts of that rule."""

    def query(self, body: Any, variables: Any) -> list[tuple[int, ...]]:
        try:
            return super().query(body, variables)
        except EngineError:
            return []


FAULTS: tuple[Callable[..., Any], ...] = (
    KeepsCircles,
    DeafToAbsence,
    DeafToAggregates,
    DeafToSets,
    DeafToSizes,
    ForgetsGiven,
    NeverRederives,
    PopsWithoutGiven,
    PopsOneTooMany,
    RefusesHalf,
    ForgetsRefusedRules,
    OtherDerivationAfterPop,
    RestsOnItself,
    ChangesWhatItGave,
    LosesTheLastColumn,
    MissesOverflows,
)
