"""Tests that killed learning processes lose no reported result; the long run is benchmarks/fuzz/kills.py."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.fuzz import kills as store_kills
from hornbook.kb.store import Store, StoredRule

pytestmark = pytest.mark.deep

ROOT = Path(__file__).parents[3]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are made by fork")
def test_nothing_that_was_reported_is_lost_by_kills():
    command = [sys.executable, "benchmarks/fuzz/kills.py", "--kills", "2", "--problems", "2"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("2 kills") == 2
    assert done.stdout.count("lost: 0") == 2


def test_what_is_lost_or_damaged_would_be_seen(tmp_path):
    with Store.create(tmp_path / "kb.sqlite") as store:
        store.put_theory("family")
        store.put_rule(StoredRule("kept_1", "kept_1: grandparent(?a, ?c) :- sibling(?a, ?c)."))
    tally = store_kills.KillTally()
    store_kills.looked_at(tmp_path / "kb.sqlite", ["kept_1", "gone_1"], tally)
    assert tally.lost == ["gone_1"]
    assert [each.split(";")[0] for each in tally.damaged] == ["kept_1: the rule has no certificate"]
    lines, ended = store_kills.killed_after(lambda: os.write(1, b"whole\npart"), None)
    assert (lines, ended) == (["whole"], True)
