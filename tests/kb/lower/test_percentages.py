"""Percentages in rules, answers, tables, states, stores and messages."""

from __future__ import annotations

from decimal import ROUND_HALF_EVEN, ROUND_HALF_UP, Decimal
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from hornbook import GroundFact, KnowledgeBase, evaluate_states
from hornbook.kb.format.formatter import format_text
from hornbook.kb.load.loader import load_text
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.store import Store
from hornbook.kb.store.closure import read_theory
from hornbook.kb.tables.readers.table_format import TableFormat
from hornbook.kb.tables.tables import read_csv, read_parquet
from oracles.pages.engines import engines_with

SHOP = """theory shop.
sort article.
sort euro = decimal(2).
sort rate = percent(1).
sort whole = percent.
fluent net(article -> euro).
fluent vat(article -> rate).
fluent discount(article -> whole).
derived tax(article, euro).
derived share(article, rate).
derived reduced(article).
derived rates(rate).
derived rounded(article, whole).
tax: tax(?a, ?t) :- net(?a, ?n), vat(?a, ?r), ?t = round_half_up(?n * ?r, 5, 2).
share: share(?a, ?s) :- tax(?a, ?t), net(?a, ?n), ?s = percent_half_even(?t, ?n + ?t, 1).
reduced: reduced(?a) :- vat(?a, ?r), ?r < 19.0 percent - 2.0 percent.
rates: rates(?s) :- ?s = sum ?r where vat(_, ?r).
rounded: rounded(?a, ?w) :- vat(?a, ?r), ?w = round_half_up(?r, 1, 0).
example one: net(book, 19.99), vat(book, 7.0 percent), discount(book, -5 percent).
expect one: tax(book, ?t) gives 1.40.
expect one: rounded(book, 7 percent).
"""


@pytest.fixture(scope="module")
def theory():
    return load_text(SHOP)


@pytest.mark.parametrize("engine", engines_with())
def test_rules_calculate_exactly(engine, theory):
    random = Random(8)
    base = KnowledgeBase(theory, engine=engine)
    amounts = {f"a{i}": (Decimal(random.randint(1, 10**6)).scaleb(-2), Decimal(random.randint(-500, 1000)).scaleb(-1))
               for i in range(60)}  # fmt: skip
    base.add(GroundFact("net", (name, net)) for name, (net, _) in amounts.items())
    base.add(GroundFact("vat", (name, rate)) for name, (_, rate) in amounts.items())
    cent, tenth = Decimal("0.01"), Decimal("0.1")
    taxes = {name: (net * rate / 100).quantize(cent, ROUND_HALF_UP) for name, (net, rate) in amounts.items()}
    assert dict(base.query("tax(?a, ?t)").to_tuples()) == taxes
    assert dict(base.query("share(?a, ?s)").to_tuples()) == {
        name: (100 * taxes[name] / (net + taxes[name])).quantize(tenth, ROUND_HALF_EVEN)
        for name, (net, _) in amounts.items()
    }
    assert set(base.query("reduced(?a)").to_tuples()) == {
        (n,) for n, (_, rate) in amounts.items() if rate < 17
    }
    assert base.query("rates(?s)").to_tuples() == [(sum(rate for _, rate in amounts.values()),)]
    assert dict(base.query("rounded(?a, ?w)").to_tuples()) == {
        name: rate.quantize(Decimal(1), ROUND_HALF_UP) for name, (_, rate) in amounts.items()
    }


