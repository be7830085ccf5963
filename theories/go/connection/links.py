"""Exhaustive search for connections of two stones, as guidance for proofs and as a judge of rules.

A position is followed move by move with a plain implementation of the rules of Go (`states/step.py`). The
other side may play anywhere, or pass.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from hornbook.theories.go.states.board import PLAYERS, Block, GoBoard, Player
from hornbook.theories.go.states.step import step

Pair = tuple[int, int]
"""Two points with stones of one colour."""


def block_at(board: GoBoard, point: int) -> Block | None:
    """Return the block on a point, or None if it is empty."""
    return next((block for block in board.blocks if point in block.stones), None)


def outcome(board: GoBoard, pair: Pair) -> bool | None:
    """Return True if two stones are one block, False if one of them is gone, None while that is undecided."""
    one, other = (block_at(board, point) for point in pair)
    if one is None or other is None or one.colour != other.colour:
        return False
    return True if one is other else None


def owner(board: GoBoard, pair: Pair) -> Player:
    """Return the owner of the stones."""
    colour = board.colours[pair[0]]
    assert colour != "empty"
    return colour


def opponent(player: Player) -> Player:
    """Return the other player."""
    return PLAYERS[1 - PLAYERS.index(player)]


@lru_cache(maxsize=200_000)
def connecting_moves(board: GoBoard, pair: Pair, moves: int) -> tuple[int, ...]:
    """Return the owner's current moves that connect within `moves` of the owner's moves."""
    if moves < 1:
        return ()
    player = owner(board, pair)
    found = []
    for point in _near_first(board, pair) if moves > 1 else _common(board, pair):
        after = step(board, player, point)
        if after is not None and is_connected(after, pair, moves - 1):
            found.append(point)
    return tuple(found)


@lru_cache(maxsize=200_000)
def is_connected(board: GoBoard, pair: Pair, moves: int) -> bool:
    """Return whether the owner connects within `moves` own moves even if the other side
    plays first, or passes.
    """
    ended = outcome(board, pair)
    if ended is not None:
        return ended
    return bool(connecting_moves(board, pair, moves)) and all(
        connects(after, pair, moves) for _, after in _replies(board, pair)
    )


def connects(board: GoBoard, pair: Pair, moves: int) -> bool:
    """Return whether the owner, to play, connects within `moves` own moves."""
    ended = outcome(board, pair)
    return bool(connecting_moves(board, pair, moves)) if ended is None else ended


def _replies(board: GoBoard, pair: Pair) -> Iterator[tuple[int, GoBoard]]:
    """Yield the other side's legal moves, those near the stones first, each with the board after it."""
    player = opponent(owner(board, pair))
    for point in _near_first(board, pair):
        after = step(board, player, point)
        if after is not None:
            yield point, after


def _common(board: GoBoard, pair: Pair) -> list[int]:
    """Return the common liberties of both; one move there joins them."""
    one, other = (block_at(board, point) for point in pair)
    return [] if one is None or other is None else sorted(one.liberties & other.liberties)


def _near_first(board: GoBoard, pair: Pair) -> list[int]:
    """Return all empty points, the liberties of the two stones first."""
    found = [block for point in pair if (block := block_at(board, point)) is not None]
    near = [sum(point in block.liberties for block in found) for point in board.points()]
    empty = (point for point in board.points() if board.colours[point] == "empty")
    return sorted(empty, key=lambda point: (-near[point], point))
