"""Tests of redundant rules: matching leaves out a rule only if its definition gives all its conclusions."""

from __future__ import annotations

import pytest

from hornbook.compiler.match.redundancy import is_redundant
from hornbook.compiler.match.unfolding import RuleDefinitions
from oracles.go.capture_lessons import THEORY
from oracles.proofs.learned_rules import theory_of

DECLARED = """
sort thing. static rank(int). static other(int). static kept(thing, thing).
fluent size(thing -> int). fluent part(thing, thing). fluent parts(thing -> int) counts part.
derived big(thing, int) operational. derived near(thing, thing) operational.
rank(1). rank(2). rank(3). other(7).
"""
PLAIN = "big(?t, ?k) :- rank(?k), size(?t, ?n), ?n >= ?k."
CLOSED = "big(?t, ?k) :- rank(?k), size(?t, _), all ?m in part(?t, ?m): (size(?m, ?n), ?n >= ?k)."
PRODUCT = """big(?t, ?k) :- rank(?k), size(?t, _), all ?m in part(?t, ?m):
    (parts(?m, ?n), ?l = count ?x in part(?m, ?x) but ?t, ?l + ?k * (?n - ?l) >= ?k)."""


@pytest.mark.parametrize("definition", [PLAIN, CLOSED, PRODUCT])
@pytest.mark.parametrize(
    ("rule", "adds"),
    [
        ("big(?t, ?j) :- big(?t, ?k), rank(?j), ?j < ?k.", False),
        ("big(?t, ?j) :- big(?t, ?k), rank(?j), ?j > ?k.", True),
        ("big(?t, ?j) :- big(?t, ?k), rank(?j).", True),
        ("big(?t, ?j) :- big(?t, ?k), other(?j), ?j > ?k.", True),
        ("big(?t, ?j) :- big(?t, ?k), ?j = ?k - 1.", True),
        ("big(?s, ?k) :- big(?t, ?k), kept(?s, ?t).", True),
        ("big(?t, 1) :- big(?t, 2).", False),
        ("big(?t, 2) :- big(?t, 1).", True),
        ("big(?t, ?j) :- big(?t, ?k), big(?t, ?j), ?j < ?k.", True),
    ],
)
def test_what_a_rule_adds_to_a_definition(definition, rule, adds):
    theory = theory_of(DECLARED + definition + rule)
    assert is_redundant(theory.rules[1], theory.rules[0], theory) == (not adds)
    assert (RuleDefinitions(theory).of("big") is None) == adds


def test_where_less_asks_for_more_the_rule_adds_something():
    for definition in (PLAIN, CLOSED):
        theory = theory_of(
            DECLARED + definition.replace(">=", "<=") + "big(?t, ?j) :- big(?t, ?k), rank(?j), ?j < ?k."
        )
        assert not is_redundant(theory.rules[1], theory.rules[0], theory)


def test_every_operational_predicate_of_go_has_one_definition():
    """Matching Go therefore never needs facts that are derived for every pair of points."""
    found = RuleDefinitions(THEORY)
    operational = [p.name for p in THEORY.vocabulary.predicates.values() if p.operational]
    assert len(operational) == 16
    assert all(found.of(name) is not None for name in operational)
