"""Tests of facts by column, into and out of the compiled engine.

They also cover the sets of facts that an update returns.
"""

from __future__ import annotations

from array import array
from collections.abc import Set as AbstractSet
from types import MappingProxyType

import numpy as np
import pyarrow as pa
import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import Change, CodedPredicate, CodedRule, Fact, Limits, Match, Var
from hornbook.matcher.program.errors import EngineError, KeyConflictError, MalformedError

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, NODE, AGE, FLAG = range(5)
PREDICATES = [
    CodedPredicate(2),
    CodedPredicate(2),
    CodedPredicate(1),
    CodedPredicate(2, key=1),
    CodedPredicate(0),
]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)
GREATEST, LEAST = 2**63 - 1, -(2**63)


def cells(*numbers: int) -> np.ndarray:
    return np.array(numbers, dtype=np.int64)


@pytest.fixture
def engine():
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(EDGE, (1, 2)), Fact(NODE, (7,)), Fact(FLAG, ())], add_rules=[STEP, GO_ON])
    return engine


def state(engine: CompiledEngine) -> object:
    numbers = range(len(PREDICATES))
    return (
        [(set(engine.facts(number)), set(engine.given(number))) for number in numbers],
        dict(engine.rules),
        [engine.derivation(Fact(PATH, row)) for row in sorted(engine.facts(PATH))],
    )


# Input.

PAIRS = np.array([(2, 3), (3, 4), (GREATEST, LEAST)], dtype=np.int64)
READ_ONLY = PAIRS[:, 0].copy(), PAIRS[:, 1].copy()
for column in READ_ONLY:
    column.flags.writeable = False


@pytest.mark.parametrize(
    "columns",
    [
        (PAIRS[:, 0].copy(), PAIRS[:, 1].copy()),
        tuple(PAIRS.T),  # not contiguous
        tuple(PAIRS[::-1].T),  # in reverse
        READ_ONLY,
        [*PAIRS.T.copy()],
        (pa.array([2, 3, GREATEST]), pa.array([3, 4, LEAST])),
        (pa.array([0, 2, 3, GREATEST]).slice(1), pa.array([9, 3, 4, LEAST]).slice(1)),
        (array("q", [2, 3, GREATEST]), memoryview(array("q", [3, 4, LEAST]))),
        (PAIRS[:, 0], pa.array([3, 4, LEAST])),
    ],
    ids=["numpy", "strides", "backwards", "read only", "list", "arrow", "arrow slice", "buffer", "mixed"],
)
def test_columns_are_facts(engine, columns):
    change = engine.update(add_columns={EDGE: columns})
    assert engine.given(EDGE) == {(1, 2), (2, 3), (3, 4), (GREATEST, LEAST)}
    assert (1, 4) in engine.facts(PATH)
    assert {fact for fact in change.added if fact.predicate == EDGE} == {
        Fact(EDGE, (2, 3)),
        Fact(EDGE, (3, 4)),
        Fact(EDGE, (GREATEST, LEAST)),
    }
    removed = engine.update(retract_columns={EDGE: columns}).removed
    assert removed == change.added
    assert engine.given(EDGE) == {(1, 2)}


def test_columns_and_facts_come_together(engine):
    """A fact that is retracted and added in one update is given afterwards, also with columns.

    A duplicate counts once.
    """
    change = engine.update(
        add=[Fact(EDGE, (5, 6))],
        retract=[Fact(EDGE, (5, 6)), Fact(NODE, (7,))],
        add_columns={EDGE: (cells(1, 5, 8, 8), cells(2, 6, 9, 9)), NODE: (cells(3),)},
        retract_columns={EDGE: (cells(8), cells(9)), NODE: (cells(3, 4),)},
    )
    assert engine.given(EDGE) == {(1, 2), (5, 6), (8, 9)}
    assert engine.given(NODE) == {(3,)}
    assert change.removed == {Fact(NODE, (7,))}


def test_columns_may_come_in_any_mapping(engine):
    engine.update(add_columns=MappingProxyType({NODE: (cells(1),)}))
    assert engine.facts(NODE) == {(1,), (7,)}


def test_columns_without_rows(engine):
    assert engine.update(add_columns={EDGE: (cells(), cells())}) == Change(frozenset(), frozenset())
    assert engine.update(add_columns={}, retract_columns={}) == Change(frozenset(), frozenset())


