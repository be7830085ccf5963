"""Tests that the 5x1 board agrees with the source (Cazenave 1996, section 4, Tables II to VII)."""

from __future__ import annotations

import re

import pytest

from hornbook.compiler.checker.certificate import fingerprint_of_rule
from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn, solve
from hornbook.compiler.refute.countermodel import find
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Comparison, Rule
from hornbook.kb.base.examples import example_facts
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.parse.syntax import parse

TABLE_IV = """
legal(black, i1)  legal(black, i2)  legal(black, i4)  legal(black, i5)
after colour(i1, empty)  after colour(i2, empty)  after colour(i3, white)  after colour(i4, black)
after colour(i5, empty)  after liberties(i3, 1)  after stones(i3, 1)  after same_block(i3, i3)
after liberties(i4, 1)  after stones(i4, 1)  after same_block(i4, i4)
after legal(black, i1)  after legal(black, i2)
move(black, i4)  after take(i3) by move(black, i2) is GI  before take(i3) by move(black, i4) is GIII
"""
"""Table IV without `Legal_move_after (@ i5)`, which the table has and the rules of Go forbid.

The stone at i5 would have no liberty and white on i3 has one left, so the move would be suicide. The table
names i1 twice among the legal moves before; the second is read as i5.
"""

TABLE_VI = """
colour(i1, empty)  neighbour(i1, i2)  neighbour(i2, i3)  colour(i2, empty)  neighbour(i3, i4)  colour(i3, white)
same_block(i3, i3)  liberties(i3, 2)  colour(i4, empty)  neighbour(i4, i5)  colour(i5, empty)  move(black, i4)
"""
"""Table VI.

The table has both orders of some neighbours, since its unprinted rules ask for both; here each pair occurs
once.
"""

TABLE_VII = """
table_vii:
  take(?i3) by move(black, ?i4) is GIII :-
    player(black), opponent(black, white),
    colour(?i1, empty), neighbour(?i2, ?i1), neighbour(?i2, ?i3), colour(?i2, empty), neighbour(?i3, ?i2),
    neighbour(?i3, ?i4), colour(?i3, white), same_block(?i3, ?i3), liberties(?i3, 2), neighbour(?i4, ?i3),
    colour(?i4, empty), neighbour(?i4, ?i5), colour(?i5, empty), ?i1 != ?i4, ?i2 != ?i4.
"""
"""The rule of Table VII, with the inequalities of its proof, which the table does not print."""


@pytest.fixture(scope="module")
def paper():
    return load("paper")


@pytest.fixture(scope="module")
def solved(paper):
    return solve(paper, example_facts(paper, paper.examples[0]))


@pytest.fixture(scope="module")
def learned(paper, solved):
    outcome = learn(explanation_of(solved.base, solved.goals[0]), paper, "threat")
    assert isinstance(outcome, ProvedExample)
    return outcome


def facts(table: str) -> set[str]:
    return {fact for line in table.strip().splitlines() for fact in line.split("  ")}


def rule_of(text: str) -> Rule:
    (rule,) = (clause for clause in parse(text).clauses if isinstance(clause, Rule))
    return rule


def test_saturation_gives_table_iv(solved):
    for fact in facts(TABLE_IV):
        assert solved.base.query(fact), fact


def test_saturation_gives_nothing_next_to_table_iv(solved):
    """This checks the friend's facts only, since the table leaves out those about the opponent's moves."""
    derived = {
        print_condition(statement)
        for shape in solved.base.relations()
        if shape.tense == "after" or shape.relation in ("legal", "take by move is")
        for statement in solved.base.engine.statements(shape.relation, shape.tense)
    }
    friends = {fact.removeprefix("before ") for fact in derived if "white, i" not in fact}
    table = {fact.removeprefix("before ") for fact in facts(TABLE_IV)} - {"move(black, i4)"}
    # The theory concludes since then that one winning move wins the game (theories/values). The paper has no
    # such rule.
    assert friends - {"after take(i3) is GI"} == table


def test_the_false_fact_of_table_iv_is_not_derived(solved):
    assert not solved.base.query("after legal(black, i5)")


def test_the_only_new_value_is_the_threat(solved):
    assert [print_condition(goal) for goal in solved.goals] == ["before take(i3) by move(black, i4) is GIII"]


def test_the_explanation_has_the_leaves_of_table_vi(solved):
    leaves = {
        print_condition(leaf).removeprefix("before ")
        for leaf in explanation_of(solved.base, solved.goals[0]).leaves
    }
    one_way = {
        "neighbour(" + ", ".join(sorted(leaf[10:-1].split(", "))) + ")"
        if leaf.startswith("neighbour")
        else leaf
        for leaf in leaves
    }
    # Friend and opponent are constants in the table; here the rule holds for either colour.
    assert one_way - {"player(black)", "opponent(black, white)"} == facts(TABLE_VI)


def test_the_rule_is_at_least_as_general_as_table_vii(learned):
    table = rule_of(TABLE_VII)
    assert subsumes(learned.rule, table)
    assert not subsumes(table, learned.rule)


def test_the_second_liberty_may_touch_any_stone_of_the_block(learned):
    wider = rule_of(
        TABLE_VII.replace("same_block(?i3, ?i3)", "same_block(?i3, ?j), same_block(?i3, ?i3)").replace(
            "neighbour(?i3, ?i4)", "neighbour(?j, ?i4)"
        )
    )
    assert subsumes(learned.rule, wider)


def test_the_rule_speaks_of_no_point_and_no_colour_of_the_example(learned):
    words = set(re.findall(r"(?<![?\w])\w+", print_rule(learned.rule)))
    assert not words & {"i1", "i2", "i3", "i4", "i5", "black", "white"}
    assert {"GIII", "empty", "2"} <= words


def test_without_an_inequality_the_checker_names_the_step_and_there_is_a_counter_model(paper, learned):
    """If both liberties are the same point, the move fills the liberty that it should leave (design 11.1)."""
    inequalities = [c for c in learned.rule.body if isinstance(c, Comparison) and c.operator == "!="]
    assert len(inequalities) == 2
    for inequality in inequalities:
        body = tuple(c for c in learned.rule.body if c != inequality)
        weakened = Rule(learned.rule.head, body, "weakened")
        certificate = certificate_of(weakened, learned.certificate.steps, paper, {})
        assert certificate.of == fingerprint_of_rule(weakened)
        with pytest.raises(RejectedError) as caught:
            verify(weakened, certificate, paper)
        shown = print_condition(inequality)
        assert (
            f"rule `an_empty_point_stays_empty`: nothing proves `{shown}`: the two may be one thing"
            in str(caught.value)
        )
        model = find(weakened, paper)
        assert model is not None
        left, right = inequality.left, inequality.right
        assert model.assignment[left.name] == model.assignment[right.name]
        assert "does not follow" in str(model)
    assert find(learned.rule, paper) is None
