"""Tests of tables that a knowledge base takes from programs or returns: of facts, and of answers by column."""

from __future__ import annotations

import io

import pytest

from hornbook import GroundFact, KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.tables import TableError
from hornbook.matcher.program.hornbook_error import HornbookError
from oracles.pages.engines import engines_with

pyarrow = pytest.importorskip("pyarrow")
pytest.importorskip("pyarrow.parquet")
pandas = pytest.importorskip("pandas")
polars = pytest.importorskip("polars")
duckdb = pytest.importorskip("duckdb")

TOWN = """theory town.
sort person.
sort place.
sort size = small | large.
static parent(person, person).
static lives(person, place).
static big(place -> size).
static open.
fluent at(person -> place).
fluent rich(person).
action go(person, place).
derived grandparent(person, person).
derived quiet.
grand: grandparent(?a, ?c) :- parent(?a, ?b), parent(?b, ?c).
moved: after at(?p, ?q) :- go(?p, ?q).
is_quiet: quiet :- open.
"""
PARENTS = [("ada", "ben"), ("ben", "cleo"), ("ben", "dan")]
FRAMES = {
    "pandas": pandas.DataFrame,
    "polars": polars.DataFrame,
    "arrow": pyarrow.table,
    "batch": pyarrow.record_batch,
    "categories": lambda columns: pandas.DataFrame(columns).astype("category"),
    "duckdb": lambda columns: duckdb.from_arrow(pyarrow.table(columns)),
}


def columns(**named):
    return dict(zip(named, map(list, zip(*PARENTS, strict=True)), strict=True))


@pytest.fixture(params=engines_with())
def base(request):
    return KnowledgeBase(load_town(TOWN), engine=request.param)


def load_town(text):
    return load_text(text, "town.horn")


@pytest.mark.parametrize("library", FRAMES)
def test_a_table_of_any_library_is_added_and_what_follows_comes_back(base, library):
    frame = FRAMES[library](columns(person_1=..., person_2=...))
    found = base.add_table("parent", frame)
    assert (len(found.facts), found.bad) == (3, [])
    for relation, rows in {
        "parent": PARENTS,
        "grandparent": [("ada", "cleo"), ("ada", "dan")],
    }.items():
        table = base.table(relation)
        assert table.column_names == ["person_1", "person_2"]
        assert list(zip(*table.to_pydict().values(), strict=True)) == rows
        assert list(table.to_pandas().itertuples(index=False, name=None)) == rows
        assert polars.from_arrow(table).rows() == rows


@pytest.mark.parametrize("library", FRAMES)
def test_columns_of_these_names_are_taken_by_name_and_others_in_order(library):
    for names, rows in {
        ("person_2", "person_1"): [(b, a) for a, b in PARENTS],
        ("child", "parent"): PARENTS,
        ("person", "person_1"): PARENTS,
    }.items():
        base = KnowledgeBase(load_town(TOWN))
        base.add_table("parent", FRAMES[library](columns(**dict.fromkeys(names))))
        assert [fact.values for fact in base.facts("parent")] == sorted(rows)


def test_columns_are_named_where_a_table_has_more():
    base = KnowledgeBase(load_town(TOWN))
    frame = pandas.DataFrame({"of": ["ben"], "age": [7], "who": ["ada"]})
    base.add_table("parent", frame, columns=["who", "of"])
    assert list(base.facts("parent")) == [GroundFact("parent", ("ada", "ben"))]
    cursor = duckdb.sql("select 'cleo' as child, 1 as n, 'ben' as parent")
    base.add_table("parent", cursor, columns=["parent", "child"])
    assert len(base.table("grandparent")) == 1
    for wrong, output in {
        ("who", "off"): "table: it has no column `off`; did you mean `of`?",
        ("who", "town"): "table: it has no column `town`; they are of, age, who",
        ("who",): "table: 1 column, where `parent(person, person)` has 2",
    }.items():
        with pytest.raises(TableError) as problem:
            base.add_table("parent", frame, columns=wrong)
        assert str(problem.value) == output
    with pytest.raises(TableError, match="its columns have no names"):
        base.add_table("parent", [("ada", "ben")], columns=["who", "of"])
    twice = pyarrow.table([["a"], ["b"], ["c"]], names=["who", "who", "of"])
    with pytest.raises(TableError, match="several columns called `who`"):
        base.add_table("parent", twice, columns=["who", "of"])


def test_rows_that_pandas_calls_something_are_the_same_rows():
    base = KnowledgeBase(load_town(TOWN))
    frame = pandas.DataFrame(columns(a=..., b=...))
    base.add_table("parent", frame[frame.a == "ben"])
    assert [fact.values for fact in base.facts("parent")] == PARENTS[1:]


