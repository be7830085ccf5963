"""Tests of reading and writing positions of sliding tiles as text, and of the messages for mistakes."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.tiles import adapter
from hornbook.theories.tiles.domain import DOMAIN
from hornbook.theories.tiles.states.position import goal
from hornbook.theories.tiles.states.text import print_line, rows_of


@pytest.mark.parametrize("position", [*DOMAIN.starts(), goal(2, 5), goal(5, 4)])
def test_what_is_written_is_read_again(position):
    assert adapter.read(print_line(position), "again") == position
    rows = "\n".join(" ".join(map(str, row)) for row in rows_of(position))
    assert adapter.read(f"% tiles\n{rows}  % the last\n\n", "rows") == position


def test_one_line_is_a_square_board():
    text = "14 13 15 7 11 12 9 5 6 0 2 1 4 8 10 3"
    assert adapter.read(text, "line") == DOMAIN.starts()[1]


@pytest.mark.parametrize(
    ("text", "line", "column", "message", "hint"),
    [
        ("", 1, 1, "there is no position", "2 to 5 rows"),
        ("1 0 2 3 4", 1, 1, "5 numbers on one line", "put / between rows"),
        ("1 0 2\n3 4", 2, 1, "a row of 2 numbers under one of 3", "equally long"),
        ("1 0 2\n3 4 x", 2, 5, "`x` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 6", 2, 5, "`6` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 ٣", 2, 5, "`٣` is no tile", "1 to 5, and 0"),
        ("1 0 2\n3 4 4", 2, 5, "4 is there already", "on one square"),
        ("/ 1 0 2", 1, 1, "there is no row before", "between two rows"),
        ("0", 1, 1, "a board of 1 × 1 squares", "2 to 5 rows"),
        ("0 1 2 3 4 5\n6 7 8 9 10 11", 1, 1, "a board of 2 × 6 squares", "2 to 5 rows"),
        ("0 2 1\n3 4 5", 1, 1, "no slides solve this position", "swap two tiles"),
    ],
)
def test_mistakes_are_reported_with_their_place(text, line, column, message, hint):
    with pytest.raises(TheoryError) as raised:
        adapter.read(text, "tiles.txt")
    found = raised.value.diagnostics[0]
    assert message in found.message
    assert hint in found.help
    assert (found.span.file, found.span.line, found.span.column) == ("tiles.txt", line, column)


def test_illegal_actions_lead_nowhere():
    state = DOMAIN.starts()[0]
    for action in (("slide", (1,)), ("slide", ("4",)), ("wait", (1,)), ("put", (1,))):
        assert adapter.step(state, GroundFact(*action)) is None
    assert adapter.step(goal(3, 3), GroundFact("slide", (1,))) is None
    assert adapter.step(state, GroundFact("wait", ("player",))) == state
