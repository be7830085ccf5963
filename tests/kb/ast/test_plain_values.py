"""Tests of NumPy and pandas scalars and arrays: accepted like `int` or `str`, or refused with their type."""

from __future__ import annotations

import math
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.tables import TableError

TEXT = """theory stock.
sort good.
sort code = word | int.
static stock(good, int).
static price(good -> int).
static part(code).
derived much(good).
much: much(?g) :- stock(?g, ?n), ?n > 3.
"""


@pytest.fixture
def base():
    return KnowledgeBase(load_text(TEXT))


NUMBERS = [kind(5) for kind in (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint64, np.intp)]
REFUSED = {
    "the truth value True": [True, np.bool_(True)],
    "the float64 5.0": [np.float64(5.0)],
    "the float 5.0": [5.0],
    "the decimal(1) 5.0": [Decimal(5)],
    "the timedelta64 5": [np.timedelta64(5)],
    "a missing value (NaN)": [math.nan, np.float64("nan")],
    "a missing value (NA)": [pd.NA],
    "a missing value (NaT)": [pd.NaT],
    "a missing value (None)": [None],
}
PAIRS = [(value, message) for message, values in REFUSED.items() for value in values]


@pytest.mark.parametrize("number", NUMBERS, ids=lambda number: type(number).__name__)
def test_an_integer_of_numpy_is_an_integer(base, number):
    base.add([GroundFact("stock", (np.str_("tea"), number)), GroundFact("part", (number,))])
    assert base.query("stock(?g, ?n)").to_tuples() == [("tea", 5)]
    assert {type(value) for row in base.query("stock(?g, ?n)").to_tuples() for value in row} == {str, int}
    assert base.query("part(5)")
    assert base.query("stock(?g, $n)", parameters={"n": number}).to_tuples() == [("tea",)]
    assert base.query("part($c)", parameters={"c": number})
    assert base.engine.given_among([GroundFact("stock", ("tea", number))]) == {
        GroundFact("stock", ("tea", 5))
    }
    base.retract([GroundFact("stock", (np.str_("tea"), number))])
    assert not base.query("stock(_, _)")


def test_a_text_of_numpy_is_a_word(base):
    base.add([GroundFact("stock", (np.str_("new tea"), 5)), GroundFact("part", (np.str_("5"),))])
    (row,) = base.query("stock(?g, ?n)").to_tuples()
    assert [type(value) for value in row] == [str, int]
    assert base.query("much($g)", parameters={"g": np.str_("new tea")})
    assert base.query("part(?c)").to_tuples() == [("5",)]


@pytest.mark.parametrize(("value", "message"), PAIRS, ids=lambda part: f"{type(part).__name__} {part}")
def test_other_values_are_refused_with_their_type(base, value, message):
    for fact in (
        GroundFact("stock", ("tea", value)),
        GroundFact("stock", (value, 5)),
        GroundFact("part", (value,)),
    ):
        with pytest.raises(FactError) as caught:
            base.add([fact])
        assert message in str(caught.value)
    with pytest.raises((TypeError, TheoryError)) as refused:
        base.query("stock(?g, $n)", parameters={"n": value})
    assert message in str(refused.value) or "`5.0` stands where argument 2 of `stock`" in str(refused.value)
    assert not base.query("stock(_, _)")


@pytest.mark.parametrize(("value", "message"), PAIRS, ids=lambda part: f"{type(part).__name__} {part}")
def test_other_cells_of_a_table_are_refused_with_their_type(base, value, message):
    with pytest.raises(TableError) as caught:
        base.add_table("stock", [("tea", 1), ("milk", value)])
    assert "row 2: column 2: " in str(caught.value)
    assert ("the value is NULL" if value is None else message) in str(caught.value)


def test_a_number_beyond_64_bits_is_refused(base):
    with pytest.raises(FactError, match="18446744073709551615 does not fit into 64 bits"):
        base.add([GroundFact("stock", ("tea", np.uint64(2**64 - 1)))])


