"""Tests of mates in one.

The rules of `forced.horn` must find every kind. The library `chess` judges each position.
"""

from __future__ import annotations

from pathlib import Path

import chess
import pytest

import hornbook.theories.chess
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.theories.chess.adapter import board, position_facts
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.mating import mating_moves

pytestmark = pytest.mark.deep

FOLDER = Path(hornbook.theories.chess.__file__).parent / "ahead"
LETTERS = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}
POSITIONS = [
    ("by a queen", "8/8/K6Q/8/k7/3Q4/8/8 w - - 0 1", "h6h4"),
    ("discovered", "7R/7N/6R1/8/8/8/7k/1K6 w - - 0 1", "h7f6"),
    ("double check", "R7/7K/2R5/7Q/8/1k6/2R2R2/3Q4 w - - 0 1", "c2b2"),
    ("promotion to a queen", "6rk/7P/8/4NrR1/8/8/6K1/8 w - - 0 1", "h7g8q"),
    ("promotion to a rook", "8/8/8/5b2/8/8/1p6/3Kbk2 b - - 0 1", "b2b1r"),
    ("promotion to a bishop", "3Q4/5kPK/8/2N5/8/3B4/7R/8 w - - 0 1", "g7g8b"),
    ("promotion to a knight alone", "8/6r1/8/8/8/5b1K/3p1bp1/7k b - - 0 1", "g2g1n"),
    ("promotion that takes", "1Q4q1/4k2P/4Pb2/7b/2pN4/8/1p6/6K1 w - - 0 1", "h7g8n"),
    ("promotion that discovers", "8/8/6p1/2k5/4q3/1K6/2pr4/1n1q4 b - - 0 1", "c2c1b"),
    ("promotion with a double check", "6Q1/1RP1k3/8/1R3QR1/2P3K1/5N2/8/8 w - - 0 1", "c7c8n"),
    ("castling short", "4R3/8/6R1/8/5k2/8/8/4K2R w K - 0 1", "e1g1"),
    ("castling long", "r3k3/8/2r5/4n3/8/8/b4q2/3K4 b q - 0 1", "e8c8"),
    ("in passing", "3Q4/1k6/8/2pP4/Q1R5/8/7q/4K1N1 w - c6 0 1", "d5c6"),
    ("in passing, discovered", "3B2K1/8/8/6pP/7k/1n3Q2/8/8 w - g6 0 1", "h5g6"),
    ("in passing, double check", "2K5/4k3/8/3pP3/5Q2/8/8/4Q3 w - d6 0 1", "e5d6"),
    ("in passing, by black", "8/4k3/1P6/6p1/3n1pP1/3q3P/5b1K/6r1 b - g3 0 1", "f4g3"),
]
NO_MATES = [
    ("the promoted queen is taken", "rk6/3P4/1K6/8/8/8/8/8 w - - 0 1"),
    ("the pawn is pinned", "2r3k1/5p1p/8/8/8/q7/P1p5/K1R4B b - - 0 1"),
    ("castling through an attacked square", "4R3/8/6R1/8/1b3k2/8/8/4K2R w K - 0 1"),
    ("nothing to take in passing", "2K5/4k3/8/3pP3/5Q2/8/8/4Q3 w - - 0 1"),
]


@pytest.fixture(scope="module")
def base() -> KnowledgeBase:
    theory = load(FOLDER / "combinations.horn")
    known = KnowledgeBase(theory)
    known.add(board())
    add_proved_rules(known, [entry.rule for entry in rulebase.read(FOLDER / "forced.horn", theory)])
    return known


def seen(base: KnowledgeBase, there: chess.Board) -> set[str]:
    """Return the moves for which a rule concludes that they win the game of mate."""
    mated = "black" if there.turn else "white"
    base.push()
    base.add(position_facts(parse_fen(there.fen(en_passant="fen"))))
    moves = base.query(f"mate({mated}) by move(?f, ?t) is GI").to_tuples()
    promotions = base.query(f"mate({mated}) by promote(?f, ?t, ?k) is GI").to_tuples()
    base.pop()
    return {f"{f}{t}" for f, t in moves} | {f"{f}{t}{LETTERS[str(k)]}" for f, t, k in promotions}


@pytest.mark.parametrize(("fen", "move"), [each[1:] for each in POSITIONS], ids=[p[0] for p in POSITIONS])
def test_rules_see_every_mate_in_one(base: KnowledgeBase, fen: str, move: str):
    there = chess.Board(fen)
    found, mates = seen(base, there), mating_moves(there, 1)
    assert move in mates
    assert mates <= found <= mating_moves(there, 2)


@pytest.mark.parametrize("fen", [fen for _, fen in NO_MATES], ids=[name for name, _ in NO_MATES])
def test_rules_conclude_no_mate_that_is_none(base: KnowledgeBase, fen: str):
    there = chess.Board(fen)
    found = seen(base, there)
    assert mating_moves(there, 1) <= found <= mating_moves(there, 2)