def test_the_engine_keeps_no_hold_of_a_column(engine):
    column = cells(3, 4)
    engine.update(add_columns={NODE: (column,)})
    column[:] = 99
    assert engine.facts(NODE) == {(3,), (4,), (7,)}
    assert engine.query([Match(NODE, (X,))], [X]) == [(3,), (4,), (7,)]


WRONG = {
    "too few columns": {EDGE: (cells(1),)},
    "too many columns": {EDGE: (cells(1), cells(1), cells(1))},
    "no columns": {EDGE: ()},
    "unequal lengths": {EDGE: (cells(1, 2), cells(1))},
    "unequal lengths, the first one shorter": {EDGE: (cells(1), cells(1, 2))},
    "32 bits": {NODE: (np.array([1], dtype=np.int32),)},
    "unsigned": {NODE: (np.array([1], dtype=np.uint64),)},
    "floating": {NODE: (np.array([1.0]),)},
    "boolean": {NODE: (np.array([True]),)},
    "other byte order": {NODE: (np.array([1], dtype=np.dtype(np.int64).newbyteorder()),)},
    "objects": {NODE: (np.array([1], dtype=object),)},
    "dates": {NODE: (np.array(["2026-11-21"], dtype="datetime64[s]"),)},
    "two dimensions": {NODE: (np.array([[1]]),)},
    "no dimension": {NODE: (np.array(1),)},
    "nulls": {NODE: (pa.array([1, None]),)},
    "32 bits of Arrow": {NODE: (pa.array([1], pa.int32()),)},
    "numbers": {NODE: (1,)},
    "text": {NODE: ("one",)},
    "nothing": {NODE: (None,)},
    "no such predicate": {len(PREDICATES): (cells(1),)},
    "no such predicate, below 0": {-1: (cells(1),)},
    "the second of two": {NODE: (cells(1),), EDGE: (cells(1),)},
}


@pytest.mark.parametrize("side", ["add_columns", "retract_columns"])
@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_columns_that_do_not_fit_are_refused(engine, wrong, side):
    before = state(engine)
    others = {"add": [Fact(EDGE, (2, 3))], "retract": [Fact(EDGE, (1, 2))], "remove_rules": ["step"]}
    with pytest.raises(MalformedError):
        engine.update(**others, **{side: wrong})
    assert state(engine) == before
    engine.update(**others)
    assert engine.given(EDGE) == {(2, 3)}


def test_what_follows_from_columns_may_be_refused(engine):
    before = state(engine)
    with pytest.raises(KeyConflictError):
        engine.update(add_columns={AGE: (cells(1, 2, 1), cells(30, 30, 31)), EDGE: (cells(2), cells(3))})
    assert state(engine) == before
    bounded = CompiledEngine(PREDICATES, limits=Limits(facts=10))
    with pytest.raises(EngineError):
        bounded.update(add_columns={NODE: (np.arange(11),)})
    assert not bounded.facts(NODE)
    bounded.update(add_columns={NODE: (np.arange(10),)})


def test_many_rows():
    number = 200_000
    engine = CompiledEngine(PREDICATES)
    change = engine.update(add_columns={EDGE: (np.arange(number), np.arange(number) % 7)}, add_rules=[STEP])
    assert len(change.added) == 2 * number
    targets = engine.columns(PATH)[1]
    assert np.bincount(targets).tolist() == np.bincount(np.arange(number) % 7).tolist()
    change = engine.update(retract_columns={EDGE: tuple(column[1:] for column in engine.columns(EDGE))})
    assert len(change.removed) == 2 * number - 2
    assert len(engine.facts(EDGE)) == len(engine.facts(PATH)) == 1


# Output.


def test_the_facts_by_columns(engine):
    engine.update(add=[Fact(EDGE, (2, 3)), Fact(NODE, (LEAST,)), Fact(NODE, (GREATEST,))])
    columns = engine.columns(PATH)
    assert isinstance(columns, tuple)
    assert all(isinstance(column, np.ndarray) and column.dtype == np.int64 for column in columns)
    assert all(column.ndim == 1 for column in columns)
    assert sorted(zip(*(column.tolist() for column in columns), strict=True)) == [(1, 2), (1, 3), (2, 3)]
    assert sorted(engine.columns(NODE)[0].tolist()) == [LEAST, 7, GREATEST]
    assert engine.columns(FLAG) == ()
    assert [len(column) for column in engine.columns(AGE)] == [0, 0]


