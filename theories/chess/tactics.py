"""Play on a board for who proves games of chess: what a move leads to, and which moves are worth trying.

A small search by the plain rules says where a proof may be looked for; nothing of it is believed.
"""

from __future__ import annotations

from collections.abc import Iterator

from kb.terms import Atom, Constant
from kb.theory import GroundFact
from theories.chess import adapter, question
from theories.chess.attacked import in_check
from theories.chess.position import EMPTY, OTHER, Position, square
from theories.chess.rules import Move, legal_moves, play

spoken_of = question.spoken_of
MOST_MOVES = 2
"""Problems of more moves are not learned from."""
_WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}


def facts(state: Position, game: Atom, about: frozenset[str | int] | None = None) -> Iterator[GroundFact]:
    """The primitive facts of a position; a reading is always about all of it."""
    yield from adapter.facts(state)


def wider(state: Position, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """What a reading may be about: there is no more than all."""
    yield about


def after(state: Position, action: GroundFact) -> Position | None:
    """The position after a move, or None where it is illegal."""
    move = question.move_of(action)
    return play(state, move) if move in legal_moves(state) else None


def attempts(state: Position, game: Atom, moves: int) -> Iterator[GroundFact]:
    """The friend's moves that win at once, or give check and win by a second one."""
    for move in legal_moves(state):
        at_once = achieves(state, game, move)
        if at_once or (moves > 1 and _wins_by_check(state, game, move)):
            yield question.action_of(move)


def _wins_by_check(state: Position, game: Atom, move: Move) -> bool:
    """Whether a move gives check, and every reply lets the friend win at once."""
    then, left = play(state, move), question.followed(state, game, question.action_of(move))
    if left is None or not in_check(then):
        return False
    return all(_wins_at_once(then, left, reply) for reply in legal_moves(then))


def _wins_at_once(state: Position, game: Atom, reply: Move) -> bool:
    left = question.followed(state, game, question.action_of(reply))
    then = play(state, reply)
    return left is not None and any(achieves(then, left, move) for move in legal_moves(then))


def replies(state: Position, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """The opponent's legal moves."""
    yield from map(question.action_of, legal_moves(state))


def achieves(state: Position, game: Atom, move: Move) -> bool:
    """Whether a legal move wins the game at once."""
    then = play(state, move)
    answers = list(legal_moves(then))
    if not answers and in_check(then):
        return True
    if game.predicate == "mate":
        return False
    (term,) = game.terms
    assert isinstance(term, Constant)
    target = square(str(term.value))
    avenged = any(answer.to == move.to for answer in answers)
    if game.predicate == "crown":
        return move.start == target and move.promotion in ("q", "r") and bool(answers) and not avenged
    if move.to != target or state.men[target] == EMPTY:
        return False
    return not avenged or _WORTH[state.men[move.start].lower()] < _WORTH[state.men[target].lower()]


def game_of(kind: str, target: str | None, state: Position) -> Atom:
    """The game of a problem: its kind, and the man that it is about."""
    if kind == "mate":
        return Atom("mate", (Constant(OTHER[state.to_move]),))
    assert target is not None
    return Atom("crown" if kind == "promote" else kind, (Constant(target),))
