"""What the theory `lone_king` and rules of it say of positions, held against the table and against the library `chess`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import chess

import hornbook.theories.chess
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.chess.endings_run import Ending

THEORY = Path(hornbook.theories.chess.__file__).parent / "endings" / "lone_king.horn"


def facts(ending: Ending) -> list[GroundFact]:
    """Files and ranks of an ending's men, as the side with the pawn counts them."""
    men = {"pawn": ending.pawn, "escort": ending.king, "alone": ending.other}
    return [GroundFact(man, (square % 8 + 1, square // 8 + 1)) for man, square in men.items()]


def place(point: Sequence[int]) -> tuple[int, int, int]:
    """The squares of the pawn, its king and the king alone, of a point of six coordinates."""
    p, r, x, y, u, v = point
    return 8 * r + p - 9, 8 * y + x - 9, 8 * v + u - 9


@dataclass(slots=True)
class Told:
    """Drawn positions of a sample, and those of which the theory or a rule says so, by who is to move; what was wrong."""

    positions: int = 0
    drawn: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    answered: dict[bool, int] = field(default_factory=lambda: {True: 0, False: 0})
    wrong: list[str] = field(default_factory=list)

    def lines(self) -> Iterator[str]:
        yield f"asked of the theory and the rules: {self.positions} positions, {len(self.wrong)} answers wrong"
        for first, who in ((True, "the pawn's side"), (False, "the king alone")):
            yield f"{who + ' to move':28}{self.drawn[first]:>6} drawn{self.answered[first]:>6} answered"


def asked(theory: Theory, rules: RuleBase, endings: Iterable[Ending]) -> Told:
    """What is said of positions: `held` where the side with the pawn is to move, else `hold is GI`, or by which step."""
    base = KnowledgeBase(theory)
    base.add_rules([entry.proved_for(base.theory) for entry in rules if entry.is_certified])
    told = Told()
    for ending in endings:
        told.positions += 1
        is_drawn = ending.plies() is None
        told.drawn[ending.friend_first] += is_drawn
        base.push()
        base.add(facts(ending))
        if ending.friend_first:
            said = [""] if any(base.facts("held", "before")) else []
        else:
            steps = [f.values for f in base.facts("hold by flee is", "before")]
            said = [str(each) for each in steps]
            said += [str(f.values) for f in base.facts("hold is", "before") if f.values == ("GI",)]
            told.wrong += _not_holding(ending, steps)
        base.pop()
        told.answered[ending.friend_first] += bool(said) and is_drawn
        if said and not is_drawn:
            told.wrong.append(f"{said[0]} on {ending.board().fen()}")
    return told


def _not_holding(ending: Ending, steps: Sequence[tuple[str | int, ...]]) -> Iterator[str]:
    """The steps that are said to hold and do not, or cannot be made."""
    board = ending.board()
    for files, ranks, *_ in steps:
        to = ending.other + int(files) + 8 * int(ranks)
        turned = 56 if ending.black else 0
        move = chess.Move(ending.other ^ turned, to ^ turned)
        if not board.is_legal(move) or ending._replace(other=to, friend_first=True).plies() is not None:
            yield f"{move} on {board.fen()}"
