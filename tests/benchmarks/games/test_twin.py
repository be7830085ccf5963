"""Tests of the comparison of whole folders of sheets."""

import sys
from pathlib import Path
from shutil import copy

import pytest

from benchmarks.games import twin
from oracles.gdl.own_sheets import SHEETS
from oracles.gdl.prolog_game import SWIPL

pytestmark = pytest.mark.judges

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(SWIPL is None, reason="SWI-Prolog is not installed")
@pytest.mark.parametrize("of", ["twin", "network"])
def test_a_folder_is_compared_and_what_cannot_be_played_is_named(of, tmp_path, monkeypatch, capsys):
    folder, output = tmp_path / "sheets", tmp_path / "result.txt"
    folder.mkdir()
    copy(SHEETS["nim"], folder)
    (folder / "bad.kif").write_text("(role p", encoding="utf-8")
    monkeypatch.chdir(ROOT)
    words = [str(folder), "--games", "2", "--seed", "3", "--of", of, "--output", str(output)]
    monkeypatch.setattr(sys, "argv", ["twin.py", *words])
    assert twin.main() == 0
    command, *_, bad, nim, _, sums = output.read_text(encoding="utf-8").splitlines()
    reported = "--games 2 --seed 3 --most 5 --loading 200"
    assert command == f"command: python benchmarks/games/twin.py {reported} sheets --of {of} --by prolog"
    assert "not compared: TheoryError" in bad
    assert nim.split()[:3] == ["nim", "2", "2"]
    assert nim.endswith("equal")
    assert sums.startswith("2 sheets, 1 equal, 0 different; ")
    assert capsys.readouterr().out.startswith("command: ")
