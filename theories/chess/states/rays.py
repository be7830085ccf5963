"""Geometry of the board: lines, steps and hops from each square, computed once.

`RAYS[square][way]` contains the squares from `square` to the edge, in order. Directions without a
square have no entry.
"""

from __future__ import annotations

WAYS: dict[str, tuple[int, int]] = {
    "north": (0, 1),
    "north_east": (1, 1),
    "east": (1, 0),
    "south_east": (1, -1),
    "south": (0, -1),
    "south_west": (-1, -1),
    "west": (-1, 0),
    "north_west": (-1, 1),
}
"""The eight ways along lines, as steps in files and ranks."""
STRAIGHT = ("north", "east", "south", "west")
DIAGONAL = ("north_east", "south_east", "south_west", "north_west")
SLIDES: dict[str, tuple[str, ...]] = {"q": tuple(WAYS), "r": STRAIGHT, "b": DIAGONAL}
_LEGS: dict[str, tuple[int, int]] = {
    "nne": (1, 2), "ene": (2, 1), "ese": (2, -1), "sse": (1, -2),
    "ssw": (-1, -2), "wsw": (-2, -1), "wnw": (-2, 1), "nnw": (-1, 2),
}  # fmt: skip


def _off(place: int, files: int, ranks: int) -> list[int]:
    """Return the square at an offset, as a list of at most one."""
    file, rank = place % 8 + files, place // 8 + ranks
    return [file + 8 * rank] if 0 <= file < 8 and 0 <= rank < 8 else []


def _ray(place: int, files: int, ranks: int) -> tuple[int, ...]:
    beyond = _off(place, files, ranks)
    return (*beyond, *_ray(beyond[0], files, ranks)) if beyond else ()


RAYS: list[dict[str, tuple[int, ...]]] = [
    {way: ray for way, (files, ranks) in WAYS.items() if (ray := _ray(place, files, ranks))}
    for place in range(64)
]
STEPS: list[list[int]] = [[ray[0] for ray in rays.values()] for rays in RAYS]
LEGS: list[dict[str, int | None]] = [
    {leg: next(iter(_off(place, *away)), None) for leg, away in _LEGS.items()} for place in range(64)
]
"""Target by square and knight's direction; None off the board."""
HOPS: list[list[int]] = [[to for to in legs.values() if to is not None] for legs in LEGS]
STRIKES: dict[str, list[list[int]]] = {
    player: [[to for files in (-1, 1) for to in _off(place, files, up)] for place in range(64)]
    for player, up in (("white", 1), ("black", -1))
}
"""Squares that a pawn attacks, by player and square."""
