"""Tests of counts with `but`: such a count is another fact about a set.

It does not close the set, and it promises nothing to the engine.
"""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.certificate import relied_on
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import counts_of
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.theory_checks import check_rules
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.syntax import parse
from hornbook.kb.sources.diagnostics import TheoryError

DECLARED = """
sort point.
static named(point).
fluent spare(point -> int) counts liberty but named.
fluent liberty(point, point).
fluent edge(point).
derived closed(point).
named(c1).
"""
COUNTED = DECLARED + "fluent liberties(point -> int) counts liberty.\n"
ALL = "all_edge: closed(?b) :- spare(?b, _), all ?l in liberty(?b, ?l): edge(?l).\n"
STATE = "spare(a1, 1). liberty(a1, b1). edge(b1)."


def test_a_set_that_is_only_counted_with_but_is_not_closed():
    with pytest.raises(TheoryError) as refused:
        load_text(DECLARED + ALL)
    assert [d.code for d in refused.value.diagnostics] == ["HB031"]


def test_another_count_may_close_the_set_in_whatever_order_they_are_declared():
    theory = load_text(COUNTED + ALL)
    assert counts_of(theory.vocabulary)["liberty"].name == "liberties"
    load_text(
        DECLARED.replace("sort point.", "sort point.\nfluent liberties(point -> int) counts liberty.") + ALL
    )


def test_its_facts_are_not_compared_with_the_members_that_are_known():
    base = KnowledgeBase(load_text(COUNTED + ALL))
    base.add_text(STATE + " liberty(a1, c1). liberty(a1, d1).")
    assert base.query("spare(a1, ?n)").rows == ((1,),)
    with pytest.raises(KnowledgeBaseError, match="3 members are known"):
        base.add_text("liberties(a1, 2).")


def test_the_size_of_a_set_is_not_read_off_it():
    base = KnowledgeBase(load_text(COUNTED + ALL))
    base.add_text(STATE + " liberties(a1, 2).")
    assert base.query("closed(?b)").rows == ()
    base.add_text("liberty(a1, c1). edge(c1).")
    assert base.query("closed(?b)").rows == (("a1",),)


def test_no_proof_rests_on_it_because_of_the_set():
    theory = load_text(COUNTED + ALL)
    rule = parse("closed(?b) :- liberties(?b, 0), liberty(?b, ?l), edge(?l).").clauses[0]
    assert isinstance(rule, Rule)
    assert not check_rules([rule], theory.vocabulary)
    assert [p.name for p in relied_on([rule], theory.vocabulary)] == [
        "closed",
        "edge",
        "liberties",
        "liberty",
    ]
