"""Games and actions in the notation of users: `take(c1)`, `move(black, c1)`."""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import TheoryError


def game_of(theory: Theory, text: str) -> Atom:
    """Return the game that a text names.

    Raises TheoryError if the text cannot be parsed, and ValueError if it names no game of the theory.
    """
    found = _named(theory, text, "game")
    if found is None:
        games = ", ".join(p.name for p in theory.vocabulary.predicates.values() if p.kind == "game")
        raise ValueError(f"`{text}` is no game of `{theory.name}`; there are {games}")
    return found


def action_of(theory: Theory, text: str) -> GroundFact | None:
    """Return the action of the theory that a text names, or None."""
    try:
        found = _named(theory, text, "action")
    except TheoryError:
        return None
    return None if found is None else ground_fact(found)


def _named(theory: Theory, text: str, kind: str) -> Atom | None:
    """Return the ground atom that a text consists of, if its predicate has this kind. Raises TheoryError."""
    match parse_query(text).conditions:
        case (Atom(predicate=name, terms=terms),) if all(isinstance(term, Constant) for term in terms):
            declared = theory.vocabulary.predicates.get(name)
            if declared is not None and declared.kind == kind and declared.arity == len(terms):
                return Atom(name, terms)
    return None
