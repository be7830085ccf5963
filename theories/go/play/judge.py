"""Judge of conclusions about blocks by the exhaustive reader, which shares no code with the theory.

Captures are judged to the depth of the rule's own proof, and outlasting to the counted moves. Safety has no
depth; it is tested against all play of a few moves and sampled play of many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from random import Random
from typing import Literal

from hornbook.kb.ast.terms import SECOND_PLAYER_WIN, Atom, Constant, GameStatement
from hornbook.kb.format.printer import print_condition
from hornbook.theories.go.play.question import OUTLASTED
from hornbook.theories.go.reader import (
    IllegalGoMoveError,
    TooManyNodes,
    captured_within,
    legal_moves,
    opponent,
    play,
)
from hornbook.theories.go.states.board import GoBoard, Player

MOST_NODES = 5_000_000
ATTACK = 5
"""Number of the attacker's moves that are searched exhaustively against a block that is concluded to be safe.
"""
PLIES = 20
"""Number of further moves that are played at random, while the owner plays by the rules."""
Asking = Callable[[GoBoard, Atom], Iterable[GameStatement]]
Saving = Callable[[GoBoard, int], "int | Literal['nothing'] | None"]
"""Function that returns a saving move, None for a pass, or a word if nothing saves the block."""


def captures(board: GoBoard, conclusion: GameStatement, moves: int) -> bool | None:
    """Return whether a conclusion is true within `moves` moves of the attacker, or None if that is
    too hard to decide.
    """
    target = _point(board, conclusion.game.terms[0])
    defender = board.colours[target]
    assert defender != "empty"
    try:
        if conclusion.value == SECOND_PLAYER_WIN:
            return captured_within(board, target, moves, first=defender, nodes=MOST_NODES)
        if conclusion.by is None:
            return captured_within(board, target, moves, nodes=MOST_NODES)
        after = play(board, opponent(defender), _point(board, conclusion.by.terms[-1]))
        if after.colours[target] == "empty":
            return True
        return moves > 1 and captured_within(after, target, moves - 1, first=defender, nodes=MOST_NODES)
    except IllegalGoMoveError:
        return False
    except TooManyNodes:
        return None


def is_safe(board: GoBoard, conclusion: GameStatement, asking: Asking) -> bool | None:
    """Return whether a block that a rule saves survives all play of a few moves and sampled play of many."""
    target = _point(board, conclusion.game.terms[0])
    owner = board.colours[target]
    assert owner != "empty"
    after = board
    try:
        if conclusion.by is not None:
            passes = conclusion.by.predicate == "pass"
            after = play(board, owner, None if passes else _point(board, conclusion.by.terms[-1]))
        if captured_within(after, target, ATTACK, nodes=MOST_NODES):
            return False
    except IllegalGoMoveError:
        return False
    except TooManyNodes:
        return None

    def saving(state: GoBoard, block: int) -> int | Literal["nothing"] | None:
        return _saving_move(state, block, asking)

    return outlasts(after, target, saving, Random(print_condition(conclusion)))  # noqa: S311 - play is no secret


def stays(board: GoBoard, conclusion: GameStatement) -> bool | None:
    """Return whether a block stays on the board for the counted moves of the attacker, or None if that is too
    hard to decide.
    """
    target = _point(board, conclusion.game.terms[0])
    owner = board.colours[target]
    assert owner != "empty"
    first: Player = opponent(owner)
    after = board
    try:
        if conclusion.by is not None:
            passes = conclusion.by.predicate == "pass"
            after = play(board, owner, None if passes else _point(board, conclusion.by.terms[-1]))
        elif conclusion.value != SECOND_PLAYER_WIN:
            first = owner
        return not captured_within(after, target, OUTLASTED, first=first, nodes=MOST_NODES)
    except IllegalGoMoveError:
        return False
    except TooManyNodes:
        return None


def _saving_move(board: GoBoard, target: int, asking: Asking) -> int | Literal["nothing"] | None:
    """Return the rules' move to save a block."""
    game = Atom("save", (Constant(board.name(target)),))
    conclusions = {s for s in asking(board, game) if s.game.terms == game.terms}
    moves = sorted((s.by for s in conclusions if s.by is not None), key=str)
    # A block saved with the attacker playing first allows the owner to pass.
    if any(by.predicate == "pass" for by in moves) or any(s.value == SECOND_PLAYER_WIN for s in conclusions):
        return None
    return _point(board, moves[0].terms[-1]) if moves else "nothing"


def outlasts(board: GoBoard, target: int, saving: Saving, random: Random) -> bool:
    """Return whether a block survives long play with random moves of the attacker and saving
    moves of the owner.
    """
    owner = board.colours[target]
    assert owner != "empty"
    for _ in range(PLIES):
        points = [*legal_moves(board, opponent(owner))]
        board = play(board, opponent(owner), random.choice(points) if points else None)
        if board.colours[target] != owner:
            return False
        move = saving(board, target)
        if move == "nothing":
            return False
        board = play(board, owner, move)
    return True


def _point(board: GoBoard, term: object) -> int:
    assert isinstance(term, Constant)
    return board.point(str(term.value))
