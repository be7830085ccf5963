"""Comparison of the theory `lone_king` and its rules with the table and the library `chess`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess

import hornbook.theories.chess
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.chess.endings_run import KpkEnding

THEORY = Path(hornbook.theories.chess.__file__).parent / "endings" / "lone_king.horn"
HOLDING = THEORY.with_name("holding.horn")
"""The learned clauses of `held`, a part of the theory."""


def facts(ending: KpkEnding) -> list[GroundFact]:
    """Return the files and ranks of an ending's men, counted from the pawn's side."""
    men = {"pawn": ending.pawn, "escort": ending.king, "alone": ending.other}
    return [GroundFact(man, (square % 8 + 1, square // 8 + 1)) for man, square in men.items()]


def place(point: Sequence[int]) -> tuple[int, int, int]:
    """Return the squares of the pawn, its king and the lone king at a point of six coordinates."""
    p, r, x, y, u, v = point
    return 8 * r + p - 9, 8 * y + x - 9, 8 * v + u - 9


@dataclass(slots=True)
class DrawResults:
    """Results for a sample: drawn positions, those that the theory or a rule finds, by side to move.

    And errors.
    """

    positions: int = 0
    drawn: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    answered: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield (
            f"asked of the theory and the rules: {self.positions} positions, {len(self.wrong)} answers wrong"
        )
        for first, who in ((True, "the pawn's side"), (False, "the king alone")):
            yield f"{who + ' to move':28}{self.drawn[first]:>6} drawn{self.answered[first]:>6} answered"


def check_rules(theory: Theory, rules: RuleBase, endings: Iterable[KpkEnding]) -> DrawResults:
    """Match positions: `held` with the side of the pawn to move, else `hold is GI`, or `hold by` a step."""
    base = KnowledgeBase(theory)
    base.add_rules([entry.proved_for(base.theory) for entry in rules if entry.is_certified])
    result = DrawResults()
    for ending in endings:
        result.positions += 1
        is_drawn = ending.plies() is None
        result.drawn[ending.friend_first] += is_drawn
        base.push()
        base.add(facts(ending))
        if ending.friend_first:
            conclusions = [""] if any(base.facts("held", "before")) else []
        else:
            steps = [f.values for f in base.facts("hold by flee is", "before")]
            conclusions = [str(each) for each in steps]
            conclusions += [str(f.values) for f in base.facts("hold is", "before") if f.values == ("GI",)]
            result.wrong += _failing_steps(ending, steps)
        base.pop()
        result.answered[ending.friend_first] += bool(conclusions) and is_drawn
        if conclusions and not is_drawn:
            result.wrong.append(f"{conclusions[0]} on {ending.board().fen()}")
    return result


def _failing_steps(ending: KpkEnding, steps: Sequence[tuple[str | int, ...]]) -> Iterator[str]:
    """Yield the stated steps that do not hold or are impossible."""
    board = ending.board()
    for files, ranks, *_ in steps:
        to = ending.other + int(files) + 8 * int(ranks)
        turned = 56 if ending.black else 0
        move = chess.Move(ending.other ^ turned, to ^ turned)
        if not board.is_legal(move) or ending._replace(other=to, friend_first=True).plies() is not None:
            yield f"{move} on {board.fen()}"
