"""Tests of the table of a firm: it survives a round trip, and every mistake is reported by row and column."""

from __future__ import annotations

from random import Random

import duckdb
import pytest

from hornbook.cli import main
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.firm import adapter
from hornbook.theories.firm.tables.writing import csv_of_firm, template
from oracles.firm.random_firms import random_firm


def test_a_firm_that_is_written_is_read_again():
    random = Random(3)
    for _ in range(100):
        firm = random_firm(random)
        assert adapter.read(csv_of_firm(firm), "firm.csv") == firm


MESSAGE = (
    "setting",
    "books",
    "receivable",
    "payable",
    "stock",
    "price",
    "cost",
    "standard",
    "number",
    "book",
    "wear",
    "demand",
    "clock",
)
"""Relations whose values are cells of their row."""


def test_a_fact_stands_in_the_row_that_says_it():
    random = Random(4)
    for _ in range(20):
        text = csv_of_firm(random_firm(random))
        firm = adapter.read(text, "firm.csv")
        cells = dict(enumerate((line.split(",") for line in text.splitlines()), 1))
        seen = set()
        for fact in adapter.facts(firm):
            number = adapter.row(firm, fact)
            seen.add(number)
            if number is not None and fact.relation in MESSAGE:
                *names, value = fact.values
                assert str(value) in cells[number] or (value == 0 and "" in cells[number]), fact
                assert cells[number][0] == "staff" or str(names[-1]) == cells[number][1], fact
        assert {number for number, row in cells.items() if number > 1 and row[0] != "amount"} <= seen


def test_what_rows_say_together_or_decisions_change_stands_in_none():
    firm = adapter.read(
        edited(("account,cash,", "month,1,,,,,,,,,,,,,,,,,,,,5,5\naccount,cash,")), "firm.csv"
    )
    assert firm.receivable[0] > 5
    assert adapter.row(firm, GroundFact("receivable", (1, firm.receivable[0]))) is None
    cash = GroundFact("books", ("cash", firm.accounts["cash"]))
    assert adapter.row(firm, cash) is not None
    after = adapter.step(firm, GroundFact("borrow", (1000,)))
    assert after is not None
    assert adapter.row(after, cash) is None
    assert adapter.row(firm, GroundFact("ends", ("machines", "start"))) is None


def edited(*changes: tuple[str, str]) -> str:
    text = template()
    for old, new in changes:
        assert old in text, old
        text = text.replace(old, new, 1)
    return text


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ((("product,bread,,60,", "product,bread,,sixty,"),), "row 14, column `stock`: `sixty` is not an integer"),
        ((("product,bread,,60,", "product,bread,,-1,"),), "row 14, column `stock`: -1 is not 0 or more"),
        ((("product,bread,,60,", "product,bread,,,"),), "row 14, column `stock`: a row of kind `product` needs this"),
        ((("product,bread", "produkt,bread"),), "row 14, column `kind`: there is no kind of row `produkt`"),
        ((("flour 6; yeast", "flower 6; yeast"),), "column `uses`: there is no material, machine or staff `flower`"),
        ((("flour 6; yeast", "flour six; yeast"),), "`flour six` is not a name and a number, such as `flour 2`"),
        ((("2700,3100", "3100,2700"),), "row 14, column `high`: the upper bound 2700 is below the lower one, 3100"),
        ((("2700,3100", "2700,"),), "row 14, column `high`: bounds of demand come in pairs"),
        ((("product,rolls", "product,bread"),), "row 15, column `name`: row 14 has this name already"),
        ((("material,yeast", "material,staff"),), "column `name`: Hornbook itself has this name already"),
        ((("setting,rate,450", "setting,rat,450"),), "row 3, column `name`: there is no setting `rat`"),
        ((("setting,horizon,1,", "setting,horizon,13,"),), "row 6, column `value`: the horizon is 1 to 12 months"),
        ((("account,cash,5", "account,cash,6"),), "the books do not balance: with all else, capital is"),
        ((("kind,name", "kind,nam"),), "there is no column `nam`"),
        ((("setting,rate,450,", "setting,rate,450,7"),), "row 3, column `stock`: a row of kind `setting` leaves this empty"),
        ((("0 0 0 0 0 0", "0 0 x"),), "column `arriving`: write what arrives in each month, 6 numbers at most"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_reported_by_row_and_column(changes, message):
    with pytest.raises(TheoryError) as raised:
        adapter.read(edited(*changes), "month.csv")
    assert message in str(raised.value)


def test_all_that_is_wrong_is_reported_at_once():
    text = edited(
        ("product,bread,,60,", "product,bread,,sixty,"), ("flour 4", "flower 4"), ("rate,450", "rate,x")
    )
    with pytest.raises(TheoryError) as raised:
        adapter.read(text, "month.csv")
    assert len(raised.value.diagnostics) == 3


def test_an_empty_table_is_refused():
    with pytest.raises(TheoryError, match="the table is empty"):
        adapter.read("", "month.csv")


def test_capital_that_is_not_given_is_what_balances_the_books():
    lines = [line for line in template().splitlines() if not line.startswith("account,capital")]
    assert adapter.read("\n".join(lines), "month.csv") == adapter.read(template(), "month.csv")


def test_a_template_is_written_and_read_as_a_state(tmp_path, capsys):
    file = tmp_path / "month.csv"
    assert main(["theory", "template", "firm", str(file)]) == 0
    assert file.read_text(encoding="utf-8") == template()
    assert main(["query", "firm", "stock(bread, ?n)", "--state", str(file)]) == 0
    assert "60" in capsys.readouterr().out
    assert main(["theory", "template", "firm", str(file)]) == 1
    assert main(["theory", "template", "family", str(tmp_path / "other")]) == 2


@pytest.mark.deep
def test_parquet_says_the_same_as_csv(tmp_path, capsys):
    text, parquet = tmp_path / "month.csv", tmp_path / "month.parquet"
    text.write_text(template(), encoding="utf-8")
    duckdb.sql(f"COPY (SELECT * FROM read_csv('{text}')) TO '{parquet}' (FORMAT parquet)")
    assert adapter.read_file(parquet) == adapter.read(template(), "month.csv")
    assert adapter.read_file(text) is None
    assert main(["query", "firm", "stock(bread, ?n)", "--state", str(parquet)]) == 0
    assert "60" in capsys.readouterr().out
    (tmp_path / "bad.parquet").write_text("no table", encoding="utf-8")
    with pytest.raises(TheoryError, match="cannot be read as Parquet"):
        adapter.read_file(tmp_path / "bad.parquet")


def test_of_very_many_mistakes_a_hundred_are_reported():
    with pytest.raises(TheoryError) as reported:
        adapter.read("kind,name\n" + "x,y\n" * 5_000, "long.csv")
    assert len(reported.value.diagnostics) == 100
    assert "more" in reported.value.diagnostics[-1].help
    assert len(str(reported.value)) < 20_000
