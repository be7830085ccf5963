"""Dates, times and decimal numbers in rules, answers, tables, states, stores and learned rules."""

from __future__ import annotations

import calendar
import datetime
import json
from decimal import ROUND_HALF_UP, Decimal
from random import Random

import pandas as pd
import pyarrow as pa
import pytest

from hornbook import GroundFact, KnowledgeBase, evaluate_states
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import FactError
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory
from hornbook.kb.tables.csv_lines import CellError
from hornbook.kb.tables.tables import TableError, read_csv
from oracles.pages.engines import engines_with

LOANS = """theory loans.
sort person.
sort book.
sort day = date.
sort moment = time.
sort euro = decimal(2).
fluent lent(book -> person).
fluent since(book -> day).
fluent owed(person -> euro).
fluent seen(person, moment).
static fee_a_day(-> euro).
action give_back(book, day).
derived due(book, day).
derived seen_on(person, day, int).
derived total(euro).
derived may_borrow(person).

fee_a_day(0.15).

too_late: due(?b, ?d) :- since(?b, ?s), ?d = add_months(?s, 1).
the_day: seen_on(?p, ?d, ?h) :- seen(?p, ?t), ?d = date_of(?t), ?h = hour(?t).
all_of_it: total(?t) :- ?t = sum ?x where owed(_, ?x).
a_fee:
  after owed(?p, ?f) :-
    give_back(?b, ?d), before lent(?b, ?p), before since(?b, ?s), ?d > add_months(?s, 1),
    fee_a_day(?a), before owed(?p, ?o),
    ?f = ?o + round_half_up(?a * (?d - add_months(?s, 1)) * 0.50, 4, 2).
fine: may_borrow(?p) :- owed(?p, ?f), ?f < 1.00.

example late: lent(b1, ada), since(b1, 2024-01-31), owed(ada, 0.10), give_back(b1, 2024-03-03).
expect late: after owed(ada, ?f) gives 0.33.
expect late: after may_borrow(ada).
"""
FACTS = [
    GroundFact("owed", ("ada", Decimal("12.5"))),
    GroundFact("owed", ("eve", Decimal("-0.05"))),
    GroundFact("since", ("b1", datetime.date(2024, 1, 31))),
    GroundFact("seen", ("ada", datetime.datetime(2024, 2, 29, 23, 59, 1))),  # noqa: DTZ001
]


@pytest.fixture(scope="module")
def theory():
    return load_text(LOANS)


@pytest.fixture(params=engines_with())
def base(request, theory):
    found = KnowledgeBase(theory, engine=request.param)
    found.add(FACTS)
    return found


def test_answers_are_objects_of_the_standard_library(base):
    assert base.query("due(?b, ?d)").to_tuples() == [("b1", datetime.date(2024, 2, 29))]
    assert base.query("owed(?p, ?x)").to_dicts() == [
        {"p": "ada", "x": Decimal("12.50")},
        {"p": "eve", "x": Decimal("-0.05")},
    ]
    assert base.query("seen_on(?p, ?d, ?h)").to_tuples() == [("ada", datetime.date(2024, 2, 29), 23)]
    assert base.query("total(?t)").to_tuples() == [(Decimal("12.45"),)]
    assert base.query("owed(ada, ?x), ?y = ?x * 0.19").to_tuples() == [(Decimal("12.50"), Decimal("2.3750"))]


def test_answers_as_text_csv_and_json(base):
    answers = base.query("owed(?p, ?x), seen(ada, ?t)")
    assert answers.to_csv() == "p,x,t\nada,12.50,2024-02-29T23:59:01\neve,-0.05,2024-02-29T23:59:01\n"
    assert json.loads(json.dumps(list(answers.json_rows())))[1] == {
        "p": "eve", "x": "-0.05", "t": "2024-02-29T23:59:01",
    }  # fmt: skip
    assert "eve  -0.05" in str(answers)


def test_answers_as_arrow_have_their_types(base):
    for table in (
        base.query_table("owed(?p, ?x), since(?b, ?d)"),
        base.query("owed(?p, ?x), since(?b, ?d)").to_arrow(),
    ):
        assert table.schema.field("x").type == pa.decimal128(19, 2)
        assert table.schema.field("d").type == pa.date32()
        assert table.column("x").to_pylist() == [Decimal("12.50"), Decimal("-0.05")]
        assert table.column("d").to_pylist() == [datetime.date(2024, 1, 31)] * 2
    assert base.table("seen").schema.field("moment").type == pa.timestamp("s")


