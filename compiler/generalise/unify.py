"""Unification of function-free statements: the most general substitution that makes two of them one.

Bindings are kept triangular: a variable may be bound to a variable that is bound in turn; `walk` follows.
"""

from __future__ import annotations

from hornbook.kb.ast.terms import Statement, Term, Variable


class Unifier:
    """Variables bound so far. Statements are compared by relation and terms; moments are the caller's."""

    def __init__(self) -> None:
        self.bindings: dict[str, Term] = {}

    def walk(self, term: Term) -> Term:
        while isinstance(term, Variable) and term.name in self.bindings:
            term = self.bindings[term.name]
        return term

    def named(self, name: str) -> Term:
        """What the variable of this name is."""
        bound = self.bindings.get(name)
        return Variable(name) if bound is None else self.walk(bound)

    def unify(self, one: Term, other: Term) -> bool:
        """Makes two terms one. False, with nothing bound, where they are different constants."""
        one, other = self.walk(one), self.walk(other)
        if one == other:
            return True
        # A wildcard gives way, so that rules keep the names that people gave.
        if isinstance(one, Variable) and not (isinstance(other, Variable) and other.is_wildcard):
            self.bindings[one.name] = other
            return True
        if isinstance(other, Variable):
            self.bindings[other.name] = one
            return True
        return False

    def unify_statements(self, one: Statement, other: Statement) -> bool:
        """Makes two statements one. False where they never can be (something may be bound then)."""
        if one.relation != other.relation or len(one.terms) != len(other.terms):
            return False
        return all(self.unify(a, b) for a, b in zip(one.terms, other.terms, strict=True))

    def resolve(self, statement: Statement) -> Statement:
        return statement.with_terms(tuple(self.walk(term) for term in statement.terms))
