"""The engines against clingo, an answer set solver, on thousands of random programs."""

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
from oracles.pages.engines import EngineClass

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


def compare(engine_class: EngineClass, program: Program) -> str:
    """What became of both: "facts" that are the same, or a broken "promise"; "not stratified" is not asked."""
    engine = engine_class(program.predicates)
    broken = False
    try:
        engine.update(add=program.given, add_rules=program.rules)
    except NotStratifiedError:
        return "not stratified"
    except (KeyConflictError, OverfullSetError):
        broken = True
    facts = clingo_programs.saturate(program.given, program.rules)
    assert facts is not None, "a stratified program has one stable model"
    assert broken == breaks_a_promise(program, facts)
    if broken:
        return "promise"
    for number in range(len(program.predicates)):
        assert engine.facts(number) == facts[number]
    return "facts"


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("block", range(2))
def test_the_facts_are_those_of_clingo(engine_class, family, block):
    maker = Maker(FAMILIES[family], finished_counts=True)
    outcomes = [
        compare(engine_class, maker.program(Random(seed))) for seed in range(500 * block, 500 * (block + 1))
    ]
    assert outcomes.count("facts") > 400
    assert outcomes.count("not stratified") < 25


@pytest.mark.parametrize("family", FAMILIES)
def test_the_facts_are_those_of_clingo_on_small_programs_too(engine_class, family):
    maker = Maker(FAMILIES[family], finished_counts=True)

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=100)
    def check(random: Random) -> None:
        compare(engine_class, maker.program(random))

    check()
