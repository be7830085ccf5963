"""Tests of chess plans learned from one pawn.

They must be correct for every pawn of both sides, by another program's board and null moves.
"""

from __future__ import annotations

from random import Random

import chess
import pytest

from hornbook.compiler.learn.learner import ProvedExample
from hornbook.compiler.learn.plans import learn_plans, line_from
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.rules.links import counters, helps
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.loader import load_text
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play.question import parts
from hornbook.theories.chess.states.fen import parse_fen

QUEENS = """
theory queens.
import chess.
game queened(square) worth 200.
a_pawn_becomes_a_queen:
  before queened(?x) by promote(?x, ?t, queen) is GI :-
    promote(?x, ?t, queen), before promotable(?c, ?x, ?t).
a_pawn_goes_on:
  before queened(?x) by move(?x, ?t) is GI :-
    move(?x, ?t), before legal(?c, ?x, ?t), before at(?x, ?c, pawn), after queened(?t) is IG.
"""


@pytest.fixture(scope="module")
def theory():
    return load_text(QUEENS)


def facts(board):
    return parts(parse_fen(board.fen()))


@pytest.fixture(scope="module")
def learned(theory):
    """Learn plans from a white pawn on the c-file."""
    board = chess.Board("8/1p5k/8/P1P5/8/8/8/K7 w - - 0 1")
    actions = [
        GroundFact("move", ("c5", "c6")),
        GroundFact("move", ("c6", "c7")),
        GroundFact("promote", ("c7", "c8", "queen")),
    ]
    line = line_from(
        theory, list(adapter.facts(parse_fen(board.fen()))), Atom("queened", (Constant("c5"),)), actions
    )
    found = list(learn_plans(theory, line, "queened"))
    assert [type(each) for each in found] == [ProvedExample] * 3
    return [each.rule for each in found]


def pawn_ending(random):
    """Return a legal position with kings, and pawns at most three moves from the last rank."""
    while True:
        board = chess.Board(None)
        squares = random.sample(chess.SQUARES, 2)
        board.set_piece_at(squares[0], chess.Piece(chess.KING, chess.WHITE))
        board.set_piece_at(squares[1], chess.Piece(chess.KING, chess.BLACK))
        for colour in (chess.WHITE, chess.BLACK):
            ranks = (4, 5, 6) if colour == chess.WHITE else (3, 2, 1)
            for square in (8 * random.choice(ranks) + random.randint(0, 7) for _ in range(2)):
                if board.piece_at(square) is None:
                    board.set_piece_at(square, chess.Piece(chess.PAWN, colour))
        board.turn = random.choice((chess.WHITE, chess.BLACK))
        if board.is_valid() and not board.is_check():
            return board


def uci(action):
    start, end, *kind = (term.value for term in action.terms)
    return chess.Move.from_uci(f"{start}{end}{'q' if kind else ''}")


def colour_of(board, plan):
    return board.color_at(chess.parse_square(plan.goal.terms[-1].value))


@pytest.mark.deep
def test_whatever_applies_is_carried_out_with_null_moves_between(theory, learned):
    matcher, random, seen = PlanMatcher(theory, learned), Random(20), set()
    for _ in range(8):
        board = pawn_ending(random)
        for plan in matcher.plans(facts(board)):
            colour, now, moves, action = colour_of(board, plan), board.copy(), plan.moves, plan.action
            while True:
                now.turn = colour
                assert now.is_legal(uci(action)), (now.fen(), action)
                now.push(uci(action))
                moves -= 1
                if moves == 0:
                    break
                now.push(chess.Move.null())
                there = action.terms[1]
                rest = [p for p in matcher.plans(facts(now)) if p.moves == moves and p.goal.terms == (there,)]
                assert rest, (now.fen(), action)
                action = rest[0].action
            end = chess.parse_square(action.terms[1].value)
            assert now.piece_at(end) == chess.Piece(chess.QUEEN, colour)
            seen.add((colour, plan.moves, chess.square_file(end)))
    assert {(colour, moves) for colour, moves, _ in seen} == {
        (c, n) for c in (True, False) for n in (1, 2, 3)
    }
    assert len({file for *_, file in seen}) >= 4


@pytest.mark.deep
def test_what_a_reply_makes_of_a_plan_is_linked(theory, learned):
    """If the first move of a plan ends or enables another plan, there are links that say so."""
    matcher, random, ended, started = PlanMatcher(theory, learned), Random(7), 0, 0
    between = {
        (p.name, q.name): (counters(theory, p, [q]), helps(theory, p, [q])) for p in learned for q in learned
    }
    for _ in range(8):
        board = pawn_ending(random)
        before = matcher.plans(facts(board))
        for reply in before[:3]:
            now = board.copy()
            now.turn = colour_of(board, reply)
            now.push(uci(reply.action))
            after = {(p.rule, p.goal, p.action) for p in matcher.plans(facts(now))}
            for plan in before:
                if (plan.rule, plan.goal, plan.action) not in after:
                    assert between[plan.rule, reply.rule][0]
                    ended += 1
            known = {(p.rule, p.goal, p.action) for p in before}
            for name, *_ in after - known:
                assert between[name, reply.rule][1]
                started += 1
    assert ended > 3
    assert started > 0
