"""The board as facts: lines, directions, steps of a king, hops of a knight, and the range of each man.

A range has the squares that a man could reach on an empty board.

Each set comes with its cardinality, so that a rule can state a property of all members. Nothing here
depends on a position.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.chess.states.position import NAMES, PLAYERS, RIGHTS, Player, square
from hornbook.theories.chess.states.rays import HOPS, LEGS, RAYS, SLIDES, STEPS, STRIKES, WAYS

UP: dict[Player, int] = {"white": 1, "black": -1}
"""The change of rank by a move of a player's pawn."""


def geometry() -> Iterator[GroundFact]:
    """Yield the facts of the board. Squares are numbered from a1 (0) to h8 (63)."""
    for place in range(64):
        yield from _lines(place)
        yield from _closed("hop", "hops", (NAMES[place],), HOPS[place])
        for leg, to in LEGS[place].items():
            if to is None:
                yield GroundFact("legless", (NAMES[place], leg))
            else:
                yield GroundFact("leg", (NAMES[place], leg, NAMES[to]))
        yield from _closed("step", "steps", (NAMES[place],), STEPS[place])
        for other in range(64):
            files, ranks = abs(place % 8 - other % 8), abs(place // 8 - other // 8)
            yield GroundFact("distance", (NAMES[place], NAMES[other], max(files, ranks)))
    for player, place in product(PLAYERS, range(64)):
        yield from _of_pawns(player, place)
        for kind, found in _ranges(player, place).items():
            yield from _closed("range", "ranges", (player, kind, NAMES[place]), found)


def _closed(member: str, count: str, key: tuple[str, ...], places: list[int]) -> Iterator[GroundFact]:
    """Yield the members of a set and their number."""
    yield GroundFact(count, (*key, len(places)))
    yield from (GroundFact(member, (*key, NAMES[place])) for place in places)


def _lines(place: int) -> Iterator[GroundFact]:
    """Yield the squares on a line with a square, and those in between; the direction of other
    squares is `none`.
    """
    name = NAMES[place]
    unaligned = set(range(64)) - {place}
    for way in WAYS:
        ray = RAYS[place].get(way)
        if ray is None:
            yield GroundFact("border", (name, way))
            continue
        yield GroundFact("next", (name, way, NAMES[ray[0]]))
        yield GroundFact("edge", (name, way, NAMES[ray[-1]]))
        for number, other in enumerate(ray):
            unaligned.discard(other)
            yield GroundFact("line", (name, NAMES[other], way))
            yield from _closed("between", "betweens", (name, NAMES[other]), list(ray[:number]))
    yield from (GroundFact("line", (name, NAMES[other], "none")) for other in sorted(unaligned))


def _of_pawns(player: Player, place: int) -> Iterator[GroundFact]:
    """Yield the captures and moves of a pawn, and the squares that no double step ends on or passes over."""
    rank, up = place // 8, UP[player]
    home, last = (1, 7) if player == "white" else (6, 0)
    name = NAMES[place]
    yield from _closed("strikes", "striking", (player, name), STRIKES[player][place])
    yield GroundFact("last" if rank == last else "not_last", (player, name))
    if rank != last:
        yield GroundFact("advance", (player, name, NAMES[place + 8 * up]))
    if rank == home:
        yield GroundFact("leap", (player, name, NAMES[place + 8 * up], NAMES[place + 16 * up]))
    ahead = range(place + 8 * up, 64, 8) if up > 0 else range(place - 8, -1, -8)
    for moves, to in enumerate(ahead if rank not in (0, 7) else (), 0 if rank == home else 1):
        yield GroundFact("lane", (player, name, NAMES[to], moves))
    yield from _of_corners(player, place)
    if rank != home + 2 * up:
        yield GroundFact("settled", (player, name))
    if rank != home + up:
        yield GroundFact("impassable", (player, name))


def _of_corners(player: Player, place: int) -> Iterator[GroundFact]:
    """Yield corners with an adjacent square that a pawn attacks; a promoted pawn counts as a rook."""
    promoted = place // 8 == (7 if player == "white" else 0)
    struck = [to for way in SLIDES["r"] for to in RAYS[place].get(way, ())]
    found = False
    for corner in (0, 7, 56, 63):
        if promoted and (corner == place or corner in struck):
            continue  # a king there is in check
        adjacent = set(STEPS[corner])
        left = adjacent - set(struck if promoted else STRIKES[player][place])
        if any(to % 8 == corner % 8 or to // 8 == corner // 8 for to in adjacent - left):
            found = True
            yield GroundFact("cramps", (player, NAMES[place], NAMES[corner]))
            yield from (GroundFact("nook", (player, NAMES[place], NAMES[corner], NAMES[to])) for to in left)
    if not found:
        yield GroundFact("roomy", (player, NAMES[place]))


def _ranges(player: Player, place: int) -> dict[str, list[int]]:
    """Return the squares that each kind of man could reach from a square on an empty board."""
    rank, up = place // 8, UP[player]
    home, last = (1, 7) if player == "white" else (6, 0)
    along = {
        kind: [to for way in SLIDES[letter] for to in RAYS[place].get(way, ())]
        for kind, letter in (("queen", "q"), ("rook", "r"), ("bishop", "b"))
    }
    king = list(STEPS[place])
    for right, (start, rook) in RIGHTS.items():
        if right.isupper() == (player == "white") and square(start) == place:
            king.append(place + (2 if square(rook) > place else -2))
    found = {**along, "knight": list(HOPS[place]), "king": king}
    if rank not in (0, 7):
        ahead = [place + 8 * up] if rank != last else []
        far = [place + 16 * up] if rank == home else []
        found["pawn"] = [*ahead, *far, *STRIKES[player][place]]
    return found