def test_a_text_where_an_integer_belongs_is_named_as_a_text(base):
    with pytest.raises(FactError, match="the text '5' is not an integer of sort `int`"):
        base.add([GroundFact("stock", ("tea", "5"))])
    with pytest.raises(
        TableError, match="column 2: the text '5' is not an integer of sort `int`; convert it"
    ):
        base.add_table("stock", [("tea", "5")])


def tables():
    names, numbers = np.array(["tea", "milk"]), np.array([5, 2], dtype=np.int32)
    records = np.array([("tea", 5), ("milk", 2)], dtype=[("good", "U8"), ("n", "i4")])
    return {
        "columns": {"good": names, "n": numbers},
        "columns in another order": {"int": numbers, "good": names},
        "series": {"good": pd.Series(names), "n": pd.Series(numbers, dtype="Int64")},
        "records": records,
        "objects": np.array([("tea", 5), ("milk", 2)], dtype=object),
        "frame": pd.DataFrame({"good": names, "n": numbers}),
        "rows": list(zip(names, numbers, strict=True)),
    }


@pytest.mark.parametrize("kind", tables())
def test_arrays_are_tables(base, kind):
    base.add_table("stock", tables()[kind])
    assert base.query("stock(?g, ?n)").to_tuples() == [("milk", 2), ("tea", 5)]


def test_an_array_of_two_dimensions_is_a_table_of_rows(base):
    pairs = KnowledgeBase(load_text("theory pairs.\nstatic pair(int, int).\n"))
    pairs.add_table("pair", np.array([[1, 2], [3, 4]]))
    assert pairs.query("pair(?a, ?b)").to_tuples() == [(1, 2), (3, 4)]


@pytest.mark.parametrize("missing", [None, math.nan, np.float64("nan"), pd.NA, pd.NaT, ""])
def test_a_missing_value_after_the_arrow_states_nothing(base, missing):
    found = base.add_table("price", [("tea", 5), ("milk", missing)])
    assert found.without_value == 1
    assert base.query("price(?g, ?n)").to_tuples() == [("tea", 5)]


def test_missing_values_of_a_data_frame_are_refused(base):
    frame = pd.DataFrame({"good": ["tea", "milk"], "n": pd.array([5, None], dtype="Int64")})
    with pytest.raises(TableError, match="row 2: column `n`: the value is NULL"):
        base.add_table("stock", frame)


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        (["ab"], "row 1 is the text 'ab'; a row is a tuple of cells"),
        (np.array(["ab", "cd"]), "row 1 is the text 'ab'; a row is a tuple of cells"),
        ([("tea", 1), 7], "row 2 is the integer 7; a row is a tuple of cells"),
        ({"good": ["tea"], "n": [1, 2]}, "its columns differ in length"),
    ],
)
def test_what_is_no_table_is_refused(base, rows, message):
    with pytest.raises(TableError) as caught:
        base.add_table("stock", rows)
    assert message in str(caught.value)


def test_dates_of_numpy_are_refused(base):
    with pytest.raises(TableError, match="the datetime64 2020-01-01"):
        base.add_table(
            "stock", {"good": np.array(["tea"]), "n": np.array(["2020-01-01"], dtype="datetime64[D]")}
        )


@pytest.mark.parametrize("cells", [["abc", 5], [5, "5"], [{"a": 1}, 2], [2**70], ["\ud800"], [1j]])
def test_a_column_of_a_data_frame_that_arrow_cannot_hold_is_refused(base, cells):
    with pytest.raises(TableError, match=r"cannot be read as an Arrow table: .*give each column one type"):
        base.add_table("part", pd.DataFrame({"code": pd.Series(cells, dtype=object)}))


def test_a_column_of_periods_is_not_read_as_numbers(base):
    with pytest.raises(TableError, match=r"column `code` is of type .*cast it to text or integers"):
        base.add_table("part", pd.DataFrame({"code": pd.period_range("2020", periods=2, freq="Y")}))
    named = pd.DataFrame({"code": ["a", "b"]}, index=pd.period_range("2020", periods=2, freq="Y"))
    base.add_table("part", named)
    assert base.query("part(?c)").to_tuples() == [("a",), ("b",)]
