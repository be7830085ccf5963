"""Guidance for proofs of games of chess: the results of moves, and the moves worth trying.

A small search by the plain rules proposes where to look for a proof; its results are not trusted.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.chess import adapter
from hornbook.theories.chess.play import crowning, question
from hornbook.theories.chess.states.attacked import in_check
from hornbook.theories.chess.states.position import EMPTY, OTHER, ChessPosition, square
from hornbook.theories.chess.states.rules import ChessMove, legal_moves, play

focus_predicate = question.focus_predicate
followed = question.followed
MOST_MOVES = {"mate": 1, "take": 2, "crown": 6}
"""Maximal number of moves of problems to learn from. For mate the theory does not define the replies."""
_WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9, "k": 100}


def facts(
    state: ChessPosition, game: Atom, about: frozenset[str | int] | None = None
) -> Iterator[GroundFact]:
    """Yield the primitive facts of a position. The focus set of a body is always the whole position."""
    yield from adapter.facts(state)


def wider(state: ChessPosition, game: Atom, about: frozenset[str | int]) -> Iterator[frozenset[str | int]]:
    """Yield the given focus set; there is no larger one."""
    yield about


def after(state: ChessPosition, action: GroundFact) -> ChessPosition | None:
    """Return the position after a move, or None if it is illegal."""
    move = question.move_of(action)
    return play(state, move) if move in legal_moves(state) else None


def attempts(state: ChessPosition, game: Atom, moves: int) -> Iterator[GroundFact]:
    """Yield the friend's moves that win at once, or that give check and win by the second move.

    With king and pawn against king, yields the moves that promote the pawn with few steps of its king.
    """
    if game.predicate == "crown" and moves > 1:
        yield from _crowning(state)
        return
    deep = 1 < moves <= MOST_MOVES[game.predicate]
    for move in legal_moves(state):
        if _wins_by_check(state, game, move) if deep else achieves(state, game, move):
            yield question.action_of(move)


def _crowning(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield the moves that promote the pawn with the fewest steps of its king."""
    if sorted(state.men.replace(EMPTY, "").lower()) != ["k", "k", "p"]:
        return
    white = "P" in state.men
    turned = 0 if white else 56  # Black's pawn is viewed from Black's side
    pawn = state.men.index("P" if white else "p") ^ turned
    king, other = (
        state.king(side) ^ turned for side in (("white", "black") if white else ("black", "white"))
    )
    for steps in range(crowning.MOST_STEPS + 1):
        found = crowning.winning_moves(pawn, king, other, steps)
        for start, to in found:
            move = ChessMove(start ^ turned, to ^ turned, "")
            if to < crowning.LAST:
                yield question.action_of(move)
        if found:
            return


def _wins_by_check(state: ChessPosition, game: Atom, move: ChessMove) -> bool:
    """Return whether a move gives check that only the king can answer, and then the same man wins at once
    after every answer.

    If other men can answer, or another man captures, the theory has no proof for all replies at once. Trying
    it would fail, or give a rule for one position only.
    """
    then, left = play(state, move), question.followed(state, game, question.action_of(move))
    if left is None or not in_check(then):
        return False
    replies, king = list(legal_moves(then)), then.king(then.to_move)
    return all(reply.start == king and _wins_at_once(then, left, reply, move.to) for reply in replies)


def _wins_at_once(state: ChessPosition, game: Atom, reply: ChessMove, man: int) -> bool:
    """Return whether a man wins at once after a reply."""
    left = question.followed(state, game, question.action_of(reply))
    then = play(state, reply)
    return left is not None and any(
        achieves(then, left, move) for move in legal_moves(then) if move.start == man
    )


def replies(state: ChessPosition, game: Atom, about: frozenset[str | int]) -> Iterator[GroundFact]:
    """Yield the opponent's legal moves."""
    yield from map(question.action_of, legal_moves(state))


def achieves(state: ChessPosition, game: Atom, move: ChessMove) -> bool:
    """Return whether a legal move wins the game at once."""
    aimed = _is_aimed(state, game, move)
    then = play(state, move)
    check = in_check(then)
    if not (aimed or check):
        return False
    answers = list(legal_moves(then))
    if check and not answers:
        return True
    avenged = any(answer.to == move.to for answer in answers)
    if game.predicate == "crown":
        return aimed and bool(answers) and not avenged
    less = _WORTH[state.men[move.start].lower()] < _WORTH.get(state.men[move.to].lower(), 0)
    return aimed and (less or not avenged)


def _is_aimed(state: ChessPosition, game: Atom, move: ChessMove) -> bool:
    """Return whether a move captures the man, or promotes the pawn, that a game is about."""
    if game.predicate == "mate":
        return False
    term = game.terms[-1]
    assert isinstance(term, Constant)
    target = square(str(term.value))
    if game.predicate == "crown":
        return move.start == target and move.promotion in ("q", "r")
    return move.to == target and state.men[target] != EMPTY


def game_of(kind: str, target: str | None, state: ChessPosition) -> Atom:
    """Return the game of a problem, from its kind and its target."""
    if kind == "mate":
        return Atom("mate", (Constant(OTHER[state.to_move]),))
    assert target is not None
    if kind == "promote":
        return Atom("crown", (Constant(state.to_move), Constant(target)))
    return Atom(kind, (Constant(target),))
