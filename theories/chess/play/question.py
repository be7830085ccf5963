"""Queries of learned rules about a position: its facts in parts, its moves, and the successor of a game.

The moves are those of the plain rules. This module does not look ahead.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache, lru_cache

from hornbook.kb.ast.parts import Part, Rows, cached_part, part_of_fact, rows_of
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.chess import adapter
from hornbook.theories.chess.states.position import EMPTY, KINDS, NAMES, ChessPosition, colour, square
from hornbook.theories.chess.states.rules import ChessMove, gives_check, legal_moves, play

focus_predicate = "named"
"""Placeholder: rules of chess mention all men, and no predicate has this name."""
_LETTERS = {kind: letter for letter, kind in KINDS.items()}
WORTH = {"p": 1, "n": 3, "b": 3, "r": 5, "q": 9}
"""Worth of the kinds of men, as in the theory."""
_CASTLED = {
    ("e1", "g1"): ("h1", "f1"),
    ("e1", "c1"): ("a1", "d1"),
    ("e8", "g8"): ("h8", "f8"),
    ("e8", "c8"): ("a8", "d8"),
}


def parts(state: ChessPosition) -> Sequence[Part]:
    """Return the facts of a position, one part per square and parts for facts without a square."""
    found = [cached_part(_board)]
    for rank in range(8):
        found += _of_rank(rank, state.men[8 * rank : 8 * rank + 8])
    found += _en_passant(state.passed)
    found += (part_of_fact(fact) for fact in adapter.facts_of_no_square(state))
    return found


def _board() -> Rows:
    return rows_of(adapter.board())


@lru_cache(maxsize=100_000)
def _of_rank(rank: int, men: str) -> tuple[Part, ...]:
    return tuple(cached_part(_at, 8 * rank + file, man) for file, man in enumerate(men))


def _at(place: int, man: str) -> Rows:
    side = "none" if man == EMPTY else "white" if man.isupper() else "black"
    return {("at", None): [(NAMES[place], side, "empty" if man == EMPTY else KINDS[man.lower()])]}


@cache
def _en_passant(passed: int | None) -> tuple[Part, ...]:
    ways = ("open" if place == passed else "shut" for place in range(len(NAMES)))
    return tuple(part_of_fact(GroundFact("en_passant", each)) for each in zip(NAMES, ways, strict=True))


def moves(state: ChessPosition) -> Iterator[GroundFact]:
    """Yield every legal move of the player to move, checks and captures first."""

    def quiet(move: ChessMove) -> tuple[bool, bool]:
        return not gives_check(state, move), state.men[move.to] == EMPTY

    for move in sorted(legal_moves(state), key=quiet):
        yield action_of(move)


def actions(state: ChessPosition) -> Sequence[GroundFact]:
    """Return every legal move of the player to move, in the theory's terms."""
    return _actions(state)


@lru_cache(maxsize=10_000)
def _actions(state: ChessPosition) -> tuple[GroundFact, ...]:
    return tuple(map(action_of, legal_moves(state)))


@cache
def action_of(move: ChessMove) -> GroundFact:
    """Return a move in the theory's terms."""
    named = (NAMES[move.start], NAMES[move.to])
    if move.promotion:
        return GroundFact("promote", (*named, KINDS[move.promotion]))
    return GroundFact("move", named)


def move_of(action: GroundFact) -> ChessMove:
    """Return the move of an action of the theory."""
    start, to, *kind = map(str, action.values)
    return ChessMove(square(start), square(to), _LETTERS[kind[0]] if kind else "")


def after(state: ChessPosition, action: GroundFact) -> ChessPosition:
    """Return the position after a legal move.

    Moves are not counted, so equal positions are equal regardless of history.
    """
    return play(state, move_of(action), counts=False)


def followed(state: ChessPosition, game: Atom, action: GroundFact) -> Atom | None:
    """Return the game about the same man after a legal move that does not win it, or None
    if the game is over.

    The game is over if the man is captured, or promoted in a game of promoting it. `state` is the
    position before the move.
    """
    if game.predicate == "mate":
        return game
    *side, term = game.terms
    assert isinstance(term, Constant)
    target, move = str(term.value), move_of(action)
    start, to = NAMES[move.start], NAMES[move.to]
    if start == target:
        if game.predicate == "crown" and move.promotion:
            return None
        return Atom(game.predicate, (*side, Constant(to)))
    if target in (to, _taken_in_passing(state, move)):
        return None
    if state.men[move.start] in "Kk" and abs(move.to - move.start) == 2 and _CASTLED[start, to][0] == target:
        return Atom(game.predicate, (*side, Constant(_CASTLED[start, to][1])))
    return game


def _taken_in_passing(state: ChessPosition, move: ChessMove) -> str:
    if state.men[move.start] in "Pp" and move.to == state.passed:
        return NAMES[move.to + (-8 if state.men[move.start] == "P" else 8)]
    return ""


def friend_of(state: ChessPosition, game: Atom) -> str:
    """Return the friend of a game."""
    term = game.terms[0]
    assert isinstance(term, Constant)
    if game.predicate == "crown":
        return str(term.value)
    white = term.value == "white" if game.predicate == "mate" else state.at(str(term.value)).isupper()
    return "black" if white else "white"


def balance(state: ChessPosition, player: str | int) -> int:
    """Return the lead of a player in the worth of men."""
    white = _white_more(state.men)
    return white if player == "white" else -white


@lru_cache(maxsize=10_000)
def _white_more(men: str) -> int:
    return sum(worth * (men.count(kind.upper()) - men.count(kind)) for kind, worth in WORTH.items())


def games(state: ChessPosition) -> list[Atom]:
    """Return all possible games: to mate either side, to take any man but a king, to promote any pawn."""
    found = [Atom("mate", (Constant(side),)) for side in ("white", "black")]
    for place, man in enumerate(state.men):
        if man != EMPTY and man not in "Kk":
            found.append(Atom("take", (Constant(NAMES[place]),)))
        if man in "Pp":
            found.append(Atom("crown", (Constant(colour(man)), Constant(NAMES[place]))))
    return found
