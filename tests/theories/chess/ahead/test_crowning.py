"""Tests of pawns promoted at once or after any reply, derived from the rules of single moves.

Every regressed conclusion must be true on the board. The rules must not conclude anything else.
"""

from __future__ import annotations

from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from benchmarks.chess.forced import crowning_moves, is_crowned, near_pawns, promoting_position
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.theories.chess.adapter import board, position_facts
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.judge import ChessGoal, achieves
from oracles.chess.mating import mating_moves

pytestmark = pytest.mark.deep

FOLDER = Path(hornbook.theories.chess.__file__).parent / "ahead"
CROWNED = [
    # The pawn moves. A man captures a guard of the last rank. The king leaves it, or must leave it.
    # A check clears the way.
    ("8/p7/7P/8/knK2B2/8/8/8 w - - 0 1", "h6", "h6h7"),
    ("8/r2k4/2B5/8/8/7K/1p6/8 b - - 0 1", "b2", "d7c6"),
    ("5B1k/4KP2/5N2/8/1N6/8/8/8 w - - 0 1", "f7", "f8g7"),
    ("8/8/8/6r1/8/8/p3k3/K7 b - - 0 1", "a2", "g5a5"),
    ("2k5/2P2N2/N7/8/8/6r1/8/5K2 w - - 0 1", "c7", "f7d6"),
    # If a queen stalemates a king that stays in its corner, a rook does not.
    ("4K3/2B2R2/P7/8/8/8/8/7k w - - 0 1", "a6", "a6a7"),
]


def test_every_lemma_is_proved():
    theory = load(FOLDER / "crowning.horn")
    assert not theory.lemmas
    assert sum(rule.lemma for rule in theory.rules) > 235


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    """Return the theory together with the shipped rules. All of them are certified."""
    theory = load(FOLDER / "combinations.horn")
    entries = rulebase.read(FOLDER / "crowned.horn", theory)
    assert [entry.rule.name for entry in entries if entry.is_certified] == [
        "crowned_at_once",
        "crowned_after_a_move_of_its_own",
        "crowned_after_a_move_of_another",
    ]
    known = KnowledgeBase(theory)
    known.add(board())
    add_proved_rules(known, [entry.rule for entry in entries])
    return known


def reported(base: KnowledgeBase, fen: str, query: str) -> set[str]:
    """Return the answers about a position, each as one word."""
    base.push()
    base.add(position_facts(parse_fen(fen)))
    found = {"".join(map(str, row)) for row in base.query(query).to_tuples()}
    base.pop()
    return found


@pytest.mark.parametrize(("fen", "pawn", "move"), CROWNED)
def test_what_is_promoted_whatever_is_replied_is_seen_in_one_match(
    base: KnowledgeBase, fen: str, pawn: str, move: str
):
    there = chess.Board(fen)
    found = reported(base, fen, f"crown({chess.COLOR_NAMES[there.turn]}, {pawn}) by move(?f, ?t) is GI")
    assert move in found
    assert all(is_crowned(there, chess.parse_square(pawn), each) for each in found)


def test_what_is_taken_or_stopped_or_stalemates_is_not_crowned(base: KnowledgeBase):
    at_once, later = "crown(white, a7) by promote(a7, a8, ?k) is GI", "crown(white, a6) by move(a6, a7) is GI"
    assert reported(base, "8/P7/8/8/8/4k3/8/K7 w - - 0 1", at_once) == {"queen"}
    assert reported(base, "7r/P7/8/8/8/4k3/8/K7 w - - 0 1", at_once) == set()  # the pawn is captured
    assert reported(base, "8/8/P7/8/8/4k3/8/K7 w - - 0 1", later)
    assert reported(base, "1k6/8/P7/8/8/8/8/K7 w - - 0 1", later) == set()  # the king takes the pawn
    assert reported(base, "8/8/P7/8/7p/8/4k2r/K7 w - - 0 1", later) == set()  # the rook stops it


def test_a_pawn_that_took_another_is_not_promoted_for_the_other_side(base: KnowledgeBase):
    """Black's only move captures the pawn on a2 with a pawn that White cannot stop.

    This must not count as a promotion by White.
    """
    there = chess.Board("7k/8/6Q1/8/8/1p6/PN6/6K1 b - - 0 1")
    assert [move.uci() for move in there.legal_moves] == ["b3a2"]
    there.push_uci("b3a2")
    assert {row[0] for row in reported(base, there.fen(), "ascend(?c, a2) is GI")} == {"b"}
    there.pop()
    for game in ("ascend", "crown"):
        assert not reported(base, there.fen(), f"{game}(?c, a2) is IG")


@pytest.mark.parametrize("seed", range(6))
def test_what_is_ripe_is_so_on_the_board(base: KnowledgeBase, seed: int):
    """Every pawn that can become a safe queen or rook is ripe to become one of them.

    Every pawn called ripe does so.
    """
    there = promoting_position(Random(seed))
    there.castling_rights = chess.BB_EMPTY
    c = chess.COLOR_NAMES[there.turn]
    letters = {"queen": "q", "rook": "r"}
    reported_moves = {
        row[:4] + letters[row[4:]] for row in reported(base, there.fen(), f"ripe({c}, ?x, ?z, ?k)")
    }
    right = {
        move.uci()
        for move in there.legal_moves
        if move.promotion and achieves(there, ChessGoal("promote", move.from_square), move)
    }
    assert reported_moves <= right
    assert {move[:4] for move in reported_moves} == {move[:4] for move in right}


@pytest.mark.parametrize("seed", range(6))
def test_what_is_crowned_is_so_on_the_board(base: KnowledgeBase, seed: int):
    """Test each pawn and each move in random positions.

    Every conclusion is true, and none is missing if no reply promotes.
    """
    there = promoting_position(Random(seed + 50))
    there.castling_rights = chess.BB_EMPTY
    side = chess.COLOR_NAMES[there.turn]
    games = {f"crown({side}, {chess.square_name(square)})": square for square in near_pawns(there)}
    _, on_the_board = crowning_moves(there, games, mating_moves(there, 2))
    for name, square in games.items():
        found = reported(base, there.fen(), f"{name} by move(?f, ?t) is GI")
        assert all(is_crowned(there, square, move) for move in found)
        for move, game in on_the_board:
            there.push_uci(move)
            replies = [*there.legal_moves]
            there.pop()
            if game == name and not any(reply.promotion for reply in replies):
                assert move in found
