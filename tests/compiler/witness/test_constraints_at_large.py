"""Random test of proved keys and counts: they hold in all states, and weaker requirements would fail."""

from __future__ import annotations

import pytest

from hornbook.compiler.witness import constraints
from hornbook.kb.ast.terms import Rule, condition_variables
from oracles.forger.promises import ConstraintFindings, one

pytestmark = pytest.mark.deep

STATES = 25


def found(numbers: range) -> ConstraintFindings:
    total = ConstraintFindings()
    for number in numbers:
        total.add(one(f"x.{number}", STATES))
    return total


def test_nothing_that_is_proved_is_broken():
    total = found(range(20))
    assert total.broken == []
    assert total.proved > 10
    assert total.states > 200


@pytest.mark.parametrize("proof", ["_agree", "_is_within"])
def test_it_finds_what_is_not_proved(proof, monkeypatch):
    monkeypatch.setattr(constraints._Induction, proof, lambda *_: True)
    assert found(range(14)).broken


def _with_those_of_closed_conditions(rule: Rule) -> set[str]:
    return {variable.name for c in (rule.head, *rule.body) for variable in condition_variables(c)}


@pytest.mark.parametrize(
    ("shared", "broken"), [(constraints.shared_variables, 0), (_with_those_of_closed_conditions, 1)]
)
def test_it_finds_wildcards_that_are_taken_as_equal(shared, broken, monkeypatch):
    monkeypatch.setattr(constraints, "shared_variables", shared)
    assert len(found(range(468, 469)).broken) == broken
