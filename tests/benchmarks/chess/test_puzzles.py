"""Tests of the game assigned to a puzzle: the game won by the last move of its solution, and its first move."""

import chess
import pytest

from benchmarks.chess.puzzles import Count, cause_of, goal_of, is_shown, most_forcing
from hornbook.api.best_moves import ConcludedMove
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.format.printer import print_condition


@pytest.mark.parametrize(
    ("fen", "line", "goal"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "mate(black)"),
        ("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d8 c7a8", "take(a8)"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "e1e2 e8e7 a7a8q", "crown(white, a7)"),
        ("4k3/8/8/4r3/8/4R3/8/4K3 w - - 0 1", "e1d2 e5e6 e3e6", "take(e5)"),  # the goal is that piece
        ("r3k3/8/8/8/8/8/6B1/4K3 b q - 0 1", "a8a1 e1e2", None),
        ("4k2r/8/8/8/8/8/8/R3K3 w k - 0 1", "a1f1 e8e7 f1f7", None),
        ("4k2r/8/8/8/8/8/R7/4K3 w k - 0 1", "a2b2 e8g8 b2f2 g8h7 f2f8", "take(h8)"),  # it castled
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", "take(d5)"),  # en passant
    ],
)
def test_a_puzzle_is_about_what_its_last_move_wins(fen, line, goal):
    found = goal_of(chess.Board(fen), [chess.Move.from_uci(move) for move in line.split()])
    assert (None if found is None else print_condition(found)) == goal


@pytest.mark.parametrize(
    ("fen", "line", "cause"),
    [
        ("6k1/5ppp/8/8/8/8/8/R5K1 w - - 0 1", "a1a8", "1, check, only the king can answer"),
        ("r3k3/8/8/1N6/8/8/8/4K3 w - - 0 1", "b5c7 e8d8 c7a8", "2, check, only the king can answer"),
        ("r3k3/8/1b6/1N6/8/8/8/4K3 w - - 0 1", "b5c7", "1, check, others can answer"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6 e8e7 d6d7 e7d7 e1e2", "3 or more, capture"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "e1e2 e8e7 a7a8q", "2, quiet"),
    ],
)
def test_puzzles_are_reported_apart_by_how_long_they_are_and_how_they_begin(fen, line, cause):
    assert cause_of(chess.Board(fen), [chess.Move.from_uci(move) for move in line.split()]) == cause


def test_a_guess_is_the_check_that_leaves_fewest_replies():
    board = chess.Board("6k1/5pp1/8/8/8/8/8/R3R1K1 w - - 0 1")
    assert most_forcing(board) == chess.Move.from_uci("a1a8")
    assert most_forcing(chess.Board("4k3/8/8/8/8/8/P7/4K3 w - - 0 1")) is None


def test_what_is_right_by_chance_is_not_shown():
    count = Count()
    count.add("fork", "2, quiet", "right", 0.0, shown=True)
    count.add("fork", "2, quiet", "right", 0.0)
    count.add("fork", "2, quiet", "worse", 0.0, shown=True)
    count.seconds = [0.0] * 8
    assert count.lines()[1].split() == ["fork", "3", "2", "0", "1", "0", "1", "66.7", "33.3"]


MATE, TAKE = Atom("mate", (Constant("black"),)), Atom("take", (Constant("a8"),))


@pytest.mark.parametrize(
    ("goal", "message", "shown"),
    [
        (MATE, {"gains": 5}, False),
        (MATE, {"wins": True}, True),
        (TAKE, {"gains": 0}, False),
        (TAKE, {"gains": 5}, True),
        (TAKE, {"wins": True}, True),
        (TAKE, {}, False),
        (None, {"gains": 1}, True),
    ],
)
def test_that_something_is_gained_does_not_show_a_mate(goal, message, shown):
    assert is_shown([ConcludedMove("move(a1, a8)", (), **message)], goal) == shown


def test_where_nothing_is_picked_nothing_is_shown():
    assert not is_shown([], MATE)
    assert not is_shown([], None)
