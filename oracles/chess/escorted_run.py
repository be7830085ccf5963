"""Comparison of the theory `escorted` and its rules with the table."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

import hornbook.theories.chess
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.chess.endings_run import KpkEnding
from oracles.chess.lone_king_run import facts

THEORY = Path(hornbook.theories.chess.__file__).parent / "endings" / "escorted.horn"


@dataclass(slots=True)
class EscortResults:
    """Results for a sample: positions, won positions, those that a rule finds, and errors."""

    positions: int = 0
    won: int = 0
    answered: int = 0
    seconds: float = 0
    """Processor time of matching."""
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield (
            f"asked of the rules: {self.positions} positions, {self.won} won, {self.answered} of them "
            "answered,"
            f" {len(self.wrong)} answers wrong, {1000 * self.seconds / max(self.positions, 1):.1f} ms a match"
        )


def check_rules(theory: Theory, rules: RuleBase, endings: Iterable[KpkEnding]) -> EscortResults:
    """Match rules at positions: `win is IG` with the lone king to move, else `win by … is GI`."""
    base = KnowledgeBase(theory)
    base.add_rules([entry.proved_for(base.theory) for entry in rules if entry.is_certified])
    result = EscortResults()
    for ending in endings:
        plies = ending.plies()
        result.positions += 1
        result.won += plies is not None
        began = time.process_time()
        base.push()
        base.add(facts(ending))
        value = "GI" if ending.friend_first else "IG"
        concluded = any(f.values == (value,) for f in base.facts("win is", "before"))
        base.pop()
        result.seconds += time.process_time() - began
        result.answered += concluded and plies is not None
        if concluded and plies is None:
            result.wrong.append(f"{value} on {ending.board().fen()}")
    return result
