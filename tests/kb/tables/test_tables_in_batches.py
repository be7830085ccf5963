"""Tests of tables that are read in batches and returned by column: the result equals that of single rows."""

from __future__ import annotations

import csv
import io
from array import array

import pyarrow
import pyarrow.parquet
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.kb.ast.fact_columns import FactColumn, FactColumns
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.tables import tables
from hornbook.kb.tables.readers import csv_rows
from hornbook.kb.tables.table_values import BadCell, from_text, from_value

THEORY = load_text("""
theory shops.
sort shop. sort colour = red | green. sort cents = int.
static sale(shop, colour, cents).
static price(shop, colour -> cents).
static size(shop -> cents).
fluent open(shop).
derived dear(shop).
action sell(shop, cents).
a_dear_shop: dear(?s) :- sale(?s, red, ?c), ?c > 5.
""")
WORDS = THEORY.vocabulary
CELLS = [
    "a",
    " a",
    "b ",
    "\ta",
    "",
    "é",
    "red",
    " green",
    "rde",
    "1",
    " 7",
    "+07",
    "-3",
    "1_0",
    "- 1",
    "9" * 19,
    "٣",
]
VALUES = [*CELLS, 1, 7, -3, True, 1.0, None, 2**63, -(2**63), b"a"]


def one_by_one(rows, predicate, convert):
    """Return the expected result for the columns of a table, computed row by row.

    The result has the facts of numbered rows, the bad rows with their reasons, and the number of rows with a
    good key and no value.
    """
    declared = WORDS.predicates[predicate]
    sorts = [WORDS.sorts[column.name] for column in declared.columns]
    found, bad, known, without_value = [], [], {}, 0
    for number, row in rows:
        if len(row) != len(sorts):
            bad.append((number, row))
            continue
        key = len(sorts) if declared.key is None else declared.key
        if row[key:] and all(map(is_missing, row[key:], sorts[key:])):
            try:
                for cell, sort in zip(row[:key], sorts[:key], strict=True):
                    convert(cell, sort)
            except BadCell:
                bad.append((number, row))
            else:
                without_value += 1
            continue
        try:
            values = tuple(convert(cell, sort) for cell, sort in zip(row, sorts, strict=True))
        except BadCell:
            bad.append((number, row))
            continue
        if declared.key is not None:
            first, before = known.setdefault(values[: declared.key], (number, values))
            if before != values:
                bad.append((number, row, f"row {first}; the declaration allows one"))
                continue
        found.append(GroundFact(predicate, values))
    return found, bad, without_value


def is_missing(cell, sort):
    """Return whether a cell has no value; an empty text is a word if the sort is open."""
    return cell is None or (cell == "" and sort.kind != "open")


def same(found, expected):
    facts, bad, without_value = expected
    assert found.without_value == without_value
    assert found.facts == facts
    assert list(found.facts) == facts
    assert [type(v) for fact in found.facts for v in fact.values] == [
        type(v) for f in facts for v in f.values
    ]
    assert len(found.bad) == len(bad)
    for row, (number, values, *output) in zip(found.bad, bad, strict=True):
        assert (row.row, row.values) == (number, values)
        assert all(row.reason.endswith(each) for each in output)


predicates = st.sampled_from(["sale", "price", "size", "open"])


@st.composite
def tables_of(draw, cells, good):
    """Draw a predicate and rows for it; most rows are good, so that only some batches have bad rows."""
    predicate = draw(predicates)
    width = len(WORDS.predicates[predicate].columns)
    fitting = [
        st.sampled_from(good[WORDS.sorts[column.name].kind]) for column in WORDS.predicates[predicate].columns
    ]
    any_row = st.lists(st.sampled_from(cells), min_size=max(0, width - 1), max_size=width + 1).map(tuple)
    mostly = st.one_of(*[st.tuples(*fitting)] * 6, any_row)
    return predicate, draw(st.lists(mostly, max_size=25))


@pytest.fixture(autouse=True)
def _small_batches(monkeypatch):
    monkeypatch.setattr(tables, "_BATCH", 3)
    monkeypatch.setattr(csv_rows, "_BATCH", 3)


@given(tables_of(CELLS, {"open": ["a", " b"], "enumerated": ["red", "green "], "integer": ["1", " 2", "+3"]}))
def test_a_csv_says_what_its_rows_say(tmp_path_factory, table):
    predicate, rows = table
    text = io.StringIO()
    csv.writer(text).writerows(rows)
    path = tmp_path_factory.mktemp("csv") / "a.csv"
    path.write_text(text.getvalue(), encoding="utf-8", newline="")
    # The csv module quotes a cell that is empty and the only cell of its row.
    read = [
        (number, ("",) if row == [""] else tuple(cell.strip() or None for cell in row))
        for number, row in enumerate(csv.reader(io.StringIO(text.getvalue(), newline="")), 1)
        if row
    ]
    found = tables.read_csv(path, predicate, WORDS, header=False, skip_bad=True)
    same(found, one_by_one(read, predicate, from_text))


