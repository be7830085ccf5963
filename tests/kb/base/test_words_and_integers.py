"""Tests of columns of words and integers: 5 and '5' differ in answers, rules, tables and stores."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pyarrow
import pyarrow.parquet
import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory
from hornbook.kb.tables.table_values import mixed_text, mixed_value
from hornbook.kb.tables.tables import TableError, read_csv, read_parquet, read_rows, read_sql
from oracles.pages.engines import engines_with

TEXT = """theory parts.
sort code = word | int.
sort pieces = int.
static part(code, pieces).
static instead_of(code, code).
static spare(code -> code).
fluent holds(code, code).
fluent boxes(code -> int) counts holds.
derived known(code).
derived five(code).
derived quoted(code).
derived other(code, code).
derived no_five(code).
derived all_five(code).
derived but_five(code, int).
derived named(code).
part(5, 1). part('5', 2). part(abc, 3). part(-7, 4).
instead_of(5, abc). instead_of(abc, '5').
holds(abc, 5). holds(abc, '5'). boxes(abc, 2). holds(5, 5). boxes(5, 1).
known: known(?c) :- part(?c, _), instead_of(?c, _).
five: five(?c) :- part(?c, _), ?c = 5.
quoted: quoted(?c) :- ?c = '5', part(?c, _).
other: other(?c, ?d) :- part(?c, _), part(?d, _), ?c != ?d, ?d != 5, ?c != abc.
all_five: all_five(?c) :- boxes(?c, _), all ?d in holds(?c, ?d): ?d = 5.
but_five: but_five(?c, ?n) :- boxes(?c, _), ?n = count ?d in holds(?c, ?d) but 5.
named: named(?c) :- ?c = 5.
"""


@pytest.fixture(params=engines_with())
def base(request):
    return KnowledgeBase(load_text(TEXT), engine=request.param)


@pytest.mark.parametrize(
    ("question", "answers"),
    [
        ("part(?c, ?n)", [(-7, 4), (5, 1), ("5", 2), ("abc", 3)]),
        ("part(5, ?n)", [(1,)]),
        ("part('5', ?n)", [(2,)]),
        ("known(?c)", [(5,), ("abc",)]),
        ("five(?c)", [(5,)]),
        ("quoted(?c)", [("5",)]),
        ("named(?c)", [(5,)]),
        ("other(?c, ?d), ?c = 5", [(5, -7), (5, "5"), (5, "abc")]),
        ("part(?c, _), ?c != 5", [(-7,), ("5",), ("abc",)]),
        ("part(?c, _), absent (instead_of(?c, ?d), ?d = '5')", [(-7,), (5,), ("5",)]),
        ("part(?c, _), absent (part(?d, ?n), ?c = ?d, ?n = 1)", [(-7,), ("5",), ("abc",)]),
        ("?c = 5, ?c = ?d, part(?d, ?n)", [(5, 5, 1)]),
        ("?n = count ?c where (part(?c, _), ?c != '5')", [(3,)]),
        ("all_five(?c)", [(5,)]),
        ("but_five(?c, ?n)", [(5, 0), ("abc", 1)]),
    ],
)
def test_the_number_five_differs_from_the_word(base, question, answers):
    found = base.query(question).rows
    assert list(found) == answers
    assert [list(map(type, row)) for row in found] == [list(map(type, row)) for row in answers]


def test_a_proof_shows_which_of_the_two_it_is():
    base = KnowledgeBase(load_text(TEXT))
    assert "part('5', 2)" in str(base.why("quoted(_)"))
    assert "part(5, 1)" in str(base.why("five(_)"))


@pytest.mark.parametrize(
    ("rule", "code", "message"),
    [
        ("named(?c) :- part(?c, ?c).", "HB017", "a sort of words and integers goes with itself alone"),
        ("named(?c) :- part(?c, ?n), ?c = ?n.", "HB019", "declare both columns as `code`"),
        ("named(?c) :- part(?c, _), ?c > 4.", "HB019", "is a `code`, which has words too"),
        ("named(?c) :- part(?d, _), ?c = ?d + 1.", "HB019", "is a `code`, which has words too"),
    ],
)
def test_it_goes_with_itself_only(rule, code, message):
    with pytest.raises(TheoryError) as caught:
        load_text(f"{TEXT}wrong: {rule}")
    assert caught.value.diagnostics[0].code == code
    assert message in str(caught.value)


def test_facts_from_python_are_reported_apart_by_their_types():
    base = KnowledgeBase(load_text(TEXT))
    base.add([GroundFact("spare", (9, "9")), GroundFact("spare", ("9", 9))])
    assert base.query("spare(?c, ?d)").rows == ((9, "9"), ("9", 9))
    assert base.query("spare($c, ?d)", parameters={"c": 9}).rows == (("9",),)
    for wrong in (True, 1.0, 2**63):
        with pytest.raises(FactError):
            base.add([GroundFact("spare", (wrong, 1))])


@pytest.mark.parametrize(
    ("text", "value"),
    [("5", 5), ("'5'", "5"), ("''5''", "'5'"), ("-3", -3), ("+3", "+3"), ("007", "007"), ("-0", "-0"), ("0", 0), ("'a'", "'a'"),
     ("9223372036854775807", 2**63 - 1), ("9223372036854775808", "9223372036854775808"), ("'5", "'5"), ("1.0", "1.0")],
)  # fmt: skip
def test_a_text_in_a_table_is_read_as_what_it_was_written_for(text, value):
    assert mixed_value(text) == value
    assert type(mixed_value(text)) is type(value)
    assert mixed_text(value) == text


def test_tables_of_answers_are_read_again_as_what_they_were(tmp_path):
    base = KnowledgeBase(load_text(TEXT))
    rows = [(5, "5"), ("5", 5), ("abc", "''5''"), (-7, "007"), ("x y", -(2**63))]
    base.add([GroundFact("spare", row) for row in rows])
    found = base.query("spare(?code, ?spare)")
    assert set(found.rows) == set(rows)
    vocabulary = base.theory.vocabulary
    (tmp_path / "a.csv").write_text("".join(found.csv_lines()))
    assert {f.values for f in read_csv(tmp_path / "a.csv", "spare", vocabulary).facts} == set(rows)
    for number, table in enumerate((found.to_arrow(), base.query_table("spare(?code, ?spare)"))):
        assert {f.values for f in read_rows(table, "spare", vocabulary).facts} == set(rows)
        path = tmp_path / f"{number}.parquet"
        pyarrow.parquet.write_table(table, path)
        assert {f.values for f in read_parquet(path, "spare", vocabulary).facts} == set(rows)
    assert base.query_table("spare(?code, ?spare)").to_pydict() == found.to_arrow().to_pydict()


def test_integers_of_typed_tables_are_integers(tmp_path):
    vocabulary = load_text(TEXT).vocabulary
    table = pyarrow.table({"code": [5, 6], "spare": ["6", "'6'"]})
    assert [f.values for f in read_rows(table, "spare", vocabulary).facts] == [(5, 6), (6, "6")]
    path = tmp_path / "t.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("create table spare (code, spare)")
        connection.executemany("insert into spare values (?, ?)", [(5, "a"), ("a", 5), ("'5'", "5")])
        found = read_sql("select code, spare from spare", connection, "spare", vocabulary)
    assert [f.values for f in found.facts] == [(5, "a"), ("a", 5), ("5", 5)]


def test_a_header_is_a_word_of_such_a_column_and_a_number_is_none(tmp_path):
    vocabulary = load_text(TEXT).vocabulary
    path = tmp_path / "spare.csv"
    path.write_text("5,abc\n6,7\n")
    with pytest.raises(TableError, match="is a value of sort `code`"):
        read_csv(path, "spare", vocabulary)


def test_a_store_keeps_them_apart(tmp_path):
    file = tmp_path / "parts.horn"
    file.write_text(TEXT)
    rows = [(5, "5"), ("5", 5), ("abc", 1), (7, 8)]
    with Store.create(tmp_path / "kb.sqlite") as store:
        store.put_theory(read_theory(file))
        KnowledgeBase(store=store).add([GroundFact("spare", row) for row in rows])
        again = KnowledgeBase(store=store)
        assert set(again.query("spare(?c, ?d)").rows) == set(rows)
        assert again.query("five(?c)").rows == ((5,),)


def test_statements_of_a_mixed_column_are_sorted_with_integers_first(base):
    columns = [tuple(term.value for term in message.terms) for message in base.engine.statements("part")]
    assert columns == [(-7, 4), (5, 1), ("5", 2), ("abc", 3)]
    assert [message.terms[0].value for message in base.engine.statements("known", "before")] == [5, "abc"]


def test_given_facts_of_a_mixed_column_are_sorted(base):
    base.add([GroundFact("part", ("b", 1)), GroundFact("part", (9, 1))])
    assert [fact.values for fact in base.facts("part")][:3] == [(-7, 4), (5, 1), (9, 1)]


def test_two_values_for_one_key_are_reported_apart(base):
    with pytest.raises(TableError, match="is '5' here and 5 in row 1; the declaration allows one"):
        base.add_table("spare", [("abc", 5), ("abc", "5")])
