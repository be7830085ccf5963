"""What a move leads to, by the rules of Go written out: for chains of matches, which must not ask the reader.

Suicide is illegal, ko is simple ko; whose turn it is plays no part. Shares nothing with the reader.
"""

from __future__ import annotations

from hornbook.theories.go.states.board import Board, Colour, Player


def step(board: Board, player: Player, point: int) -> Board | None:
    """The board after a move, or None where it is illegal."""
    if board.colours[point] != "empty" or (point == board.ko and player == board.banned):
        return None
    opponent: Player = "white" if player == "black" else "black"
    colours: list[Colour] = list(board.colours)
    colours[point] = player
    taken: set[int] = set()
    for beside in board.neighbours(point):
        if colours[beside] == opponent:
            stones, liberties = block(board, colours, beside)
            if not liberties:
                taken |= stones
    for stone in taken:
        colours[stone] = "empty"
    stones, liberties = block(board, colours, point)
    if not liberties:
        return None
    ko = min(taken) if len(taken) == len(stones) == len(liberties) == 1 else None
    return Board(board.rows, board.columns, tuple(colours), ko)


def block(board: Board, colours: list[Colour] | tuple[Colour, ...], start: int) -> tuple[set[int], set[int]]:
    """The stones of the block on a point, and its liberties."""
    stones, liberties, waiting = {start}, set[int](), [start]
    while waiting:
        for beside in board.neighbours(waiting.pop()):
            if colours[beside] == "empty":
                liberties.add(beside)
            elif colours[beside] == colours[start] and beside not in stones:
                stones.add(beside)
                waiting.append(beside)
    return stones, liberties
