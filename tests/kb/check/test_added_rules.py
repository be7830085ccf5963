"""Tests of rules that are added one by one.

The mistakes of each rule are found without a scan of all existing rules.
"""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.check_unit import unit_of_rules
from hornbook.kb.check.program import dependencies
from hornbook.kb.check.program.completeness import completeness, without_refused
from hornbook.kb.check.program.dependencies import read_groups
from hornbook.kb.check.program.existing_rules import ExistingRules
from hornbook.kb.check.program.recursion import check_recursion
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError

THEORY = """
theory t.
sort s.
static e(s, s).
fluent f(s). fluent g(s).
action act(s).
derived p(s). derived q(s). derived r(s). derived size(s, int).
"""
WORDS = load_text(THEORY).vocabulary
STATEMENTS = ("f(?x)", "g(?x)", "p(?x)", "q(?x)", "r(?x)")


def some_rule(random: Random, number: int) -> str:
    """Draw a rule that may close a cycle through absences, aggregates, tenses or endless arithmetic."""
    if random.random() < 0.1:
        start = random.choice(("e(?x, _), ?n = 1", "size(?x, ?m), ?n = ?m + 1"))
        return f"r{number}: size(?x, ?n) :- {start}."
    head, *body = random.sample(STATEMENTS, random.choice((2, 3)))
    if random.random() < 0.3:
        head, body = f"after {head}", [f"{random.choice(('before', 'after'))} {s}" for s in body]
        return f"r{number}: {head} :- act(?x), {', '.join(body)}."
    body = [random.choice((s, s, f"absent {s}", f"absent (e(?x, ?y), {s})")) for s in body]
    return f"r{number}: {head} :- e(?x, _), {', '.join(body)}."


def rule_of(text: str) -> Rule:
    (rule,) = parse(text, "added.horn").clauses
    assert isinstance(rule, Rule)
    return rule


def slowly(rule: Rule, others: list[Rule]) -> set[tuple[str, str]]:
    """Return the codes and places of the cycles that a rule closes, by a scan of all rules."""
    plain = unit_of_rules([rule], WORDS, {})
    theirs = (replace(group, own=False) for group in read_groups(unit_of_rules(others, WORDS, {})))
    groups = [*theirs, *read_groups(plain)]
    found = check_recursion(plain, without_refused(groups, completeness(plain, groups)))
    return {(d.code, str(d.span)) for d in found}


def test_what_is_found_is_what_looking_at_all_rules_finds():
    assert sum(found_of(Random(seed)) for seed in range(12)) > 10


def found_of(random: Random) -> int:
    """Return the number of wrong rules in a random sequence.

    Each result is compared with a scan of all rules.
    """
    existing, others, wrong = ExistingRules(WORDS), list[Rule](), 0
    for number in range(40):
        rule = rule_of(some_rule(random, number))
        found = {
            (d.code, str(d.span))
            for d in check_rules([rule], WORDS, existing)
            if d.code in ("HB027", "HB030")
        }
        assert found == slowly(rule, others)
        wrong += bool(found)
        if not any(code == "HB030" for code, _ in found):
            others.append(rule)
            existing.add([rule])
        if random.random() < 0.1 and others:
            stored = random.randrange(len(others))
            del others[stored:]
            existing.cut(stored)
            fresh = ExistingRules(WORDS, others)
            assert existing.labels == fresh.labels
            everything = read_groups(unit_of_rules(others, WORDS, {}))
            assert existing.below(everything) == fresh.below(everything)
    return wrong


def test_a_label_that_stands_is_taken_until_its_rule_goes():
    base = KnowledgeBase(load_text(THEORY))
    base.add_text("one: p(?x) :- e(?x, _).", "first")
    with pytest.raises(TheoryError, match="the label is taken by the rule at first:1:1"):
        base.add_text("one: q(?x) :- e(?x, _).")
    base.exchange([], [], drop_rules=1)
    base.add_text("one: q(?x) :- e(?x, _).")


def test_an_addition_costs_what_is_added_and_not_what_stands(monkeypatch):
    looked = 0
    gather = dependencies._gather

    def counted(*arguments: object, **named: object) -> None:
        nonlocal looked
        looked += 1
        gather(*arguments, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(dependencies, "_gather", counted)
    costs = []
    for rules in (10, 100):
        base = KnowledgeBase(load_text(THEORY))
        base.add_text(" ".join(f"r{n}: p(?x) :- e(?x, c{n})." for n in range(rules)))
        base.add_text("once: q(?x) :- p(?x).")
        looked = 0
        base.add_text("again: q(?x) :- e(?x, _).")
        base.add_text("f(a). e(a, b).")
        costs.append(looked)
    assert costs[0] == costs[1]
