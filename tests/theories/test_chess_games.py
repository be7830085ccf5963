"""The games of chess: learned rules against exhaustive search, and how a game goes on."""

from __future__ import annotations

from random import Random

import chess
import pytest
from chess_judge import Goal, achieves
from chess_positions import few_pieces, random_game
from chess_rules_run import GOALS, audited, games

from compiler.admission import RuleBase
from compiler.lessons import Pupil
from hornbook.chess_problems import lessons
from kb.loader import load
from kb.terms import Atom, Constant
from theories.chess import question, tactics
from theories.chess.fen import parse_fen
from theories.chess.problems.problem import shipped
from theories.chess.rules import Move

LEARNT = 3
"""Problems of each motif that are learned from."""


@pytest.fixture(scope="module")
def learned() -> RuleBase:
    found: dict[str, int] = {}
    chosen = []
    for lesson in lessons(shipped("learn")):
        motif = lesson.name.rpartition("-")[0]
        found[motif] = found.get(motif, 0) + 1
        if lesson.moves == 1 and found[motif] <= LEARNT:
            chosen.append(lesson)
    pupil = Pupil(load("chess"), tactics, RuleBase("chess"))
    assert all(taught.first for taught in pupil.learn(chosen))
    return pupil.base


def test_no_rule_says_what_is_not_so(learned: RuleBase) -> None:
    tally = audited(load("chess"), learned, 1, 120)
    assert tally.wrong == []
    assert tally.right["take", 1] > 60
    assert tally.right["crown", 1] > 0


def boards(random: Random, number: int) -> list[chess.Board]:
    found: list[chess.Board] = []
    while len(found) < number:
        found += [board.copy(stack=False) for board in random_game(random)][::7]
        few = few_pieces(random)
        found += [few] if few is not None else []
    return found[:number]


def test_a_game_goes_on_as_the_contract_says() -> None:
    random = Random("followed")
    for board in boards(random, 60):
        state = parse_fen(board.fen(en_passant="fen"))
        for game in games(board):
            goal = goal_of(game)
            for move in random.sample(list(board.legal_moves), min(6, board.legal_moves.count())):
                plain = Move(move.from_square, move.to_square, move.uci()[4:])
                then = question.followed(state, game, question.action_of(plain))
                wanted = goal.after(board, move)
                assert (None if then is None else goal_of(then)) == wanted, (board.fen(), goal, move)
                if game_is_of_mover(board, game):
                    assert tactics.achieves(state, game, plain) == achieves(board, goal, move)


def goal_of(game: Atom) -> Goal:
    (term,) = game.terms
    assert isinstance(term, Constant)
    kind = GOALS[game.predicate]
    return Goal(kind, None if kind == "mate" else chess.parse_square(str(term.value)))  # type: ignore[arg-type]


def game_is_of_mover(board: chess.Board, game: Atom) -> bool:
    state = parse_fen(board.fen(en_passant="fen"))
    return question.friend_of(state, game) == state.to_move
