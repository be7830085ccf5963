"""Variations of a problem: one to three stones near its target added, removed, or moved."""

from __future__ import annotations

from random import Random

from hornbook.theories.go.problems.making.games import distance
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.board import BoardError, Colour, GoBoard

NEAR = 3
"""Maximal distance of changed stones from the target's block."""


def variation(problem: CaptureProblem, random: Random) -> GoBoard | None:
    """Return a changed board with the target still on it, or None if the changes leave a block
    without a liberty.
    """
    board = problem.board
    block = problem.block.stones
    near = [
        point
        for point in board.points()
        if point != problem.target and min(distance(board, point, stone) for stone in block) <= NEAR
    ]
    colours = list(board.colours)
    for _ in range(random.randint(1, 3)):
        _change(colours, near, random)
    try:
        return GoBoard(board.rows, board.columns, tuple(colours))
    except BoardError:
        return None


def _change(colours: list[Colour], near: list[int], random: Random) -> None:
    stones = [point for point in near if colours[point] != "empty"]
    free = [point for point in near if colours[point] == "empty"]
    kind = random.choice(("add", "take", "move"))
    colour: Colour = random.choice(("black", "white"))
    if kind != "add" and stones:
        stone = random.choice(stones)
        colour, colours[stone] = colours[stone], "empty"
    if kind != "take" and free:
        colours[random.choice(free)] = colour
