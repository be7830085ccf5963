"""Tests of reading and writing positions of Abalone as text, and of the messages for mistakes."""

from __future__ import annotations

from random import Random

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.abalone import adapter
from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states.position import start
from hornbook.theories.abalone.states.text import print_diagram, print_line
from oracles.abalone.games import game

LINE = "OOOOO/OOOOOO/--OOO--/--------/---------/--------/--XXX--/XXXXXX/XXXXX"


@pytest.mark.parametrize("write", [print_line, print_diagram])
def test_what_is_written_is_read_again(write):
    for position in list(game(Random(3)))[::20]:
        assert adapter.read(write(position), "again") == position


def test_a_diagram_needs_no_letters():
    assert adapter.read(LINE.replace("/", "\n").lower().replace("-", "."), "bare") == start()
    assert adapter.read(f"% the start\n\n{LINE} X  % black\n", "line") == start()


def test_moves_have_names():
    state = start()
    names = {DOMAIN.write_move(state, action) for action in DOMAIN.actions(state)}
    assert {"c3d4", "c5d5", "c3c5d3", "c3c4d4", "a1b2"} <= names
    assert len(names) == 44


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("", 1, 1, "0 rows", "rows of 5, 6"),
        (f"{LINE} Z", 1, 1, "this does not say who is to move", "X (black) or O (white)"),
        (LINE, 1, 1, "this does not say who is to move", "X (black) or O (white)"),
        (
            f"{LINE.replace('--------', '-------', 1)} X",
            1,
            1,
            "a row of 7 cells, which has 8",
            "rows of 5, 6",
        ),
        (f"{LINE.replace('--OOO--', '--OQO--')} X", 1, 1, "unexpected character `Q`", "X for each black"),
        (f"{LINE.replace('-----', 'O----', 1)} X", 1, 1, "15 marbles O", "has 14 to begin with"),
        (f"to move: red\n{LINE}", 1, 10, "`red` is not a player", "to move: white"),
        ("h O O O O O", 1, 1, "this is not row h", "i, h, g"),
    ],
)
def test_mistakes_are_reported_with_their_place(text, line, column, message, hint):
    with pytest.raises(TheoryError) as raised:
        adapter.read(text, "board.txt")
    found = raised.value.diagnostics[0]
    assert message in found.message
    assert hint in found.help
    assert (found.span.file, found.span.line, found.span.column) == ("board.txt", line, column)


def test_a_game_is_lost_by_one():
    lost = LINE.replace("OOOOO/OOOOOO/--OOO--", "OOOOO/OOO---/-------").replace(
        "XXXXXX/XXXXX", "XXXXX-/-----"
    )
    with pytest.raises(TheoryError, match="both players have lost six"):
        adapter.read(f"{lost} X", "both")