def test_a_bad_table_is_reported_by_row_and_column_and_nothing_is_added():
    base = KnowledgeBase(load_town(TOWN))
    frame = pandas.DataFrame({"place": ["x", "y"], "size": ["large", "lage"]})
    with pytest.raises(TableError) as problem:
        base.add_table("big", frame)
    assert problem.value.bad[0].row == 2
    assert "column `size`: `lage` is not one of the constants of `size`; did you mean `large`?" in str(
        problem.value
    )
    assert len(base.table("big")) == 0
    found = base.add_table("big", frame, skip_bad=True)
    assert [row.row for row in found.bad] == [2]
    assert base.table("big").to_pydict() == {"place": ["x"], "size": ["large"]}
    with pytest.raises(HornbookError, match="two values for one key"):
        base.add_table("big", [("x", "small")])
    assert base.table("big").to_pydict() == {"place": ["x"], "size": ["large"]}
    with pytest.raises(TableError, match="grandparent"):
        base.add_table("grandparent", columns(a=..., b=...))


def test_moments_and_relations_without_columns(base):
    base.add_table("at", [("ada", "hall")])
    base.add_table("go", polars.DataFrame({"person": ["ada"], "place": ["yard"]}))
    assert base.table("at").to_pydict() == {"person": ["ada"], "place": ["hall"]}
    assert base.table("at", "before") == base.table("at")
    assert base.table("at", "after").to_pydict() == {"person": ["ada"], "place": ["yard"]}
    assert base.table("go").to_pydict() == {"person": ["ada"], "place": ["yard"]}
    assert base.table("quiet").to_pydict() == {"holds": []}
    base.add([GroundFact("open", ())])
    assert base.table("quiet").to_pydict() == {"holds": ["yes"]}
    assert base.table("rich").to_pydict() == {"person": []}
    with pytest.raises(FactError, match="no relation `parents` at this moment; did you mean `parent`"):
        base.table("parents")


def test_what_comes_out_goes_in_again():
    first, second = (KnowledgeBase(load_town(TOWN)) for _ in range(2))
    first.add_table("parent", PARENTS)
    first.add_table("lives", [("ada", "riga")])
    for relation in ("parent", "lives", "big"):
        second.add_table(relation, first.table(relation))
        second.add_table(relation, first.table(relation).to_pandas())
        second.add_table(relation, polars.from_arrow(first.table(relation)))
    assert list(first.facts()) == list(second.facts())


SHOPS = """
theory shops.
sort shop. sort cents = int.
static sale(shop, cents).
static next(shop, shop).
derived dear(shop, cents).
dear_one: dear(?s, ?c) :- sale(?s, ?c), ?c > 5.
"""
SALES = "sale(b, 7). sale(a, 12). sale('Ä', -3). sale(a, 9223372036854775807). sale('é b', 6). next(b, a). next(a, 'Ä')."


@pytest.fixture(params=[None, "plain", "duckdb"])
def shops(request):
    made = KnowledgeBase(load_text(SHOPS), engine=request.param)
    made.add_text(SALES)
    return made


@pytest.mark.parametrize(
    "question",
    [
        "sale(?s, ?c)",
        "dear(?s, ?c)",
        "next(?t, ?s), sale(?s, ?c)",
        "sale(?s, _)",
        "?n = count ?s where dear(?s, _)",
        "sale(z, ?c)",
        "next(?s, ?t), sale(?s, ?c), ?d = ?c - 1",
    ],
)
def test_a_table_by_column_equals_the_answers(shops, question):
    answers, table = shops.query(question), shops.query_table(question)
    assert table.column_names == list(answers.variables)
    assert table.to_pydict() == answers.to_dict()
    file = io.BytesIO()
    pyarrow.parquet.write_table(table, file)
    assert pyarrow.parquet.read_table(file).to_pydict() == answers.to_dict()
    assert table.to_pandas().to_dict("list") == answers.to_dict()


def test_words_are_a_dictionary():
    base = KnowledgeBase(load_text(SHOPS))
    base.add_text(SALES)
    table = base.query_table("sale(?s, ?c)")
    assert table.schema.field("s").type == pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    assert table.schema.field("c").type == pyarrow.int64()


def test_what_is_no_table_is_refused(shops):
    with pytest.raises(ValueError, match="without variables"):
        shops.query_table("sale(b, 7)")
    with pytest.raises(TooManyAnswersError):
        shops.query_table("sale(?s, ?c)", max_answers=2)
    with pytest.raises(TheoryError):
        shops.query_table("sold(?s)")
    with pytest.raises(KnowledgeBaseError, match="leaves 64 bits"):
        shops.query_table("sale(a, ?c), ?d = ?c + ?c")
