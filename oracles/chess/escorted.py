"""King and pawn against king by files and ranks: boxes of positions that the pawn's side wins.

Points are those of `lone_king`. A *box* bounds coordinates and differences of two coordinates. Boxes are
found one after another. With the lone king to move, each of his moves from a point of the box has an answer
that leads into an earlier box. So boxes with short wins come first, and a box may depend on boxes of any
depth. This module uses no code of Hornbook; `theories/chess/endings/escorted.horn` states the same as rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from oracles.chess.king_and_pawn import WORDS, differences
from oracles.chess.kpk_table import DRAWN, ILLEGAL, kpk_table
from oracles.chess.lone_king import ALL, FIRST, STEPS, Mask, Points, goes, numbers

Move = tuple[str, int, int]
"""A move of the pawn's side: `go` by files and ranks, or `push` by ranks and 0."""
MOVES: list[Move] = [*(("go", a, b) for a, b in STEPS), ("push", 1, 0), ("push", 2, 0)]
FILES = np.array([coordinate in "pxu" for coordinate in "prxyuv"])
"""A mask of the coordinates that are files."""
FEW = 6
"""Number of the largest boxes for which the gain and the proof's cases are computed."""
CASES = 1500
"""The cost of a further box, in cases of a proof; lower costs lead to smaller boxes."""
FREE = 99
"""The value of a missing bound."""


@dataclass(frozen=True, slots=True)
class PointBox:
    """Lower and upper bound of each word, in the order of words; -FREE and FREE mean no bound."""

    least: tuple[int, ...]
    most: tuple[int, ...]

    def mirrored(self) -> PointBox:
        """Return the box with the files counted from the other side."""
        least, most = list(self.least), list(self.most)
        for place, of in enumerate(WORDS.values()):
            if set(of) <= set("pxu"):
                whole = 9 if len(of) == 1 else 0
                low, high = self.least[place], self.most[place]
                least[place] = whole - high if high < FREE else -FREE
                most[place] = whole - low if low > -FREE else FREE
        return PointBox(tuple(least), tuple(most))

    def of(self, words: Points) -> Mask:
        """Return a mask of the points in the box, given the values of the words at the points."""
        inside = np.ones(words.shape[1], dtype=bool)
        for row, low, high in zip(words, self.least, self.most, strict=True):
            if low > -FREE:
                inside &= row >= low
            if high < FREE:
                inside &= row <= high
        return inside

    def conditions(self) -> list[str]:
        """Return the bounds as conditions of rules."""
        found = []
        for of, low, high in zip(WORDS.values(), self.least, self.most, strict=True):
            difference = " - ".join(f"?{name}" for name in of)
            if low == high:
                found.append(f"{difference} = {low}")
                continue
            found += [f"{difference} >= {low}"] if low > -FREE else []
            found += [f"{difference} <= {high}"] if high < FREE else []
        return found


# Moves of each side


def pushed(points: Points, ranks: int) -> tuple[Mask, Points]:
    """Return a mask of the points at which the pawn can move one or two ranks unobstructed, and the points
    after it.
    """
    p, r, x, y, u, v = points
    can = r <= 7 if ranks == 1 else r == 2
    for n in range(1, ranks + 1):
        can = can & ~((x == p) & (y == r + n)) & ~((u == p) & (v == r + n))
    after = points.copy()
    after[1] += ranks
    return can, after


def moved(points: Points) -> Iterator[tuple[Move, Mask, Points]]:
    """Yield each move of the pawn's side with a mask of the points where it is possible, and the points after
    it.
    """
    for move, (can, after) in zip(MOVES, (*goes(points), pushed(points, 1), pushed(points, 2)), strict=True):
        yield move, can & (points[1] <= 7), after


def fled(points: Points, step: tuple[int, int]) -> tuple[Mask, Points]:
    """Return a mask of the points at which the lone king can make a step, and the points after it."""
    after = points.copy()
    after[4] += step[0]
    after[5] += step[1]
    p, r, x, y, u, v = after
    near = np.maximum(abs(u - x), abs(v - y)) <= 1
    return (numbers(after) >= 0) & ~near & ~((abs(u - p) == 1) & (v == r + 1)), after


def guarded(points: Points) -> Mask:
    """Return a mask of the points at which the lone king cannot take the pawn."""
    p, r, x, y, u, v = points
    found: Mask = (np.maximum(abs(u - p), abs(v - r)) >= 2) | (np.maximum(abs(x - p), abs(y - r)) <= 1)
    return found


