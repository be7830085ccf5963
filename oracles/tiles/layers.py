"""Positions of sliding tiles by their distance from the end, by breadth-first search with the Python play."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import TilesPosition, goal


def layers(rows: int, columns: int) -> Iterator[list[TilesPosition]]:
    """Yield the solved position, then the positions at distance one, at distance two, and so on."""
    layer, seen = [goal(rows, columns)], {goal(rows, columns)}
    while layer:
        yield layer
        new = {rules.slid(position, tile) for position in layer for tile in rules.movable_tiles(position)}
        new -= seen
        seen |= new
        layer = sorted(new, key=lambda position: position.tiles)
