"""Typed uses of the public API: mypy checks this file with `--strict`, and a test runs it.

`assert_type` fails if a lazily loaded name has the type `Any`.
"""

from __future__ import annotations

from typing import Any, assert_type

import hornbook
from hornbook.api.answers import Answer
from hornbook.api.learned_rule import LearnedRule
from hornbook.api.pictures import Picture
from hornbook.api.teaching import LearningReport
from hornbook.compiler.rules.verification import Verdict
from hornbook.kb.explain.why_not import WhyNot


def family() -> list[dict[str, Any]]:
    base = hornbook.KnowledgeBase("family", limits=hornbook.Limits(seconds=5.0))
    base.add([hornbook.GroundFact("parent", ("cleo", "eve"))])
    answers = base.query("ancestor(?who, eve)")
    assert_type(answers, hornbook.Answers)
    assert_type(answers.to_tuples(), list[tuple[Any, ...]])
    proof = base.why("ancestor(ada, eve)")
    assert_type(proof, hornbook.Proof)
    assert_type(proof.to_html(), str)
    assert_type(proof.rules, tuple[hornbook.Rule, ...])
    assert_type(base.why_not("ancestor(eve, ada)"), WhyNot)
    return answers.to_dicts()


def cup() -> hornbook.LearnedRules:
    learned = hornbook.learn("cup", hornbook.read_examples("cup"), proofs=1)
    assert_type(learned, LearningReport)
    assert_type([each.reason for each in learned.results], list[str])
    assert_type(learned.rules, hornbook.LearnedRules)
    rule = learned.rules["cup_1"]
    assert_type(rule, LearnedRule)
    assert_type(rule.rule, hornbook.Rule)
    assert_type(rule.example, str | None)
    assert_type(learned.rules.verify(), list[Verdict])
    assert_type(hornbook.show(rule), Picture)
    return learned.rules


def corner() -> list[str | None]:
    state = hornbook.read_state("go", "X X .\nO O X\n. . .\n")
    assert_type(state, hornbook.State)
    assert_type(state.facts, list[hornbook.GroundFact])
    lesson = hornbook.make_problem(state, "take(a2)", moves=1)
    assert_type(lesson, hornbook.Problem)
    answers = hornbook.LearnedRules("go").match(state)
    assert_type(answers, list[Answer])
    return [each.move for each in answers]


def refused() -> list[hornbook.Diagnostic]:
    try:
        hornbook.KnowledgeBase("family").query("ancester(?who, eve)")
    except hornbook.TheoryError as problem:
        return problem.diagnostics
    return []
