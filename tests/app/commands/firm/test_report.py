"""`hornbook firm report`: a year as one page, advice that recovers missed gains, and errors by row."""

from __future__ import annotations

import json
import re
from functools import cache
from html.parser import HTMLParser
from itertools import pairwise
from pathlib import Path

import pytest

from hornbook import cli
from hornbook.advice.advising import StateAdviser, adviser_of
from hornbook.advice.year_followed import review_with_advice
from hornbook.advice.year_review import Reviewed, review
from hornbook.render.line_chart import Series, line_chart
from hornbook.theories.firm.states.simulator import decide, pass_month
from hornbook.theories.firm.tables.year import read_year
from oracles.firm.years import EXAMPLES

PAGE = Path(__file__).parents[4] / "docs" / "images" / "bakery-year.html"
VOID = {"meta", "line", "circle", "polyline"}


class Tags(HTMLParser):
    """A parser that tracks open elements and fails if an element is closed out of order."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@cache
def adviser() -> StateAdviser:
    return adviser_of("firm", None)


@cache
def reviewed(name: str) -> list[Reviewed]:
    return list(review(adviser(), read_year(EXAMPLES / name)))


@pytest.fixture
def bakery():
    return reviewed("bakery")


@pytest.mark.deep
def test_the_page_of_the_bakery_is_the_one_in_the_docs(tmp_path, capsys):
    page = tmp_path / "page.html"
    assert cli.main(["firm", "report", "firm", str(EXAMPLES / "bakery"), "--into", str(page)]) == 0
    assert "months: 12, goals missed: 11, with advice that reaches them: 9;" in capsys.readouterr().out
    text = page.read_text(encoding="utf-8")
    tags = Tags()
    tags.feed(text)
    assert tags.open == []
    assert tags.seen.count("svg") == 3
    assert "script" not in tags.seen
    assert set(re.findall(r"https?://[^\"' >]+", text)) == {"http://www.w3.org/2000/svg"}
    assert [text.count(f"<h2>{month}</h2>") for month in ("January", "May", "December")] == [1, 1, 1]
    assert text == PAGE.read_text(encoding="utf-8")


def test_what_went_wrong_in_the_bakery_is_found_and_saved(bakery):
    found = {
        (month.month.number, missed.goal.predicate): missed.saved
        for month in bakery
        for missed in month.missed
    }
    shipped, butter, price, hired = (
        found[key] for key in ((3, "ship"), (5, "solvent"), (8, "earn"), (10, "on_target"))
    )
    assert shipped is not None
    assert shipped.close.unmet == {}
    assert butter is not None
    assert butter.instead_of == ("buy", "butter", 24_000)
    assert price is not None
    assert price.decision[:2] == ("set_price", "rolls")
    assert hired is not None
    assert (hired.decision, hired.instead_of) == (("hire", 1), ("hire", 3))
    # After that, no single monthly decision restores the year's return.
    assert found[11, "on_target"] is None


def test_butter_that_was_advised_leaves_cash_above_the_limit_in_the_simulator(bakery):
    (may,) = (each for each in bakery if each.month.number == 5)
    (saved,) = (each.saved for each in may.missed)
    assert saved is not None
    firm = may.month.begins
    for decision in may.month.decisions:
        firm = decide(firm, *(saved.decision if decision == saved.instead_of else decision))
    after = pass_month(firm, may.month.demand)
    limit = -firm.settings["overdraft"]
    assert after.accounts["cash"] == saved.close.cash >= limit > may.close.cash


@pytest.mark.deep
@pytest.mark.parametrize(("name", "missed", "saved"), [("bakery", 11, 2), ("workshop", 19, 1)])
def test_a_year_with_all_advice_followed_misses_few_goals(name, missed, saved):
    was, then = reviewed(name), list(review_with_advice(adviser(), read_year(EXAMPLES / name)))
    assert sum(len(month.missed) for month in was) == missed
    assert sum(len(month.missed) for month in then) == saved
    assert then[-1].close.profit > was[-1].close.profit
    for one, after in pairwise(then):
        firm = one.month.closed(one.month.states()[-1])
        assert firm.accounts == after.month.begins.accounts


@pytest.mark.parametrize("name", ["bakery", "workshop"])
def test_a_goal_that_is_not_missed_is_not_repaired(name):
    for month in reviewed(name):
        goals = [missed.goal for missed in month.missed]
        assert len(goals) == len(set(goals))
        for product, number in month.close.unmet.items():
            assert any(product in str(goal) for goal in goals), (month.month.number, product, number)


def test_the_same_is_reported_as_json(tmp_path, capsys):
    journal = (EXAMPLES / "workshop" / "journal.csv").read_text("utf-8").splitlines(keepends=True)
    for name in ("01.csv", "02.csv"):
        (tmp_path / name).write_text((EXAMPLES / "workshop" / name).read_text("utf-8"), "utf-8")
    stored = [line for line in journal if line.startswith(("month", "1,", "2,"))]
    (tmp_path / "journal.csv").write_text("".join(stored), "utf-8")
    arguments = [str(tmp_path), "--into", str(tmp_path / "page.html"), "--json"]
    assert cli.main(["firm", "report", "firm", *arguments]) == 0
    months = json.loads(capsys.readouterr().out)
    assert len(months) == 2
    assert {"solvent", "supply(frame)"} <= {missed["goal"] for missed in months[1]["missed"]}


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("1,sell,bread,4", "row 2: `sell` is neither a decision nor `asked`"),
        ("1,buy,sugar,4", "row 2: there is no material `sugar`"),
        ("2,hire,,1", "row 2: there is no table of this month"),
        ("1,hire,,0", "row 2: an amount is 1 at least"),
        ("1,hire,,many", "row 2: month and amount are integers"),
        ("1,produce,bread,99999", "what was decided in month 1 could not be: there is not enough flour"),
        ("1,asked,bread,5", "month 1 does not say what was asked for of rolls"),
    ],
)
def test_what_is_wrong_with_a_journal_is_reported_by_row(line, message, tmp_path, capsys):
    (tmp_path / "01.csv").write_text((EXAMPLES / "bakery" / "01.csv").read_text("utf-8"), "utf-8")
    (tmp_path / "journal.csv").write_text(f"month,what,of,amount\n{line}\n", encoding="utf-8")
    assert cli.main(["firm", "report", "firm", str(tmp_path), "--into", str(tmp_path / "page.html")]) == 1
    assert message in capsys.readouterr().err
    assert not (tmp_path / "page.html").exists()


def test_a_chart_of_nothing_but_noughts_can_be_drawn():
    drawn = line_chart("Cash", ["Jan"], [Series("cash", [0]), Series("advised", [None], "dots")], str)
    assert drawn.startswith("<svg")
    assert drawn.endswith("</svg>")
