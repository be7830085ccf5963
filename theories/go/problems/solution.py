"""The solution of a problem: value, depths and first moves, by exhaustive search with either side first.

A capture counts where five moves of the attacker force it. It is claimed only where it is the same when either side
may ignore a ko, so no solution rests on ko threats. "Not captured" is claimed only where six moves do not do it
either, whoever may ignore a ko, and this could be found out within the bound on nodes.
"""

from __future__ import annotations

from collections.abc import Container

from theories.go.board import Board, Player
from theories.go.problems.problem import Problem, in_order
from theories.go.reader import Ko, Reading, TooManyNodes

HORIZON = 5
"""Moves of the attacker within which a capture counts."""
FURTHER = 6
"""Moves of the attacker that must not capture where a block is said to escape."""
MOST_NODES = 3_000_000
"""Positions that are looked at for one answer; what is harder is no problem for anybody."""
ANY_DEPTH: tuple[int | None, ...] = (1, 3, 5, 7, 9, None)
_KO: tuple[Ko, ...] = ("kept", "attacker ignores", "defender ignores")


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
    readings = {ko: Reading(board, target, ko, nodes=MOST_NODES) for ko in _KO}
    moves = readings["kept"].moves_needed(HORIZON)
    plies = None if moves is None else 2 * moves - 1
    if plies not in depths or any(r.moves_needed(HORIZON) != moves for r in readings.values()):
        return None
    # The attacker who ignores bans has the most, so what fails then fails anyway.
    most = readings["attacker ignores"]
    if moves is None or plies is None:
        return None if most.captured_within(FURTHER) else Problem(name, board, target, "PP")
    defender = most.defender
    strict = readings["defender ignores"]
    winning = in_order(strict.winning_moves(HORIZON), board.rows)
    best = in_order(strict.winning_moves(moves), board.rows)
    second = {reading.moves_needed(HORIZON, defender) for reading in readings.values()}
    known = (tuple(winning), tuple(best))
    if len(second) == 1 and (needed_second := next(iter(second))) is not None:
        return Problem(name, board, target, "GG", plies, 2 * needed_second, *known)
    if second == {None} and (saving := _saving_moves(most, defender)) is not None:
        in_rows = tuple(in_order(saving, board.rows))
        return Problem(name, board, target, "GP", plies, None, *known, in_rows)
    return Problem(name, board, target, "GI", plies, None, *known)


def _saving_moves(reading: Reading, defender: Player) -> frozenset[int] | None:
    """The defender's first moves that escape, where it is found out that some defence does."""
    try:
        return None if reading.captured_within(FURTHER, defender) else reading.saving_moves(HORIZON)
    except TooManyNodes:
        return None
