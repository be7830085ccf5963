"""Which squares of a position a rule speaks of, and as what: the man aimed at, the man that moves, where it goes, kings.

`marked` is given a rule's conditions as they are met in a position, and shares them out: every square has one mark at most,
and every condition stands with one mark. Conditions that say only which sides and kinds are meant are left out. Words are
for chess players; a condition for which there are none is shown as it is written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, Constant
from hornbook.kb.format.printer import print_condition
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
_SAYINGS: Mapping[str, tuple[int, str]] = {
    "at/3": (0, "a {1} {2} stands on {0}"),
    "king/2": (1, "the {0} king is on {1}"),
    "legal/3": (2, "{0} may move from {1} to {2}"),
    "promotable/3": (2, "{0} may promote the pawn from {1} on {2}"),
    "owner/2": (0, "the man on {0} is {1}'s"),
    "hits/3": (1, "a {2} on {1} gives check"),
    "hems/3": (1, "with a {2} on {1}, the other king can step nowhere"),
    "screened/3": (1, "nobody but the king can answer the check from {2}"),
    "unveils/3": (0, "leaving {0} opens a check from {2}"),
    "idle/3": (2, "no man of the other side but its king can go to {2} then"),
    "sheltered/3": (1, "the {2} on {1} cannot be taken there"),
    "replied/3": (1, "the other side can answer the promotion"),
    "lively/3": (1, "the other side is not stalemated by it"),
    "runner/2": (1, "{0} has its king and the pawn on {1}, the other side its king alone"),
    "bare/1": (-1, "{0} has its king and nothing else"),
    "forks/4": (3, "with a {2} on {1}, the man on {3} is lost wherever the king steps"),
    "caught/2": (1, "wherever the king steps, the man on {1} is lost"),
    "attacks/2": (1, "the man on {0} attacks {1}"),
    "clear/2": (1, "nothing stands between {0} and {1}"),
    "only/2": (1, "the man on {0} attacks {1}, and no other of its side does"),
    "check/2": (1, "{0}'s king is in check from {1}"),
    "single/2": (1, "{0}'s king is in check from {1} and from nowhere else"),
    "pinned/3": (1, "the man on {1} is pinned by that on {2}"),
    "unattacked/2": (1, "no man of {0} attacks {1}"),
    "en_passant/2": (0, "taking in passing on {0}: {1}"),
    "checked/1": (-1, "{0} is in check"),
    "calm/1": (-1, "{0} is not in check"),
    "compelled/1": (-1, "nobody of {0} but the king can answer the check"),
    "cornered/1": (-1, "{0}'s king has no step"),
    "mated/1": (-1, "{0} is mated"),
    "worth/2": (-1, "a {0} is worth {1}"),
}
"""What conditions say to a chess player, by predicate and number of arguments, with the argument they say most of."""


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


def marked(position: Position, game: Atom, move: Atom | None, conditions: Iterable[Condition]) -> list[Mark]:
    """The marks of a rule that concludes of a game and a move, in the order of ROLES.

    `conditions` are the rule's, without variables but for those of closed sets.
    """
    asked = [condition for condition in conditions if not says_what_is_meant(condition)]
    roles = _roles(position, game, move, asked)
    asks: dict[str, dict[str, None]] = {role: {} for role in ROLES}
    for condition in asked:
        place, said = _saying(condition)
        asks["nowhere" if place is None else roles[place]][said] = None
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


def _saying(condition: Condition) -> tuple[str | None, str]:
    """The square that a condition says most of, if any, and what it says."""
    words = _words(condition)
    found = _SAYINGS.get(f"{condition.predicate}/{len(words)}") if isinstance(condition, Atom) else None
    if found is None:
        return next(_squares(condition), None), print_condition(condition)
    place, said = found
    return None if place < 0 or words[place] not in NAMES else words[place], said.format(*words)
