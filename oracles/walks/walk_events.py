"""Counts of the events of a walk.

The tests assert the counts, so that no test passes without such events.

All counts are derived from the reference engine's states before and after an update; states are immutable.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import networkx as nx

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Change,
    CodedRule,
    CountOf,
    Derivation,
    Fact,
    PredicateId,
    RuleId,
)
from hornbook.matcher.program.scope import predicates_read
from hornbook.matcher.program.stratify import dependencies
from oracles.engine.derivation_checker import premise_facts
from oracles.reference.engine import EngineState
from oracles.walks.walk_steps import Update

Tally = Counter[str]


@dataclass(frozen=True)
class RuleShape:
    """Properties of the rules: the recursive predicates, and the predicates that conditions read."""

    recursive: frozenset[PredicateId]
    derived: frozenset[PredicateId]
    reads: Mapping[RuleId, Mapping[type, frozenset[PredicateId]]]
    """The predicates that each kind of condition in a rule's body reads."""
    sets_in_recursion: Mapping[RuleId, frozenset[type]]
    """For each rule, `AllOf` and `CountOf` if they read a predicate that depends on the rule's head."""


def shape(rules: Mapping[RuleId, CodedRule]) -> RuleShape:
    graph = dependencies(rules.values())
    component = {each: found for found in nx.strongly_connected_components(graph) for each in found}
    recursive = {each for each in graph if len(component[each]) > 1 or graph.has_edge(each, each)}
    kinds: dict[RuleId, dict[type, frozenset[PredicateId]]] = {}
    for name, rule in rules.items():
        found = kinds.setdefault(name, {})
        for each in rule.body:
            read = frozenset(predicate for predicate, _ in predicates_read([each]))
            found[type(each)] = found.get(type(each), frozenset()) | read
    in_recursion = {
        name: frozenset(
            kind
            for kind in (AllOf, CountOf)
            if component[rule.head.predicate] & kinds[name].get(kind, frozenset())
        )
        for name, rule in rules.items()
    }
    derived = frozenset(rule.head.predicate for rule in rules.values())
    return RuleShape(frozenset(recursive), derived, kinds, in_recursion)


class Witness:
    """A counter of events."""

    def __init__(self, tally: Tally) -> None:
        self.tally = tally
        self._rules: Mapping[RuleId, CodedRule] = {}
        self._shape = shape({})

    def updated(self, old: EngineState, new: EngineState, step: Update, change: Change) -> None:
        """Count the events of an accepted update."""
        before = self._shape
        if new.rules is not self._rules:
            self._rules, self._shape = new.rules, shape(new.rules)
        after = self._shape
        self.tally.update(_events(old, new, step, change, before, after))


def _derivation(state: EngineState, fact: Fact) -> Derivation | None:
    return state.facts[fact.predicate].rows.get(fact.cells)


def _events(
    old: EngineState, new: EngineState, step: Update, change: Change, before: RuleShape, after: RuleShape
) -> Iterator[str]:
    yield from _rule_events(old, new, before, after)
    yield from _given_events(old, new, step)
    came = {fact.predicate for fact in change.added} & after.derived
    went = {fact.predicate for fact in change.removed} & before.derived
    for fact in change.added:
        derivation = _derivation(new, fact)
        if derivation is not None and derivation.rule in old.rules:
            yield from _condition_events("begins", derivation, after, came, went)
    for fact in change.removed:
        if fact.predicate in before.recursive:
            yield "a fact of a recursive predicate is removed"
        derivation = _derivation(old, fact)
        if derivation is not None and derivation.rule in new.rules:
            yield from _condition_events("ends", derivation, before, came, went)
    if change.removed or old.rules is not new.rules:
        yield from _rederived(old, new, before)
    if any(derivations for derivations in old.derivations.values()):
        yield from _circles(old, change)


def _rule_events(old: EngineState, new: EngineState, before: RuleShape, after: RuleShape) -> Iterator[str]:
    for predicate in after.recursive - before.recursive:
        if old.facts[predicate].rows and predicate in before.derived:
            yield "a derived predicate becomes recursive"
    for predicate in before.recursive - after.recursive:
        if new.facts[predicate].rows and predicate in after.derived:
            yield "a predicate is recursive no more"


def _given_events(old: EngineState, new: EngineState, step: Update) -> Iterator[str]:
    for fact in set(step.retract):
        was, given = (state.given.get(fact.predicate, frozenset()) for state in (old, new))
        if fact.cells in was - given and fact in new:
            yield "a given fact is retracted and stays, since it is derived"
    for fact in set(step.add):
        if fact in old and fact.cells not in old.given.get(fact.predicate, ()):
            yield "a derived fact is given too"
    for fact, ways in old.derivations.items():
        if ways and not new.derivations.get(fact) and fact in new:
            yield "a derived fact stays, since it is given"


def _condition_events(
    what: str, derivation: Derivation, shape: RuleShape, came: set[int], went: set[int]
) -> Iterator[str]:
    kinds = shape.reads[derivation.rule]
    moved = went if what == "begins" else came
    if kinds.get(AbsentOf, frozenset()) & moved:
        yield f"an absence of derived facts {what}"
    if kinds.get(AggregateOf, frozenset()) & (came | went):
        yield f"an aggregate over derived facts {what}"
    for kind in shape.sets_in_recursion[derivation.rule]:
        yield f"{kind.__name__} in a recursion {what}"


def _rederived(old: EngineState, new: EngineState, before: RuleShape) -> Iterator[str]:
    for predicate in before.recursive:
        given, rows = new.given.get(predicate, frozenset()), new.facts[predicate].rows
        for row, derivation in old.facts[predicate].rows.items():
            if (
                derivation is not None
                and row in rows
                and row not in given
                and (
                    derivation.rule not in new.rules
                    or not all(premise in new for premise in premise_facts(derivation.premises))
                )
            ):
                yield "a fact of a recursive predicate is derived another way"


def _circles(old: EngineState, change: Change) -> Iterator[str]:
    """Yield removed facts that were derived from one another, if all derivations are stored."""
    graph: nx.DiGraph[Fact] = nx.DiGraph()
    for fact in change.removed:
        for derivation in old.derivations.get(fact, ()):
            graph.add_edges_from(
                (fact, premise) for premise in premise_facts(derivation.premises) if premise in change.removed
            )
    for component in nx.strongly_connected_components(graph):
        if len(component) > 1 or any(graph.has_edge(fact, fact) for fact in component):
            yield "a circle of facts is removed"
