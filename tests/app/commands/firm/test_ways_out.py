"""Advice after a decision, or after one that prepares it, checked in the simulator: it reaches its goal."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from random import Random

import pyarrow
import pytest

from hornbook.advice.advice_text import FurtherDecisions, as_json
from hornbook.advice.advise_states import AdviseStates
from hornbook.advice.advising import StateAdviser, adviser_of
from hornbook.advice.ways_out import WayOut, WaysOut
from hornbook.kb.ast.terms import Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.compiled.states import StateEngine
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.tables.writing import csv_of_firm
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


def test_advice_on_many_states_is_that_on_each(adviser, monkeypatch):
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    sizes, evaluate = [], StateEngine.evaluate

    def counted(self, block, *arguments, **named):
        sizes.append(block.states)
        return evaluate(self, block, *arguments, **named)

    monkeypatch.setattr(StateEngine, "evaluate", counted)
    random = Random(8)
    states = [list(adapter.facts(random_firm(random))) for _ in range(30)]
    wrong = [*states[0], GroundFact("setting", ("fixed", 1)), GroundFact("setting", ("fixed", 2))]
    unknown = [GroundFact("weather", ("rain",))]
    found = adviser.advise_each([*states, wrong, unknown])
    assert found[:30] == [adviser.advise(facts) for facts in states]
    for facts, each in zip((wrong, unknown), found[30:], strict=True):
        with pytest.raises(type(each), match=re.escape(str(each))):
            adviser.advise(facts)
    assert sizes
    assert sizes[0] == 31


def test_a_table_of_states_has_the_advice_on_each_and_its_ways_out(adviser, monkeypatch):
    monkeypatch.delenv("HORNBOOK_ENGINE", raising=False)
    random = Random(9)
    texts = [path.read_text(encoding="utf-8") for path in sorted((EXAMPLES / "bakery").glob("0*.csv"))]
    texts += [csv_of_firm(random_firm(random)) for _ in range(10)]
    asked, advise = [], StateAdviser.advise
    monkeypatch.setattr(StateAdviser, "advise", lambda self, facts: asked.append(1) or advise(self, facts))
    question = AdviseStates(adviser.theory, adviser.rules)
    found, errors = question.ready()(pyarrow.table({"state": [*texts, "no,table", None]}))
    assert asked == []
    assert [error is None for error in errors] == [True] * len(texts) + [False, False]
    assert found[len(texts) :] == [None, None]
    further = 0
    for text, each in zip(texts, found, strict=False):
        firm = adapter.read(text, "state")
        advised = advise(adviser, adapter.facts(firm))
        ways_out = WaysOut(adviser, adapter, firm)
        ways = FurtherDecisions(ways_out.of_conflicts(advised), ways_out.to_goals(advised))
        assert json.loads(each) == as_json(advised, ways, adviser.wording)
        further += len(ways.out_of) + len(ways.to)
    assert further > 3
