"""Solutions of problems: value, depths and first moves, by exhaustive search with either side first.

A block is captured if five moves of the attacker force it. A capture is claimed only if it is also forced
when either side may ignore ko, so no solution depends on ko threats. "Not captured" is claimed only if six
moves do not capture either, with either side ignoring ko, and if this was decided within the bound on nodes.
"""

from __future__ import annotations

from collections.abc import Container

from hornbook.theories.go.problems.problem import CaptureProblem, in_order
from hornbook.theories.go.reader import CaptureSearch, TooManyNodes
from hornbook.theories.go.states.board import GoBoard, Player

HORIZON = 5
"""Maximal number of the attacker's moves of a capture."""
FURTHER = 6
"""Number of the attacker's moves that must not capture a block that is claimed to escape."""
MOST_NODES = 1_000_000
"""Maximal number of positions searched for one problem with one ko rule; harder problems are skipped."""
ANY_DEPTH: tuple[int | None, ...] = (1, 3, 5, 7, 9, None)


def solved(
    name: str, board: GoBoard, target: int, depths: Container[int | None] = ANY_DEPTH
) -> CaptureProblem | None:
    """Return the problem of capturing the target with its solution, or None.

    None is returned if the solution is too hard, depends on ko, or has a depth outside `depths`. The attacker
    is to play, and nothing is banned at the start, regardless of the board.
    """
    attacker: Player = "black" if board.colours[target] == "white" else "white"
    board = GoBoard(board.rows, board.columns, board.colours, None, attacker)
    try:
        return _solved(name, board, target, depths)
    except TooManyNodes:
        return None


def _solved(name: str, board: GoBoard, target: int, depths: Container[int | None]) -> CaptureProblem | None:
    # A player who may ignore ko has more moves, never fewer. A capture forced while the defender ignores ko
    # is therefore forced under the rules too. A capture that the attacker cannot force while ignoring ko
    # cannot be forced at all.
    least = CaptureSearch(board, target, "defender ignores", nodes=MOST_NODES)
    most = CaptureSearch(board, target, "attacker ignores", nodes=MOST_NODES)
    moves = least.moves_needed(HORIZON)
    plies = None if moves is None else 2 * moves - 1
    if plies not in depths or most.moves_needed(HORIZON) != moves:
        return None
    if moves is None or plies is None:
        return None if most.captured_within(FURTHER) else CaptureProblem(name, board, target, "PP")
    winning = tuple(in_order(least.winning_moves(HORIZON), board.rows))
    best = tuple(in_order(least.winning_moves(moves), board.rows))
    defender = least.defender
    second = least.moves_needed(HORIZON, defender)
    if second is not None and most.moves_needed(HORIZON, defender) == second:
        return CaptureProblem(name, board, target, "GG", plies, 2 * second, winning, best)
    if second is None and (saving := _saving_moves(most, defender)) is not None:
        in_rows = tuple(in_order(saving, board.rows))
        return CaptureProblem(name, board, target, "GP", plies, None, winning, best, in_rows)
    return CaptureProblem(name, board, target, "GI", plies, None, winning, best)


def _saving_moves(reading: CaptureSearch, defender: Player) -> frozenset[int] | None:
    """Return the defender's first moves that escape, or None if it is undecided whether some defence does."""
    try:
        return None if reading.captured_within(FURTHER, defender) else reading.saving_moves(HORIZON)
    except TooManyNodes:
        return None
