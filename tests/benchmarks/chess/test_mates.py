"""The audit of mates: what is wrong is found, and what is seen is counted."""

from __future__ import annotations

import sys
from pathlib import Path

import chess
import pytest

import hornbook.theories.chess
from benchmarks.chess import mates

RULES = Path(hornbook.theories.chess.__file__).parent / "ahead" / "forced.horn"
BOARD = chess.Board("6k1/p1r3pp/1p6/4P2P/3Pp2r/1N1b4/PP1K4/3R3R b - - 5 27")


@pytest.mark.parametrize(("there", "code"), [({"c7c2"}, 0), (set(), 1)])
def test_conclusions_are_held_against_the_search(monkeypatch, capsys, there: set[str], code: int):
    monkeypatch.setattr(sys, "argv", ["mates.py", str(RULES), "--positions", "2"])
    monkeypatch.setattr(mates, "played", lambda *_: [BOARD])
    monkeypatch.setattr(mates, "forcing_position", lambda _: BOARD)
    monkeypatch.setattr(mates, "mating_moves", lambda _, moves: there if moves > 1 else set())
    assert mates.main() == code
    printed = capsys.readouterr().out
    assert f"{'conclusions':16}{2:>8}" in printed
    assert f"{'seen in two':16}{2 * len(there):>8}" in printed
    assert ("by mate_in_two_by_a_check" in printed) == bool(code)
