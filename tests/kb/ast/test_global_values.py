"""Tests of global values such as `fluent today(-> int).`: at most one fact, however it is given or concluded."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.refute.constraint_notes import notes
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.examples import run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_clause
from hornbook.kb.hornbook_error import HornbookError
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.parse.vocabulary import declaration
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.tables.tables import load_table
from oracles.pages.engines import engines_with

CALENDAR = (Path(__file__).parent / "data" / "global_values_calendar.horn").read_text(encoding="utf-8")
THINGS = [GroundFact("made", ("bread", 4)), GroundFact("made", ("bun", 5))]
HERE = [GroundFact("here", ("bread",)), GroundFact("here", ("bun",)), GroundFact("items", (2,))]


@pytest.fixture
def theory():
    return load_text(CALENDAR)


def test_it_is_printed_as_it_is_declared(theory):
    text = "fluent today(-> int)."
    assert print_clause(parse(text).clauses[0]) == text
    assert declaration(theory.vocabulary.predicates["today"]) == text.removesuffix(".")


def test_an_action_without_arguments_changes_it(theory):
    assert [outcome.why for outcome in run_examples(theory).failed] == []


def test_two_values_are_an_error_wherever_they_come_from(theory):
    with pytest.raises(TheoryError, match="`today` has one") as raised:
        load_text(CALENDAR + "today(5). today(6).\n")
    assert {d.code for d in raised.value.diagnostics} == {"HB050"}
    base = KnowledgeBase(theory)
    base.add([GroundFact("today", (5,))])
    with pytest.raises(HornbookError, match="two values"):
        base.add([GroundFact("today", (6,))])
    assert base.query("today(?d)").rows == ((5,),)


def test_a_table_has_one_row(theory, tmp_path):
    path = tmp_path / "today.csv"
    path.write_text("today\n5\n", encoding="utf-8")
    found = load_table(f"today(today)={path}", theory.vocabulary)
    assert list(found.facts) == [GroundFact("today", (5,))]


@pytest.mark.parametrize("engine", engines_with())
def test_all_engines_say_the_same(theory, engine):
    base = KnowledgeBase(theory, engine=engine)
    base.add([GroundFact("today", (8,)), *THINGS, *HERE])
    assert base.query("stale(?i)").rows == (("bread",), ("bun",))
    assert base.query("all_stale")


def test_two_conclusions_are_two_values(theory):
    base = KnowledgeBase(
        load_text(CALENDAR + "a_leap: after today(?d) :- next_day, before today(?c), ?d = ?c + 2.\n")
    )
    base.add([GroundFact("today", (5,))])
    with pytest.raises(HornbookError, match="two values"):
        base.add([GroundFact("next_day", ())])


def test_that_there_is_one_value_after_an_action_is_proved(theory):
    output = next(note.message for note in notes(theory) if note.message.startswith("the key of `today`"))
    assert "proved for what the rules conclude" in output
