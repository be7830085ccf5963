"""Tests of random playouts of Go: their boards against the native step, and the moves that they try first."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.play.native import native_of
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.states.diagram import print_diagram
from tests.play.test_go import empty, without

NATIVE = native_of(DOMAIN)


def stones(state) -> str:
    return without(str(state), "to play", "ko", "passes")


@pytest.mark.parametrize(("size", "games"), [(1, 2), (2, 10), (3, 20), (5, 10), (9, 3), (19, 1)])
def test_a_board_of_playouts_has_the_stones_and_legal_moves_of_the_native_step(size, games):
    random = Random(size)
    for _ in range(games):
        started, moves = NATIVE.State(print_diagram(empty(size))), []
        state = started
        for _ in range(3 * size * size):
            legal, *_, board = NATIVE.playout_board(started, moves)
            assert sorted(legal) == sorted(set(state.moves()) - {"pass"}), moves
            assert stones(board) == stones(state), moves
            if random.random() < 0.05:
                started, moves = state, []  # a board after setup equals the board after moves
            moves = [*moves, random.choice(legal or ["pass"])]
            state = state.after(moves[-1])
            if state.is_over:
                break


def test_captures_and_kos_are_among_what_is_compared():
    started = NATIVE.State("to play: white\n.....\n.XO..\nX..O.\n.XO..\n.....\n")
    legal, *_, board = NATIVE.playout_board(started, ["b3", "c3"])  # c3 captures b3, a single stone
    assert "b3" not in legal
    assert stones(board).splitlines()[3].split()[1:] == ["X", ".", "X", "O", "."]
    assert "b3" in NATIVE.playout_board(started, ["b3", "c3", "e5", "e1"])[0]


@pytest.mark.parametrize(("local", "shapes"), [(False, False), (True, False), (True, True)])
def test_a_game_that_is_played_out_is_legal_fills_no_eye_and_ends(local, shapes):
    started = NATIVE.State(print_diagram(empty(7)))
    games = {tuple(NATIVE.played_out(started, seed, local, shapes)) for seed in range(20)}
    assert len(games) == 20
    for moves in games:
        state = started
        for move in moves:
            assert move in state.moves()
            own = "XO"[state.to_move]
            if move != "pass":
                rows = [line.split()[1:] for line in str(state).splitlines()[-7:]]
                column, row = "abcdefg".index(move[0]), 7 - int(move[1])
                around = [(row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1)]
                inside = [rows[r][c] for r, c in around if 0 <= r < 7 and 0 <= c < 7]
                corners = [(row + r, column + c) for r in (-1, 1) for c in (-1, 1)]
                seen = [rows[r][c] for r, c in corners if 0 <= r < 7 and 0 <= c < 7]
                others = sum(each not in (own, ".") for each in seen)
                assert set(inside) != {own} or others + (len(seen) < 4) >= 2, (str(state), move)
            state = state.after(move)
        lead = abs(str(state).count("X") - str(state).count("O"))
        assert state.is_over or len(moves) == 3 * 49 or lead >= 49 // 3 + 5
    assert NATIVE.played_out(started, 3, local, shapes) == NATIVE.played_out(started, 3, local, shapes)


@pytest.mark.parametrize(
    ("board", "last", "urgent"),
    [
        ("white\n.....\n.X...\nXO...\n.X...\n.....\n", "a1", set()),  # Black's stone was already in atari
        ("black\n.....\n.X...\nXO...\n.....\n.....\n", "b2", {"c3"}),  # white runs
        ("black\n.....\n.XX..\nXO.X.\n.....\n.....\n", "b2", set()),  # White would still have one liberty
        ("black\n.....\n.XO..\n.OX..\n..O..\n.....\n", "b2", {"a3", "d3"}),  # or captures
        ("black\nOX...\n.....\n.....\n.....\n.....\n", "a4", set()),  # captured: nothing is left to save
        ("black\n.....\n.O...\nO.O..\n.....\n.....\n", "b3", {"b2"}),  # the new stone can be captured
    ],
)
def test_what_the_last_move_did_is_looked_at_first(board, last, urgent):
    started = NATIVE.State(f"to play: {board}")
    assert set(NATIVE.playout_board(started, [last])[1]) == urgent


def image(number: int, row: int, column: int) -> tuple[int, int]:
    """Return the image of a point of a 9 × 9 board under one of the eight symmetries."""
    row, column = 8 - row if number & 1 else row, 8 - column if number & 2 else column
    return (column, row) if number & 4 else (row, column)


def point(number: int, row: int, column: int) -> str:
    row, column = image(number, row, column)
    return f"{'abcdefghj'[column]}{row + 1}"


@pytest.mark.parametrize("mover", ["black", "white"])
def test_shapes_are_found_next_to_the_last_move_in_all_eight_images_and_for_both_sides(mover):
    last, mine = ("O", "X") if mover == "white" else ("X", "O")
    for number in range(8):
        rows = [["."] * 9 for _ in range(9)]
        for column, stone in ((3, mine), (2, last)):
            row, at = image(number, 3, column)
            rows[8 - row][at] = stone
        text = "\n".join(map("".join, rows))
        state = NATIVE.State(f"to play: {mover}\n{text}\n")
        _, urgent, shaping, _ = NATIVE.playout_board(state, [point(number, 3, 4)])
        assert urgent == []
        # The stone has one of the others on each side: it bends around the last one, or extends.
        bends = {point(number, row, column) for row in (2, 4) for column in (3, 4)}
        assert set(shaping) == bends, number
    nothing = NATIVE.State("to play: " + mover + "\n" + (9 * "." + "\n") * 9)
    assert NATIVE.playout_board(nothing, ["e5"])[2] == []
