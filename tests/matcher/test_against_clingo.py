"""Both engines against clingo, an answer set solver, on random programs."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.matcher.program.errors import (
    EngineError,
    KeyConflictError,
    NotStratifiedError,
    OverfullSetError,
)
from oracles.engine import clingo_programs, naive_engine
from oracles.engine.random_programs import PLAIN, Maker, Program
from oracles.pages.engines import ENGINES, AnyEngine

FAMILIES = {
    "positive": PLAIN,
    "absence": PLAIN | {"absent"},
    "arithmetic, aggregates": PLAIN | {"absent", "arithmetic", "aggregate", "promises"},
    # Without arithmetic: clingo's grounder may not end where it stands inside a recursive #count.
    "sets": PLAIN | {"absent", "aggregate", "all", "count", "promises"},
}


def breaks_a_promise(program: Program, facts: naive_engine.Facts) -> bool:
    try:
        naive_engine.check_promises(program.predicates, facts)
    except EngineError:
        return True
    return False


def saturated(engine: AnyEngine, program: Program) -> str:
    """What becomes of the program: "facts", a broken "promise", or "not stratified"."""
    try:
        engine.update(add=program.given, add_rules=program.rules)
    except NotStratifiedError:
        return "not stratified"
    except (KeyConflictError, OverfullSetError):
        return "promise"
    return "facts"


def compare(program: Program) -> str:
    """What became of it with both engines, which is what clingo says; it is not asked what is not stratified."""
    engines = [engine_class(program.predicates) for engine_class in ENGINES.values()]
    outcome, other = [saturated(engine, program) for engine in engines]
    assert outcome == other
    if outcome == "not stratified":
        return outcome
    facts = clingo_programs.saturate(program.given, program.rules)
    assert facts is not None, "a stratified program has one stable model"
    assert (outcome == "promise") == breaks_a_promise(program, facts)
    if outcome == "facts":
        for number in range(len(program.predicates)):
            assert [engine.facts(number) for engine in engines] == [facts[number]] * 2
    return outcome


@pytest.mark.parametrize("family", FAMILIES)
def test_the_facts_are_those_of_clingo(family, times):
    maker = Maker(FAMILIES[family], finished_counts=True)
    outcomes = [compare(maker.program(Random(seed))) for seed in range(300 * times)]
    assert outcomes.count("facts") > 240
    assert outcomes.count("not stratified") < 15 * times


@pytest.mark.parametrize("family", FAMILIES)
def test_the_facts_are_those_of_clingo_on_small_programs_too(family, times):
    maker = Maker(FAMILIES[family], finished_counts=True)

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=50 * times)
    def check(random: Random) -> None:
        compare(maker.program(random))

    check()
