"""Games as people name them: `take(c1)`."""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import Theory
from hornbook.kb.parse.syntax import parse_query


def game_of(theory: Theory, text: str) -> Atom:
    """The game that a text names. Raises TheoryError if it cannot be read, ValueError if it is no game of the theory."""
    match parse_query(text).conditions:
        case (Atom(predicate=name, terms=terms),) if all(isinstance(term, Constant) for term in terms):
            declared = theory.vocabulary.predicates.get(name)
            if declared is not None and declared.kind == "game" and declared.arity == len(terms):
                return Atom(name, terms)
    games = ", ".join(p.name for p in theory.vocabulary.predicates.values() if p.kind == "game")
    raise ValueError(f"`{text}` is no game of `{theory.name}`; there are {games}")
