"""Tests of congruence closure: equalities from keys, terms that stay distinct, and contradictions."""

from __future__ import annotations

from hornbook.compiler.witness.congruence import Congruence
from hornbook.kb.ast.terms import Constant, Variable
from hornbook.kb.lower.budget import Budget

X, Y, Z, W = map(Variable, "xyzw")
A, B = Constant("a"), Constant("b")


def known(**keys: int) -> Congruence:
    return Congruence(lambda place: keys.get(place[0]), Budget())


def test_equal_keys_make_equal_values_through_any_number_of_steps() -> None:
    found = known(f=1)
    found.add("f", None, (X, Y), 1)
    found.add("f", None, (Z, W), 2)
    found.add("f", None, (Y, A), 3)
    found.add("f", None, (W, B), 4)
    assert not found.equal(Y, W)
    found.equate(X, Z)
    assert found.equal(Y, W)
    assert found.conflict is not None
    assert set(found.conflict) == {A, B}


def test_without_a_key_nothing_is_merged() -> None:
    found = known()
    found.add("f", None, (X, Y), 5)
    found.add("f", None, (X, Z), 6)
    assert not found.equal(Y, Z)
    assert found.conflict is None


def test_a_moment_is_no_other() -> None:
    found = known(f=1)
    found.add("f", "before", (X, Y), 7)
    found.add("f", "after", (X, Z), 8)
    assert not found.equal(Y, Z)
    assert not found.holds("f", "after", (X, Y))
    assert found.holds("f", "before", (X, Y))


def test_what_differs_static_does_under_other_names() -> None:
    found = known()
    found.differ(X, Y, 11)
    found.equate(X, Z)
    assert found.inequality(Z, Y) == 11
    assert found.inequality(Z, W) is None
    found.equate(Z, Y)
    assert found.conflict is not None


def test_a_copy_learns_on_its_own() -> None:
    found = known(f=1)
    found.add("f", None, (X, Y), 9)
    twin = found.copy()
    twin.equate(X, A)
    twin.add("f", None, (A, B), 10)
    assert twin.equal(Y, B)
    assert not found.equal(X, A)
    assert not found.holds("f", None, (A, B))
