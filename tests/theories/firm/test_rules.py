"""Tests of rules learned from single moments of a firm.

They are correct for every other firm, and have plain linear conditions.
"""

from __future__ import annotations

from dataclasses import replace

import pytest

from hornbook.compiler.witness.entailment import Arithmetic
from hornbook.inputs.knowledge_base import KnowledgeBase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom, Comparison, Constant, GameStatement, Rule, Variable
from hornbook.kb.format.printer import print_rule
from oracles.firm.rules_run import learned, run

pytestmark = pytest.mark.deep


@pytest.fixture(scope="module")
def rules() -> list[Rule]:
    return learned(load("firm"))


def test_no_conclusion_of_a_learned_rule_is_wrong_of_any_firm(rules):
    tally = run(KnowledgeBase("firm", derivations="none"), rules, "ci", 20)
    assert tally.wrong == []
    assert tally.conclusions.total() > 333
    assert tally.answered > 13
    assert tally.concluded > 0.85 * tally.derived > 16


def test_a_rule_that_forgets_a_bound_is_seen_to_be_wrong(rules):
    rule = next(rule for rule in rules if rule.name == "ship_by_produce_is_gi_1")
    needed = [c for c in rule.body if isinstance(c, Comparison) and c.operator == ">="]
    broken = replace(rule, body=tuple(c for c in rule.body if c != needed[-1]))
    assert run(KnowledgeBase("firm", derivations="none"), [broken], "ci", 30).wrong


def test_there_are_rules_for_every_goal_and_for_what_misses_it(rules):
    found = set()
    for rule in rules:
        assert isinstance(rule.head, GameStatement)
        assert isinstance(rule.head.value, Constant)
        found.add((rule.head.game.predicate, rule.head.value.value))
    goals = ("ship", "supply", "earn", "solvent", "on_target")
    assert found == {(goal, value) for goal in goals for value in ("GI", "PI")} | {("ship", "GIII")}


def test_the_rule_for_producing_says_what_people_say(rules):
    # At least the possible demand minus the stock, at most the limit of materials and machines.
    assert print_rule(next(rule for rule in rules if rule.name == "ship_by_produce_is_gi_1")) == (
        "ship_by_produce_is_gi_1:\n"
        "  ship(?x) by produce(?x, ?k) is GI :-\n"
        "    kind(?x, product), amount(?k), ?k >= 1, materials_allow(?x, ?a), ?k <= ?a,\n"
        "    capacity_allows(?x, ?b), ?k <= ?b, stock(?x, ?r), ?s = ?r + ?k, demand(high, ?x, ?d), ?s >= ?d."
    )


def test_no_learned_rule_has_an_inequality_that_its_others_entail(rules):
    for rule in rules:
        comparisons = [c for c in rule.body if isinstance(c, Comparison)]
        for one in comparisons:
            others = Arithmetic(c for c in comparisons if c is not one)
            assert not others.entails(one), (rule.name, one)


def test_learned_rules_speak_of_no_single_firm(rules):
    words = {"low", "high", "overdraft", "credit", "wage", "rate", "horizon", "cash", "debt", "profit"}
    words |= {"materials", "resources", "staff", "product", "material", "machine"}
    for rule in rules:
        atoms = [c for c in rule.body if isinstance(c, Atom)]
        constants = {t.value for a in atoms for t in a.terms if not isinstance(t, Variable)}
        assert {value for value in constants if isinstance(value, str)} <= words, rule.name
