"""Attacks on squares, for reading positions and for the plain rules, not for the theory."""

from __future__ import annotations

from hornbook.theories.chess.states.position import EMPTY, OTHER, ChessPosition, Player, colour
from hornbook.theories.chess.states.rays import HOPS, RAYS, SLIDES, STEPS, STRIKES


def attacked(men: str, place: int, by: Player) -> bool:
    """Return whether a man of a player attacks a square."""
    own = str.upper if by == "white" else str.lower
    if any(men[start] == own("p") for start in STRIKES[OTHER[by]][place]):
        return True
    if any(men[start] == own("n") for start in HOPS[place]) or any(
        men[start] == own("k") for start in STEPS[place]
    ):
        return True
    for way, ray in RAYS[place].items():
        first = next((men[there] for there in ray if men[there] != EMPTY), EMPTY)
        if first != EMPTY and colour(first) == by and way in SLIDES.get(first.lower(), ()):
            return True
    return False


def in_check(position: ChessPosition, player: Player | None = None) -> bool:
    """Return whether a player, by default the one to move, is in check."""
    player = player or position.to_move
    return attacked(position.men, position.king(player), OTHER[player])
