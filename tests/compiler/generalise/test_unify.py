"""Tests of unification: the unifiers of two statements."""

from __future__ import annotations

from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast.terms import Atom, Constant, Variable

X, Y, WILD = Variable("x"), Variable("y"), Variable("_1")
A, B = Constant("a"), Constant("b")


def test_two_constants_are_one_only_if_they_are_the_same() -> None:
    unifier = Unifier()
    assert unifier.unify(A, A)
    assert not unifier.unify(A, B)
    assert not unifier.unify(Constant(1), Constant("1"))
    assert unifier.bindings == {}


def test_a_variable_is_what_it_was_bound_to() -> None:
    unifier = Unifier()
    assert unifier.unify(X, Y)
    assert unifier.unify(Y, A)
    assert unifier.walk(X) == A
    assert not unifier.unify(X, B)
    assert unifier.unify(B, Variable("z"))
    assert unifier.walk(Variable("z")) == B


def test_a_wildcard_gives_way_to_a_name() -> None:
    for one, other in ((X, WILD), (WILD, X)):
        unifier = Unifier()
        assert unifier.unify(one, other)
        assert unifier.bindings == {"_1": X}


def test_statements_are_one_by_relation_and_by_each_term() -> None:
    unifier = Unifier()
    assert unifier.unify_statements(Atom("at", (X, A)), Atom("at", (B, Y)))
    assert unifier.resolve(Atom("at", (X, Y))) == Atom("at", (B, A))
    for other in (Atom("in", (X, A)), Atom("at", (X,)), Atom("at", (X, A, A)), Atom("at", (A, A))):
        assert not unifier.unify_statements(Atom("at", (X, A)), other), other
