"""Tests of the report about a run of the theory of captures."""

from __future__ import annotations

from collections import Counter

from benchmarks.go.capture import report
from oracles.go.capture_lessons import THEORY
from oracles.go.capture_run import CaptureTally


def test_what_is_derived_is_reported_by_predicate_and_moment():
    tally = CaptureTally(positions=2, actions=Counter({"pass": 1, "quiet move": 3}))
    tally.derived = Counter({("firm", "before"): 4, ("firm", "after"): 5, ("take is", "after"): 1})
    tally.firings = Counter({rule.name: 1 for rule in THEORY.rules if rule.name != "guards_lose_one"})
    tally.false.append("firm(a1, 2): …")
    lines = report(tally, THEORY.rules).splitlines()
    assert "2 positions, 4 actions (pass 1, quiet move 3)" in lines
    assert "statements derived and held against the board: 10" in lines
    assert "false: 1" in lines
    assert ["firm", "4", "5"] in [line.split() for line in lines]
    assert lines[-1] == "rules that were never the recorded reason of anything: guards_lose_one"
