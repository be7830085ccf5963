"""Tests of the tables and figures of matching costs: their location, and their content for a few small rules."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import pytest

from benchmarks.costs import learned, patterns, without
from benchmarks.costs.figures import CostLine, CostTable, Panel, draw, number, with_tables
from benchmarks.costs.variations import varied
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.theories.go.problems import read_problems, shipped
from oracles.proofs.learned_rules import rule_of

pytestmark = pytest.mark.deep

PAGE = Path(__file__).parents[3] / "docs" / "explanation" / "what-matching-costs.md"
RULES = [
    rule_of(
        """at_once:
  take(?b) by move(?c, ?p) is GI :-
    named(?b), colour(?b, ?d), opponent(?d, ?c), liberties(?b, 1), liberty(?b, ?p), ko(?c, ?p, free)."""
    ),
    rule_of(
        """never:
  take(?b) by move(?c, ?p) is GI :-
    named(?b), colour(?b, ?d), opponent(?d, ?c), liberties(?b, 90), liberty(?b, ?p)."""
    ),
]


@pytest.fixture(scope="module")
def theory():
    return load("go")


@pytest.fixture(scope="module")
def problems():
    return read_problems(shipped("train"))


@pytest.mark.parametrize(
    ("value", "text"),
    [(0.0, "0"), (3, "3"), (12345, "12,345"), (1234.5, "1,234"), (12.34, "12.3"), (1.234, "1.23"), (-0.00512, "-0.0051")],
)  # fmt: skip
def test_numbers_have_three_digits(value, text):
    assert number(value) == text


def test_a_table_is_written_in_its_place_and_again():
    page = "a\n<!-- table: t -->\nold\n<!-- end -->\nb <!-- end -->\n"
    table = CostTable("t", ("x", "y"), (("1", "2"),))
    once = with_tables(page, [table])
    assert (
        once
        == "a\n<!-- table: t -->\n\n| x | y |\n| --- | --: |\n| 1 | 2 |\n\n<!-- end -->\nb <!-- end -->\n"
    )
    assert with_tables(once, [table]) == once
    with pytest.raises(ValueError, match="the page has 0 places for the table `other`"):
        with_tables(page, [CostTable("other", ("x",), ())])


def test_the_same_costs_make_the_same_picture(tmp_path):
    pytest.importorskip("matplotlib")
    panels = [Panel("a", "rules", "seconds", (CostLine("one", ((1, 2), (10, 30))),)) for _ in range(2)]
    first = draw("p", panels, tmp_path).read_bytes()
    assert draw("p", panels, tmp_path).read_bytes() == first
    assert b"<svg" in first


def test_varied_rules_differ_and_ask_for_the_same_relations():
    rules = list(varied(RULES, 4, Random(1)))
    assert len({rule.body for rule in [*rules, *RULES]}) == 6
    assert len({rule.name for rule in [*rules, *RULES]}) == 6
    assert {rule.head for rule in rules} == {RULES[0].head}


def test_learned_rules_are_measured(theory, problems):
    found = learned.by_rules(theory, RULES, problems[:22], (1, 4), Random(1))
    assert [row[:2] for row in found.tables[0].rows] == [
        ("1", "learned"), ("2", "learned"), ("4", "and varied ones"),
    ]  # fmt: skip
    worth, of_all = learned.by_worth(theory, RULES, problems[:12]).tables
    assert {row[0] for row in worth.rows} == {"`at_once`", "`never`"}
    assert of_all.rows[0][1] == "2"
    solver = ProblemSolver(theory, RULES)
    solver.solve(problems[0])
    assert len(learned.by_facts(solver, 1, Random(1)).tables[0].rows) == len(learned.SIDES)
    assert len(learned.by_depth(solver, problems, 1).tables[0].rows) == len(learned.DEPTHS) * len(
        learned.LEVELS
    )
    assert len(without.asking(solver, problems[:12]).tables[0].rows) == 2


def test_patterns_are_measured():
    table, memory = patterns.by_rules((3, 12), 1).tables
    assert [row[0] for row in table.rows] == [row[0] for row in memory.rows] == ["3", "12"]
    found = patterns.cost(patterns.rules(30, 1), 1, boards=2)
    assert found.matches > found.changed > 0
    assert found.changed_bytes > found.matched_bytes > 0
    more = patterns.cost(patterns.rules(30, 1), 1, copies=4, boards=0)
    assert more.facts > 3 * found.facts
    assert more.changed == found.changed, "other boards have nothing to do with a change"


def test_what_saves_time_is_measured_with_and_without():
    shared = without.sharing(6, 1).tables[0]
    assert [row[0] for row in shared.rows][2:] == [
        "conditions, full matching",
        "conditions, a change of colour",
    ]
    assert all(float(row[3]) >= 1 for row in shared.rows[2:])
    assert len(without.unlinking(6, 1).tables[0].rows) == len(without.LINKED)
    lazy, eager = without.laziness(20, 1).tables[0].rows
    assert int(lazy[3].replace(",", "")) < int(eager[3].replace(",", ""))


def test_the_page_has_a_place_for_each_table_and_the_figures_of_the_last_run():
    page = PAGE.read_text(encoding="utf-8")
    result = PAGE.parents[2] / "benchmarks" / "results" / "what-matching-costs.txt"
    parts = result.read_text(encoding="utf-8").split("table: ")[1:]
    assert len(parts) == page.count("<!-- table: ")
    for part in parts:
        name, _, table = part.partition("\n")
        assert f"<!-- table: {name} -->\n\n{table.strip()}\n\n<!-- end -->" in page


def test_the_page_has_a_place_for_every_table():
    names = [
        name
        for path in (PAGE.parents[2] / "benchmarks" / "costs").glob("*.py")
        for name in re.findall(r"CostTable\(\s*\"(\w+)\"", path.read_text(encoding="utf-8"))
    ]
    page = PAGE.read_text(encoding="utf-8")
    assert sorted(names) == sorted(re.findall(r"<!-- table: (\w+) -->", page))
