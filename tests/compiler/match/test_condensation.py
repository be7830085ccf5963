"""Tests of condensation: a matcher drops exactly the conditions that the rule's other conditions imply."""

from __future__ import annotations

import pytest

from hornbook.compiler.match.unfolding import unfolded
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules, raw_engine
from hornbook.kb.format.printer import print_conditions
from oracles.proofs.learned_rules import rule_of, theory_of

THEORY = theory_of(
    """
    sort place.
    static beside(place, place).
    static lit(place).
    static height(place, int).
    derived seen(place) operational.
    derived overlooked(place) operational.
    derived good(place).
    derived found(place, place).

    seen_from_a_lit_place: seen(?w) :- lit(?q), beside(?q, ?w).
    overlooked_from_above: overlooked(?w) :- beside(?q, ?w), height(?q, ?n), ?n > 1.
    """
)


@pytest.mark.parametrize(
    ("rule", "queried"),
    [
        # Another condition requires an adjacent lit place.
        ("r: good(?x) :- lit(?x), beside(?x, ?w), seen(?w).", "lit(?x), beside(?x, ?w)"),
        # A duplicate condition is dropped.
        (
            "r: good(?x) :- beside(?y, ?x), seen(?x), lit(?y), seen(?x).",
            "beside(?y, ?x), lit(?y)",
        ),
        # No condition makes the adjacent place lit.
        (
            "r: good(?x) :- beside(?x, ?w), seen(?w).",
            "beside(?x, ?w), lit(?q~u1), beside(?q~u1, ?w)",
        ),
        # A lit place and a different adjacent place do not give one place that is both.
        (
            "r: good(?x) :- lit(?x), beside(?y, ?x), seen(?x).",
            "lit(?x), beside(?y, ?x), lit(?q~u1), beside(?q~u1, ?x)",
        ),
        # An atom with a variable of a comparison is not redundant.
        (
            "r: good(?x) :- beside(?y, ?x), height(?y, ?m), overlooked(?x).",
            "beside(?y, ?x), height(?y, ?m), beside(?q~u1, ?x), height(?q~u1, ?n~u1), ?n~u1 > 1",
        ),
        # The rule's own variables stay, even if a substitution could map one to another.
        ("r: found(?x, ?y) :- lit(?x), lit(?y).", "lit(?x), lit(?y)"),
        ("r: good(?x) :- lit(?x), lit(?y).", "lit(?x), lit(?y)"),
    ],
)
def test_only_redundant_atoms_are_left_out(rule, queried):
    assert print_conditions(unfolded(rule_of(rule), THEORY).body) == queried


def test_a_rule_is_not_found_once_for_each_redundant_atom():
    rule = unfolded(rule_of("r: good(?x) :- lit(?x), beside(?x, ?w), seen(?w)."), THEORY)
    base = KnowledgeBase(THEORY, derivations="all")
    add_proved_rules(base, [rule])
    for place in "abcd":
        base.add_text(f"lit({place}). beside({place}, w).")
    goal = rule_of("r: good(a) :- lit(a).").head
    assert len(list(raw_engine(base).derivations(base.engine.coding.fact_of(goal)))) == 1
