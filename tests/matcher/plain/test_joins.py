"""Joins: the order of matching follows from what is known, and comparisons cut early."""

from __future__ import annotations

import pytest

from hornbook.matcher.plain.joins import Join, Layout
from hornbook.matcher.plain.relations import Database, Relation
from hornbook.matcher.program.bounds import Bounds
from hornbook.matcher.program.coded import Apply, Compare, Fact, Limits, Match, Predicate, Var

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, COLOUR, NODE = range(3)
PREDICATES = [Predicate(2), Predicate(2, key=1), Predicate(1)]
RED = 9


def planned(*conditions: Match | Compare, first: int | None = None) -> Join:
    return Join(conditions, Layout([0, 1, RED]), PREDICATES, first)


def order(join: Join) -> list[int]:
    """The places of the conditions in the order in which they are matched."""
    return sorted(join.starts, key=lambda place: join.starts[place])


@pytest.mark.parametrize(
    ("conditions", "first", "expected"),
    [
        # A chain is followed, however it is written.
        ([Match(EDGE, (X, Y)), Match(EDGE, (Z, Var(3))), Match(EDGE, (Y, Z))], 0, [0, 2, 1]),
        ([Match(EDGE, (X, Y)), Match(EDGE, (Z, Var(3))), Match(EDGE, (Y, Z))], 1, [1, 2, 0]),
        # A constant is better than nothing, and a known variable better than a constant.
        ([Match(EDGE, (X, Y)), Match(EDGE, (0, Z))], None, [1, 0]),
        ([Match(NODE, (X,)), Match(COLOUR, (Y, RED)), Match(EDGE, (X, Y))], 0, [0, 2, 1]),
        # A key that is known gives one fact at most.
        ([Match(NODE, (X,)), Match(EDGE, (X, Y)), Match(COLOUR, (X, Z))], 0, [0, 2, 1]),
        # What an equation makes known counts too.
        ([Match(NODE, (Y,)), Match(EDGE, (X, Z)), Compare("=", X, 1)], None, [1, 0]),
        ([Match(NODE, (Y,)), Match(EDGE, (X, Z))], None, [0, 1]),
    ],
)
def test_the_order_of_matching(conditions, first, expected):
    assert order(planned(*conditions, first=first)) == expected


def test_comparisons_without_arithmetic_are_decided_by_the_join():
    arithmetic = Compare("<", Apply("+", X, 1), 5)
    waiting = Compare("<", X, Z)
    join = planned(arithmetic, Match(NODE, (X,)), Compare("<", X, 1), waiting, Compare("=", Y, X))
    assert join.decided == {1, 2, 4}


def test_a_comparison_cuts_as_soon_as_it_is_known():
    """The first condition leaves one node of a hundred; without the comparison there were a million ways."""
    facts = Database(Relation)
    for number in range(100):
        facts[NODE].add((number,), None)
    conditions = Match(NODE, (X,)), Match(NODE, (Y,)), Match(NODE, (Z,)), Compare("<", X, 1)
    bounds = CountingBounds(Limits())
    answers = list(planned(*conditions).run((0, 1, RED), facts, facts, bounds))
    assert len(answers) == 10_000
    assert bounds.checks == 1 + 1 + 100 + 10_000


class CountingBounds(Bounds):
    checks = 0

    def check_time(self) -> None:
        self.checks += 1


def test_a_body_may_be_longer_than_the_stack_is_deep(engine_class):
    """A chain of 1,100 conditions, with a comparison for each."""
    chain = [Match(EDGE, (Var(place), Var(place + 1))) for place in range(1100)]
    falling = [Compare(">=", Var(place), Var(place + 1)) for place in range(1100)]
    engine = engine_class(PREDICATES)
    engine.update(add=[Fact(EDGE, (1, 1)), Fact(EDGE, (1, 2))])
    assert engine.query([*chain, *falling], [Var(0), Var(1100)]) == [(1, 1)]
