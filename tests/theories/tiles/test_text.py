"""Tests of reading and writing positions of sliding tiles as text, and of the messages for mistakes."""

from __future__ import annotations

import pytest

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
