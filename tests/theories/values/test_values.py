"""Tests that the regression of values as a theory agrees with the algebra of values."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from hornbook import theories
from hornbook.compiler.learn.gaps import gaps
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.ast.values import J1, J, Value, at_level, combine, of_one_move, regress, says_no_more, value
from hornbook.kb.base.examples import example_facts, run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import read

FOLDER = Path(theories.__file__).parent / "values"
VALUES, REPORTED = FOLDER / "values.horn", FOLDER / "told.horn"


def reported(worth: Value, mover: str) -> KnowledgeBase:
    """Return a knowledge base with a move after which the game of taking a white stone has the given value."""
    base = KnowledgeBase(REPORTED)
    base.add_text(f"colour(p, empty). colour(x, white). leads_to(p, x, {worth}). move({mover}, p).")
    return base


def values_of(base: KnowledgeBase, query: str) -> list[Value]:
    return [value(word) for (word,) in base.query(query).to_tuples()]


def test_the_reported_games_meet_their_expectations_and_need_every_rule():
    report = run_examples(load(REPORTED))
    assert [(outcome.expect.example, outcome.why) for outcome in report.failed] == []
    assert [rule.name for rule, fired in report.fired if fired == 0] == []


def test_the_theory_of_values_lacks_only_what_the_theories_that_import_it_conclude():
    assert {d.code for d in read(VALUES)[0].diagnostics} == {"HB028"}
    assert list(read(REPORTED)[0].diagnostics) == []


@pytest.mark.parametrize("file", [VALUES, REPORTED], ids=["values", "told"])
def test_the_files_are_laid_out_in_the_common_style(file):
    text = file.read_text(encoding="utf-8")
    assert format_text(text) == text


@pytest.mark.parametrize("worth", [*J, *J1])
def test_a_move_of_the_friend_is_regressed_as_the_algebra_says(worth):
    base = reported(worth, "black")
    before = regress(at_level(worth, 1), "friend")
    achieved = values_of(base, "take(x) by move(black, p) is ?v")
    game = values_of(base, "take(x) is ?v")
    assert all(says_no_more(v, before) for v in achieved)
    assert all(says_no_more(v, of_one_move(before)) for v in game)
    # No value that the friend could use is lost, except losses caused by his second move.
    assert says_no_more(of_one_move(before), combine(*achieved))
    assert says_no_more(of_one_move(before), combine(*game))
    assert ("PI" in achieved) == (before[1] == "P")


@pytest.mark.parametrize("worth", [*J, *J1])
def test_a_value_is_the_combination_of_its_parts(worth):
    parts = values_of(reported(worth, "black"), "after take(x) is ?v")
    assert at_level(combine(*parts), 1) == at_level(worth, 1)
    assert all(says_no_more(part, worth) for part in parts)


@pytest.mark.parametrize("worth", [*J, *J1])
def test_a_move_of_the_other_side_says_nothing_yet(worth):
    base = reported(worth, "white")
    assert values_of(base, "take(x) is ?v") == []
    assert values_of(base, "take(x) by move(white, p) is ?v") == []


def test_a_missing_transition_is_named_and_no_missing_value():
    paper = load(FOLDER.parent / "classical" / "paper")
    rules = tuple(rule for rule in paper.rules if rule.name != "its_stones_stay_one_block")
    lacking = replace(paper, rules=rules)
    base = KnowledgeBase(lacking)
    base.add(example_facts(lacking, lacking.examples[0]))
    (goal,) = lacking.expects[0].conditions
    assert isinstance(goal, GameStatement)
    missing = [print_condition(gap.missing) for gap in gaps(base, goal)]
    assert "after same_block(i3, i3)" in missing
    assert not any(" is " in text for text in missing)
