"""Tests of a teacher's lines of play: they are legal, and end as soon as they earn the expected value."""

from __future__ import annotations

import chess
import pytest

from hornbook.games import planning
from hornbook.inputs.theories import load
from hornbook.play.kep.lessons import value_of_line
from hornbook.play.kep.teaching import Teacher
from hornbook.theories.chess.play import question
from hornbook.theories.chess.states.fen import parse_fen
from hornbook.theories.chess.states.notation import parse_uci, print_uci

ONLY = "7k/8/8/3P4/8/8/8/K7 w - - 0 1"


@pytest.fixture(scope="module")
def teacher():
    known = planning.planning_knowledge(load("chess"))
    return Teacher(known.planning.game, known.wins, known.holds, actions=20, states=100)


@pytest.mark.parametrize("fen", [ONLY, chess.Board(ONLY).mirror().fen(), "8/7k/5K2/6P1/8/8/8/8 w - - 0 1"])
def test_a_line_is_legal_and_ends_once_it_earns_what_is_expected(teacher, fen):
    board, state = chess.Board(fen), parse_fen(fen)
    lesson = teacher.lesson("line", state, state.to_move, 100)
    for action in lesson.actions:
        move = chess.Move.from_uci(print_uci(question.move_of(action)))
        assert move in board.legal_moves
        board.push(move)
    assert move.promotion == chess.QUEEN
    assert value_of_line(teacher.game, lesson, state.to_move) >= 100


def test_a_line_begins_as_it_is_reported(teacher):
    state = parse_fen(ONLY)
    started = [question.action_of(parse_uci(state, "d5d6"))]
    assert teacher.lesson("line", state, "white", 100, started).actions[:1] == tuple(started)


@pytest.mark.parametrize(
    "fen", ["8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "k7/8/1K6/8/8/8/8/8 w - - 0 1", "7k/8/8/8/8/8/8/K7 w - - 0 1"]
)
def test_where_nothing_is_earned_there_is_no_line(teacher, fen):
    state = parse_fen(fen)
    assert teacher.lesson("line", state, state.to_move, 100) is None
