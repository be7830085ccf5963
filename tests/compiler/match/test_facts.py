"""Tests of matching rules in states that are sets of facts, with the whole theory and with definitions alone."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest

from hornbook.compiler.match.facts import FactMatcher
from hornbook.kb.ast.parts import Part, rows_of
from hornbook.kb.ast.substitution import apply_to_condition, at_moment
from hornbook.kb.ast.terms import NOWHERE, Atom, Constant, Rule, Variable, condition_variables, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import Query
from hornbook.theories.domain import RuleQuery
from oracles.proofs.random_theories import random_action, random_state, random_theory

LAMPS = """
theory lamps.
sort lamp.
static wired(lamp) complete.
fluent lit(lamp) complete.
fluent broken(lamp) complete.
action press(lamp).
derived usable(lamp).
derived bright(lamp).
usable: before usable(?l) :- wired(?l), absent before broken(?l).
bright: bright(?l) :- lit(?l), wired(?l).
press: after lit(?l) :- press(?l), before usable(?l).
burnt: after broken(?l) :- press(?l), before lit(?l).
"""


def some_rules(theory: Theory, random: Random) -> list[Rule]:
    """Return some rules of a theory, with other names, in place of learned ones."""
    rules = [rule for rule in theory.rules if isinstance(rule.head, Atom)]
    chosen = random.sample(rules, min(len(rules), 6))
    return [replace(rule, label=f"learned_{number}", learned=True) for number, rule in enumerate(chosen)]


def query(facts: Sequence[GroundFact]) -> RuleQuery:
    return RuleQuery([Part(rows_of, (tuple(facts),))], ())


def conclusions_in(
    matcher: FactMatcher, states: Sequence[Sequence[GroundFact]]
) -> list[set[tuple[str, str]] | None]:
    """Return the rules with their conclusions in each state, or None for a state with an error."""
    found = matcher.conclusions([query(facts) for facts in states])
    return [
        None if isinstance(each, BaseException) else {(c.rule, print_condition(c.statement)) for c in each}
        for each in found
    ]


def by_reference(
    theory: Theory, rules: Sequence[Rule], facts: Sequence[GroundFact]
) -> set[tuple[str, str]] | None:
    """Return the rules with their conclusions, evaluated with the clauses about the state before the action.

    The slow engine of `oracles/reference` evaluates them.
    """
    definitions = [replace(rule, of_given=True) for rule in theory.rules if rule.head.tense != "after"]
    base = KnowledgeBase(replace(theory, rules=(*definitions, *rules)), engine="plain")
    found = set()
    try:
        base.add(facts)
        for rule in rules:
            plain = {
                v.name: Variable(v.name) for c in (rule.head, *rule.body) for v in condition_variables(c)
            }
            is_timeless = all(each.tense is None for each in (rule.head, *statements(rule.body)))
            changes = theory.vocabulary.predicates[rule.head.relation].has_tense
            for moment in (None, "after") if is_timeless and changes else (None,):
                parts = [apply_to_condition(each, plain) for each in (rule.head, *rule.body)]
                if moment is not None:
                    parts = [at_moment(each, moment, theory.vocabulary) for each in parts]
                answers = base.engine.query(Query(tuple(parts[1:]), NOWHERE))
                for row in answers.rows:
                    values = dict(zip(answers.variables, map(Constant, row), strict=True))
                    found.add((rule.name, print_condition(apply_to_condition(parts[0], values))))
    except (KnowledgeBaseError, FactError):
        return None
    return found


@pytest.mark.parametrize("seed", range(12))
def test_rules_alone_conclude_what_the_reference_engine_does(seed: int, monkeypatch) -> None:
    random = Random(f"alone {seed}")
    theory = random_theory(random)
    rules = some_rules(theory, random)
    states = [[*random_state(random), random_action(random)] for _ in range(8)]
    found = conclusions_in(FactMatcher(theory, rules, only_rules=True), states)
    monkeypatch.setenv(VARIABLE, "plain")
    assert found == [by_reference(theory, rules, facts) for facts in states]
    assert any(found)


@pytest.mark.parametrize("seed", range(12))
def test_rules_alone_conclude_no_more_than_with_their_theory(seed: int) -> None:
    random = Random(f"with absences {seed}")
    theory = random_theory(random, complete=True)
    rules = some_rules(theory, random)
    states = [[*random_state(random), random_action(random)] for _ in range(8)]
    only_learned = conclusions_in(FactMatcher(theory, rules, only_rules=True), states)
    whole = conclusions_in(FactMatcher(theory, rules), states)
    for one, other in zip(only_learned, whole, strict=True):
        if one is not None and other is not None:
            assert one <= other
    assert any(only_learned)


def test_definitions_of_conditions_are_evaluated_and_no_other_clauses() -> None:
    theory = load_text(LAMPS)
    by_name = {rule.name: rule for rule in theory.rules}
    learned = replace(by_name["press"], label="learned", learned=True)
    facts = [GroundFact("wired", ("a",)), GroundFact("press", ("a",))]
    assert conclusions_in(FactMatcher(theory, [learned], only_rules=True), [facts]) == [
        {("learned", "after lit(a)")}
    ]


def test_a_rule_about_each_moment_concludes_after_the_action_from_what_rules_conclude() -> None:
    theory = load_text(LAMPS)
    by_name = {rule.name: rule for rule in theory.rules}
    learned = [replace(by_name[name], label=f"my_{name}", learned=True) for name in ("press", "bright")]
    facts = [GroundFact("wired", ("a",)), GroundFact("press", ("a",))]
    expected = {("my_press", "after lit(a)"), ("my_bright", "after bright(a)")}
    assert conclusions_in(FactMatcher(theory, learned, only_rules=True), [facts]) == [expected]
    of_given = [replace(rule, of_given=rule.name == "my_bright") for rule in learned]
    assert conclusions_in(FactMatcher(theory, of_given, only_rules=True), [facts]) == [
        {("my_press", "after lit(a)")}
    ]


def test_an_error_of_a_state_spoils_no_others() -> None:
    theory = load_text(LAMPS)
    rules = [replace(rule, label=f"learned_{rule.name}", learned=True) for rule in theory.rules]
    good = [GroundFact("wired", ("a",))]
    bad = [GroundFact("press", ("a",)), GroundFact("press", ("b",))]
    matcher = FactMatcher(theory, rules)
    first, second, third = conclusions_in(matcher, [good, bad, good])
    assert first == third
    assert first
    assert second is None
    many = conclusions_in(matcher, [good, bad] * 10)
    assert many == [first, None] * 10


def test_a_single_state_of_a_theory_that_states_facts_is_matched() -> None:
    theory = load_text(
        "theory yard. sort thing. static heavy(thing). fluent here(thing). derived stays(thing).\n"
        "heavy(stone). stays: stays(?t) :- here(?t), heavy(?t)."
    )
    rules = [replace(rule, label="learned", learned=True) for rule in theory.rules]
    matcher = FactMatcher(theory, rules)
    here = [GroundFact("here", ("stone",))]
    assert conclusions_in(matcher, [here]) == conclusions_in(matcher, [here] * 10)[:1]
    assert conclusions_in(matcher, [here]) == [{("learned", "stays(stone)")}]
