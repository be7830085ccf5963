"""Squares of a position that a rule mentions, and their roles: target, mover, arrival, kings.

The function `marked` takes a rule's conditions under the substitution of a match in a position and
distributes them. Every square has at most one mark, and every condition belongs to one mark. Conditions that
only name the sides and kinds involved are left out. The legend uses the theory's words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from hornbook.kb.ast.terms import Atom, Condition, Constant
from hornbook.kb.explain.descriptions import Words
from hornbook.theories.boards import marks
from hornbook.theories.boards.marks import Mark, Role
from hornbook.theories.chess.states.position import EMPTY, NAMES, ChessPosition

ROLES: Mapping[str, Role] = {
    "target": Role("the man to take", "#b91c1c"),
    "pawn": Role("the pawn to promote", "#b91c1c"),
    "mated": Role("the king to mate", "#b91c1c"),
    "mover": Role("the man that moves", "#1d4ed8"),
    "arrival": Role("where it goes", "#15803d"),
    "king": Role("the king", "#7e22ce"),
    "man": Role("other men", "#a16207"),
    "empty": Role("empty squares", "#0e7490"),
    "nowhere": Role("of no square", "#52525b"),
}
"""All roles, in the order of the legend."""
_MEANT = frozenset({"opponent", "player", "promotion"})
"""Predicates that only name the sides and kinds that a rule is about."""


def says_what_is_meant(condition: Condition) -> bool:
    """Return whether a condition only names the things that a rule is about, or says that they differ."""
    return marks.only_names_things(condition, _MEANT)


def marked(
    position: ChessPosition, game: Atom, move: Atom | None, conditions: Iterable[Condition], words: Words
) -> list[Mark]:
    """Return the marks of a rule with a game and a move in its head, in the order of ROLES.

    The argument `conditions` contains its body, without variables except those of closed sets.
    """
    relevant = [condition for condition in conditions if not says_what_is_meant(condition)]
    roles = _roles(position, game, move, relevant)
    says = []
    for condition in relevant:
        place = _place(condition, words)
        says.append(("nowhere" if place is None else roles[place], words.say(condition)))
    return marks.in_order(ROLES, roles, NAMES, says)


def _roles(
    position: ChessPosition, game: Atom, move: Atom | None, conditions: Iterable[Condition]
) -> dict[str, str]:
    """Return the role of every mentioned square; the first assigned role stays."""
    roles: dict[str, str] = {}
    *_, about = _words(game)
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
    """Return the square that a condition is mainly about: the last one in its words, or the first
    one without words.
    """
    squares = [str(t.value) for t in words.spoken(condition) if isinstance(t, Constant) and t.value in NAMES]
    return None if not squares else squares[0 if words.of(condition) is None else -1]
