"""Positions of Go from random play, each with GNU Go's answers about it.

The moves are chosen among those that GNU Go considers legal, and GNU Go alone plays them. The record of the
game is an SGF text, from which users must read the position.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from oracles.go.gnugo_client import GnuGo

COLOURS = ("black", "white")
_SGF_LETTERS = "abcdefghijklmnopqrstuvwxyz"
_GTP_LETTERS = "abcdefghjklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """A record of a game, and GNU Go's answers about its final position."""

    size: int
    sgf: str
    to_play: str
    stones: dict[str, set[str]]
    legal: dict[str, set[str]]


def positions(engine: GnuGo, seed: int, count: int) -> Iterator[RecordedPosition]:
    """Yield `count` positions from random games on 5×5 to 9×9.

    GNU Go is at each position while it is yielded.
    """
    generator = random.Random(seed)
    found = 0
    while found < count:
        size = generator.randint(5, 9)
        for position in _game(engine, generator, size):
            if found == count:
                return
            found += 1
            yield position


def _game(engine: GnuGo, generator: random.Random, size: int) -> Iterator[RecordedPosition]:
    """Yield some positions of one random game, and every likely ko.

    Not all positions are yielded, since neighbours in a game are nearly equal.
    """
    engine.clear(size)
    moves: list[str] = []
    player, other = COLOURS
    for _ in range(3 * size * size):
        legal = engine.legal(player)
        if not legal:
            return
        point = generator.choice(_tempting(engine, other, legal, generator) or sorted(legal))
        engine.play(player, point)
        moves.append(f";{player[0].upper()}[{_sgf_point(point, size)}]")
        likely_ko = {point} in engine.blocks(player) and len(engine.liberties(point)) == 1
        player, other = other, player
        if likely_ko or generator.random() < 1 / 4:
            yield RecordedPosition(
                size=size,
                sgf=f"(;GM[1]FF[4]SZ[{size}]{''.join(moves)})",
                to_play=player,
                stones={colour: engine.stones(colour) for colour in COLOURS},
                legal={colour: engine.legal(colour) for colour in COLOURS},
            )


def _tempting(engine: GnuGo, opponent: str, legal: set[str], generator: random.Random) -> list[str]:
    """Return, in some calls, the moves that capture few stones; without these, games rarely contain a ko."""
    if generator.random() < 0.5:
        return []
    small = [block for block in engine.blocks(opponent) if len(block) <= 2]
    liberties = [engine.liberties(min(block)) for block in small]
    return sorted(point for points in liberties if len(points) == 1 for point in points & legal)


def _sgf_point(point: str, size: int) -> str:
    return _SGF_LETTERS[_GTP_LETTERS.index(point[0])] + _SGF_LETTERS[size - int(point[1:])]
