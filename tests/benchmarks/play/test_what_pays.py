"""Tests of the table of the value of thinking: it is completed, and resumes from the stored games."""

from __future__ import annotations

import pytest

from benchmarks.play import what_pays
from hornbook import learn, read_problems


@pytest.fixture(scope="module")
def learned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("learned")
    learn("othello", read_problems("othello")[:2]).rules.save(folder / "othello-rules.horn")
    return folder


def test_every_row_is_stored_and_stored(learned, tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(what_pays, "GAMES", {"othello": (8, 10)})
    monkeypatch.setattr(what_pays, "LEARNED", 1)
    given = ["--games", "2", "--seconds", "0.001", "--positions", "4", "--game", "othello"]
    monkeypatch.setattr(
        "sys.argv", ["what_pays.py", *given, "--into", str(tmp_path), "--learned", str(learned)]
    )
    assert what_pays.main() == 0
    first = capsys.readouterr().out
    for row in ("MGSS*", "rules alone", "rules as leaves", "MGSS* with rules"):
        assert f"  {row} " in first
    stored = {path.name: path.read_text() for path in tmp_path.glob("*.jsonl")}
    assert len(stored) == 4
    assert what_pays.main() == 0
    assert {path.name: path.read_text() for path in tmp_path.glob("*.jsonl")} == stored