def test_answers_as_bytes(engine):
    engine.update(add=[Fact(EDGE, (2, GREATEST)), Fact(EDGE, (LEAST, 1))])
    count, reported = engine.query_cells([Match(PATH, (X, Y))], [Y, X])
    rows = array("q", reported)
    assert count == 6
    assert list(zip(rows[::2], rows[1::2], strict=True)) == engine.query([Match(PATH, (X, Y))], [Y, X])
    assert engine.query_cells([Match(FLAG, ())], []) == (1, b"")
    assert engine.query_cells([Match(NODE, (8,))], []) == (0, b"")


@pytest.mark.parametrize("predicate", [-1, len(PREDICATES)])
def test_columns_of_an_unknown_predicate_are_an_error(engine, predicate):
    with pytest.raises(MalformedError):
        engine.columns(predicate)


def test_columns_that_were_handed_out_are_the_callers(engine):
    """Later updates do not change the returned columns.

    Writing to them changes no fact, and they outlive the engine.
    """
    sources, targets = engine.columns(EDGE)
    engine.update(add=[Fact(EDGE, (4, 5))], retract=[Fact(EDGE, (1, 2))])
    assert (sources.tolist(), targets.tolist()) == ([1], [2])
    sources, targets = engine.columns(EDGE)
    if sources.flags.writeable:
        sources[:] = 99
    assert engine.facts(EDGE) == {(4, 5)}
    del engine
    assert targets.tolist() == [5]


# Changes.


def test_a_change_has_sets_of_facts(engine):
    change = engine.update(add=[Fact(EDGE, (2, 3)), Fact(NODE, (8,))], retract=[Fact(NODE, (7,))])
    added = {Fact(EDGE, (2, 3)), Fact(PATH, (2, 3)), Fact(PATH, (1, 3)), Fact(NODE, (8,))}
    assert isinstance(change, Change)
    assert change == Change(frozenset(added), frozenset({Fact(NODE, (7,))}))
    assert isinstance(change.added, AbstractSet)
    assert len(change.added) == 4
    assert change.added == added
    assert added == change.added
    assert frozenset(added) == change.added
    assert change.added != change.removed
    assert change.added != added - {Fact(NODE, (8,))}
    assert sorted(change.added) == sorted(added)
    assert Fact(PATH, (1, 3)) in change.added
    assert Fact(PATH, (1, 2)) not in change.added
    assert "no fact" not in change.added
    assert all(isinstance(fact, Fact) for fact in change.added)
    assert change.added - {Fact(NODE, (8,))} == added - {Fact(NODE, (8,))}
    assert change.added | change.removed == added | {Fact(NODE, (7,))}
    assert {Fact(NODE, (8,))} <= change.added
    assert change.added.isdisjoint(change.removed)
    assert bool(change.added)
    assert not engine.update().added


def test_a_change_by_columns(engine):
    change = engine.update(add=[Fact(EDGE, (2, 3))], retract=[Fact(FLAG, ())])
    sources, targets = change.added.columns(PATH)
    assert sources.dtype == targets.dtype == np.int64
    assert sorted(zip(sources.tolist(), targets.tolist(), strict=True)) == [(1, 3), (2, 3)]
    assert [column.tolist() for column in change.removed.columns(PATH)] == [[], []]
    assert change.removed.columns(FLAG) == ()
    assert change.removed == {Fact(FLAG, ())}


def test_a_change_stays_what_it_was(engine):
    """The change is read after the engine has changed, was rolled back, or was deleted."""
    engine.push()
    change = engine.update(add=[Fact(EDGE, (2, 3))], retract=[Fact(NODE, (7,))])
    other = engine.update(retract=[Fact(EDGE, (1, 2)), Fact(EDGE, (2, 3))], add=[Fact(NODE, (7,))])
    engine.pop()
    engine.add_predicates([CodedPredicate(1)])
    del engine
    assert [column.tolist() for column in change.added.columns(EDGE)] == [[2], [3]]
    assert change.added == {Fact(EDGE, (2, 3)), Fact(PATH, (2, 3)), Fact(PATH, (1, 3))}
    assert change.removed == {Fact(NODE, (7,))}
    assert other.added == {Fact(NODE, (7,))}
    assert len(other.removed) == 5
