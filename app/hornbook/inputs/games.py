"""Games and actions as people name them: `take(c1)`, `move(black, c1)`."""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import TheoryError


def game_of(theory: Theory, text: str) -> Atom:
    """The game that a text names. Raises TheoryError if it cannot be read, ValueError if it is no game of the theory."""
    found = _named(theory, text, "game")
    if found is None:
        games = ", ".join(p.name for p in theory.vocabulary.predicates.values() if p.kind == "game")
        raise ValueError(f"`{text}` is no game of `{theory.name}`; there are {games}")
    return found


def action_of(theory: Theory, text: str) -> GroundFact | None:
    """The action of the theory that a text names; None where it names none."""
    try:
        found = _named(theory, text, "action")
    except TheoryError:
        return None
    return None if found is None else ground_fact(found)


def _named(theory: Theory, text: str, kind: str) -> Atom | None:
    """The statement without variables about a predicate of such a kind that a text is. Raises TheoryError."""
    match parse_query(text).conditions:
        case (Atom(predicate=name, terms=terms),) if all(isinstance(term, Constant) for term in terms):
            declared = theory.vocabulary.predicates.get(name)
            if declared is not None and declared.kind == kind and declared.arity == len(terms):
                return Atom(name, terms)
    return None
