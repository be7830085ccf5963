"""Learned rules without their theory's rules, except for the definitions that their conditions need."""

from __future__ import annotations

from hornbook.compiler.match.only_rules import learned_rules_theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text

THEORY = """
theory boxes.
sort box.
static inside(box, box).
static boxes(box -> int) counts inside.
fluent full(box).
action fill(box).
derived heavy(box) operational.
derived filled(box) operational.
derived deep(box).
derived ready(box).
heavy_if_full: heavy(?b) :- full(?b), filled(?b).
filled: filled(?b) :- full(?b), boxes(?b, _), all ?c in inside(?b, ?c): full(?c).
nested: deep(?b) :- inside(?b, _).
filling: after full(?b) :- fill(?b).
ready_when_heavy: ready(?b) :- heavy(?b).
"""
LEARNED = "learned: after ready(?b) :- fill(?b), before heavy(?b).\n"
STATE = "full(a). full(b). inside(a, b). boxes(a, 1). fill(a)."


def rules(goals=()):
    theory = load_text(THEORY, "boxes.horn")
    [rule] = [each for each in load_text(THEORY + LEARNED, "boxes.horn").rules if each.name == "learned"]
    return learned_rules_theory(theory, [rule], goals)


def test_definitions_are_followed_and_conclude_only_about_the_state_before_the_action():
    learned_only = rules()
    assert sorted(rule.name for rule in learned_only.rules) == ["filled", "heavy_if_full", "learned"]
    base = KnowledgeBase(learned_only)
    base.add(base.read_clauses(STATE, "state").facts)
    assert [fact.values for fact in base.facts("ready", "after")] == [("a",)]
    assert [fact.values for fact in base.facts("heavy", "before")] == [("a",)]
    for relation in ("heavy", "filled", "full", "deep"):
        assert list(base.facts(relation, "after")) == []


def test_no_rule_of_the_theory_concludes_a_goal():
    assert len(rules([("heavy", "after")]).rules) == 3
    assert [rule.name for rule in rules([("heavy", "before")]).rules] == ["learned"]
