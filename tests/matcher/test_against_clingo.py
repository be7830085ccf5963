"""Tests of both engines against clingo, an answer set solver, on random programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import (
    KeyConflictError,
    NotStratifiedError,
    OverfullSetError,
)
from oracles.engine import clingo_programs
from oracles.engine.random_programs import PLAIN, ProgramMaker, RandomProgram
from oracles.pages.engines import ENGINES

pytestmark = pytest.mark.deep

FAMILIES = {
    "positive": PLAIN,
    "absence": PLAIN | {"absent"},
    "arithmetic, aggregates": PLAIN | {"absent", "arithmetic", "aggregate", "promises"},
    # Without arithmetic: clingo's grounder may not terminate if arithmetic occurs inside a recursive #count.
    "sets": PLAIN | {"absent", "aggregate", "all", "count", "promises"},
}


def breaks_a_promise(program: RandomProgram, facts: Mapping[int, set[tuple[int, ...]]]) -> bool:
    """Return whether two facts have the same key, or a closed set has more members than its count states."""
    for number, predicate in enumerate(program.predicates):
        if predicate.key is None:
            continue
        if len({row[: predicate.key] for row in facts[number]}) < len(facts[number]):
            return True
        if predicate.counts is not None:
            keys = Counter(row[: predicate.key] for row in facts[predicate.counts])
            if any(keys[row[:-1]] > row[-1] for row in facts[number]):
                return True
    return False


def saturated(engine: Engine, program: RandomProgram) -> str:
    """Return the outcome of a program: "facts", a broken "promise", or "not stratified"."""
    try:
        engine.update(add=program.given, add_rules=program.rules)
    except NotStratifiedError:
        return "not stratified"
    except (KeyConflictError, OverfullSetError):
        return "promise"
    return "facts"


def compare(program: RandomProgram) -> str:
    """Return the common outcome of both engines after a comparison with clingo.

    The comparison is omitted for a program that is not stratified.
    """
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
    maker = ProgramMaker(FAMILIES[family], finished_counts=True)
    outcomes = [compare(maker.program(Random(seed))) for seed in range(120 * times)]
    assert outcomes.count("facts") > 96
    assert outcomes.count("not stratified") < 6 * times


@pytest.mark.parametrize("family", FAMILIES)
def test_the_facts_are_those_of_clingo_on_small_programs_too(family, times):
    maker = ProgramMaker(FAMILIES[family], finished_counts=True)

    @given(st.randoms(use_true_random=False))
    @settings(max_examples=20 * times)
    def check(random: Random) -> None:
        compare(maker.program(random))

    check()
