"""The simplest implementation of Go: the effect of a move on a board, by the rules of the game alone.

The theory's transitions are compared with it. It floods blocks anew for every question and keeps no counts,
so its correctness is easy to see. It shares nothing with the theory, and only the board with the adapter.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.theories.go.states.board import GoBoard, Player

OTHER: dict[Player, Player] = {"black": "white", "white": "black"}


def block(board: GoBoard, colours: list[str], point: int) -> tuple[set[int], set[int]]:
    """Return the stones connected with the one on a point, and their liberties."""
    stones, liberties, unvisited = {point}, set[int](), [point]
    while unvisited:
        for neighbour in board.neighbours(unvisited.pop()):
            if colours[neighbour] == "empty":
                liberties.add(neighbour)
            elif colours[neighbour] == colours[point] and neighbour not in stones:
                stones.add(neighbour)
                unvisited.append(neighbour)
    return stones, liberties


def taken_by(board: GoBoard, player: Player, point: int) -> tuple[list[str], set[int]]:
    """Return the colours after a stone on an empty point, legal or not, and the stones that it takes."""
    colours: list[str] = list(board.colours)
    colours[point] = player
    taken: set[int] = set()
    for neighbour in board.neighbours(point):
        if colours[neighbour] == OTHER[player]:
            stones, liberties = block(board, colours, neighbour)
            if not liberties:
                taken |= stones
    for stone in taken:
        colours[stone] = "empty"
    return colours, taken


def play(board: GoBoard, player: Player, point: int) -> GoBoard | None:
    """Return the board after a move, or None if it is illegal: on a stone, by ko, or as suicide."""
    if board.colours[point] != "empty" or (point == board.ko and player == board.banned):
        return None
    colours, taken = taken_by(board, player, point)
    stones, liberties = block(board, colours, point)
    if not liberties:
        return None
    ko = min(taken) if len(taken) == len(stones) == len(liberties) == 1 else None
    return replace(board, colours=tuple(colours), ko=ko, to_play=OTHER[player])


def play_pass(board: GoBoard, player: Player) -> GoBoard:
    """Return the board after a pass, which ends the ban of ko."""
    return replace(board, ko=None, to_play=OTHER[player])


def legal_moves(board: GoBoard) -> set[tuple[Player, int]]:
    """Return every legal move as player and point."""
    return {
        (player, point)
        for player in OTHER
        for point in board.points()
        if board.colours[point] == "empty" and _is_legal(board, player, point)
    }


def _is_legal(board: GoBoard, player: Player, point: int) -> bool:
    # A stone with an adjacent empty point has a liberty; trying each would be slow on a large board.
    if any(board.colours[neighbour] == "empty" for neighbour in board.neighbours(point)):
        return True
    return play(board, player, point) is not None