def test_parameters_are_dates_and_decimal_numbers(base):
    day = datetime.date(2024, 2, 1)
    assert base.query("since(?b, ?d), ?d < $day", parameters={"day": day}).to_tuples() == [
        ("b1", datetime.date(2024, 1, 31))
    ]
    assert base.query("owed(?p, $x)", parameters={"x": Decimal("12.50")}).to_tuples() == [("ada",)]
    for text in ("2024-01-31", "2024-01-31 "):
        assert base.query("since(?b, $d)", parameters={"d": text}).to_tuples() == [("b1",)]
    for amount in (Decimal("12.5"), "12.5", "12.50"):
        assert base.query("owed(?p, $x)", parameters={"x": amount}).to_tuples() == [("ada",)]
    with pytest.raises(TheoryError, match=r"`31\.01\.2024` is a word, but argument 2 of `since` is a date"):
        base.query("since(?b, $d)", parameters={"d": "31.01.2024"})
    with pytest.raises(TheoryError, match=r"write `12\.00`"):
        base.query("owed(?p, $x)", parameters={"x": 12})


@pytest.mark.parametrize(
    ("relation", "value"),
    [
        ("owed", 5),
        ("owed", 5.0),
        ("owed", Decimal("0.125")),
        ("since", 5),
        ("since", "31.01.2024"),
        ("lent", Decimal(5)),
    ],
)
def test_other_values_are_refused(base, relation, value):
    with pytest.raises(FactError, match=f"`{relation}`"):
        base.add([GroundFact(relation, ("b2", value))])


def test_a_fact_is_stored_and_retracted_by_its_value(base):
    fact = GroundFact("owed", ("ada", Decimal("12.50")))
    assert base.holds(fact)
    base.retract([GroundFact("owed", ("ada", "12.5"))])
    assert not base.holds(fact)


def month_later(day):
    year, month = divmod(12 * day.year + day.month, 12)
    last = calendar.monthrange(year, month + 1)[1]
    return datetime.date(year, month + 1, min(day.day, last))


def test_every_engine_calculates_like_the_standard_library():
    random = Random(50)
    days = [datetime.date(1999, 1, 31) + datetime.timedelta(random.randrange(20_000)) for _ in range(40)]
    amounts = [Decimal(random.randrange(-200_000, 200_000)) / 1000 for _ in days]
    expected = [
        (f"b{place:02}", month_later(day), amount.quantize(Decimal("0.01"), ROUND_HALF_UP))
        for place, (day, amount) in enumerate(zip(days, amounts, strict=True))
    ]
    for engine in engines_with():
        base = KnowledgeBase(
            load_text(
                "sort book. sort day = date. sort price = decimal(3). sort euro = decimal(2)."
                "static lent(book, day). static price(book, price). derived due(book, day, euro)."
                "due(?b, add_months(?d, 1), round_half_up(?p, 3, 2)) :- lent(?b, ?d), price(?b, ?p)."
            ),
            engine=engine,
        )
        base.add([GroundFact("lent", (row[0], day)) for row, day in zip(expected, days, strict=True)])
        base.add(
            [GroundFact("price", (row[0], amount)) for row, amount in zip(expected, amounts, strict=True)]
        )
        assert base.query("due(?b, ?d, ?f)").to_tuples() == expected, engine


def test_tables_are_read_by_the_sorts_of_their_columns(tmp_path, theory):
    path = tmp_path / "owed.csv"
    path.write_text("person,euro\nada,12.5\neve,-3\nkim,70.50\n", encoding="utf-8")
    base = KnowledgeBase(theory)
    base.add(read_csv(path, "owed", theory.vocabulary).facts)
    assert [row[1] for row in base.query("owed(?p, ?x)").to_tuples()] == [
        Decimal("12.50"),
        Decimal(-3),
        Decimal("70.50"),
    ]
    base.add_table("since", pd.DataFrame({"book": ["b1"], "day": pd.to_datetime(["2024-02-03"])}))
    base.add_table("since", pa.table({"book": ["b2"], "day": pa.array([datetime.date(2024, 2, 4)])}))
    base.add_table("owed", pa.table({"p": ["z"], "x": pa.array([Decimal("1.200")], pa.decimal128(9, 3))}))
    assert base.query("since(b1, 2024-02-03), since(b2, 2024-02-04), owed(z, 1.20)")


