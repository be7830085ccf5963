"""Completions offered at the cursor."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.repl.completion import completions
from hornbook.repl.execution import execute
from hornbook.repl.request import COMMANDS, read
from hornbook.repl.session import Session

TOWN = (Path(__file__).parent / "data" / "completion_town.horn").read_text(encoding="utf-8")


@pytest.fixture
def town():
    return Session(lambda name: KnowledgeBase(name or "family"), KnowledgeBase(load_text(TOWN)))


def offered(text: str, session: Session) -> list[str]:
    """Return the lines that completion produces."""
    return [text[: len(text) - each.replaces] + each.word for each in completions(text, session)]


def test_predicates_are_offered_where_a_condition_begins(town):
    assert offered("li", town) == ["likes(", "lives("]
    assert offered("lives(ada, ?p), ha", town) == ["lives(ada, ?p), happy"]
    assert offered("absent li", town) == ["absent likes(", "absent lives("]
    assert offered("why not li", town) == ["why not likes(", "why not lives("]
    assert offered("what if g", town) == ["what if go("]
    assert offered("lives(ada, york). li", town) == ["lives(ada, york). likes(", "lives(ada, york). lives("]


def test_an_argument_is_offered_the_words_of_its_sort(town):
    assert offered("lives(", town) == ["lives(ada", "lives(ben", "lives(cleo"]
    assert offered("lives(ada, ", town) == ["lives(ada, 'Old Town'", "lives(ada, york"]
    assert offered("lives(ada, y", town) == ["lives(ada, york"]
    assert offered("lives(ada, 'Old", town) == ["lives(ada, 'Old Town'"]
    assert offered("likes(ben,\n g", town) == ["likes(ben,\n green"]
    assert offered("age(cleo, ", town) == []
    assert offered("happy(", town) == offered("unknown(", town) == offered("lives(ada, york, ", town) == []
    assert offered("absent (lives(ada, york), lives(b", town) == ["absent (lives(ada, york), lives(ben"]


def test_words_that_were_added_are_offered_too(town):
    execute(town, read("lives(zoe, leeds)."))
    assert offered("age(z", town) == ["age(zoe"]
    execute(town, read(":undo"))
    assert offered("age(z", town) == []


def test_games_are_offered_actions_and_values(town):
    assert offered("win(ada) by ", town) == ["win(ada) by go("]
    assert "win(ada) is GI" in offered("win(ada) is G", town)
    assert all(line.startswith("win(ada) is G") for line in offered("win(ada) is G", town))


def test_variables_of_the_clause_are_offered(town):
    assert offered("r: likes(?who, red) :- lives(?w", town) == ["r: likes(?who, red) :- lives(?who"]
    assert offered("lives(?a, ?b). likes(?", town) == []


def test_commands_are_offered(town):
    assert offered(":sa", town) == [":save"]
    assert len(offered(":", town)) == len(COMMANDS)
    assert offered("wh", town) == ["what if ", "why ", "why not "]
    assert offered(":rules re", town) == [":rules rests"]
    assert offered(":state li", town) == [":state likes", ":state lives"]
    assert ":theory family" in offered(":theory fa", town)


def test_what_can_be_learned_from_is_offered():
    session = Session(lambda name: KnowledgeBase(name or "cup"), KnowledgeBase("cup"))
    assert offered("learn ed", session) == ["learn edgars_cup"]
    assert offered("learn cu", session) == ["learn cup("]
    assert offered("why ed", session) == []


def test_files_are_offered(town, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "rules.horn").touch()
    (tmp_path / ".hidden").touch()
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "first.sgf").touch()
    assert offered(":load ", town) == [":load games/", ":load rules.horn"]
    assert offered(":load games/f", town) == [":load games/first.sgf"]
    assert offered("save ru", town) == ["save rules.horn"]
    assert offered(f":load {tmp_path}/r", town) == [f":load {tmp_path}/rules.horn"]
    assert offered(":load nowhere/", town) == []


@pytest.mark.parametrize(
    "text", ["", " ", "(", "))", "'", "?", ":", "lives(ada, 'O", "% ", "lives((", ".", "\n", ":load \n"]
)
def test_odd_text_is_no_trouble(town, text):
    for line in offered(text, town):
        assert line.startswith(text)
