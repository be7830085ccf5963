"""Advice after a decision, or after one that prepares it, checked in the simulator: it reaches its goal."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

from hornbook.advice.advising import StateAdviser, adviser_of
from hornbook.advice.ways_out import WayOut, WaysOut
from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from oracles.firm.random_firms import random_firm
from oracles.firm.theory_run import goal_holds
from oracles.firm.years import EXAMPLES


@pytest.fixture(scope="module")
def adviser():
    return adviser_of("firm", None)


def ways(adviser: StateAdviser, firm: Firm) -> Iterator[WayOut]:
    advised = adviser.advise(adapter.facts(firm))
    queried = WaysOut(adviser, adapter, firm)
    yield from queried.of_conflicts(advised).values()
    yield from queried.to_goals(advised).values()


def carried_out(way: WayOut, firm: Firm, random: Random) -> int:
    """Return how many interval ends were executed. Each of them must reach the goal."""
    for decision in way.taken:
        then = adapter.step(firm, decision)
        assert then is not None
        firm = then
    names = [str(term.value) for term in way.goal.terms if isinstance(term, Constant)]
    number = 0
    for decided, amounts in way.decisions.items():
        things = [term.value for term in decided.arguments if isinstance(term, Constant)]
        for amount in (end for part in amounts for end in part):
            after = adapter.step(firm, GroundFact(decided.predicate, (*things, amount)))
            assert after is not None
            assert goal_holds(way.goal.predicate, names, "GI", after, random), (way, firm)
            number += 1
    return number


def test_ways_out_of_conflicts_of_random_firms_hold_in_the_simulator(adviser):
    random = Random(5)
    tried = 0
    for _ in range(60):
        firm = random_firm(random)
        tried += sum(carried_out(way, firm, random) for way in ways(adviser, firm))
    assert tried > 15


@pytest.mark.parametrize(
    "path", sorted(EXAMPLES.glob("*/0[1-6].csv")), ids=lambda p: f"{p.parent.name}-{p.stem}"
)
def test_what_prepares_a_month_lets_it_be_made(path, adviser):
    firm = adapter.read(path.read_text("utf-8"), path.name)
    found = list(ways(adviser, firm))
    assert all(carried_out(way, firm, Random(1)) for way in found)
    if path.parent.name == "bakery":
        # Bread needs flour and yeast, so no single purchase lets it be baked.
        (bread,) = (way for way in found if way.goal.terms == (Constant("bread"),))
        assert [fact.values[0] for fact in bread.taken] == ["flour", "yeast"]
