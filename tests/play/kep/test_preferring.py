"""Tests of the preferred action without a proof, against a plain minimax of the same heuristics.

The first action is never a refuted one.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import chess
import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.play.kep.preferring import OVER, Preference
from hornbook.theories.chess.play.planning import ChessPlanning
from hornbook.theories.chess.states.fen import parse_fen
from oracles.chess.ending_claims import random_ending

GAME = ChessPlanning()


def state(fen):
    return replace(parse_fen(fen), quiet_plies=0, number=1)


def plain(position, depth, line):
    """Return the same value by exhaustive search."""
    if depth == 0:
        return GAME.outlook(position, position.to_move)
    after = [GAME.after(position, action) for action in GAME.actions(position)]
    if not after:
        return len(line) - 1 - OVER if GAME.beaten(position) else 0
    return max(0 if then in line else -plain(then, depth - 1, [*line, then]) for then in after)


def test_the_preferred_action_is_one_of_the_best_by_plain_min_max():
    random = Random("preferred")
    for _ in range(6):
        root = state(random_ending(random).fen())
        preference = Preference(GAME, 10**6)
        value = preference._value(root, 2, -(10**9), 10**9, [root])
        assert value == plain(root, 2, [root])
        then = GAME.after(root, preference.known[root].action)
        assert -plain(then, 1, [root, then]) == value


def test_a_mate_is_preferred_and_what_is_barred_never():
    root = state("k7/2K5/8/8/8/8/8/1Q6 w - - 0 1")
    free = Preference(GAME, 10_000)
    free.look(root)
    assert GAME.beaten(GAME.after(root, free.action))
    barred = Preference(GAME, 2_000, {each for each in GAME.actions(root) if each.values[0] == "b1"})
    barred.look(root)
    assert barred.action.values[0] == "c7"


def test_what_was_preferred_to_the_last_depth_that_was_done_is_stored():
    root = state("8/8/1p6/8/8/6P1/k1K5/8 w - - 0 1")
    preference = Preference(GAME, 300)
    preference.look(root)
    assert preference.nodes == 300
    assert preference.action in GAME.actions(root)


@pytest.mark.parametrize("fen", ["8/1p6/8/P1P5/8/8/8/2K3k1 w - - 0 1", "8/8/4k3/8/2P3p1/8/4K3/8 w - - 0 1"])
def test_the_outlook_is_the_same_for_both_sides(fen):
    mirrored = state(chess.Board(fen).mirror().fen())
    assert GAME.outlook(state(fen), "white") == GAME.outlook(mirrored, "black")
    assert GAME.outlook(state(fen), "white") == -GAME.outlook(state(fen), "black")
    for action in GAME.actions(state(fen)):
        there = [f"{square[0]}{9 - int(square[1])}" for square in action.values]
        assert GAME.appeal(state(fen), action) == GAME.appeal(
            mirrored, GroundFact(action.relation, tuple(there))
        )


@pytest.mark.parametrize(
    ("better", "worse"),
    [
        ("7k/8/8/8/P7/8/8/K7 w - - 0 1", "8/8/2k5/8/P7/8/8/K7 w - - 0 1"),  # the king comes too late
        ("8/8/3K4/8/2p5/8/P7/7k w - - 0 1", "3K4/8/8/8/2p5/8/P7/7k w - - 0 1"),  # the king is nearer
        ("8/P7/8/8/8/5k2/8/K7 w - - 0 1", "8/8/P7/8/8/5k2/8/K7 w - - 0 1"),  # the pawn is farther
    ],
)
def test_outlooks_order_as_a_player_would(better, worse):
    assert GAME.outlook(state(better), "white") > GAME.outlook(state(worse), "white")
