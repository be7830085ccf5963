"""The solution of a problem: value, depths and first moves, by exhaustive search with either side first.

A capture counts where five moves of the attacker force it. It is claimed only where it is the same when either side
may ignore a ko, so no solution rests on ko threats. "Not captured" is claimed only where six moves do not do it
either, whoever may ignore a ko, and this could be found out within the bound on nodes.
"""

from __future__ import annotations

from collections.abc import Container

from hornbook.theories.go.problems.problem import Problem, in_order
from hornbook.theories.go.reader import Reading, TooManyNodes
from hornbook.theories.go.states.board import Board, Player

HORIZON = 5
"""Moves of the attacker within which a capture counts."""
FURTHER = 6
"""Moves of the attacker that must not capture where a block is said to escape."""
MOST_NODES = 1_000_000
"""Positions that are looked at for one problem with one rule for ko; what is harder is left alone."""
ANY_DEPTH: tuple[int | None, ...] = (1, 3, 5, 7, 9, None)


def solved(name: str, board: Board, target: int, depths: Container[int | None] = ANY_DEPTH) -> Problem | None:
    """The problem of capturing the target with its solution, or None where that is too hard or rests on ko, or
    where its depth is none of those.

    The attacker is to play, and nothing is banned at the start, whatever the board says.
    """
    attacker: Player = "black" if board.colours[target] == "white" else "white"
    board = Board(board.rows, board.columns, board.colours, None, attacker)
    try:
        return _solved(name, board, target, depths)
    except TooManyNodes:
        return None


def _solved(name: str, board: Board, target: int, depths: Container[int | None]) -> Problem | None:
    # Who may ignore a ko has more moves, never fewer. So what the attacker forces while the defender ignores it
    # is forced under the rules too, and what an attacker who ignores it cannot force, cannot be forced.
    least = Reading(board, target, "defender ignores", nodes=MOST_NODES)
    most = Reading(board, target, "attacker ignores", nodes=MOST_NODES)
    moves = least.moves_needed(HORIZON)
    plies = None if moves is None else 2 * moves - 1
    if plies not in depths or most.moves_needed(HORIZON) != moves:
        return None
    if moves is None or plies is None:
        return None if most.captured_within(FURTHER) else Problem(name, board, target, "PP")
    winning = tuple(in_order(least.winning_moves(HORIZON), board.rows))
    best = tuple(in_order(least.winning_moves(moves), board.rows))
    defender = least.defender
    second = least.moves_needed(HORIZON, defender)
    if second is not None and most.moves_needed(HORIZON, defender) == second:
        return Problem(name, board, target, "GG", plies, 2 * second, winning, best)
    if second is None and (saving := _saving_moves(most, defender)) is not None:
        in_rows = tuple(in_order(saving, board.rows))
        return Problem(name, board, target, "GP", plies, None, winning, best, in_rows)
    return Problem(name, board, target, "GI", plies, None, winning, best)


def _saving_moves(reading: Reading, defender: Player) -> frozenset[int] | None:
    """The defender's first moves that escape, where it is found out that some defence does."""
    try:
        return None if reading.captured_within(FURTHER, defender) else reading.saving_moves(HORIZON)
    except TooManyNodes:
        return None