class EndingPoints:
    """All points with their successors, as masks of all points."""

    def __init__(self) -> None:
        self.words = differences(ALL)
        self.moves = [(can, np.maximum(numbers(after), 0)) for _, can, after in moved(ALL)]
        self.flights = [(can, np.maximum(numbers(after), 0)) for can, after in (fled(ALL, s) for s in STEPS)]
        self.calm = FIRST & guarded(ALL) & np.any([can for can, _ in self.flights], axis=0)
        """The points at which the lone king cannot take the pawn and has a step."""

    def led(self, won: Mask) -> Mask:
        """Return the points where the pawn's side, to move, can move to a won point."""
        found = np.zeros(len(won), dtype=bool)
        for can, after in self.moves:
            found |= can & won[after]
        return found

    def can_answer_all(self, won: Mask) -> Mask:
        """Return the points at which the pawn's side can answer each move of the lone king by a move to a won
        point.
        """
        led = self.led(won)
        found: Mask = self.calm.copy()
        for can, after in self.flights:
            found &= ~can | led[after]
        return found


def plies(*, first: bool) -> NDArray[np.int16]:
    """Return the table's entry for each point, with the given side to move: plies, DRAWN or ILLEGAL."""
    table = kpk_table().white_to_move if first else kpk_table().black_to_move
    p, r, x, y, u, v = (ALL - 1).astype(np.int64)
    found: NDArray[np.int16] = table[8 * r + p, 8 * y + x, 8 * v + u]
    return found


def of_table(*, first: bool) -> tuple[Mask, Mask]:
    """Return the legal points, with the given side to move, and those that the table calls won."""
    found = plies(first=first)
    legal = FIRST & (found != ILLEGAL)
    return legal, legal & (found != DRAWN)


# Finding boxes


def both_ways(won: Mask) -> Mask:
    """Return the won points with a won mirror image, so that a box and its mirror image are won together."""
    return won & won[numbers(np.where(FILES[:, None], 9 - ALL, ALL))]


def grown(seed: int, words: Points, bad: Points, order: Sequence[int]) -> PointBox:
    """Return a box around a point that contains no bad point.

    Bounds are dropped in the given order. Numbers below the number of words denote lower bounds, the others
    denote upper bounds.
    """
    least, most = (words[:, seed].astype(int).tolist() for _ in range(2))
    outside = np.concatenate([bad < np.array(least)[:, None], bad > np.array(most)[:, None]])
    count = outside.sum(0, dtype=np.int8)
    for bound in order:
        place, is_least = bound % len(WORDS), bound < len(WORDS)
        row = bad[place]
        near = row[outside[bound] & (count == 1)]
        count -= outside[bound]
        if is_least:
            least[place] = int(near.max()) + 1 if len(near) else -FREE
            outside[bound] = row < least[place]
        else:
            most[place] = int(near.min()) - 1 if len(near) else FREE
            outside[bound] = row > most[place]
        count += outside[bound]
    return PointBox(tuple(least), tuple(most))


@dataclass(slots=True)
class Finder:
    """A search for boxes, which are chosen by their value on a part of the positions."""

    board: EndingPoints
    won: Mask
    """The points of the boxes found and of the initial set."""
    chosen_by: NDArray[np.bool_]
    """Two rows of points for the choice of boxes: with the lone king to move, and with the pawn's side to
    move.
    """
    random: np.random.Generator
    cases: Callable[[PointBox], int | None]
    """A function that returns the number of cases in a proof of a box, or None if there is no proof."""
    tries: int = 30
    refused: set[PointBox] = field(default_factory=set)
    """Boxes without a proof, with their mirror images."""

    def refuse(self, box: PointBox, won: Mask) -> None:
        """Exclude a box and its mirror image, and replace the set of won points."""
        self.refused |= {box, box.mirrored()}
        self.won = won

    def find(self, least: int) -> Iterator[PointBox]:
        """Yield boxes with their mirror images until the best candidate adds fewer than `least` positions."""
        while True:
            led = self.board.led(self.won)
            safe = self.board.can_answer_all(self.won)
            left = safe & ~self.won & self.chosen_by[0]
            seeds = np.flatnonzero(left)
            if not len(seeds):
                return
            bad = self.board.words[:, ~safe]
            tried = []
            for seed in self.random.choice(seeds, self.tries):
                box = grown(seed, self.board.words, bad, self.random.permutation(2 * len(WORDS)).tolist())
                if box not in self.refused:
                    tried.append((int((left & box.of(self.board.words)).sum()), box))
            if not tried:
                return
            tried.sort(key=lambda each: -each[0])
            best: tuple[float, int, PointBox, Mask] | None = None
            for _, box in tried[:FEW]:
                won = self.won | box.of(self.board.words) | box.mirrored().of(self.board.words)
                then = self.board.led(won)
                gain = int((self.chosen_by & np.stack([won & ~self.won, then & ~led])).sum())
                number = self.cases(box)
                if number is None:
                    self.refused |= {box, box.mirrored()}
                elif best is None or gain / (CASES + number) > best[0]:
                    best = gain / (CASES + number), gain, box, won
            if best is None:
                continue
            _, gain, box, self.won = best
            if gain < least:
                return
            for each in dict.fromkeys((box, box.mirrored())):
                if each not in self.refused:
                    yield each
