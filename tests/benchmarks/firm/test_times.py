"""Tests of the measured cost of advice to a firm, for a few firms."""

from __future__ import annotations

import sys

from benchmarks.firm.times import main


def test_firms_and_months_are_timed(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(sys, "argv", ["times", "--firms", "3", "--output", str(tmp_path / "times.txt")])
    assert main() == 0
    text = (tmp_path / "times.txt").read_text(encoding="utf-8")
    assert text in capsys.readouterr().out
    assert text.startswith("command: python benchmarks/firm/times.py --firms 3 --seed 1\n")
    assert "3 random firms" in text
    assert "24 months" in text
