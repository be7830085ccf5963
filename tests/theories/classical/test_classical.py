"""Tests that the classical cases of explanation-based learning give the published results.

Each rule is written here as its paper prints it (with the words of our theories). The learned rule must be
the same up to names of variables and the order of conditions.
"""

from __future__ import annotations

from dataclasses import dataclass

import pytest

from hornbook.compiler.checker.checker import RejectedError, verify
from hornbook.compiler.learn.learner import ProvedExample, SolvedExample, explanation_of, learn, solve
from hornbook.compiler.rules.subsumption import subsumes, variants
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule, Statement
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_facts, run_examples
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_rule
from hornbook.kb.load.loader import read
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse


@dataclass(frozen=True, slots=True)
class Case:
    """A theory, the goal of its worked example, and the published rule."""

    theory: str
    goal: str
    published: str


# Mitchell, Keller and Kedar-Cabelli (1986), section 3.1: PART-OF, ISA and IS are `part`, `is_a` and `looks`.
CUP = Case(
    "cup",
    "cup(obj1)",
    """
    cup(?x) :-
      part(?x, ?xc), is_a(?xc, concavity), looks(?xc, upward_pointing),
      part(?x, ?xb), is_a(?xb, bottom), looks(?xb, flat),
      part(?x, ?xh), is_a(?xh, handle), looks(?x, light).
    """,
)
# The same, section 3.2: LESS(v1 * d1, 5) is two conditions, in tenths. The paper's weight of an endtable is a
# default, which our rules may not have: an endtable of another known weight contradicts the theory.
STACK = Case(
    "stack",
    "safe_to_stack(obj1, obj2)",
    """
    safe_to_stack(?x, ?y) :-
      volume(?x, ?v1), density(?x, ?d1), ?w = ?v1 * ?d1, ?w < 50, is_a(?y, endtable).
    """,
)
# DeJong and Mooney (1986): the killer and the victim in the theory's first rule are the same person.
KILLS = Case("suicide", "kills(john, john)", "kills(?a, ?a) :- depressed(?a), buys(?a, ?c), gun(?c).")
SUICIDE = Case("suicide", "suicide(john)", "suicide(?a) :- depressed(?a), buys(?a, ?c), gun(?c).")
CASES = [CUP, STACK, KILLS, SUICIDE]
NAMES = ["cup", "stack", "suicide"]
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.goal)


def rule(text: str) -> Rule:
    (clause,) = parse(text).clauses
    assert isinstance(clause, Rule)
    return clause


def solved(theory: Theory) -> SolvedExample:
    return solve(theory, example_facts(theory, theory.examples[0]))


def statement(base: KnowledgeBase, text: str) -> Statement:
    (condition,) = base.engine.parse_query(text).conditions
    assert isinstance(condition, Statement)
    return condition


def learned(case: Case) -> ProvedExample:
    theory = load(case.theory)
    base = solved(theory).base
    outcome = learn(explanation_of(base, statement(base, case.goal)), theory, "learned")
    assert isinstance(outcome, ProvedExample), outcome
    return outcome


@each_case
def test_the_learned_rule_is_the_published_one(case):
    found = learned(case).rule
    assert variants(found, rule(case.published)), print_rule(found)


@each_case
def test_no_rule_with_a_condition_more_or_less_would_have_passed(case):
    published = rule(case.published)
    for dropped in published.body:
        shorter = Rule(published.head, tuple(c for c in published.body if c != dropped))
        assert not variants(shorter, published)
    assert not variants(learned(case).rule, Rule(published.head, published.body[:-1]))


@each_case
def test_its_certificate_is_good_and_that_of_a_shorter_rule_is_not(case):
    outcome, theory = learned(case), load(case.theory)
    verify(outcome.rule, outcome.certificate, theory)
    with pytest.raises(RejectedError):
        verify(Rule(outcome.rule.head, outcome.rule.body[1:], "learned"), outcome.certificate, theory)


def test_the_product_may_be_written_in_the_comparison():
    short = rule(
        "safe_to_stack(?x, ?y) :- is_a(?y, endtable), volume(?x, ?v), density(?x, ?d), ?v * ?d < 50."
    )
    found = learned(STACK).rule
    assert subsumes(short, found)
    assert subsumes(found, short)


@pytest.mark.parametrize("name", NAMES)
def test_the_theory_is_without_warnings_and_in_the_common_layout(name):
    loaded, _ = read(name)
    assert list(loaded.diagnostics) == []
    text = loaded.path.read_text(encoding="utf-8")
    assert format_text(text) == text


@pytest.mark.parametrize("name", NAMES)
def test_the_theory_meets_its_expectations_and_needs_all_its_rules(name):
    report = run_examples(load(name))
    assert [(outcome.expect.example, outcome.why) for outcome in report.failed] == []
    assert [made.name for made, fired in report.fired if fired == 0] == []


@pytest.mark.parametrize(("name", "about"), [("cup", "owner"), ("stack", "colour"), ("stack", "on")])
def test_what_the_proof_did_not_need_is_not_in_the_rule(name, about):
    case = CUP if name == "cup" else STACK
    assert any(fact.relation == about for fact in example_facts(load(name), load(name).examples[0]))
    assert f"{about}(" not in print_rule(learned(case).rule)


def test_the_learned_rule_of_a_cup_knows_another_cup():
    made = learned(CUP).rule
    assert "obj1" not in print_rule(made)
    other = KnowledgeBase(load("cup"))
    body = print_rule(made).partition(":-")[2].rstrip(".\n")
    other.add_text(
        "looks(mug, light). looks(mug, blue). part(mug, m1). part(mug, m2). part(mug, m3)."
        "is_a(m1, concavity). is_a(m2, bottom). is_a(m3, handle). looks(m1, upward_pointing)."
    )
    assert not other.query(body)
    other.add_text("looks(m2, flat).")
    assert other.query(body).to_dicts()[0]["x"] == "mug"


def test_a_second_weight_of_an_endtable_contradicts_the_default():
    base = solved(load("stack")).base
    with pytest.raises(KnowledgeBaseError, match="two values for one key: `weight"):
        base.add_text("volume(obj2, 3). density(obj2, 7).")


def test_a_weight_beyond_64_bits_is_an_error_and_no_small_weight():
    base = solved(load("stack")).base
    with pytest.raises(KnowledgeBaseError, match="leaves 64 bits"):
        base.add_text("volume(moon, 9223372036854775807). density(moon, 2).")
