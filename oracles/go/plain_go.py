"""Go played in the plainest way: what a move does to a board, by the rules of the game and nothing else.

The twin that the theory's transitions are held against. It floods blocks anew at every question and knows no
counts, so that it is right at a glance; it shares nothing with the theory, and with the adapter only the board.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.theories.go.states.board import Board, Player

OTHER: dict[Player, Player] = {"black": "white", "white": "black"}


def block(board: Board, colours: list[str], point: int) -> tuple[set[int], set[int]]:
    """The stones joined with the one on a point, and their liberties."""
    stones, liberties, unvisited = {point}, set[int](), [point]
    while unvisited:
        for beside in board.neighbours(unvisited.pop()):
            if colours[beside] == "empty":
                liberties.add(beside)
            elif colours[beside] == colours[point] and beside not in stones:
                stones.add(beside)
                unvisited.append(beside)
    return stones, liberties


def taken_by(board: Board, player: Player, point: int) -> tuple[list[str], set[int]]:
    """The colours after a stone is put on an empty point, legal or not, and the stones that it takes."""
    colours: list[str] = list(board.colours)
    colours[point] = player
    taken: set[int] = set()
    for beside in board.neighbours(point):
        if colours[beside] == OTHER[player]:
            stones, liberties = block(board, colours, beside)
            if not liberties:
                taken |= stones
    for stone in taken:
        colours[stone] = "empty"
    return colours, taken


def play(board: Board, player: Player, point: int) -> Board | None:
    """The board after a move; None where it is illegal: on a stone, by ko, or as suicide."""
    if board.colours[point] != "empty" or (point == board.ko and player == board.banned):
        return None
    colours, taken = taken_by(board, player, point)
    stones, liberties = block(board, colours, point)
    if not liberties:
        return None
    ko = min(taken) if len(taken) == len(stones) == len(liberties) == 1 else None
    return replace(board, colours=tuple(colours), ko=ko, to_play=OTHER[player])


def play_pass(board: Board, player: Player) -> Board:
    """The board after a pass: no ban lasts longer than one move."""
    return replace(board, ko=None, to_play=OTHER[player])


def legal_moves(board: Board) -> set[tuple[Player, int]]:
    """Every player with every point where the rules let the player move."""
    return {
        (player, point)
        for player in OTHER
        for point in board.points()
        if board.colours[point] == "empty" and _is_legal(board, player, point)
    }


def _is_legal(board: Board, player: Player, point: int) -> bool:
    # Beside an empty point a stone has a liberty; to try each of them would take long on a large board.
    if any(board.colours[beside] == "empty" for beside in board.neighbours(point)):
        return True
    return play(board, player, point) is not None
