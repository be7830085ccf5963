"""The plain engine: the behaviour of every engine of `matcher`, implemented as simply as possible.

It is the specification of the compiled engine.

Invariants:


- The facts are all consequences of the given facts by the rules: in each stratum, rules are evaluated
  repeatedly until
  nothing is new. Each update computes them again, so they never depend on the history of the given facts
  and rules.
- An update computes a new state, which replaces the old one only on success: after any EngineError the engine
  is
  unchanged. A mark is a stored state.
- A fact's first derivation has premises that existed before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import chain
from types import MappingProxyType

from hornbook.matcher.program.changes import Columns, Group, changed_rules, group_of
from hornbook.matcher.program.coded import (
    Change,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Derivation,
    Fact,
    Limits,
    PredicateId,
    Row,
    RuleBinding,
    RuleId,
    Var,
)
from hornbook.matcher.program.engine import Engine, StoredDerivations
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    KeyConflictError,
    MarkError,
    NoDerivationsError,
    OverfullSetError,
)
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.stratify import strata
from hornbook.matcher.program.wellformed import (
    check_fact,
    check_predicates,
    check_query,
    check_rule,
    predicate_of,
)
from oracles.reference.bounds import CallBounds
from oracles.reference.conjunction import Cells, ReferenceConjunction, row_of
from oracles.reference.relations import Database, IndexedRelation

Given = Mapping[PredicateId, frozenset[Row]]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A rule, with its body prepared for evaluation. Raises UnsafeRuleError."""

    rule: CodedRule
    body: ReferenceConjunction

    @classmethod
    def of(cls, rule: CodedRule) -> Prepared:
        return cls(rule, ReferenceConjunction.of_rule(rule))


Strata = Sequence[Sequence[Prepared]]


class ReferenceSaturation:
    """Growing facts, stratum by stratum, until they include all consequences.

    An overflow derives nothing while facts are still added, because an `AllOf` may become true without it. It
    is an error when the stratum is finished.
    """

    def __init__(self, given: Given, bounds: CallBounds, stored: StoredDerivations) -> None:
        self.facts = Database(IndexedRelation)
        self.derivations: dict[Fact, list[Derivation]] = {}
        """Every derivation, if all are stored."""
        self._bounds, self._kept = bounds, stored
        for predicate, rows in given.items():
            for row in rows:
                bounds.count_facts(1, len(row))
                self.facts[predicate].add(row, None)

    def finish(self, stratum: Sequence[Prepared]) -> None:
        """Add all consequences of the rules of one stratum; the earlier strata are finished."""
        sizes: dict[RuleId, int] = {}
        overflowed: dict[RuleId, bool] = {}
        progress = True
        while progress:
            progress = False
            for each in stratum:
                # Facts are only added: with the same number as at the rule's last evaluation, nothing is new
                # for it.
                size = sum(len(self.facts[read].rows) for read, _ in predicates_read(each.rule.body))
                if sizes.get(each.rule.id) != size:
                    sizes[each.rule.id], progress = size, True
                    overflowed[each.rule.id] = self._read(each)
        for each in stratum:
            if self._kept == "all" or overflowed[each.rule.id]:
                self._review(each)

    def _instances(self, each: Prepared) -> Iterator[tuple[Cells, bool | None]]:
        return each.body.solve((None,) * each.rule.variables, self.facts, self._bounds)

    def _read(self, each: Prepared) -> bool:
        """Add the conclusions of a rule, which it may read at once.

        Return whether some instance overflowed.
        """
        head, overflowed = each.rule.head, False
        known = self.facts[head.predicate]
        for cells, truth in self._instances(each):
            overflowed = overflowed or not truth
            if truth and (row := row_of(head.terms, cells)) not in known.rows:
                self._bounds.count_facts(1, len(row))
                known.add(row, None if self._kept == "none" else self._derivation(each, cells))
        return overflowed

    def _derivation(self, each: Prepared, cells: Cells) -> Derivation:
        premises = each.body.premises(cells, self.facts, self._bounds)
        derivation = Derivation(each.rule.id, tuple(cells), premises)
        self._bounds.count_derivation(derivation)
        return derivation

    def _review(self, each: Prepared) -> None:
        """Evaluate a rule again in its finished stratum: no instance may overflow now."""
        head = each.rule.head
        for cells, truth in self._instances(each):
            if not truth:
                raise ArithmeticOverflowError(each.rule.id, tuple(cells))
            if self._kept == "all":
                fact = Fact(head.predicate, row_of(head.terms, cells))
                self.derivations.setdefault(fact, []).append(self._derivation(each, cells))

    def check_constraints(self, predicates: Sequence[CodedPredicate]) -> None:
        """Raise KeyConflictError or OverfullSetError if the facts violate a constraint of a predicate."""
        for number, predicate in enumerate(predicates):
            if predicate.key is None or number not in self.facts:
                continue
            columns = tuple(range(predicate.key))
            for rows in self.facts[number].index(columns).values():
                self._bounds.check_time()
                if len(rows) > 1:
                    raise KeyConflictError(Fact(number, rows[0]), Fact(number, rows[1]))
                if predicate.counts is not None:
                    count = rows[0]
                    members = self.facts[predicate.counts].index(columns).get(count[:-1], ())
                    if len(members) > count[-1]:
                        raise OverfullSetError(Fact(number, count), len(members))


