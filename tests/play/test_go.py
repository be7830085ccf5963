"""Tests of the native step of Go against plain play, area counts by sgfmill, and game counts on small boards."""

from __future__ import annotations

from random import Random

import pytest
from sgfmill.boards import Board as Counted

from hornbook.play.native import native_of
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.states.board import PLAYERS, GoBoard
from hornbook.theories.go.states.diagram import parse_diagram, print_diagram
from hornbook.theories.go.states.step import step

NATIVE = native_of(DOMAIN)


def empty(size: int) -> GoBoard:
    return GoBoard(size, size, ("empty",) * (size * size), None, "black")


def plain_moves(board: GoBoard) -> dict[str, GoBoard]:
    player = board.to_play
    assert player is not None
    other = PLAYERS[1 - PLAYERS.index(player)]
    found = {board.name(point): step(board, player, point, other) for point in board.points()}
    return {name: after for name, after in found.items() if after is not None}


def without(text: str, *headings: str) -> str:
    return "".join(line for line in text.splitlines(keepends=True) if not line.startswith(headings))


def area(state: str) -> float:
    """Return Black's points minus White's, by another program."""
    board = parse_diagram(without(state, "komi", "passes"))
    counted = Counted(board.rows)
    stones = {
        letter: [divmod(p, board.columns) for p in board.points() if board.colours[p] == colour]
        for letter, colour in (("b", "black"), ("w", "white"))
    }
    counted.apply_setup(stones["b"], stones["w"], [])
    return float(counted.area_score())


@pytest.mark.parametrize(("size", "games"), [(1, 2), (2, 20), (3, 30), (5, 15), (9, 4), (19, 1)])
def test_random_games_are_played_as_plain_play_plays_them(size, games):
    random = Random(size)
    for _ in range(games):
        board, state = empty(size), NATIVE.State(print_diagram(empty(size)))
        for _ in range(60):
            found = plain_moves(board)
            assert sorted(state.moves()) == sorted([*found, "pass"])
            assert without(str(state), "passes") == print_diagram(board)
            again = NATIVE.State(str(state))
            assert (again, hash(again)) == (state, hash(state))
            assert NATIVE.RANGE[0] < state.evaluation < NATIVE.RANGE[1]
            if not found:
                break
            move = random.choice(sorted(found))
            board, state = found[move], state.after(move)


@pytest.mark.parametrize("size", [3, 5, 9])
def test_areas_are_counted_as_another_program_counts_them(size):
    random = Random(size)
    for _ in range(10):
        state = NATIVE.State(print_diagram(empty(size)))
        for _ in range(random.randrange(3 * size * size)):
            moves = [move for move in state.moves() if move != "pass"]
            state = state.after(random.choice(moves or ["pass"]))
            if state.is_over:
                break
        while not state.is_over:
            state = state.after("pass")
        assert state.outcome == 2 * area(str(state)) - 15
        sign = 1 if state.to_move == 0 else -1
        assert state.evaluation == sign * state.outcome * NATIVE.EVALUATION_UNIT
        assert state.moves() == []


def test_lines_of_play_are_as_many_as_plain_play_has():
    """A pass is a move, and the second pass in a row ends the game."""

    def lines(board: GoBoard, passes: int, depth: int) -> int:
        if depth == 0:
            return 1
        if passes == 2:
            return 0
        other = PLAYERS[1 - PLAYERS.index(board.to_play or "black")]
        passed = GoBoard(board.rows, board.columns, board.colours, None, other)
        return lines(passed, passes + 1, depth - 1) + sum(
            lines(after, 0, depth - 1) for after in plain_moves(board).values()
        )

    for size, depth in ((2, 6), (3, 3)):
        assert NATIVE.State(print_diagram(empty(size))).perft(depth) == lines(empty(size), 0, depth)


def test_a_pass_lifts_the_ban_of_a_ko_and_two_end_the_game():
    state = NATIVE.State("to play: white\nko: b3\n. . . . .\n. X O . .\nX . X O .\n. X O . .\n. . . . .\n")
    assert "b3" not in state.moves()
    passed = state.after("pass")
    assert "ko" not in str(passed)
    assert not passed.is_over
    assert passed.after("pass").is_over
    assert not passed.after("a1").after("pass").is_over


def test_komi_is_stored_and_counted():
    text = print_diagram(empty(3))
    for komi, half in (("0", 0), ("5.5", 11), ("-3", -6)):
        state = NATIVE.State(f"komi: {komi}\n{text}")
        assert f"komi: {komi}\n" in str(state)
        assert NATIVE.State(str(state)) == state
        assert state.after("pass").after("pass").outcome == -half
    assert "komi" not in str(NATIVE.State(f"komi: 7.5\n{text}"))


def test_a_block_that_can_be_taken_is_worth_less():
    stored = "to play: black\n.....\n..OO.\n.OXX.\n..O..\n.....\n"
    taken = "to play: white\n.....\n..OO.\n.OXXO\n..OO.\n.....\n"
    lost, saved = NATIVE.State(taken.replace("XXO", "XX.")), NATIVE.State(stored)
    assert -lost.evaluation < saved.evaluation


@pytest.mark.parametrize(
    "text",
    [
        "to play: green\n...\n...\n...\n",
        "komi: 7.3\n...\n...\n...\n",
        "komi: 1e9\n...\n...\n...\n",
        "komi: x\n...\n...\n...\n",
        "passes: 3\n...\n...\n...\n",
        "ko: a1\n...\n...\n...\n",
        "ko: z9\n...\n...\n...\n",
        "...\n..\n...\n",
        "...\n...\n",
        "XXX\nXXX\nXXX\n",
        "..?\n...\n...\n",
        "\n".join(["." * 20] * 20),
    ],
)
def test_what_no_position_can_be_is_refused(text):
    with pytest.raises(ValueError, match=r"\w"):
        NATIVE.State(text)
