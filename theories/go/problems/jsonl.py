"""Problems as JSON, one object per line.

Points are the letters of SGF, the column and then the row from the top. A line needs `id`, `size`, `black`,
`white`, `to_play` (the attacker) and `target`. The solution (`value`, `depth`, `depth_defender_first`,
`winning_moves`, `best_moves`, `saving_moves`) may be missing if it is unknown. Derived keys (`rows`,
`target_block`, `target_colour`, `liberties`) are written, but not read. Other keys are ignored.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from hornbook.theories.go.problems.problem import (
    LARGEST_SIZE,
    VALUES,
    CaptureProblem,
    Value,
    in_order,
    letters,
    point_of,
)
from hornbook.theories.go.states.board import PLAYERS, BoardError, Colour, GoBoard, Player
from hornbook.theories.protocols.json_lines import JsonLine, by_id

_CHARACTERS: dict[Colour, str] = {"black": "X", "white": "O", "empty": "."}


def parse_problems(text: str, file: str = "<problems>") -> list[CaptureProblem]:
    """Return the problems of a text. Raise TheoryError (HB005) at the position of an error."""
    return list(by_id(text, file, _problem).values())


def _problem(line: JsonLine) -> CaptureProblem:
    name = str(line.get("id", str, needed=True))
    size = int(line.get("size", int, needed=True))
    if not 2 <= size <= LARGEST_SIZE:
        line.fail("size", f"a board has 2 to {LARGEST_SIZE} points to a side")
    colours: list[Colour] = ["empty"] * (size * size)
    for player in PLAYERS:
        for point in _points(line, player, size, needed=True) or ():
            if colours[point] != "empty":
                line.fail(player, f"a stone is at {letters(point, size)} already")
            colours[point] = player
    to_play = line.get("to_play", str, needed=True)
    if to_play not in PLAYERS:
        line.fail("to_play", f"`{to_play}` is not a player", "they are black and white")
    target = _point(line, "target", line.get("target", str, needed=True), size)
    value = line.get("value", str)
    if value not in (*VALUES, None):
        line.fail("value", f"`{value}` is not a value", f"they are {', '.join(VALUES)}")
    try:
        board = GoBoard(size, size, tuple(colours), None, to_play)
    except BoardError as problem:
        line.fail(None, str(problem))
    return _solved(
        line, CaptureProblem(name, board, target) if colours[target] == _other(to_play) else None, value
    )


def _solved(line: JsonLine, problem: CaptureProblem | None, value: Value | None) -> CaptureProblem:
    """Return the problem with the solution of the line."""
    if problem is None:
        line.fail("target", "the target is no stone of the player who is not to play")
    size = problem.size
    try:
        return CaptureProblem(
            problem.id,
            problem.board,
            problem.target,
            value,
            line.get("depth", int),
            line.get("depth_defender_first", int),
            tuple(_points(line, "winning_moves", size) or ()),
            tuple(_points(line, "best_moves", size) or ()),
            _points(line, "saving_moves", size),
        )
    except BoardError as wrong:
        line.fail("value", str(wrong))


def _other(player: Player) -> Player:
    return "black" if player == "white" else "white"


def _points(line: JsonLine, key: str, size: int, *, needed: bool = False) -> tuple[int, ...] | None:
    names = line.get(key, list, needed=needed)
    return None if names is None else tuple(_point(line, key, name, size) for name in names)


def _point(line: JsonLine, key: str, name: object, size: int) -> int:
    if not isinstance(name, str):
        line.fail(key, f"points of `{key}` are texts such as `cd`")
    try:
        return point_of(name, size)
    except BoardError as problem:
        line.fail(key, str(problem))


def as_json(problem: CaptureProblem) -> dict[str, Any]:
    """Return the JSON object of a problem."""
    board, size = problem.board, problem.size
    names = [letters(point, size) for point in board.points()]

    def listed(points: Iterable[int]) -> list[str]:
        return [names[point] for point in in_order(frozenset(points), size)]

    block = problem.block
    rows = [board.colours[row * size : (row + 1) * size] for row in reversed(range(size))]
    return {
        "id": problem.id,
        "size": size,
        **{
            player: listed(point for point in board.points() if board.colours[point] == player)
            for player in PLAYERS
        },
        "to_play": problem.attacker,
        "target": names[problem.target],
        "target_block": listed(block.stones),
        "target_colour": block.colour,
        "liberties": listed(block.liberties),
        "value": problem.value,
        "depth": problem.depth,
        "depth_defender_first": problem.depth_defender_first,
        "winning_moves": listed(problem.winning_moves),
        "best_moves": listed(problem.best_moves),
        "saving_moves": None if problem.saving_moves is None else listed(problem.saving_moves),
        "rows": ["".join(_CHARACTERS[colour] for colour in row) for row in rows],
    }


def print_problems(problems: Iterable[CaptureProblem]) -> str:
    """Return the problems as text, one per line."""
    return "".join(json.dumps(as_json(problem)) + "\n" for problem in problems)
