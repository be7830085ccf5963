"""Saturation: everything that follows from given facts by rules, with a derivation of each derived fact.

Semi-naive evaluation, stratum by stratum: in each round a rule is read once for every one of its conditions
that the last round's facts match. A fact that is found in one round can be a premise only in the next, so a
fact's first derivation rests on facts that were there before it. An overflow derives nothing while facts
still come, because an `AllOf` may yet become true without it; it is an error when the stratum is finished.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Literal

from hornbook.matcher.plain.conditions import NOTHING_NEW, Conjunction, Instance
from hornbook.matcher.plain.joins import Cells, Layout
from hornbook.matcher.plain.relations import Database, Relation, Row
from hornbook.matcher.program.bounds import Bounds
from hornbook.matcher.program.coded import (
    CodedCondition,
    CodedTerm,
    Derivation,
    Fact,
    Match,
    Predicate,
    PredicateId,
    Rule,
    RuleId,
    Var,
)
from hornbook.matcher.program.errors import ArithmeticOverflowError, KeyConflictError, OverfullSetError
from hornbook.matcher.program.scope import predicates_read, terms, variables

KeptDerivations = Literal["none", "one", "all"]


class Body:
    """A planned conjunction, and the terms that are wanted of it: a rule's head or a query's variables.

    `first`: the place of the `Match` that is matched against new facts only.
    """

    def __init__(
        self,
        wanted: Sequence[CodedTerm],
        conditions: Sequence[CodedCondition],
        predicates: Sequence[Predicate],
        rule: RuleId = None,
        first: int | None = None,
    ) -> None:
        mentioned = [*wanted, *(term for condition in conditions for term in terms(condition))]
        layout = Layout([term for term in dict.fromkeys(mentioned) if not isinstance(term, Var)])
        self._seed: Cells = tuple(layout.constants)
        self._rule = rule
        self._conjunction = Conjunction(conditions, layout, variables(wanted), predicates, rule, first)
        self.row = self._conjunction.project(wanted)
        """The cells of the wanted terms in an instance's cells."""

    def instances(self, facts: Database, bounds: Bounds, new: Database = NOTHING_NEW) -> Iterator[Instance]:
        return self._conjunction.solve(self._seed, facts, bounds, new)

    def derivation(self, instance: Instance, variables: int) -> Derivation:
        binding = self._conjunction.binding(instance.cells, variables)
        return Derivation(self._rule, binding, self._conjunction.premises(instance))

    def overflow(self, instance: Instance, variables: int) -> ArithmeticOverflowError:
        return ArithmeticOverflowError(self._rule, self._conjunction.binding(instance.cells, variables))


class PlannedRule:
    """A rule with its plans: one over all facts, and one for each `Match` that new facts can begin with.

    Raises UnsafeRuleError.
    """

    def __init__(self, rule: Rule, predicates: Sequence[Predicate]) -> None:
        self.rule = rule
        self.whole = Body(rule.head.terms, rule.body, predicates, rule.id)
        self._predicates = predicates
        self._matches = [
            (place, each.predicate) for place, each in enumerate(rule.body) if isinstance(each, Match)
        ]
        others = [each for each in rule.body if not isinstance(each, Match)]
        self._inside = frozenset(predicate for predicate, _ in predicates_read(others))
        self._beginning_with: dict[int, Body] = {}

    def bodies(self, new: AbstractSet[PredicateId]) -> Iterator[Body]:
        """The plans that find every instance that new facts of these predicates may have made true."""
        if not self._inside.isdisjoint(new):
            yield self.whole
            return
        for place, predicate in self._matches:
            if predicate in new:
                if place not in self._beginning_with:
                    rule = self.rule
                    body = Body(rule.head.terms, rule.body, self._predicates, rule.id, place)
                    self._beginning_with[place] = body
                yield self._beginning_with[place]


class Saturation:
    """Facts that grow, stratum by stratum, until they are all that follows."""

    def __init__(
        self, given: Mapping[PredicateId, Iterable[Row]], bounds: Bounds, kept: KeptDerivations
    ) -> None:
        self.facts = Database(Relation)
        self.derivations: dict[Fact, list[Derivation]] = {}
        """Every derivation, where all are kept."""
        self._bounds = bounds
        self._kept = kept
        for predicate, rows in given.items():
            for row in rows:
                bounds.count_facts(1, len(row))
                self.facts[predicate].add(row, None)

    def finish(self, stratum: Sequence[PlannedRule]) -> None:
        """Add all that follows by the rules of one stratum; the strata before are finished."""
        overflowed: dict[RuleId, PlannedRule] = {}
        new = Database(Relation)
        bodies = [(planned, planned.whole) for planned in stratum]
        while bodies:
            found = Database(Relation)
            for planned, body in bodies:
                if self._read(planned.rule, body, new, found):
                    overflowed[planned.rule.id] = planned
            for predicate, relation in found.items():
                for row, derivation in relation.rows.items():
                    self.facts[predicate].add(row, derivation)
            new = found
            bodies = [(planned, body) for planned in stratum for body in planned.bodies(new.keys())]
        for planned in stratum if self._kept == "all" else overflowed.values():
            self._review(planned)

    def _read(self, rule: Rule, body: Body, new: Database, found: Database) -> bool:
        """Put the new facts that a plan gives into `found`; whether some instance overflowed."""
        head = rule.head.predicate
        known = self.facts[head].rows
        overflowed = False
        for instance in body.instances(self.facts, self._bounds, new):
            if instance.overflowed:
                overflowed = True
                continue
            row = body.row(instance.cells)
            if row in known or (head in found and row in found[head].rows):
                continue
            self._bounds.count_facts(1, len(row))
            derivation = None
            if self._kept != "none":
                derivation = body.derivation(instance, rule.variables)
                self._bounds.count_derivation(derivation)
            found[head].add(row, derivation)
        return overflowed

    def _review(self, planned: PlannedRule) -> None:
        """Read a rule once more in its finished stratum: no instance may overflow now."""
        rule, body = planned.rule, planned.whole
        for instance in body.instances(self.facts, self._bounds):
            if instance.overflowed:
                raise body.overflow(instance, rule.variables)
            if self._kept == "all":
                derivation = body.derivation(instance, rule.variables)
                self._bounds.count_derivation(derivation)
                fact = Fact(rule.head.predicate, body.row(instance.cells))
                self.derivations.setdefault(fact, []).append(derivation)

    def check_promises(self, predicates: Sequence[Predicate]) -> None:
        """Raise KeyConflictError or OverfullSetError where the facts break what a predicate promises."""
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
