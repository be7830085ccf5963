"""The conclusions of a theory's own rules about the games of a position."""

from __future__ import annotations

from pathlib import Path

import pytest

from hornbook.compiler.match.theory_conclusions import theory_conclusions
from hornbook.inputs.domains import the_domain
from hornbook.inputs.states import read_state
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition

GO = Path(__file__).parents[3] / "theories" / "go" / "examples"


def concluded(name, position):
    theory = load(name)
    state = read_state(theory, position)
    return theory_conclusions(theory, the_domain(theory, "its games").questions(state.value, theory))


def test_a_theory_concludes_captures_with_its_rules():
    found = {(print_condition(each.statement), each.rule) for each in concluded("go", GO / "capture.txt")}
    assert ("before take(c1) by move(white, c3) is GI", "a_last_liberty_is_filled") in found
    assert all(rule != "" for _, rule in found)


def test_bindings_have_no_wildcards():
    for each in concluded("go", GO / "capture.txt"):
        assert each.bindings
        assert not any(name.startswith("_") for name in each.bindings)


@pytest.mark.parametrize("position", ["capture.txt", "snapback.txt", "corner.txt"])
def test_the_conclusions_are_those_of_a_knowledge_base(position):
    theory = load("go")
    state = read_state(theory, GO / position)
    queries = list(the_domain(theory, "its games").questions(state.value, theory))
    expected = set()
    for query in queries:
        base = KnowledgeBase(theory)
        base.add([fact for part in query.parts for fact in part.facts()])
        for relation in base.relations():
            if isinstance(relation, GameStatement) and relation.tense != "after":
                for statement in base.engine.statements(relation.relation, relation.tense):
                    if any(statement.game.terms == game.terms for game in query.games):
                        expected.add(statement)
    assert {each.statement for each in theory_conclusions(theory, queries)} == expected


def test_a_theory_without_the_queried_games_is_asked_about_its_own():
    theory = load("endings")
    state = read_state(theory, "8/5P2/8/8/8/1k6/8/4K3 w - - 0 1")
    queries = the_domain(theory, "its games").questions(state.value, theory)
    found = {print_condition(each.statement) for each in theory_conclusions(theory, queries)}
    assert "before win(white) is GI" in found
