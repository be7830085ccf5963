"""Tests of the games of chess: learned rules against exhaustive search, and the continuation of a game."""

from __future__ import annotations

from random import Random

import chess
import pytest

import hornbook
from hornbook.compiler.learn.lessons import RuleLearner
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import question, tactics
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.rules import ChessMove
from oracles.chess.judge import ChessGoal, achieves
from oracles.chess.positions import few_pieces, random_game
from oracles.chess.rules_run import GOALS, audited, games

LEARNT = 3
"""Number of training problems per motif."""


@pytest.fixture(scope="module")
def learned():
    found: dict[str, int] = {}
    chosen = []
    for lesson in hornbook.read_problems("chess"):
        motif = lesson.name.rpartition("-")[0]
        found[motif] = found.get(motif, 0) + 1
        if lesson.moves == 1 and found[motif] <= LEARNT:
            chosen.append(lesson)
    learner = RuleLearner(load("chess"), tactics, RuleBase("chess"))
    assert all(taught.first for taught in learner.learn(chosen))
    return learner.base


@pytest.mark.deep
def test_no_rule_says_what_is_not_so(learned):
    tally = audited(load("chess"), learned, 1, 250)
    assert tally.wrong == []
    assert tally.right["take", 1] > 160
    assert tally.right["crown", 1] > 0


@pytest.mark.parametrize(
    ("fen", "fork"),
    [
        ("6n1/8/4p1n1/1kr5/8/6p1/6KR/8 b - - 0 3", ("c5", "c2", "rook", "h2")),
        ("4r3/8/3p3p/2nb4/1k4KP/6b1/8/8 b - - 1 63", ("e8", "e4", "rook", "h4")),
        ("8/8/1pnkB3/2R2p2/7p/Pp5P/3N1PK1/8 w - - 1 40", ("c5", "d5", "rook", "f5")),
    ],
)
def test_a_king_that_takes_the_guard_saves_its_man(fen, fork):
    base = KnowledgeBase("chess", derivations="none")
    base.add(adapter.facts(parse_fen(fen)))
    assert fork[:3] in {fact.values for fact in base.facts("hits", "before")}
    assert fork not in {fact.values for fact in base.facts("forks", "before")}


@pytest.mark.deep
@pytest.mark.parametrize(
    ("fen", "move", "screened"),
    [
        (
            "3qkb2/3ppp2/8/8/4N3/8/4Q3/4K3 w - - 0 1",
            ("e4", "d6"),
            True,
        ),  # the pawn that could capture is now pinned
        ("3qkb2/3ppp2/8/8/4N3/8/Q7/4K3 w - - 0 1", ("e4", "d6"), False),
        ("8/4B3/R7/7k/8/5K2/6P1/8 w - - 0 1", ("g2", "g4"), True),
        ("8/4B3/R7/7k/5p2/5K2/6P1/8 w - - 0 1", ("g2", "g4"), False),  # captured en passant
    ],
)
def test_a_check_that_nobody_can_answer_is_known(fen, move, *, screened):
    base = KnowledgeBase("chess", derivations="none")
    base.add(adapter.facts(parse_fen(fen)))
    assert move in {fact.values[:2] for fact in base.facts("hits", "before")}
    assert ((*move, move[1]) in {fact.values for fact in base.facts("screened", "before")}) == screened


def boards(random: Random, number: int) -> list[chess.Board]:
    found: list[chess.Board] = []
    while len(found) < number:
        found += [board.copy(stack=False) for board in random_game(random)][::7]
        few = few_pieces(random)
        found += [few] if few is not None else []
    return found[:number]


def test_a_game_goes_on_as_the_contract_says():
    random = Random("followed")
    for board in boards(random, 30):
        state = parse_fen(board.fen(en_passant="fen"))
        for game in games(board):
            goal = goal_of(game)
            for move in random.sample(list(board.legal_moves), min(6, board.legal_moves.count())):
                plain = ChessMove(move.from_square, move.to_square, move.uci()[4:])
                then = question.followed(state, game, question.action_of(plain))
                expected = goal.after(board, move)
                assert (None if then is None else goal_of(then)) == expected, (board.fen(), goal, move)
                if game_is_of_mover(board, game):
                    assert tactics.achieves(state, game, plain) == achieves(board, goal, move)


def goal_of(game: Atom) -> ChessGoal:
    term = game.terms[-1]
    assert isinstance(term, Constant)
    kind = GOALS[game.predicate]
    return ChessGoal(kind, None if kind == "mate" else chess.parse_square(str(term.value)))  # type: ignore[arg-type]


def game_is_of_mover(board: chess.Board, game: Atom) -> bool:
    state = parse_fen(board.fen(en_passant="fen"))
    return question.friend_of(state, game) == state.to_move
