"""A checker of derivations that uses only their rules and facts, for comparison with the engine that found
them.

The reference engine evaluates premises without facts (comparisons, aggregates, absence).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from hornbook.matcher.program.coded import (
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedRule,
    CountOf,
    Derivation,
    Fact,
    Limits,
    Match,
    Premise,
    RuleId,
    SetPremise,
    Var,
)
from hornbook.matcher.program.scope import outer_variables, variables
from oracles.reference.bounds import CallBounds
from oracles.reference.conjunction import Cells, ReferenceConjunction, beginning, row_of
from oracles.reference.relations import Database


def check_derivation(
    fact: Fact, derivation: Derivation, rules: Mapping[RuleId, CodedRule], facts: Database
) -> None:
    """Check that the rule under the binding gives the fact, and that each premise fits its condition."""
    rule, binding = rules[derivation.rule], derivation.binding
    assert len(binding) == rule.variables
    assert _known(binding) == variables(rule.head).union(
        *(outer_variables(each, variables((rule.head, *_others(each, rule.body)))) for each in rule.body)
    )
    assert fact == _instance(rule.head, binding)
    check_premises(rule.body, derivation.premises, binding, facts, variables(rule.head))


def check_premises(
    conditions: Sequence[CodedCondition],
    premises: Sequence[Premise],
    cells: Cells,
    facts: Database,
    outside: frozenset[int],
) -> None:
    assert len(premises) == len(conditions)
    for condition, premise in zip(conditions, premises, strict=True):
        names = outside | variables(_others(condition, conditions))
        match condition:
            case Match():
                assert premise == _instance(condition, cells)
                assert _stands(premise, facts)
            case AllOf():
                _check_all_of(condition, premise, cells, facts, names)
            case CountOf(_, sets, _, _):
                assert isinstance(premise, tuple)
                for closed, proof in zip(sets, premise, strict=True):
                    members = _check_set(closed, proof, cells, facts)
                    assert [fact.cells for fact, _ in members] == beginning(
                        closed.member, closed.key, cells, facts
                    )
                    assert len(members) == proof.count.cells[-1]
                assert _ways([condition], cells, facts, names)
            case _:
                assert premise is None
                assert _ways([condition], cells, facts, names)


def _check_all_of(
    condition: AllOf, premise: Any, cells: Cells, facts: Database, names: frozenset[int]
) -> None:
    known = names | variables((condition.set.key, condition.members))
    for fact, premises in _check_set(condition.set, premise, cells, facts):
        extended = list(cells)
        conditions = [(condition.members, fact.cells[len(condition.set.key) :])]
        conditions += [
            (inner.terms, proof.cells)
            for inner, proof in zip(condition.conditions, premises, strict=True)
            if isinstance(inner, Match)
        ]
        for terms, row in conditions:
            for term, cell in zip(terms, row, strict=True):
                if isinstance(term, Var):
                    extended[term.index] = cell
        (found,) = _ways(condition.conditions, extended, facts, known)
        check_premises(condition.conditions, premises, found, facts, known)


def _check_set(closed: ClosedSet, premise: Any, cells: Cells, facts: Database) -> Sequence[tuple[Fact, Any]]:
    assert isinstance(premise, SetPremise)
    key = row_of(closed.key, cells)
    assert premise.count.predicate == closed.count
    assert premise.count.cells[:-1] == key
    assert _stands(premise.count, facts)
    assert len({fact for fact, _ in premise.members}) == len(premise.members) >= premise.count.cells[-1]
    for fact, _ in premise.members:
        assert fact.predicate == closed.member
        assert fact.cells[: len(key)] == key
        assert _stands(fact, facts)
    return premise.members


def _ways(
    conditions: Sequence[CodedCondition], cells: Cells, facts: Database, outside: frozenset[int]
) -> list[Cells]:
    """Return the bindings that extend `cells` and satisfy the conditions."""
    read = ReferenceConjunction(conditions, (), _known(cells), outside)
    return [found for found, truth in read.solve(cells, facts, CallBounds(Limits())) if truth]


def _known(cells: Cells) -> frozenset[int]:
    return frozenset(index for index, cell in enumerate(cells) if cell is not None)


def _others(condition: CodedCondition, conditions: Sequence[CodedCondition]) -> tuple[CodedCondition, ...]:
    return tuple(other for other in conditions if other is not condition)


def _instance(match: Match, cells: Cells) -> Fact:
    return Fact(match.predicate, row_of(match.terms, cells))


def _stands(fact: Fact, facts: Database) -> bool:
    return fact.cells in facts[fact.predicate].rows


def premise_facts(premise: Any) -> Iterator[Fact]:
    """Yield every fact that a premise depends on."""
    if isinstance(premise, Fact):
        yield premise
    elif isinstance(premise, SetPremise):
        yield premise.count
        yield from premise_facts(premise.members)
    elif premise is not None:
        for part in premise:
            yield from premise_facts(part)
