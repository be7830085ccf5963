"""Tests of the study of explanations: one example explained in two ways, and the counts for each."""

from __future__ import annotations

from benchmarks.chess.explanations import WAYS, LearnedSet, at_once, learn_from, sizes
from hornbook.compiler.rules.admission import RuleBase
from hornbook.inputs.theories import load


def test_both_ways_learn_from_the_same_example() -> None:
    theory = load("chess")
    found = [LearnedSet(name, RuleBase(theory.name), matched=[0.001, 0.003, 0.002]) for name in WAYS]
    learn_from(next(p for p in at_once("learn") if p.motif == "hanging"), theory, found)
    (recorded,), (least,) = (each.learned for each in found)
    assert least <= recorded
    rows = [row.split() for row in sizes(found).splitlines()[1:]]
    assert [(name, largest, match) for name, _, _, _, largest, _, _, _, match in rows] == [
        ("recorded", f"{recorded}", "2,000"),
        ("least", f"{least}", "2,000"),
    ]
