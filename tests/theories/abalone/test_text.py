"""Tests of reading and writing positions of Abalone as text, and of the messages for mistakes."""

from __future__ import annotations

import pytest

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.theories.abalone import adapter
from hornbook.theories.abalone.domain import DOMAIN
from hornbook.theories.abalone.states.position import start

LINE = "OOOOO/OOOOOO/--OOO--/--------/---------/--------/--XXX--/XXXXXX/XXXXX"


def test_a_diagram_needs_no_letters():
    assert adapter.read(LINE.replace("/", "\n").lower().replace("-", "."), "bare") == start()
    assert adapter.read(f"% the start\n\n{LINE} X  % black\n", "line") == start()


def test_moves_have_names():
    state = start()
    names = {DOMAIN.write_move(state, action) for action in DOMAIN.actions(state)}
    assert {"c3d4", "c5d5", "c3c5d3", "c3c4d4", "a1b2"} <= names
    assert len(names) == 44


def test_a_game_is_lost_by_one():
    lost = LINE.replace("OOOOO/OOOOOO/--OOO--", "OOOOO/OOO---/-------").replace(
        "XXXXXX/XXXXX", "XXXXX-/-----"
    )
    with pytest.raises(TheoryError, match="both players have lost six"):
        adapter.read(f"{lost} X", "both")
