"""Unification of function-free statements: the most general substitution that makes two of them equal.

Bindings are triangular: a variable may be bound to a variable that is bound itself; `walk` follows such
chains.
"""

from __future__ import annotations

from hornbook.kb.ast.terms import Statement, Term, Variable


class Unifier:
    """A unifier: the variables bound so far.

    Statements are compared by relation and terms; the caller compares moments.
    """

    def __init__(self) -> None:
        self.bindings: dict[str, Term] = {}

    def walk(self, term: Term) -> Term:
        while isinstance(term, Variable) and term.name in self.bindings:
            term = self.bindings[term.name]
        return term

    def named(self, name: str) -> Term:
        """Return the value of the variable with this name."""
        bound = self.bindings.get(name)
        return Variable(name) if bound is None else self.walk(bound)

    def unify(self, one: Term, other: Term) -> bool:
        """Unify two terms. Return False and bind nothing if they are different constants."""
        one, other = self.walk(one), self.walk(other)
        if one == other:
            return True
        # A wildcard is replaced by the other term, so that rules keep names given by people.
        if isinstance(one, Variable) and not (isinstance(other, Variable) and other.is_wildcard):
            self.bindings[one.name] = other
            return True
        if isinstance(other, Variable):
            self.bindings[other.name] = one
            return True
        return False

    def unify_statements(self, one: Statement, other: Statement) -> bool:
        """Unify two statements. Return False if they are not unifiable; some variables may be bound then."""
        if one.relation != other.relation or len(one.terms) != len(other.terms):
            return False
        return all(self.unify(a, b) for a, b in zip(one.terms, other.terms, strict=True))

    def resolve(self, statement: Statement) -> Statement:
        return statement.with_terms(tuple(self.walk(term) for term in statement.terms))