def test_a_bad_cell_is_reported_with_its_row_column_and_reason(tmp_path, theory):
    path = tmp_path / "since.csv"
    path.write_text("book,day\nb1,2024-02-29\nb2,2023-02-29\nb3,x\n", encoding="utf-8")
    with pytest.raises(TableError) as caught:
        read_csv(path, "since", theory.vocabulary)
    assert [str(row) for row in caught.value.bad] == [
        "row 3: column `day`: `2023-02-29` is not a date: day is out of range for month",
        "row 4: column `day`: `x` is not a date such as 2024-02-29",
    ]


@pytest.mark.parametrize("cells", [[5, 6], [True], [1.5], ["1.234"]])
def test_cells_that_are_no_decimal_numbers_or_whole_ones(theory, cells):
    base = KnowledgeBase(theory)
    rows = [(f"p{place}", cell) for place, cell in enumerate(cells)]
    if type(cells[0]) is int:
        base.add_table("owed", rows)
        assert base.query("owed(p0, 5.00), owed(p1, 6.00)")
    else:
        with pytest.raises(TableError):
            base.add_table("owed", rows)


def test_a_store_keeps_the_forms(tmp_path):
    source = tmp_path / "loans.horn"
    source.write_text(LOANS, encoding="utf-8")
    Store.create(tmp_path / "s.hornstore").close()
    with Store(tmp_path / "s.hornstore", "write") as store:
        store.put_theory(read_theory(source))
        base = KnowledgeBase(store=store)
        base.add(FACTS)
        base.add_table("owed", [("kim", "1.5")])
    with Store(tmp_path / "s.hornstore", "write") as store:
        base = KnowledgeBase(store=store)
        assert base.query("owed(?p, ?x)").to_tuples()[2] == ("kim", Decimal("1.50"))
        base.retract([GroundFact("owed", ("kim", Decimal("1.50")))])
    with Store(tmp_path / "s.hornstore") as store:
        assert len(KnowledgeBase(store=store).query("owed(?p, ?x)")) == 2


def test_pydatalog_answers_with_the_same_values(theory):
    base = KnowledgeBase(theory)
    base.add(FACTS)
    text = "owed(?p, ?x), ?x > 0.00, since(?b, ?d)"
    found = base.query(text, engine="pydatalog").to_tuples()
    assert (
        found == base.query(text).to_tuples() == [("ada", Decimal("12.50"), "b1", datetime.date(2024, 1, 31))]
    )


def test_a_quoted_date_is_a_mistake_with_its_correction(theory):
    with pytest.raises(TheoryError, match=r"is a word, but argument 2.*\n(.*\n)*.*write `2024-01-31`"):
        KnowledgeBase(theory).query("since(?b, '2024-01-31')")


STATES = [
    "owed(ada, 0.10), lent(b1, ada), since(b1, 2024-01-31), give_back(b1, 2024-03-03)",
    "owed(eve, -0.05), since(b2, 2023-12-31)",
    "owed(kim, 0.5)",
    "seen(ada, 2024-02-29T23:59:01), owed(ada, 2.00), owed(eve, 3.00)",
    *(f"owed(p{place}, {place}.25), since(b{place}, 2024-03-{place:02})" for place in range(1, 29)),
]


def test_states_have_the_facts_of_a_knowledge_base(theory):
    """Many states are evaluated together, and one with an error alone."""
    texts = [f"{state.replace('), ', '). ')}." for state in STATES]
    found = evaluate_states(theory, pa.table({"state": texts}))
    assert list(found.errors) == [2]
    assert "`0.5` stands where" in found.errors[2]
    for name, table in found.tables.items():
        relation, _, moment = name.partition(".")
        rows = table.to_pylist()
        for number, text in enumerate(texts):
            base = KnowledgeBase(theory)
            if number != 2:
                base.add_text(text)
            expected = base.table(relation, moment or "before").to_pylist() if number != 2 else []
            of_state = [
                {key: row[key] for key in list(row)[1:]} for row in rows if next(iter(row.values())) == number
            ]
            assert of_state == expected, (name, text)


def test_a_date_beyond_the_years_of_python_is_shown_and_refused_as_an_object(theory):
    base = KnowledgeBase(theory)
    base.add(FACTS)
    answers = base.query("since(b1, ?d), ?e = ?d + 3000000")
    assert str(answers.rows[0][1]) == "+10237-10-21"
    with pytest.raises(CellError, match=r"\+10237-10-21 is outside of the years 1 to 9999"):
        answers.to_tuples()
    with pytest.raises(CellError, match="does not fit into 32 bits"):
        base.query_table("since(b1, ?d), ?e = ?d + 3000000000")
