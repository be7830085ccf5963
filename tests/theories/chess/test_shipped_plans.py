"""The plans that ship have certificates, and say who reaches what in how many moves."""

from __future__ import annotations

from pathlib import Path

import hornbook.theories.chess
from hornbook.compiler.rules import rulebase
from hornbook.kb.load.loader import load
from hornbook.theories.chess.domain import DOMAIN

FOLDER = Path(hornbook.theories.chess.__file__).parent / "plans"


def test_every_plan_follows_from_the_theory():
    theory = load(DOMAIN.planning().goals)
    base = rulebase.read(FOLDER / "pawns.horn", theory)
    assert all(entry.is_certified for entry in base)
    said = [(entry.rule.head.game.predicate, entry.rule.head.moves) for entry in base]
    assert said == [*(("crown", moves) for moves in (1, 2, 3, 4, 5, 5)), ("take", 1), ("take", 1)]
