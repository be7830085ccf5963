"""Tests of the shipped plans: they have certificates, and state which side reaches a goal in how many moves."""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from hornbook import cli
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.theories.chess.domain import DOMAIN
from hornbook.theories.chess.play.question import parts
from hornbook.theories.chess.states.position import ChessPosition

FOLDER = Path(hornbook.theories.chess.__file__).parent / "plans"
THEORY = str(FOLDER.parent / "parts" / "gains.horn")


def test_every_plan_follows_from_the_theory():
    theory = load(DOMAIN.planning().goals)
    base = rulebase.read(FOLDER / "pawns.horn", theory)
    assert all(entry.is_certified for entry in base)
    output = [(entry.rule.head.game.predicate, entry.rule.head.moves) for entry in base]
    assert output == [*(("crown", moves) for moves in (1, 2, 3, 4, 5, 5)), ("take", 1), ("take", 1)]


TWO_MOVES = """import gains.

at_once: plan take(?x) in 1 by move(?f, ?x) :-
  at(?f, ?c, pawn), strikes(?c, ?f, ?x), opponent(?c, ?d), at(?x, ?d, pawn).
after_the_king: plan take(?x) in 2 by move(?k, ?t) :-
  king(?{side}, ?k), step(?k, ?t), at(?t, none, empty), at(?f, ?c, pawn), strikes(?c, ?f, ?x), opponent(?c, ?d),
  at(?x, ?d, pawn), ?x != ?k, ?x != ?t, ?f != ?k, ?f != ?t.
"""
"""A plan of two moves: the king of a side moves, and then a pawn of `?c` captures one of `?d`."""


def test_a_plan_whose_first_move_is_the_other_sides_is_not_proved(tmp_path, capsys):
    reported = {}
    for side in "cd":
        (tmp_path / f"{side}.horn").write_text(TWO_MOVES.replace("{side}", side))
        reported[side] = cli.main(
            ["rules", "prove", str(tmp_path / f"{side}.horn"), "--theory", THEORY, "--games", "0"]
        )
    assert reported == {"c": 0, "d": 1}, capsys.readouterr().out


def test_plans_that_say_where_to_go_follow_from_the_theory():
    theory = load(DOMAIN.planning().goals)
    (path,) = DOMAIN.ways
    base = rulebase.read(path, theory)
    assert all(entry.is_certified for entry in base)
    output = [(entry.rule.head.game.predicate, entry.rule.head.moves) for entry in base]
    assert output == [("take", moves) for moves in (1, 2, 3, 4, 1, 2, 3, 2)]


def pawns_that_may_have_leapt(random):
    """Return a legal position with kings and pawns, often with a double step just played.

    In these positions the pawn that moved is beside an enemy pawn.
    """
    while True:
        board = chess.Board(None)
        for square, man in zip(random.sample(chess.SQUARES, 2), "Kk", strict=True):
            board.set_piece_at(square, chess.Piece.from_symbol(man))
        for man in "PPPppp":
            rank = random.choice((1, 3, 4, 5, 6) if man == "P" else (6, 4, 3, 2, 1))
            square = 8 * rank + random.randint(0, 7)
            if board.piece_at(square) is None:
                board.set_piece_at(square, chess.Piece.from_symbol(man))
        board.turn = random.choice((chess.WHITE, chess.BLACK))
        rank = 5 if board.turn else 2
        passed = [8 * rank + file for file in range(8)]
        random.shuffle(passed)
        for square in passed:
            board.ep_square = square
            if board.is_valid():
                return board
        board.ep_square = None
        if board.is_valid():
            return board


def facts(board):
    """Return the facts of any position, even if a king could be captured.

    Planning uses the plain rules for them, since the theory does not accept such positions.
    """
    men = (board.piece_at(square) for square in chess.SQUARES)
    side = "white" if board.turn else "black"
    return parts(
        ChessPosition("".join(man.symbol() if man else "." for man in men), side, "", board.ep_square)
    )


@pytest.mark.deep
def test_whatever_applies_is_carried_out_with_null_moves_between():
    """The right to capture en passant lapses with the pass, so no plan may depend on it."""
    theory, random = load(DOMAIN.planning().goals), Random(5)
    files = (FOLDER / "pawns.horn", *DOMAIN.ways)
    rules = [entry.rule for file in files for entry in rulebase.read(file, theory)]
    matcher, seen, in_passing = PlanMatcher(theory, rules), set(), 0
    for _ in range(30):
        board = pawns_that_may_have_leapt(random)
        in_passing += board.ep_square is not None
        for plan in matcher.plans(facts(board)):
            start = chess.parse_square(plan.action.terms[0].value)
            colour, now, rest = board.color_at(start), board.copy(), plan
            while True:
                now.turn = colour
                first, to, *kind = (term.value for term in rest.action.terms)
                move = chess.Move.from_uci(f"{first}{to}{'q' if kind else ''}")
                assert now.is_pseudo_legal(move), (now.fen(), rest)
                taken = now.piece_at(move.to_square)
                now.push(move)
                if rest.moves == 1:
                    break
                now.push(chess.Move.null())
                later = matcher.plans(facts(now))
                about = rest.goal.terms[-1] if plan.goal.predicate == "take" else rest.action.terms[1]
                rest = next(
                    p
                    for p in later
                    if p.moves == rest.moves - 1
                    and p.goal.terms[-1] == about
                    and p.action.terms[0] == rest.action.terms[1]
                )
            if plan.goal.predicate == "crown":
                assert now.piece_at(move.to_square) == chess.Piece(chess.QUEEN, colour)
            else:
                assert taken == chess.Piece(chess.PAWN, not colour)
            seen.add((plan.rule, colour))
    assert len(seen) >= 12
    assert in_passing > 8
