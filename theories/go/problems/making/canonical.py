"""Canonical forms of problems up to rotation, reflection, exchange of colours, and the named stone."""

from __future__ import annotations

from hornbook.theories.go.problems.problem import CaptureProblem


def canonical(problem: CaptureProblem) -> str:
    """Return a text that two problems share if and only if they are equal in this sense."""
    board, size, block = problem.board, problem.size, problem.block.stones
    letters = {problem.attacker: "X", problem.defender: "O", "empty": "."}
    text = ["T" if point in block else letters[board.colours[point]] for point in board.points()]
    rows = [text[row * size : (row + 1) * size] for row in range(size)]
    found = []
    for _ in range(4):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
        found += ["".join(map("".join, rows)), "".join("".join(row[::-1]) for row in rows)]
    return f"{size}:{min(found)}"
