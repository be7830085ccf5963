"""Checks derivations by their rules and facts alone; it shares no code with the engine that found them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CountOf,
    Derivation,
    Fact,
    Match,
    Premise,
    Rule,
    RuleId,
    SetPremise,
    Var,
)
from oracles.engine.naive_engine import Facts, Values, gives, rows_of, truth, value, variables


def check_derivation(fact: Fact, derivation: Derivation, rules: Mapping[RuleId, Rule], facts: Facts) -> None:
    """The rule under the binding gives the fact, and each premise is what its condition needs."""
    rule = rules[derivation.rule]
    assert len(derivation.binding) == rule.variables
    values = {index: cell for index, cell in enumerate(derivation.binding) if cell is not None}
    assert values.keys() == _bound(rule)
    assert fact == _instance(rule.head, values)
    check_premises(rule.body, derivation.premises, values, facts, variables(rule.head))


def _bound(rule: Rule) -> set[int]:
    """The variables of a rule that are not local to one of its conditions."""
    found = variables(rule.head)
    for condition in rule.body:
        own, inside = variables(condition), set[int]()
        match condition:
            case AllOf(closed, members, conditions):
                own, inside = variables(closed), variables((members, conditions))
            case AggregateOf(result, _, chosen, conditions):
                own, inside = variables(result), variables((chosen, conditions))
            case AbsentOf(conditions):
                own, inside = set(), variables(conditions)
        elsewhere = variables((rule.head, *(other for other in rule.body if other is not condition)))
        found |= own | inside & (own | elsewhere)
    return found


def check_premises(
    conditions: Sequence[CodedCondition],
    premises: Sequence[Premise],
    values: Values,
    facts: Facts,
    outside: set[int],
) -> None:
    assert len(premises) == len(conditions)
    for condition, premise in zip(conditions, premises, strict=True):
        names = outside.union(*(variables(other) for other in conditions if other is not condition))
        match condition:
            case Match():
                assert premise == _instance(condition, values)
                assert _stands(premise, facts)
            case AllOf():
                _check_all_of(condition, premise, values, facts, names)
            case CountOf(_, sets, _, _):
                assert isinstance(premise, tuple)
                for closed, proof in zip(sets, premise, strict=True):
                    members = _check_set(closed, proof, values, facts)
                    assert {fact.cells[len(closed.key) :] for fact, _ in members} == set(
                        rows_of(closed.member, closed.key, values, facts)
                    )
                    assert len(members) == proof.count.cells[-1]
                assert truth(condition, values, facts, names) is True
            case _:
                assert premise is None
                assert truth(condition, values, facts, names) is True


def _check_all_of(condition: AllOf, premise: Any, values: Values, facts: Facts, names: set[int]) -> None:
    members = _check_set(condition.set, premise, values, facts)
    for fact, premises in members:
        cells = fact.cells[len(condition.set.key) :]
        extended = {**values, **{var.index: cell for var, cell in zip(condition.members, cells, strict=True)}}
        for inner, proof in zip(condition.conditions, premises, strict=True):
            if isinstance(inner, Match):
                extended.update(
                    (term.index, cell)
                    for term, cell in zip(inner.terms, proof.cells, strict=True)
                    if isinstance(term, Var)
                )
        for _ in condition.conditions:  # equations may wait for one another
            for inner in condition.conditions:
                extended.update(gives(inner, extended, facts, names | extended.keys()))
        known = names | variables((condition.set.key, condition.members))
        check_premises(condition.conditions, premises, extended, facts, known)


def _check_set(closed: ClosedSet, premise: Any, values: Values, facts: Facts) -> Sequence[tuple[Fact, Any]]:
    assert isinstance(premise, SetPremise)
    key = tuple(value(term, values) for term in closed.key)
    assert premise.count.predicate == closed.count
    assert premise.count.cells[:-1] == key
    assert _stands(premise.count, facts)
    assert len({fact for fact, _ in premise.members}) == len(premise.members) >= premise.count.cells[-1]
    for fact, _ in premise.members:
        assert fact.predicate == closed.member
        assert fact.cells[: len(key)] == key
        assert _stands(fact, facts)
    return premise.members


def _instance(match: Match, values: Values) -> Fact:
    return Fact(match.predicate, tuple(value(term, values) for term in match.terms))


def _stands(fact: Fact, facts: Facts) -> bool:
    return fact.cells in facts[fact.predicate]


def premise_facts(premise: Any) -> Iterator[Fact]:
    """Every fact that a premise rests on."""
    if isinstance(premise, Fact):
        yield premise
    elif isinstance(premise, SetPremise):
        yield premise.count
        yield from premise_facts(premise.members)
    elif premise is not None:
        for part in premise:
            yield from premise_facts(part)
