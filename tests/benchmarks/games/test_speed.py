"""Tests of the speed measurement for games."""

import sys
from pathlib import Path
from shutil import copy

import pytest

from benchmarks.games import speed
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.prolog_game import SWIPL

pytestmark = pytest.mark.judges

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(SWIPL is None, reason="SWI-Prolog is not installed")
def test_a_folder_is_measured_and_what_cannot_be_played_is_named(tmp_path, monkeypatch):
    folder, output = tmp_path / "sheets", tmp_path / "result.txt"
    folder.mkdir()
    copy(SHEETS["nim"], folder)
    (folder / "bad.kif").write_text("(role p", encoding="utf-8")
    monkeypatch.chdir(ROOT)
    words = [str(folder), "--seconds", "0.05", "--runs", "1", "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["speed.py", *words])
    assert speed.main() == 0
    *_, bad, nim, _, sheets, ratio, _ = output.read_text(encoding="utf-8").splitlines()
    assert "TheoryError" in bad
    network, twin, prolog = (float(rate.replace(",", "")) for rate in nim.split()[1:4])
    assert network > 5 * prolog > 0
    assert network > 5 * twin > 0
    assert sheets == "2 sheets, 1 with a network, 1 beside SWI-Prolog"
    assert ratio.startswith("compiled / SWI-Prolog: geometric mean ")
