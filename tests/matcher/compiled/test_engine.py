"""Tests of the compiled engine that random walks are unlikely to cover: extremes, lengths and memory."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.matcher.compiled import engine as compiled
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    Derivation,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.errors import ArithmeticOverflowError, FactLimitError, MemoryLimitError
from hornbook.matcher.program.operators import OPERATIONS, calculated
from oracles.reference.bounds import CELL_BYTES, FACT_BYTES
from oracles.reference.engine import ReferenceEngine

GREATEST, LEAST = 2**63 - 1, -(2**63)
X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, NODE, FLAG, OTHER = range(5)
PREDICATES = [CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(0), CodedPredicate(0)]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)


def rule(head: Match, *body: CodedCondition, name: str = "r") -> CodedRule:
    return CodedRule(name, head, body, 3)


# The limits of 64 bits.

EXTREMES = (LEAST, LEAST + 1, -(2**32), -1, 0, 1, 2**32, GREATEST - 1, GREATEST)


def test_cells_at_the_ends_of_64_bits_are_cells():
    pairs = [(a, b) for a in EXTREMES for b in EXTREMES]
    engines = [CompiledEngine(PREDICATES), ReferenceEngine(PREDICATES)]
    below = rule(Match(PATH, (X, Y)), Match(EDGE, (X, Y)), Compare("<", X, Y))
    for engine in engines:
        engine.update(add=[Fact(EDGE, pair) for pair in pairs], add_rules=[below])
        assert engine.facts(EDGE) == set(pairs)
        assert engine.facts(PATH) == {(a, b) for a, b in pairs if a < b}
        for each in EXTREMES:
            assert engine.query([Match(EDGE, (each, X))], [X]) == [(other,) for other in EXTREMES]
        assert engine.query([Match(EDGE, (X, X))], [X]) == [(each,) for each in EXTREMES]
        engine.update(retract=[Fact(EDGE, pair) for pair in pairs if LEAST in pair])
        assert engine.facts(EDGE) == {pair for pair in pairs if LEAST not in pair}


@pytest.mark.parametrize("operator", OPERATIONS)
def test_arithmetic_at_the_ends_of_64_bits(operator):
    engine = CompiledEngine(PREDICATES)
    for left in EXTREMES:
        for right in (*EXTREMES, 2, 62, 63, 64, -2):
            exact = calculated(operator, left, right)
            body = [Compare("=", X, left), Compare("=", Z, Apply(operator, X, right))]
            if exact is not None and LEAST <= exact <= GREATEST:
                assert engine.query(body, [Z]) == [(exact,)]
            else:
                with pytest.raises(ArithmeticOverflowError):
                    engine.query(body, [Z])


def test_sums_are_exact_before_they_are_cells():
    """The exact sum of the numbers may exceed 64 bits before the end. Only the result must fit."""
    engine = CompiledEngine(PREDICATES)
    body = [AggregateOf(Z, "sum", (Y,), (Match(EDGE, (X, Y)),))]
    engine.update(add=[Fact(EDGE, (number, GREATEST)) for number in range(100)])
    with pytest.raises(ArithmeticOverflowError):
        engine.query(body, [Z])
    engine.update(add=[Fact(EDGE, (-number - 1, -GREATEST)) for number in range(100)])
    assert engine.query(body, [Z]) == [(0,)]
    engine.update(add=[Fact(EDGE, (1_000, LEAST)), Fact(EDGE, (1_001, 7))])
    assert engine.query(body, [Z]) == [(LEAST + 7,)]
    for function, result in (("min", LEAST), ("max", GREATEST), ("count", 4)):
        assert engine.query([AggregateOf(Z, function, (Y,), (Match(EDGE, (X, Y)),))], [Z]) == [(result,)]


# Long and short bodies.


@pytest.mark.parametrize("first", [0, 500, 999])
def test_a_body_of_a_thousand_conditions(first):
    """The last missing fact arrives at the beginning, in the middle or at the end of the body."""
    length = 1_000
    body = tuple(Match(EDGE, (Var(place), Var(place + 1))) for place in range(length))
    chain = [Fact(EDGE, (place, place + 1)) for place in range(length)]
    engine = CompiledEngine(PREDICATES)
    long = CodedRule("long", Match(PATH, (Var(0), Var(length))), body, length + 1)
    engine.update(add=[fact for fact in chain if fact.cells[0] != first], add_rules=[long])
    assert not engine.facts(PATH)
    assert engine.update(add=chain[first : first + 1]).added == {chain[first], Fact(PATH, (0, length))}
    derivation = engine.derivation(Fact(PATH, (0, length)))
    assert derivation == Derivation("long", tuple(range(length + 1)), tuple(chain))
    assert engine.query(body, [Var(0), Var(length)]) == [(0, length)]
    assert engine.update(retract=chain[7:8]).removed == {chain[7], Fact(PATH, (0, length))}


def test_conditions_within_conditions_within_conditions():
    inside: tuple[CodedCondition, ...] = (Match(NODE, (X,)),)
    for _ in range(100):
        inside = (AbsentOf(inside),)
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(NODE, (1,))])
    assert engine.query([Match(NODE, (X,)), *inside], [X]) == [(1,)]
    assert engine.query([Match(NODE, (X,)), AbsentOf(inside)], [X]) == []


def test_expressions_within_expressions():
    deep = X
    for _ in range(200):
        deep = Apply("+", deep, 1)
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(NODE, (1,))])
    assert engine.query([Match(NODE, (X,)), Compare("=", Y, deep)], [Y]) == [(201,)]


def test_wide_facts():
    width = 300
    engine = CompiledEngine([CodedPredicate(width), CodedPredicate(width)])
    terms = tuple(Var(place) for place in range(width))
    engine.update(add_rules=[CodedRule("turn", Match(1, terms[::-1]), (Match(0, terms),), width)])
    row = tuple(range(width))
    engine.update(add=[Fact(0, row), Fact(0, (*row[:-1], 0))])
    assert engine.facts(1) == {row[::-1], (0, *row[-2::-1])}
    assert [column.tolist() for column in engine.columns(0)][:2] == [[0, 0], [1, 1]]


# Predicates without columns, and predicates that are added later.


def test_predicates_without_columns():
    engine = CompiledEngine(PREDICATES, derivations="all")
    rules = [
        rule(Match(OTHER, ()), Match(FLAG, ()), name="copy"),
        rule(Match(FLAG, ()), Match(OTHER, ()), name="copy back"),
        rule(Match(NODE, (7,)), AbsentOf((Match(FLAG, ()),)), name="none"),
    ]
    assert engine.update(add_rules=rules).added == {Fact(NODE, (7,))}
    change = engine.update(add=[Fact(FLAG, ()), Fact(FLAG, ())])
    assert change.added == {Fact(FLAG, ()), Fact(OTHER, ())}
    assert change.removed == {Fact(NODE, (7,))}
    assert engine.facts(FLAG) == engine.given(FLAG) == {()}
    assert engine.given(OTHER) == set()
    assert engine.derivation(Fact(OTHER, ())) == Derivation("copy", (None,) * 3, (Fact(FLAG, ()),))
    assert engine.columns(FLAG) == ()
    engine.push()
    assert engine.update(retract=[Fact(FLAG, ())]).removed == {Fact(FLAG, ()), Fact(OTHER, ())}
    assert Fact(FLAG, ()) not in engine
    assert engine.query([Match(FLAG, ())], []) == []
    engine.pop()
    assert Fact(FLAG, ()) in engine
    assert engine.query([Match(FLAG, ())], []) == [()]


def test_predicates_that_come_later_take_part():
    """New predicates count old facts, old rules continue, and marks remain valid."""
    engine = CompiledEngine([CodedPredicate(2)])
    engine.update(add=[Fact(0, (1, 5)), Fact(0, (1, 6))])
    engine.push()
    engine.add_predicates([CodedPredicate(1), CodedPredicate(2, key=1, counts=0)])
    engine.update(add=[Fact(2, (1, 2))])
    every = AllOf(ClosedSet(2, 0, (X,)), (Y,), (Compare(">", Y, 4),))
    assert engine.query([Match(2, (X, Z)), every], [X]) == [(1,)]
    engine.pop()
    assert engine.facts(2) == set()
    engine.update(add=[Fact(2, (1, 2))], add_rules=[rule(Match(1, (X,)), Match(2, (X, Z)), every)])
    assert engine.facts(1) == {(1,)}
    engine.add_predicates([CodedPredicate(3) for _ in range(500)])
    engine.update(add=[Fact(502, (1, 2, 3))], retract=[Fact(0, (1, 6))])
    assert engine.facts(1) == set()
    assert engine.facts(502) == {(1, 2, 3)}


# Bounds.


def test_a_bound_is_on_what_is_left_and_not_on_the_way():
    """Retracted facts make room for added ones, even if the added facts come from rules of another stratum."""
    lone = rule(Match(NODE, (X,)), Match(EDGE, (X, Y)), AbsentOf((Match(PATH, (Y, Y)),)), name="lone")
    for limits in (Limits(facts=20), Limits(bytes=10 * (2 * FACT_BYTES + 3 * CELL_BYTES))):
        engine = CompiledEngine(PREDICATES, limits=limits)
        first = [Fact(EDGE, (number, 0)) for number in range(10)]
        second = [Fact(EDGE, (number, 1)) for number in range(10, 20)]
        engine.update(add=first, add_rules=[lone])
        engine.update(retract=first, add=second)
        assert engine.facts(NODE) == {(number,) for number in range(10, 20)}
        engine.push()
        with pytest.raises((FactLimitError, MemoryLimitError)):
            engine.update(add=[Fact(PATH, (5, 5))])
        loops = [Fact(PATH, (1, 1))]
        assert len(engine.update(add=loops).removed) == 10
        engine.pop()
        assert len(engine.facts(NODE)) == 10


def test_the_bytes_of_a_fact_are_those_of_its_cells():
    """This holds for every choice of derivations. They are computed on request and use no memory before."""
    needed = 2 * (FACT_BYTES + 2 * CELL_BYTES) + FACT_BYTES
    for stored in ("none", "one", "all"):
        enough = CompiledEngine(PREDICATES, derivations=stored, limits=Limits(bytes=needed))
        small = CompiledEngine(PREDICATES, derivations=stored, limits=Limits(bytes=needed - 1))
        for engine in (enough, small):
            engine.update(add=[Fact(EDGE, (1, 2))], add_rules=[STEP])
        enough.update(add=[Fact(FLAG, ())])
        with pytest.raises(MemoryLimitError):
            small.update(add=[Fact(FLAG, ())])
        assert small.facts(PATH) == {(1, 2)}
        assert not small.facts(FLAG)


# Memory.

WATCHED = "asan" in os.environ.get("LD_PRELOAD", "")
"""A flag for AddressSanitizer.

It delays the release of freed memory, so that memory grows, and it reports leaks.
"""


@pytest.mark.deep
@pytest.mark.skipif(
    not Path("/proc/self/statm").exists(), reason="only Linux says how much memory is resident"
)
@pytest.mark.skipif(WATCHED, reason="memory is watched already")
def test_memory_is_flat_over_two_hundred_thousand_pushes_and_pops():
    """The test runs in a new process, so that nothing else uses its memory.

    A leak of sixteen bytes per round would show.
    """
    program = "import json; from oracles.engine.resident_memory import measured; print(json.dumps(measured(100_000)))"
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=root, capture_output=True, text=True, check=True
    )
    measures = json.loads(done.stdout)
    from oracles.engine.resident_memory import growth

    print([f"{measure / 2**20:.2f} MiB" for measure in measures])
    assert growth(measures) < 2**20


def test_the_old_name_of_the_engine_works_and_names_the_new_one():
    with pytest.warns(DeprecationWarning, match="`Engine` is now `CompiledEngine`"):
        assert compiled.Engine is CompiledEngine
    with pytest.raises(AttributeError, match="no attribute 'Motor'"):
        _ = compiled.Motor
