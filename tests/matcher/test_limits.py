"""Tests of bounds on facts, time and bytes: exceeding one gives its named error and changes nothing."""

from __future__ import annotations

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import LimitError, MemoryLimitError, TimeLimitError
from oracles.reference.bounds import CELL_BYTES, DERIVATION_BYTES, FACT_BYTES
from oracles.reference.engine import ReferenceEngine

X, Y, Z = Var(0), Var(1), Var(2)
NUMBER, PAIR, COUNT = range(3)
PREDICATES = [CodedPredicate(1), CodedPredicate(2), CodedPredicate(1, key=0, counts=NUMBER)]
PAIRS = CodedRule("pairs", Match(PAIR, (X, Y)), (Match(NUMBER, (X,)), Match(NUMBER, (Y,))), 2)
COUNTING = CodedRule(
    "count", Match(NUMBER, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, Apply("+", X, 1))), 2
)


def numbers(end: int) -> list[Fact]:
    return [Fact(NUMBER, (number,)) for number in range(end)]


def refused(engine: Engine, error: type[LimitError], **update: object) -> LimitError:
    """Return the error of an update after a check that the update changed nothing."""
    before = engine.facts(NUMBER), engine.facts(PAIR), engine.given(NUMBER), dict(engine.rules)
    with pytest.raises(error) as caught:
        engine.update(**update)
    assert (engine.facts(NUMBER), engine.facts(PAIR), engine.given(NUMBER), dict(engine.rules)) == before
    return caught.value


MEMBERS = ClosedSet(COUNT, NUMBER, ())
LONG = [Match(NUMBER, (Var(place),)) for place in range(9)]
"""A body that runs practically forever: three hundred numbers in nine places."""
OTHER = Var(9)
NEVER = Compare("<", Apply("+", X, Y), 0)


@pytest.mark.parametrize(
    "body",
    [
        LONG,
        [*LONG, Compare("<", Var(8), 0)],
        [*LONG, NEVER],
        [AbsentOf((*LONG, NEVER))],
        [AggregateOf(OTHER, "count", (X,), (*LONG, NEVER))],
        [AllOf(MEMBERS, (OTHER,), (*LONG, NEVER))],
    ],
    ids=["join", "plain comparison", "arithmetic", "absence", "aggregate", "set"],
)
def test_long_joins_end_when_the_time_is_over(engine_class, body):
    engine = engine_class(PREDICATES, limits=Limits(seconds=0.1))
    engine.update(add=[*numbers(300), Fact(COUNT, (300,))])
    with pytest.raises(TimeLimitError):
        engine.query(body, [])


@pytest.mark.deep
def test_planning_ends_when_the_time_is_over():
    """The plans for changes to a predicate that a rule reads six hundred times take longer than a second.

    A stopped plan starts again from its beginning, so the second update ends like the first.
    """
    engine = CompiledEngine(PREDICATES, limits=Limits(seconds=0.5))
    star = tuple(Match(PAIR, (X, Var(place))) for place in range(1, 600))
    engine.update(add=numbers(9), add_rules=[CodedRule("star", Match(NUMBER, (X,)), star, 600)])
    for _ in range(2):
        refused(engine, TimeLimitError, add=[Fact(PAIR, (77, 1))])
    engine.update(remove_rules=["star"])
    engine.update(add=[Fact(PAIR, (77, 1))])
    assert engine.facts(NUMBER) == {(number,) for number in range(9)}


def test_the_time_is_counted_anew_for_each_call(monkeypatch):
    """This test uses the plain engine, whose clock can be set. The compiled one has its own clock."""
    now = 0.0
    monkeypatch.setattr("oracles.reference.bounds.perf_counter", lambda: now)
    engine = ReferenceEngine(PREDICATES, limits=Limits(seconds=1.0))
    for _ in range(3):
        now += 0.9
        engine.update(add=numbers(3))
        now += 0.9
        assert len(engine.query([Match(NUMBER, (X,))], [X])) == 3


def test_bytes_are_estimated_from_facts_and_their_width(engine_class):
    exactly = 3 * (FACT_BYTES + CELL_BYTES) + 9 * (FACT_BYTES + 2 * CELL_BYTES)
    # Two variables and two premises. The compiled engine computes derivations on request and stores none.
    derived = 9 * (DERIVATION_BYTES + 4 * CELL_BYTES) if engine_class is ReferenceEngine else 0
    for stored, needed in (
        ("none", exactly),
        ("one", exactly + derived),
        ("all", exactly + 2 * derived),
    ):
        enough = engine_class(PREDICATES, derivations=stored, limits=Limits(bytes=needed))
        enough.update(add=numbers(3), add_rules=[PAIRS])
        small = engine_class(PREDICATES, derivations=stored, limits=Limits(bytes=needed - 1))
        error = refused(small, MemoryLimitError, add=numbers(3), add_rules=[PAIRS])
        assert str(error) == f"more than {needed - 1:,} bytes"


def test_the_answers_of_a_query_are_bounded(engine_class):
    engine = engine_class(PREDICATES, limits=Limits(bytes=100_000))
    engine.update(add=numbers(100))
    assert len(engine.query([Match(NUMBER, (X,))], [X])) == 100
    with pytest.raises(MemoryLimitError):
        engine.query([Match(NUMBER, (X,)), Match(NUMBER, (Y,))], [X, Y])


@pytest.mark.deep
def test_without_bounds_nothing_is_refused(engine_class):
    engine = engine_class(PREDICATES, limits=Limits(facts=None))
    engine.update(add=numbers(100), add_rules=[PAIRS])
    assert len(engine.facts(PAIR)) == 10_000


ONE = CodedRule("one", Match(NUMBER, (7,)), (Match(PAIR, (X, Y)),), 2)


def test_all_derivations_of_a_fact_are_bounded_by_their_memory():
    """There may be many more derivations than facts.

    A fact has one for each way to match conditions that share no variables.
    """
    engine = CompiledEngine(PREDICATES, limits=Limits(bytes=400_000), derivations="all")
    engine.update(add=[Fact(PAIR, (x, y)) for x in range(20) for y in range(20)], add_rules=[ONE])
    seven = Fact(NUMBER, (7,))
    assert len(engine.derivations(seven)) == 400
    both = CodedRule("both", Match(NUMBER, (7,)), (Match(PAIR, (X, Y)), Match(PAIR, (Var(2), Var(3)))), 4)
    engine.update(add_rules=[both])
    with pytest.raises(MemoryLimitError):
        engine.derivations(seven)
    # One derivation proves the fact, whatever the bound is.
    tight = CompiledEngine(PREDICATES, limits=Limits(bytes=500), derivations="all")
    tight.update(add=[Fact(PAIR, (1, 1))], add_rules=[ONE])
    derivation = tight.derivation(seven)
    assert derivation is not None
    assert derivation.rule == "one"
    with pytest.raises(MemoryLimitError):
        tight.derivations(seven)