def test_they_are_read_and_written(theory, tmp_path):
    base = KnowledgeBase(theory)
    table = tmp_path / "vat.csv"
    table.write_text("article,rate\nx,12.5\ny,7 %\nz,1%\nw,3.0 percent\n", encoding="utf-8")
    base.add(read_csv(table, "vat", theory.vocabulary).facts)
    base.add([GroundFact("vat", ("v", "2.5 %")), GroundFact("discount", ("v", Decimal(5)))])
    expected = {"x": "12.5", "y": "7.0", "z": "1.0", "w": "3.0", "v": "2.5"}
    answers = base.query("vat(?a, ?r)")
    assert dict(answers.to_tuples()) == {name: Decimal(rate) for name, rate in expected.items()}
    assert {row["r"] for row in answers.json_rows()} == {f"{rate} percent" for rate in expected.values()}
    assert "x,12.5 percent\n" in answers.to_csv()
    assert answers.to_arrow().schema.field("r").type == pa.decimal128(19, 1)
    table.write_text("article;rate\ng;1.012,5 %\nh;-3\n", encoding="utf-8")
    german = TableFormat(delimiter=";", decimal=",", thousands=".")
    found = read_csv(table, "vat", theory.vocabulary, table_format=german).facts
    assert [str(each.values[1]) for each in found] == ["1012.5 percent", "-3.0 percent"]
    pq.write_table(base.table("vat"), tmp_path / "vat.parquet")
    again = KnowledgeBase(theory)
    again.add(read_parquet(tmp_path / "vat.parquet", "vat", theory.vocabulary).facts)
    assert again.query("vat(?a, ?r)").to_tuples() == answers.to_tuples()
    for value in (Decimal("12.5"), "12.5 %", "12.5"):
        assert base.query("vat(?a, $r)", parameters={"r": value}).to_tuples() == [("x",)]
    assert base.query("vat(?a, ?r), ?x = ?r * 1, ?x > 0.100").to_dicts() == [
        {"a": "x", "r": Decimal("12.5"), "x": Decimal("0.125")}
    ]
    states = pa.table(
        {"state": ["vat(x, 5.5 percent). net(x, 10.00).", "vat(x, 5.5 percent). net(x, -10.00)."]}
    )
    found = evaluate_states(theory, states)
    assert next(t for n, t in found.tables.items() if n.startswith("tax")).column("euro").to_pylist() == [
        Decimal("0.55"),
        Decimal("-0.55"),
    ]


def test_a_store_keeps_them(tmp_path):
    source = tmp_path / "shop.horn"
    source.write_text(SHOP, encoding="utf-8")
    Store.create(tmp_path / "s.hornstore").close()
    with Store(tmp_path / "s.hornstore", "write") as store:
        store.put_theory(read_theory(source))
        base = KnowledgeBase(store=store)
        base.add([GroundFact("vat", ("x", Decimal("12.5"))), GroundFact("discount", ("x", "-5 %"))])
    with Store(tmp_path / "s.hornstore") as store:
        again = KnowledgeBase(store=store)
        assert again.query("vat(?a, ?r), discount(?a, ?d)").to_csv() == "a,r,d\nx,12.5 percent,-5 percent\n"


def test_the_formatter_keeps_them():
    assert format_text("theory t. sort r = percent(1). static r(r). r( -5.5 percent).").endswith(
        "r(-5.5 percent).\n"
    )


@pytest.mark.parametrize(
    ("condition", "message", "remedy"),
    [
        ("vat(?a, 19 percent)", "`19 percent` stands where argument 2 of `vat` is a percentage", "write `19.0 percent`"),
        ("vat(?a, 0.19)", "`0.19` stands where", "write a percentage with 1 digit after the point"),
        ("vat(?a, 19)", "`19` stands where", "write `19.0 percent`"),
        ("vat(?a, ?r), ?r < 0.1", "this is a number with 1 digit", "`?x * 1` is a percentage as a number"),
        ("vat(?a, ?r), discount(?a, ?d), ?r < ?d", "a percentage with no digits after the point", "write"),
        ("vat(?a, ?r), ?t = ?r + 0.1", "this is a number with 1 digit", "`?x * 1`"),
        ("net(?a, ?n), vat(?a, ?r), ?t = round_half_up(?n * ?r, 4, 2)", "`round_half_up` takes the digits", "write `5`"),
        ("net(?a, ?n), vat(?a, ?r), ?t = ?r // 2", "`//` takes integers", "`divide_half_up"),
    ],
)  # fmt: skip
def test_mistakes_have_remedies(theory, condition, message, remedy):
    with pytest.raises(TheoryError) as problem:
        KnowledgeBase(theory).query(condition)
    assert message in str(problem.value)
    assert remedy in str(problem.value)
