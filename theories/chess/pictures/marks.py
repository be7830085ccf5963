"""Which squares of a position a rule speaks of, and as what: the man aimed at, the man that moves, where it goes, kings.

`marked` is given a rule's conditions as they are met in a position, and shares them out: every square has one mark at most,
and every condition stands with one mark. Conditions that say only which sides and kinds are meant are left out. Words are
the theory's.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, Constant
from hornbook.kb.explain.words import Words
from hornbook.theories.chess.states.position import EMPTY, NAMES, Position

ROLES: Mapping[str, str] = {
    "target": "the man to take",
    "pawn": "the pawn to promote",
    "mated": "the king to mate",
    "mover": "the man that moves",
    "arrival": "where it goes",
    "king": "the king",
    "man": "other men",
    "empty": "empty squares",
    "nowhere": "of no square",
}
"""Every role with what a legend calls it, in the order of the legend."""
_MEANT = frozenset({"opponent", "player", "promotion"})
"""Predicates that say only which sides and kinds a rule is about."""


@dataclass(frozen=True, slots=True)
class Mark:
    """Squares that a rule speaks of in one role, in the order of the board, and what it asks of them in words."""

    role: str
    squares: tuple[str, ...]
    asks: tuple[str, ...]

    @property
    def meaning(self) -> str:
        return ROLES[self.role]


def says_what_is_meant(condition: Condition) -> bool:
    """Whether a condition says only which things a rule is about, or that they differ."""
    match condition:
        case Atom(predicate=predicate):
            return predicate in _MEANT
        case Comparison(operator=operator):
            return operator == "!="
        case All(conditions=inner):
            return all(map(says_what_is_meant, inner))
        case _:
            return False


def marked(
    position: Position, game: Atom, move: Atom | None, conditions: Iterable[Condition], words: Words
) -> list[Mark]:
    """The marks of a rule that concludes of a game and a move, in the order of ROLES.

    `conditions` are the rule's, without variables but for those of closed sets.
    """
    asked = [condition for condition in conditions if not says_what_is_meant(condition)]
    roles = _roles(position, game, move, asked)
    asks: dict[str, dict[str, None]] = {role: {} for role in ROLES}
    for condition in asked:
        place = _place(condition, words)
        asks["nowhere" if place is None else roles[place]][words.say(condition)] = None
    found = []
    for role in ROLES:
        squares = tuple(name for name in NAMES if roles.get(name) == role)
        if squares or asks[role]:
            found.append(Mark(role, squares, tuple(asks[role])))
    return found


def _roles(
    position: Position, game: Atom, move: Atom | None, conditions: Iterable[Condition]
) -> dict[str, str]:
    """The role of every square that is spoken of; the first that it is given stays."""
    roles: dict[str, str] = {}
    (about,) = _words(game)
    if game.predicate == "mate":
        roles[NAMES[position.king("white" if about == "white" else "black")]] = "mated"
    else:
        roles[about] = "pawn" if game.predicate == "crown" else "target"
    if move is not None:
        start, to, *_ = _words(move)
        roles.setdefault(start, "mover")
        roles.setdefault(to, "arrival")
    for condition in conditions:
        for name in _squares(condition):
            man = position.at(name)
            roles.setdefault(name, "empty" if man == EMPTY else "king" if man in "Kk" else "man")
    return roles


def _words(condition: Condition) -> list[str]:
    terms = condition.terms if isinstance(condition, Atom) else ()
    return [str(term.value) if isinstance(term, Constant) else "some" for term in terms]


def _squares(condition: Condition) -> Iterator[str]:
    return (word for word in _words(condition) if word in NAMES)


def _place(condition: Condition, words: Words) -> str | None:
    """The square that a condition says most of: the last that its words name; without words the first, if there is one."""
    squares = [str(t.value) for t in words.spoken(condition) if isinstance(t, Constant) and t.value in NAMES]
    return None if not squares else squares[0 if words.of(condition) is None else -1]
