"""Tests of strata: the order of evaluating predicates."""

from __future__ import annotations

from random import Random

import networkx as nx
import pytest

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    ClosedSet,
    CodedCondition,
    CodedRule,
    CountOf,
    Match,
    Var,
)
from hornbook.matcher.program.errors import NotStratifiedError
from hornbook.matcher.program.stratify import dependencies, strata

X, L, N = Var(0), Var(1), Var(2)


def rule(head: int, *body: CodedCondition | int) -> CodedRule:
    conditions = (Match(each, (X,)) if isinstance(each, int) else each for each in body)
    return CodedRule(object(), Match(head, (X,)), tuple(conditions), 3)


def absent(predicate: int) -> AbsentOf:
    return AbsentOf((Match(predicate, (X,)),))


def every(count: int, member: int, *inner: int) -> AllOf:
    return AllOf(ClosedSet(count, member, ()), (L,), tuple(Match(each, (L,)) for each in inner))


def test_what_is_read_comes_first():
    order = strata([rule(3, 2), rule(2, 1), rule(1, 0), rule(4, 3, 1)])
    assert sorted(map(sorted, order)) == [[0], [1], [2], [3], [4]]
    for reads, read in ((3, 2), (2, 1), (1, 0), (4, 3), (4, 1)):
        assert order.index(frozenset({read})) < order.index(frozenset({reads}))


def test_predicates_that_are_concluded_from_one_another_are_one_stratum():
    assert set(strata([rule(1, 0), rule(1, 2), rule(2, 1), rule(3, 3)])) == {
        frozenset({0}),
        frozenset({1, 2}),
        frozenset({3}),
    }


@pytest.mark.parametrize("seed", range(200))
def test_strata_are_those_of_networkx_in_its_order(seed):
    random = Random(seed)
    number = random.randrange(1, 25)
    rules = [
        rule(random.randrange(number), *random.choices(range(number), k=random.randrange(4)))
        for _ in range(random.randrange(40))
    ]
    graph = dependencies(rules)
    components = [frozenset(component) for component in nx.strongly_connected_components(graph)]
    order = nx.topological_sort(nx.condensation(graph, components))
    assert strata(rules) == tuple(components[each] for each in reversed(list(order)))


def test_no_rules_no_strata():
    assert strata([]) == ()
    assert strata([rule(0)]) == (frozenset({0}),)


def test_sets_may_be_part_of_a_recursion():
    count = CountOf(N, (ClosedSet(2, 3, ()), ClosedSet(4, 5, ())), 1)
    order = strata([rule(1, every(2, 3, 1)), rule(3, 1), rule(6, count), rule(5, 6)])
    assert frozenset({1, 3}) in order
    assert frozenset({5, 6}) in order


@pytest.mark.parametrize(
    ("rules", "cycle"),
    [
        ([rule(1, 0, absent(1))], (1,)),
        ([rule(1, 0, absent(2)), rule(2, 3), rule(3, 1)], (1, 2, 3)),
        ([rule(1, AggregateOf(N, "count", (), (Match(1, (L,)),)))], (1,)),
        ([rule(1, AbsentOf((every(2, 3, 1),)))], (1,)),
        ([rule(1, AllOf(ClosedSet(2, 3, ()), (L,), (absent(1),)))], (1,)),
        ([rule(1, AbsentOf((absent(1),)))], (1,)),
        ([rule(2, absent(1)), rule(1, every(2, 0))], (2, 1)),
        ([rule(1, 2), rule(1, absent(2)), rule(2, 1)], (1, 2)),
        ([rule(1, absent(2)), rule(1, 2), rule(2, 1)], (1, 2)),
    ],
)
def test_what_depends_on_its_own_absence_is_refused(rules, cycle):
    with pytest.raises(NotStratifiedError) as caught:
        strata(rules)
    assert caught.value.cycle == cycle


def test_absence_of_something_finished_is_fine():
    order = strata([rule(2, absent(1)), rule(1, 0), rule(1, 1)])
    assert order.index(frozenset({1})) < order.index(frozenset({2}))


def test_dependencies_say_what_must_be_finished():
    graph = dependencies([rule(2, 0, absent(1)), rule(2, 1), rule(3)])
    assert dict(graph.edges) == {(2, 0): {"finished": False}, (2, 1): {"finished": True}}
    assert set(graph) == {0, 1, 2, 3}