@given(tables_of(VALUES, {"open": ["a", "b"], "enumerated": ["red", "green"], "integer": [1, 2, 3]}))
def test_rows_in_memory_say_what_each_says(table):
    predicate, rows = table
    found = tables.read_rows(rows, predicate, WORDS, skip_bad=True)
    same(found, one_by_one(enumerate(rows, 1), predicate, from_value))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["a", "b", "", None]),
            st.sampled_from(["red", "red", "green", "blue", None]),
            st.sampled_from([1, 2, 2**63 - 1, None]),
        ),
        max_size=20,
    ),
    st.integers(0, 5),
    st.sampled_from(
        [pyarrow.string(), pyarrow.large_string(), pyarrow.dictionary(pyarrow.int8(), pyarrow.string())]
    ),
    st.sampled_from([pyarrow.int64(), pyarrow.uint64()]),
)
def test_arrow_tables_say_what_their_rows_say(rows, cut, words, integers):
    columns = list(zip(*rows, strict=True)) or [(), (), ()]
    kinds = (words, words, integers)
    names = ("shop", "colour", "cents")
    whole = pyarrow.table(
        {n: pyarrow.array(c, kind) for n, c, kind in zip(names, columns, kinds, strict=True)}
    )
    table = pyarrow.concat_tables([whole.slice(cut, 4), whole.slice(cut + 4)])
    for predicate in ("sale", "price"):
        found = tables.read_rows(table, predicate, WORDS, skip_bad=True)
        same(found, one_by_one(enumerate(rows[cut:], 1), predicate, from_value))


@pytest.mark.parametrize(
    "kind", [pyarrow.int8(), pyarrow.uint64(), pyarrow.float64(), pyarrow.bool_(), pyarrow.decimal128(20)]
)
def test_parquet_says_what_its_rows_say_whatever_their_type(tmp_path, kind):
    numbers = pyarrow.array([1, 0, 1]).cast(kind)
    table = pyarrow.table({"s": ["a", "b", "a"], "c": ["red", "red", "green"], "n": numbers})
    pyarrow.parquet.write_table(table, tmp_path / "a.parquet")
    found = tables.read_parquet(tmp_path / "a.parquet", "sale", WORDS, skip_bad=True)
    rows = enumerate(zip(*(column.to_pylist() for column in table.columns), strict=True), 1)
    same(found, one_by_one(rows, "sale", from_value))
    assert bool(found.facts) == pyarrow.types.is_integer(kind)


# Columns in a knowledge base


ROWS = [("a", "red", 7), ("b", "green", 3), ("a", "red", 7), ("c", "red", 2**63 - 1)]


def columns_of(predicate, rows):
    return tables.read_rows(rows, predicate, WORDS).facts


def test_facts_of_a_table_are_like_those_that_are_given_one_by_one():
    facts = columns_of("sale", ROWS)
    assert isinstance(facts, FactColumns)
    assert (facts[1], facts[-1].values, facts[1:3]) == (list(facts)[1], ROWS[3], list(facts)[1:3])
    assert facts == tuple(facts) != list(facts)[1:]
    assert facts != 3
    with pytest.raises(IndexError):
        facts[4]
    one, other = KnowledgeBase(THEORY), KnowledgeBase(THEORY)
    one.add(facts)
    other.add(list(facts))
    assert list(one.facts()) == list(other.facts())
    assert one.given() == other.given()
    assert one.query("dear(?s)").to_tuples() == [("a",), ("c",)]
    one.retract(facts)
    assert list(one.facts()) == list(KnowledgeBase(THEORY).facts())


@pytest.mark.parametrize(
    ("facts", "error"),
    [
        (FactColumns("dear", (FactColumn(array("q", [0]), ["a"]),), 1), FactError),
        (FactColumns("sale", (FactColumn(array("q", [0]), ["a"]),), 1), FactError),
        (FactColumns("none", (FactColumn(array("q", [0]), ["a"]),), 1), FactError),
        (FactColumns("open", (FactColumn(array("q", [0]), None),), 1), FactError),
        (
            FactColumns(
                "size",
                (FactColumn(array("q", [0, 0]), ["a"]), FactColumn(array("q", [1, 2]), None)),
                2,
            ),
            KnowledgeBaseError,
        ),
    ],
)
def test_columns_that_do_not_fit_are_refused_as_facts_are(facts, error):
    base = KnowledgeBase(THEORY)
    before = list(base.facts())
    output = []
    for given_facts in (facts, list(facts)):
        with pytest.raises(error) as caught:
            base.add(given_facts)
        output.append(str(caught.value))
    assert output[0] == output[1]
    assert list(base.facts()) == before


def test_a_second_action_of_a_table_is_refused():
    base = KnowledgeBase(THEORY)
    base.add(columns_of("sell", [("a", 1)]))
    with pytest.raises(KnowledgeBaseError, match="two actions in one state"):
        base.add(columns_of("sell", [("b", 1)]))


def test_columns_go_into_a_pushed_state_and_out_again():
    base = KnowledgeBase(THEORY)
    base.add([GroundFact("sale", ("z", "red", 9))])
    base.push()
    base.add(columns_of("sale", ROWS))
    base.pop()
    assert base.query("dear(?s)").to_tuples() == [("z",)]
