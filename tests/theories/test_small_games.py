"""Tests of the theories of small games against their plain rules.

Successor states, legal actions and winners are compared.
"""

from __future__ import annotations

from typing import Any

import pytest

from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import Constant, Variable
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.theory_checks import check
from hornbook.kb.format.printer import print_conditions
from hornbook.kb.parse.syntax import parse
from oracles.proofs.small_games import GAMES as GAMES_FOLDER
from oracles.proofs.small_games import Nim, SmallGame, SmallGameSolver, TicTacToe, other, some, theory_of_game

TIC_TAC_TOE, NIM = TicTacToe(), Nim()
GAMES = pytest.mark.parametrize("game", [TIC_TAC_TOE, NIM], ids=lambda game: game.name)
FLUENTS = {"tic_tac_toe": ("mark", "at", "number", "going"), "nim": ("size", "left")}


def reported(base: KnowledgeBase, game: SmallGame[Any], tense: str) -> set[GroundFact]:
    return {
        fact._replace(tense=None)
        for name in FLUENTS[game.name]
        for fact in base.facts(name)
        if (fact.tense or "before") == tense
    }


@GAMES
def test_all_that_is_after_an_action_follows_and_nothing_else(game):
    base = KnowledgeBase(theory_of_game(game))
    compared = 0
    for position in some(game.positions(), 60, 1):
        base.push()
        base.add(game.facts(position))
        for player in game.players:
            for action in game.actions(position, player):
                base.push()
                base.add([action])
                assert reported(base, game, "after") == set(game.facts(game.after(position, action))), (
                    position,
                    action,
                )
                compared += 1
                base.pop()
        base.pop()
    assert compared > 150


EMPTY = "empty"


@pytest.mark.parametrize(
    ("game", "position", "action", "by"),
    [
        (TIC_TAC_TOE, ("x", "x", "x", *[EMPTY] * 6), GroundFact("put", ("o", "c3")), "put(_, _)"),
        (TIC_TAC_TOE, ("x", "o", "o", *[EMPTY] * 6), GroundFact("put", ("o", "a1")), "put(_, _)"),
        (NIM, (1, 0, 0), GroundFact("take", ("first", "a", 2)), "take(_, _, _)"),
        (NIM, (0, 0, 0), GroundFact("take", ("first", "a", 0)), "take(_, _, _)"),
    ],
)
def test_an_action_that_is_not_allowed_wins_nothing(game, position, action, by):
    assert game.after(position, action) is None
    base = KnowledgeBase(theory_of_game(game))
    base.add([*game.facts(position), action])
    assert reported(base, game, "after") <= set(game.facts(position))
    assert not base.query(f"{game.game}(_) by {by} is GI").rows


@GAMES
def test_the_replies_of_a_theory_are_what_the_opponent_may_do(game):
    theory = theory_of_game(game)
    replies = theory.replies_of(game.game)
    assert replies is not None
    (case,) = replies.cases
    (friend,) = [term.name for term in replies.game.terms if isinstance(term, Variable)]
    taken = [term.name for term in case.action.terms if isinstance(term, Variable)]
    assert case.unless is None
    base = KnowledgeBase(theory)
    for position in some(game.positions(), 60, 2):
        base.push()
        base.add(game.facts(position))
        for player in game.players:
            # A wildcard is a different variable in a query than in the clause, and is not requested.
            conditions = tuple(apply_to_condition(c, {friend: Constant(player)}) for c in case.conditions)
            found = base.query(print_conditions(conditions))
            rows = [dict(zip(found.variables, row, strict=True)) for row in found.rows]
            can = {tuple(row[name] for name in taken) for row in rows}
            assert can == {action.values for action in game.actions(position, other(game, player))}
        base.pop()


@GAMES
def test_the_values_that_the_theory_only_concludes_are_right(game):
    solver, base = SmallGameSolver(game), KnowledgeBase(theory_of_game(game))
    concluded = 0
    for position in some(game.positions(), 60, 3):
        base.push()
        base.add(game.facts(position))
        for friend in game.players:
            for action in game.actions(position, friend):
                base.push()
                base.add([action])
                won = bool(base.query(f"{game.game}({friend}) is GI").rows)
                assert won == game.wins(position, action)
                assert not won or solver.won(position, friend, friend)
                concluded += won
                base.pop()
        base.pop()
    assert concluded > 10


def test_the_solvers_know_the_games():
    board = SmallGameSolver(TIC_TAC_TOE)
    empty = ("empty",) * 9
    assert not any(board.won(empty, "x", first) for first in ("x", "o"))
    fork = ("x", "empty", "empty", "empty", "o", "empty", "empty", "o", "x")
    assert not board.won(fork, "x", "o")
    nim = SmallGameSolver(NIM)
    for position in NIM.positions():
        even = position[0] ^ position[1] ^ position[2] == 0
        assert nim.won(position, "first", "first") == (not even)
        assert nim.won(position, "first", "second") == (even and any(position))


@GAMES
def test_what_a_game_with_replies_is_can_be_concluded_by_learned_rules(game):
    text = (GAMES_FOLDER / f"{game.name}.horn").read_text(encoding="utf-8")
    assert check([parse(text)]) == []
    start = text.index("\nreplies ")
    without = text[:start] + text[text.index(".\n", start) + 2 :]
    assert [d.code for d in check([parse(without)])] == ["HB028"]
