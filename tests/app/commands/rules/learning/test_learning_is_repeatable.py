"""Determinism of learning: the same problems give the same rules, whatever the order of sets in a process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from hornbook.theories.go.problems import read_problems, shipped, write_problems


def learned(problems: Path, into: Path, seed: str) -> tuple[str, str]:
    """Return the rules and their proofs from a process with the given hash seed."""
    subprocess.run(
        [sys.executable, "-m", "hornbook", "learn", "go", "--problems", str(problems), "--into", str(into)],
        check=True,
        capture_output=True,
        env={**os.environ, "PYTHONHASHSEED": seed},
    )
    return into.read_text(), into.with_suffix(".proofs.jsonl").read_text()


@pytest.mark.deep
def test_the_same_rules_come_of_the_same_problems(tmp_path):
    known = [p for p in read_problems(shipped("hundred")) if p.id in ("t0133", "t0408")]
    write_problems(known, tmp_path / "two.jsonl")
    first, second = (learned(tmp_path / "two.jsonl", tmp_path / f"by_{seed}.horn", seed) for seed in "12")
    assert first[0].count("take_by_move_is_gi") > 2
    assert first == second
