"""Tests of unfolding: unfolded rules conclude the same on positions as the rules with the whole theory do."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import pytest

from hornbook.compiler.match.unfolding import definitions, unfolded
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON,
    All,
    Atom,
    Comparison,
    Constant,
    GameStatement,
    statements,
)
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_rule
from hornbook.theories.go.play import tactics
from hornbook.theories.go.states.board import GoBoard
from oracles.go.capture_lessons import (
    THEORY,
    facts_of,
    near_boards,
    problem_learner,
    problems,
    random_boards,
    take,
)
from oracles.proofs.learned_rules import rule_of, theory_of


@cache
def folded() -> KnowledgeBase:
    """Return a base of the learned rules and the theory's rules, except those for values of games."""
    plain = tuple(rule for rule in THEORY.rules if not isinstance(rule.head, GameStatement))
    base = KnowledgeBase(replace(THEORY, rules=plain), derivations="none")
    add_proved_rules(base, [proved.rule for proved in problem_learner().proved])
    return base


def messages(state: GoBoard, target: int) -> set[GameStatement]:
    """Return the values that the learned rules give for a block. The focus set has the whole board."""
    base, game = folded(), take(state, target)
    base.push()
    base.add(facts_of(tactics, state, game))
    found = {
        statement
        for relation in base.relations()
        if isinstance(relation, GameStatement) and relation.tense == "before"
        for statement in base.engine.statements(relation.relation, "before")
        if isinstance(statement, GameStatement) and statement.game.terms == game.terms
    }
    base.pop()
    return found


@pytest.mark.deep
@pytest.mark.parametrize("seed", [1, 2])
def test_unfolded_rules_say_what_folded_ones_say(seed):
    learner, answers = problem_learner(), 0
    states = [*random_boards(seed, 2, sides=(5,)), *near_boards(seed, 3), problems(3, 6)[seed].board]
    for state in states:
        for block in state.blocks:
            target = min(block.stones)
            matched = {
                m.conclusion for value in (WON, SECOND_PLAYER_WIN) for m in learner.says(state, target, value)
            }
            expected = messages(state, target)
            assert {str(s) for s in matched} == {str(s) for s in expected}
            answers += len(matched)
    assert answers > 5


def test_an_unfolded_rule_asks_for_primitive_facts_only():
    derived = {p.name for p in THEORY.vocabulary.predicates.values() if p.kind == "derived"}
    for proved in problem_learner().proved:
        rule = unfolded(proved.rule, THEORY)
        assert {s.relation for s in statements(rule.body)} & derived == set()
        queried = {s.relation for s in statements(proved.rule.body)}
        assert queried & derived or queried == {s.relation for s in statements(rule.body)}


MADE = """
sort node.
static edge(node, node).
static level(int).
fluent load(node -> int).
derived light(node, int) operational.
derived near(node, node) operational.
level(1).
level(2).
light: light(?n, ?k) :- level(?k), load(?n, ?l), ?l <= ?k.
lighter: light(?n, ?j) :- light(?n, ?k), level(?j), ?k < ?j.
game win(node).
"""


def test_a_definition_takes_the_place_of_the_condition():
    rule = unfolded(rule_of("win(?n) is GI :- light(?n, 2), edge(?n, _)."), theory_of(MADE))
    text = " ".join(print_rule(rule).split())
    # Facts stated in the theory are not conditions. Consequences of the predicate are not part of its
    # definition.
    assert "level" not in text
    assert "light(" not in text
    assert "load(?n, " in text
    assert "<= 2" in text


def test_two_values_of_one_key_are_one():
    rule = unfolded(rule_of("win(?n) is GI :- light(?n, 2), load(?n, ?x), ?x > 0."), theory_of(MADE))
    assert [c.predicate for c in rule.body if isinstance(c, Atom)].count("load") == 1


def test_a_condition_inside_a_closed_one_is_unfolded():
    text = MADE + "fluent ends(node -> int) counts end.\nfluent end(node, node).\n"
    rule = unfolded(
        rule_of("win(?n) is GI :- load(?n, _), all ?m in end(?n, ?m): light(?m, 1)."), theory_of(text)
    )
    assert {s.relation for s in statements(rule.body)} == {"load", "end"}