@dataclass(frozen=True, slots=True)
class EngineState:
    """The complete state of an engine at one time; it is immutable except for indexes."""

    rules: Mapping[RuleId, CodedRule] = field(default_factory=dict)
    strata: Strata = ()
    given: Given = field(default_factory=dict)
    facts: Database = field(default_factory=lambda: Database(IndexedRelation))
    derivations: Mapping[Fact, Sequence[Derivation]] = field(default_factory=dict)
    bytes: int = 0

    def __contains__(self, fact: Fact) -> bool:
        return fact.predicate in self.facts and fact.cells in self.facts[fact.predicate].rows


class ReferenceEngine(Engine):
    """An engine that takes facts and rules and computes all consequences, with derivations.

    `derivations`: "one" stores the first derivation of each fact, "all" also stores every other one, "none"
    stores none. `limits` bound the facts and bytes of the engine and the seconds of each call.
    """

    def __init__(
        self,
        predicates: Sequence[CodedPredicate] = (),
        *,
        derivations: StoredDerivations = "one",
        limits: Limits = Limits(),  # noqa: B008 - frozen
    ) -> None:
        self._predicates: list[CodedPredicate] = []
        self._kept = derivations
        self._limits = limits
        self._state = EngineState()
        self._marks: list[EngineState] = []
        self.add_predicates(predicates)

    def add_predicates(self, predicates: Iterable[CodedPredicate]) -> None:
        """Add predicates; their numbers continue those of the existing ones. Raises MalformedError."""
        more = tuple(predicates)
        check_predicates([*self._predicates, *more])
        self._predicates.extend(more)

    @property
    def rules(self) -> Mapping[RuleId, CodedRule]:
        return MappingProxyType(self._state.rules)

    def update(
        self,
        *,
        add: Iterable[Fact] = (),
        retract: Iterable[Fact] = (),
        add_rules: Iterable[CodedRule] = (),
        remove_rules: Iterable[RuleId] = (),
        add_columns: Mapping[PredicateId, Columns] | None = None,
    ) -> Change:
        """Change given facts and rules, saturate, and return the changes."""
        old, bounds = self._state, CallBounds(self._limits)
        rules, strata = self._changed_rules(tuple(remove_rules), tuple(add_rules))
        given = self._changed_given(tuple(retract), tuple(add))
        saturation = ReferenceSaturation(given, bounds, self._kept)
        for stratum in strata:
            saturation.finish(stratum)
        saturation.check_constraints(self._predicates)
        facts = saturation.facts
        self._state = EngineState(rules, strata, given, facts, saturation.derivations, bounds.bytes)
        return Change(_difference(facts, old.facts), _difference(old.facts, facts))

    def group(self, facts: Iterable[Fact]) -> Group:
        """Return facts to be added or retracted together. Raises MalformedError."""
        return group_of(facts, self._predicates)

    def exchange(self, retract: Iterable[Group], add: Iterable[Group]) -> None:
        """Retract and add groups, like `update`."""
        self.update(add=chain.from_iterable(add), retract=chain.from_iterable(retract))

    def _changed_rules(
        self, removed: Sequence[RuleId], added: Sequence[CodedRule]
    ) -> tuple[Mapping[RuleId, CodedRule], Strata]:
        if not removed and not added:
            return self._state.rules, self._state.strata
        if self._marks:
            raise MarkError("rules cannot change under a mark")
        rules = changed_rules(self._state.rules, removed, added)
        prepared = {each.rule.id: each for stratum in self._state.strata for each in stratum}
        for rule in added:
            check_rule(rule, self._predicates)
            prepared[rule.id] = Prepared.of(rule)
        return rules, [
            [prepared[rule.id] for rule in rules.values() if rule.head.predicate in stratum]
            for stratum in strata(rules.values())
        ]

    def _changed_given(self, retracted: Sequence[Fact], added: Sequence[Fact]) -> Given:
        for fact in (*retracted, *added):
            check_fact(fact, self._predicates)
        changed = {fact.predicate: set(self.given(fact.predicate)) for fact in (*retracted, *added)}
        for fact in retracted:
            changed[fact.predicate].discard(fact.cells)
        for fact in added:
            changed[fact.predicate].add(fact.cells)
        return {**self._state.given, **{predicate: frozenset(rows) for predicate, rows in changed.items()}}

    def facts(self, predicate: PredicateId) -> AbstractSet[Row]:
        """Return the current facts of a predicate, given and derived; later updates do not change the set."""
        predicate_of(predicate, self._predicates)
        return self._state.facts[predicate].rows.keys()

    def given(self, predicate: PredicateId) -> frozenset[Row]:
        """Return the given facts of a predicate."""
        predicate_of(predicate, self._predicates)
        return self._state.given.get(predicate, frozenset())

    def __contains__(self, fact: Fact) -> bool:
        return fact in self._state

    def query(self, body: Sequence[CodedCondition], variables: Sequence[Var]) -> list[Row]:
        """Return the distinct values of the variables for which all conditions hold, sorted.

        The facts are finished, so a query may contain any condition.
        """
        width = check_query(body, variables, self._predicates)
        bounds = CallBounds(self._limits, used_bytes=self._state.bytes)
        answers: set[Row] = set()
        conjunction = ReferenceConjunction(body, variables)
        for cells, truth in conjunction.solve((None,) * width, self._state.facts, bounds):
            if not truth:
                raise ArithmeticOverflowError(None, tuple(cells))
            row = row_of(variables, cells)
            if row not in answers:
                bounds.count_answer(len(row))
                answers.add(row)
        return sorted(answers)

    def derivation(self, fact: Fact, by: RuleId | None = None) -> Derivation | None:
        """Return the first derivation of a fact, or None if it is given."""
        if by is not None:
            return next(iter(self.derivations(fact, by)), None)
        if self._kept == "none":
            raise NoDerivationsError(self._kept, "one")
        if fact not in self:
            raise KeyError(fact)
        return self._state.facts[fact.predicate].rows[fact.cells]

    def derivations(self, fact: Fact, by: RuleId | None = None) -> tuple[Derivation, ...]:
        """Return every derivation of a fact, even of a given one, or those `by` a rule."""
        if self._kept != "all":
            raise NoDerivationsError(self._kept, "all")
        if fact not in self:
            raise KeyError(fact)
        found = self._state.derivations.get(fact, ())
        return tuple(each for each in found if by is None or each.rule == by)

    def derived_by(self, fact: Fact) -> tuple[RuleId, ...]:
        """Return the rules with derivations of a fact. Raises the errors of `derivations`."""
        return tuple(dict.fromkeys(each.rule for each in self.derivations(fact)))

    def bindings(self, fact: Fact) -> tuple[RuleBinding, ...]:
        """Return the rule and the binding of each of `derivations`."""
        return tuple((each.rule, each.binding) for each in self.derivations(fact))

    def push(self) -> None:
        """Mark the state that the matching `pop` restores."""
        self._marks.append(self._state)

    def pop(self) -> None:
        """Restore facts and derivations to the last mark, and remove the mark. Raises MarkError."""
        if not self._marks:
            raise MarkError("there is no mark")
        self._state = self._marks.pop()


def _difference(facts: Database, others: Database) -> frozenset[Fact]:
    return frozenset(
        Fact(predicate, row)
        for predicate, relation in facts.items()
        for row in relation.rows.keys() - others[predicate].rows.keys()
    )
