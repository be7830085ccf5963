"""Tests of the audit of forced replies to checks: it must find wrong rules and count the correct conclusions."""

from __future__ import annotations

import re
import sys
from pathlib import Path
from random import Random

import chess
import pytest

import hornbook.theories.chess
from benchmarks.chess import forced

pytestmark = pytest.mark.deep

FOLDER = Path(hornbook.theories.chess.__file__).parent / "ahead"
MATE = chess.Board("6k1/p1r3pp/1p6/4P2P/3Pp2r/1N1b4/PP1K4/3R3R b - - 5 27")
PIN = chess.Board("3k4/8/8/3n4/8/8/8/2K4R w - - 0 1")
FORK = chess.Board("r3k2r/8/8/3N4/8/8/8/4K3 w - - 0 1")
PAWNS = chess.Board("8/1P6/P7/8/4k3/8/8/K7 w - - 0 1")


def audited(
    monkeypatch, capsys, board: chess.Board, rules: str = "forced.horn", *more: str
) -> tuple[int, str, dict[str, int]]:
    """Return the exit code, the output and its counts for an audit of a single position."""
    monkeypatch.setattr(sys, "argv", ["forced.py", str(FOLDER / rules), "--positions", "2", *more])
    monkeypatch.setattr(forced, "promoting_position", lambda _: board)
    monkeypatch.setattr(forced, "played", lambda *_: [board])
    monkeypatch.setattr(forced, "forcing_position", lambda _: board)
    code = forced.main()
    printed = capsys.readouterr().out
    counts = {name.strip(): int(n) for name, n in re.findall(r"^(\D+?) +(\d+)$", printed, re.MULTILINE)}
    return code, printed, counts


@pytest.mark.parametrize(("there", "code"), [({"c7c2"}, 0), (set(), 1)])
def test_mates_are_stored_against_the_search(monkeypatch, capsys, there: set[str], code: int):
    monkeypatch.setattr(forced, "mating_moves", lambda _, moves: there if moves > 1 else set())
    found, printed, counts = audited(monkeypatch, capsys, MATE)
    assert found == code
    assert counts["mates seen in two"] == 2 * len(there)
    assert ("by mate_in_two_by_a_check" in printed) == bool(code)


@pytest.mark.parametrize(("there", "code"), [({"d5c7"}, 0), (set(), 1)])
def test_what_is_taken_is_stored_against_the_search(monkeypatch, capsys, there: set[str], code: int):
    monkeypatch.setattr(forced, "is_taken", lambda _, square, move: square == chess.A8 and move in there)
    found, printed, counts = audited(monkeypatch, capsys, FORK)
    assert found == code
    assert counts["conclusions"] == 2
    assert counts["takings there by a check"] == counts["takings seen by a check"] == 2 * len(there)
    assert ("take(a8) by d5c7 by taken_after_a_check" in printed) == bool(code)


@pytest.mark.parametrize(("there", "code"), [({"h1d1"}, 0), (set(), 1)])
def test_so_is_what_is_taken_after_a_threat(monkeypatch, capsys, there: set[str], code: int):
    monkeypatch.setattr(forced, "is_taken", lambda _, square, move: square == chess.D5 and move in there)
    found, printed, counts = audited(monkeypatch, capsys, PIN, "threats.horn")
    assert found == code
    assert counts["takings there by a check"] == 0
    assert counts["takings there by a threat"] == counts["takings seen by a threat"] == 2 * len(there)
    assert ("take(d5) by h1d1 by taken_after_a_threat" in printed) == bool(code)


def test_a_man_is_threatened_that_would_be_taken_for_good():
    assert forced.is_threatened(PIN, chess.D5, chess.Move.from_uci("h1d1"))
    assert not forced.is_threatened(PIN, chess.D5, chess.Move.from_uci("h1h2"))


@pytest.mark.parametrize("right", [True, False])
def test_what_is_crowned_is_stored_against_the_search(monkeypatch, capsys, right: bool):
    if not right:
        monkeypatch.setattr(forced, "is_crowned", lambda *_: False)
    found, printed, counts = audited(monkeypatch, capsys, PAWNS, "crowned.horn", "--pawns")
    assert found == (0 if right else 1)
    assert counts["crowns there at once"] == counts["crowns seen at once"] == 2  # the pawn on b7, twice
    assert counts["crowns there in two"] == counts["crowns seen in two"] == (10 if right else 0)
    assert counts["conclusions"] == 12
    assert ("crown(white, a6) by a6a7 by crowned_after_a_move_of_its_own" in printed) == (not right)


def test_what_is_taken_and_what_mates_is_no_crown():
    taken = chess.Board("7r/1P6/8/8/4k3/8/8/K7 w - - 0 1")
    name = {"crown(white, b7)": chess.B7}
    assert forced.crowning_moves(taken, name, set()) == (set(), set())
    at_once, in_two = forced.crowning_moves(PAWNS, {**name, "crown(white, a6)": chess.A6}, {"a1a2"})
    assert at_once == {("b7b8", "crown(white, b7)")}
    assert ("a6a7", "crown(white, a6)") in in_two
    assert not any(move == "a1a2" for move, _ in in_two)


def test_positions_for_pawns_have_one_that_may_be_promoted_within_two_moves():
    for seed in range(20):
        assert forced.near_pawns(forced.promoting_position(Random(seed)))
    assert forced.near_pawns(PAWNS) == [chess.A6, chess.B7]
    assert forced.near_pawns(chess.Board("8/1P6/P7/8/4k3/1p6/p7/K7 b - - 0 1")) == [chess.A2, chess.B3]
