"""Tests of the plain moves in chains of matches, against the reader's moves."""

from __future__ import annotations

from random import Random

from hornbook.theories.go.problems.making.games import game, noisy_move
from hornbook.theories.go.reader import IllegalGoMoveError, play
from hornbook.theories.go.states.board import PLAYERS
from hornbook.theories.go.states.step import step


def test_steps_are_the_moves_of_the_reader():
    bans = illegal = 0
    for seed in range(16):
        for board in game(4 + seed % 2, Random(seed), noisy_move):
            for player in PLAYERS:
                for point in board.points():
                    try:
                        expected = play(board, player, point)
                    except IllegalGoMoveError:
                        illegal += 1
                        assert step(board, player, point) is None
                        continue
                    found = step(board, player, point)
                    assert found is not None
                    assert (found.colours, found.ko) == (expected.colours, expected.ko)
                    assert found.blocks == expected.blocks
                    bans += found.ko is not None
    assert (bans > 0, illegal > 0) == (True, True)
