"""Tests of the years of the bakery and the workshop: the tables agree with the simulator and the decisions."""

from __future__ import annotations

import csv

import pytest

from hornbook.inputs.theories import load
from hornbook.kb.base.examples import run_examples
from hornbook.kb.sources.files import read_text
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import decide, opened, pass_month
from oracles.firm.years import EXAMPLES, STORIES, expecting, months_of, tables

STORIES_BY_NAME = pytest.mark.parametrize("story", STORIES, ids=lambda story: story.name)


def test_the_tables_that_ship_are_those_that_the_years_make():
    made = dict(tables())
    assert {path: path.read_text(encoding="utf-8") for path in made} == made
    assert set(EXAMPLES.rglob("*.csv")) == set(made)


@STORIES_BY_NAME
def test_the_ledger_proves_a_year_from_its_tables_only(story):
    folder = EXAMPLES / story.name
    with (folder / "journal.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    firm: Firm | None = None
    for number in range(1, 13):
        path = folder / f"{number:02}.csv"
        begins = adapter.read(read_text(path), str(path))
        if firm is not None:
            # The result of a month is computed. The expected demand and the cost of materials are input.
            assert begins == expecting(firm, story.months[number - 1])
        opened(begins).assert_balanced()
        firm, queried = begins, {}
        for row in (row for row in rows if int(row["month"]) == number):
            if row["what"] == "asked":
                queried[row["of"]] = int(row["amount"])
            else:
                firm = decide(firm, row["what"], *filter(None, [row["of"]]), int(row["amount"]))
        firm = pass_month(firm, queried)
    assert firm == list(months_of(story))[-1].ends


def test_the_years_are_as_their_stories_say():
    bakery, workshop = (list(months_of(story)) for story in STORIES)
    limit = -bakery[0].begins.settings["overdraft"]
    assert bakery[2].decided.products["bread"].stock < bakery[2].month.asked["bread"]
    assert bakery[4].ends.accounts["cash"] < limit
    assert bakery[4].ends.accounts["profit"] > 1_000_000
    assert [month.number for month in bakery if month.ends.accounts["cash"] < limit] == [5]
    assert bakery[11].ends.accounts["capital"] < bakery[0].begins.accounts["capital"]
    assert workshop[1].ends.accounts["cash"] < -workshop[0].begins.settings["overdraft"]
    assert workshop[1].ends.accounts["profit"] > 0
    year = workshop[11].ends.accounts["capital"] - workshop[0].begins.accounts["capital"]
    assert 0 < year * 10_000 < workshop[0].begins.accounts["capital"] * 3_500


@pytest.mark.deep
def test_the_moments_are_worth_what_the_theory_says():
    report = run_examples(load("firm"))
    assert [(outcome.expect.example, outcome.why) for outcome in report.failed] == []
    assert len(report.outcomes) >= 15
