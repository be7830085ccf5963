"""King and pawn against king by files and ranks: boxes of points at which the lone king holds the draw.

Points are those of `lone_king`, boxes those of `escorted`. The boxes are learned from positions that are
drawn with the pawn's side to move. Their union is closed: after each move of the pawn's side, from a point of
a box, the lone king takes the pawn, is stalemated, or has a step to a point of a box. The search knows the
rules of single moves; drawn positions are only its examples. `theories/chess/endings/holding.horn` has the
boxes as clauses, and `lone_king_proofs` proves them.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from hornbook.kb.format.formatter import format_text
from oracles.chess.escorted import FILES, PointBox, grown, moved
from oracles.chess.king_and_pawn import MEN, ON_BOARD, WORDS, differences, fact_of, needed
from oracles.chess.lone_king import ALL, FIRST, STEPS, Mask, flights, numbers, stalemates, takes

MIRRORED = numbers(np.where(FILES[:, None], 9 - ALL, ALL))
"""The index of each point with the files counted from the other side."""


class LoneKingRounds:
    """All points with the moves of the pawn's side and the answers of the lone king."""

    def __init__(self) -> None:
        self.moves = [(can, np.maximum(numbers(after), 0)) for _, can, after in moved(ALL)]
        self.steps = [(can, np.maximum(numbers(after), 0)) for can, after in (flights(ALL, s) for s in STEPS)]
        self.over = takes(ALL) | stalemates(ALL)
        """The points at which the lone king, to move, takes the pawn or is stalemated."""

    def reaches(self, held: Mask) -> Mask:
        """Return the points at which the lone king, to move, has such an answer or a step to a held point."""
        found = self.over.copy()
        for can, after in self.steps:
            found |= can & held[after]
        return found

    def answers_all(self, held: Mask) -> Mask:
        """Return the points at which each move of the pawn's side has an answer of the lone king."""
        reached, found = self.reaches(held), FIRST.copy()
        for can, after in self.moves:
            found &= ~can | reached[after]
        return found

    def never_lost(self) -> Mask:
        """Return the largest closed set of points."""
        held = FIRST.copy()
        while ((smaller := held & self.answers_all(held)) != held).any():
            held = smaller
        return held

    def missing(self, held: Mask, allowed: Mask) -> NDArray[np.int64]:
        """Return, for each allowed point, the number of moves from held points whose answer it would be.

        Moves that have an answer already are not counted.
        """
        reached = self.reaches(held)
        moves = np.zeros(len(held), dtype=np.int64)
        for can, after in self.moves:
            np.add.at(moves, after[held & can & ~reached[after]], 1)
        found = np.zeros(len(held), dtype=np.int64)
        for can, after in self.steps:
            np.add.at(found, after[can & allowed[after]], moves[can & allowed[after]])
        return found


@dataclass(slots=True)
class HoldingLearner:
    """A search for few boxes whose union is closed, chosen by the number of examples that they contain."""

    rounds: LoneKingRounds
    examples: Mask
    """Drawn points with the pawn's side to move."""
    random: np.random.Generator
    tries: int = 60
    boxes: list[PointBox] = field(default_factory=list)
    words: NDArray[np.int8] = field(init=False)
    safe: Mask = field(init=False)
    held: Mask = field(init=False)
    """The union of the boxes."""
    _unsafe: NDArray[np.int8] = field(init=False)

    def __post_init__(self) -> None:
        self.words = differences(ALL).astype(np.int8)
        self.safe = self.rounds.never_lost()
        self.held = np.zeros(len(self.safe), dtype=bool)
        self._unsafe = np.ascontiguousarray(self.words[:, FIRST & ~self.safe])

    def learn(self, least: int) -> None:
        """Learn boxes, complete them to a closed set, and drop those that add less than `least` examples."""
        while self._add_best((self.examples & ~self.held).astype(np.int64), least):
            pass
        while self._add_best(self.rounds.missing(self.held, self.safe), 1):
            pass
        self._drop(least)

    def points(self, box: PointBox) -> Mask:
        """Return the points of a box and of its mirror image."""
        there = FIRST & box.of(self.words)
        return there | there[MIRRORED]

    def _add_best(self, worth: NDArray[np.int64], least: int) -> bool:
        """Add the box with most worth around one of some points, if it is at least `least`."""
        seeds = np.flatnonzero(worth)
        if not len(seeds):
            return False
        tried = []
        for seed in self.random.choice(seeds, self.tries, p=worth[seeds] / worth.sum()):
            order = self.random.permutation(2 * len(WORDS)).tolist()
            box = grown(int(seed), self.words, self._unsafe, order)
            tried.append((int(worth[self.points(box)].sum()), box))
        most, best = max(tried, key=lambda each: each[0])
        if most < least:
            return False
        self.boxes.append(best)
        self.held |= self.points(best)
        return True

    def _drop(self, least: int) -> None:
        """Drop each box without which the others are closed, if it alone contains few examples."""
        points = {box: self.points(box) for box in self.boxes}
        covering = np.sum(list(points.values()), axis=0)
        for box in sorted(self.boxes, key=lambda each: int(points[each].sum())):
            others = covering - points[box]
            held = others > 0
            lost = int((self.examples & self.held & ~held).sum())
            if lost < least and not (held & ~self.rounds.answers_all(held)).any():
                self.boxes.remove(box)
                covering, self.held = others, held


def one_half(random: np.random.Generator) -> Mask:
    """Return a random half of the points, with the mirror image of each."""
    chosen = random.random(ALL.shape[1]) < 1 / 2
    return chosen[np.minimum(np.arange(ALL.shape[1]), MIRRORED)]


_HEADER = """\
% Where a lone king holds the draw against king and pawn, by files and ranks. The clauses are learned from
% positions, and written by `benchmarks/chess/holding.py --learn`. Each bounds files, ranks, and differences.
theory holding.

sort number = int.

fluent pawn(-> number, number).  % its file and its rank; on the eighth rank it has been promoted
fluent escort(-> number, number).  % its king
fluent alone(-> number, number).  % the other king

derived held says "the king alone holds the draw, with the other side to move".

"""


def theory_of(boxes: Iterable[PointBox]) -> str:
    """Return the theory `holding`: a clause for each box, and one for its mirror image if that is another."""
    clauses: list[str] = []
    for number, box in enumerate(boxes, 1):
        for place, each in enumerate(dict.fromkeys((box, box.mirrored()))):
            name = f"held_{number}" + ("_mirrored" if place else "")
            required = needed([*each.conditions(), *ON_BOARD])
            clauses.append(f"{name}:\n  held :- {', '.join((*map(fact_of, MEN), *required))}.\n")
    return format_text(_HEADER + "".join(clauses))