def test_a_predicate_without_a_definition_is_queried_for_as_it_is():
    rule = unfolded(rule_of("win(?n) is GI :- near(?n, _)."), theory_of(MADE))
    assert {s.relation for s in statements(rule.body)} == {"near"}
    assert definitions(rule, theory_of(MADE)) == ()


def test_what_has_several_definitions_or_rests_on_itself_is_queried_for_as_it_is():
    two = MADE + "near: near(?n, ?m) :- edge(?n, ?m).\nnear_too: near(?n, ?m) :- edge(?m, ?n).\n"
    far = (
        MADE
        + "near: near(?n, ?m) :- edge(?n, ?m).\nfar: near(?n, ?m) :- near(?n, ?l), edge(?l, ?m), load(?l, 0).\n"
    )
    for text in (two, far):
        rule = unfolded(rule_of("win(?n) is GI :- near(?n, _), light(?n, 2)."), theory_of(text))
        assert {s.relation for s in statements(rule.body)} == {"near", "load"}
        assert [each.head.relation for each in definitions(rule, theory_of(text))] == ["near", "near"]


def test_a_predicate_that_rests_on_what_is_derived_is_queried_for_as_it_is():
    text = (
        MADE
        + "derived tied(node).\ntied: tied(?n) :- edge(?n, _).\nnear: near(?n, ?m) :- tied(?n), edge(?n, ?m).\n"
    )
    rule = unfolded(rule_of("win(?n) is GI :- near(?n, _)."), theory_of(text))
    assert [each.name for each in definitions(rule, theory_of(text))] == ["tied", "near"]


def test_a_condition_that_is_never_concluded_is_queried_for_as_it_is():
    text = MADE + "near: near(?n, ?n) :- load(?n, _).\n"
    rule = unfolded(rule_of("win(?n) is GI :- load(?n, _), near(a, b)."), theory_of(text))
    assert {s.relation for s in statements(rule.body)} == {"load", "near"}


def text_of(rule: str, theory: str) -> str:
    return " ".join(print_rule(unfolded(rule_of(rule), theory_of(theory))).split())


@pytest.mark.parametrize(
    ("head", "rule", "required"),
    [
        # The case of the issue: two variables of the rule are equal if the head of the definition has one
        # variable for both.
        ("near(?s, ?s)", "win(?n) is GI :- edge(?n, ?m), near(?n, ?m).", "?n = ?m"),
        ("near(?s, b)", "win(?n) is GI :- edge(?n, ?m), near(?n, ?m).", "?m = b"),
        ("near(?s, b)", "win(?n) is GI :- near(?n, b).", "load(?n, _)"),
    ],
)
def test_what_a_definitions_head_asks_is_queried_of_the_whole_rule(head, rule, required):
    text = text_of(rule, MADE + f"near: {head} :- load(?s, _).\n")
    assert required in text or " = ".join(reversed(required.split(" = "))) in text


def test_inside_a_closed_condition_it_is_queried_there():
    text = (
        MADE
        + "fluent ends(node -> int) counts end.\nfluent end(node, node).\nnear: near(?s, ?s) :- load(?s, _).\n"
    )
    rule = unfolded(
        rule_of("win(?n) is GI :- load(?n, _), all ?m in end(?n, ?m): near(?m, ?n)."), theory_of(text)
    )
    (closed,) = [c for c in rule.body if isinstance(c, All)]
    assert any(isinstance(c, Comparison) and c.operator == "=" for c in closed.conditions)
    assert not any(isinstance(c, Comparison) for c in rule.body)


def test_what_follows_from_the_predicate_and_is_not_concluded_without_is_a_definition_too():
    text = MADE + "near: near(?n, ?m) :- edge(?n, ?m).\nfar: near(?n, ?m) :- near(?n, ?l), edge(?l, ?m).\n"
    rule = unfolded(rule_of("win(?n) is GI :- near(?n, _)."), theory_of(text))
    assert [each.name for each in definitions(rule, theory_of(text))] == ["near", "far"]


def test_the_value_of_the_rule_stays():
    rule = unfolded(rule_of("win(?n) is IG :- light(?n, 1)."), theory_of(MADE))
    assert isinstance(rule.head, GameStatement)
    assert rule.head.value == Constant("IG")
