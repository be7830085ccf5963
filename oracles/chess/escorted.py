"""King and pawn against king by files and ranks: where the pawn's side wins, and boxes that say so.

Points are those of `lone_king`. A *box* bounds coordinates, and by how much one of them exceeds another. Boxes are found one after the
other: each is of points from which whatever the king alone plays, it to move, there is an answer that leads into an
earlier box. So what is won in few moves comes first, and a box may rest on boxes of any depth. Nothing here is
Hornbook's; `theories/chess/endings/escorted.horn` says the same in rules.
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
"""Which coordinates are files."""
FEW = 6
"""Of how many of the boxes that hold most it is seen what they add, and what proofs of them take."""
CASES = 1500
"""As much of a box as is worth this many cases of a proof is paid for by its being one more; with fewer, boxes are smaller."""
FREE = 99
"""As a bound: none."""


@dataclass(frozen=True, slots=True)
class Box:
    """The least and the most of each word, in their order; -FREE and FREE where there is no bound."""

    least: tuple[int, ...]
    most: tuple[int, ...]

    def mirrored(self) -> Box:
        """The box with the files counted from the other side."""
        least, most = list(self.least), list(self.most)
        for place, of in enumerate(WORDS.values()):
            if set(of) <= set("pxu"):
                whole = 9 if len(of) == 1 else 0
                low, high = self.least[place], self.most[place]
                least[place] = whole - high if high < FREE else -FREE
                most[place] = whole - low if low > -FREE else FREE
        return Box(tuple(least), tuple(most))

    def of(self, words: Points) -> Mask:
        """Which points are in it, by what the words say of them."""
        inside = np.ones(words.shape[1], dtype=bool)
        for row, low, high in zip(words, self.least, self.most, strict=True):
            if low > -FREE:
                inside &= row >= low
            if high < FREE:
                inside &= row <= high
        return inside

    def conditions(self) -> list[str]:
        """What it asks for, as conditions of rules."""
        found = []
        for of, low, high in zip(WORDS.values(), self.least, self.most, strict=True):
            said = " - ".join(f"?{name}" for name in of)
            if low == high:
                found.append(f"{said} = {low}")
                continue
            found += [f"{said} >= {low}"] if low > -FREE else []
            found += [f"{said} <= {high}"] if high < FREE else []
        return found


# What each side can play


def pushed(points: Points, ranks: int) -> tuple[Mask, Points]:
    """The pawn's move by one or two ranks: where nothing stands in its way, and the points after it."""
    p, r, x, y, u, v = points
    can = r <= 7 if ranks == 1 else r == 2
    for n in range(1, ranks + 1):
        can = can & ~((x == p) & (y == r + n)) & ~((u == p) & (v == r + n))
    after = points.copy()
    after[1] += ranks
    return can, after


def moved(points: Points) -> Iterator[tuple[Move, Mask, Points]]:
    """Each move of the pawn's side: where it can be made, and the points after it."""
    for move, (can, after) in zip(MOVES, (*goes(points), pushed(points, 1), pushed(points, 2)), strict=True):
        yield move, can & (points[1] <= 7), after


def fled(points: Points, step: tuple[int, int]) -> tuple[Mask, Points]:
    """A step of the king alone: where it is not barred, and the points after it."""
    after = points.copy()
    after[4] += step[0]
    after[5] += step[1]
    p, r, x, y, u, v = after
    near = np.maximum(abs(u - x), abs(v - y)) <= 1
    return (numbers(after) >= 0) & ~near & ~((abs(u - p) == 1) & (v == r + 1)), after


def guarded(points: Points) -> Mask:
    """Where the king alone cannot take the pawn."""
    p, r, x, y, u, v = points
    found: Mask = (np.maximum(abs(u - p), abs(v - r)) >= 2) | (np.maximum(abs(x - p), abs(y - r)) <= 1)
    return found


class Board:
    """All points with what leads where, as masks of all points."""

    def __init__(self) -> None:
        self.words = differences(ALL)
        self.moves = [(can, np.maximum(numbers(after), 0)) for _, can, after in moved(ALL)]
        self.flights = [(can, np.maximum(numbers(after), 0)) for can, after in (fled(ALL, s) for s in STEPS)]
        self.calm = FIRST & guarded(ALL) & np.any([can for can, _ in self.flights], axis=0)
        """Where the king alone can neither take the pawn nor is without a step."""

    def led(self, won: Mask) -> Mask:
        """Where the pawn's side, to move, has a move to what is won."""
        found = np.zeros(len(won), dtype=bool)
        for can, after in self.moves:
            found |= can & won[after]
        return found

    def kept(self, won: Mask) -> Mask:
        """Where the king alone, to move, has only moves after which the pawn's side has a move to what is won."""
        led = self.led(won)
        found: Mask = self.calm.copy()
        for can, after in self.flights:
            found &= ~can | led[after]
        return found


def plies(*, first: bool) -> NDArray[np.int16]:
    """What the table has of each point, with the pawn's side to move first or the other: plies, DRAWN or ILLEGAL."""
    table = kpk_table().white_to_move if first else kpk_table().black_to_move
    p, r, x, y, u, v = (ALL - 1).astype(np.int64)
    found: NDArray[np.int16] = table[8 * r + p, 8 * y + x, 8 * v + u]
    return found


def of_table(*, first: bool) -> tuple[Mask, Mask]:
    """The points that are positions, with the pawn's side to move first or the other, and which of them the table calls won."""
    found = plies(first=first)
    legal = FIRST & (found != ILLEGAL)
    return legal, legal & (found != DRAWN)


# Finding boxes


def both_ways(won: Mask) -> Mask:
    """The points that are won and whose mirror images are, so that with a box its mirror image is won too."""
    return won & won[numbers(np.where(FILES[:, None], 9 - ALL, ALL))]


def grown(seed: int, words: Points, bad: Points, order: Sequence[int]) -> Box:
    """A box about a point, bounds let go in an order (first the least of each word, then the most), that no bad point is in."""
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
    return Box(tuple(least), tuple(most))


@dataclass(slots=True)
class Finder:
    """Boxes, found one after the other; what is chosen is judged by a part of the positions."""

    board: Board
    won: Mask
    """What the boxes so far hold, with what they begin from."""
    chosen_by: NDArray[np.bool_]
    """Two rows: the positions with the king alone, and with the pawn's side to move, by which boxes are chosen."""
    random: np.random.Generator
    cases: Callable[[Box], int | None]
    """How many cases a proof of a box tells apart; None where there is none."""
    tries: int = 30
    refused: set[Box] = field(default_factory=set)
    """Boxes of which no proof was found, with their mirror images."""

    def refuse(self, box: Box, won: Mask) -> None:
        """Leaves a box out, with its mirror image; what is won is said anew."""
        self.refused |= {box, box.mirrored()}
        self.won = won

    def find(self, least: int) -> Iterator[Box]:
        """Boxes with their mirror images, until the best of some tries adds fewer positions than the least."""
        while True:
            led = self.board.led(self.won)
            kept = self.board.kept(self.won)
            left = kept & ~self.won & self.chosen_by[0]
            seeds = np.flatnonzero(left)
            if not len(seeds):
                return
            bad = self.board.words[:, ~kept]
            tried = []
            for seed in self.random.choice(seeds, self.tries):
                box = grown(seed, self.board.words, bad, self.random.permutation(2 * len(WORDS)).tolist())
                if box not in self.refused:
                    tried.append((int((left & box.of(self.board.words)).sum()), box))
            if not tried:
                return
            tried.sort(key=lambda each: -each[0])
            best: tuple[float, int, Box, Mask] | None = None
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
