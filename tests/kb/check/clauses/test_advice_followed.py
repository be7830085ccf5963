"""Tests that the replacement which a message proposes is correct."""

from __future__ import annotations

import re

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.theory_checks import check
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

DECLARED = """theory t.
sort person. sort day = saturday | sunday. sort week = mo | tu | we | th | fr.
static person(person). static open(person, day). static works(person, week). static likes(person, person).
person(ann). person(ben).
"""


@pytest.mark.parametrize(
    ("fact", "query", "answers"),
    [
        ("likes(_, ann).", "likes(?a, ?b)", {("ann", "ann"), ("ben", "ann")}),
        ("likes(_, _).", "likes(?a, ?b)", {(a, b) for a in ("ann", "ben") for b in ("ann", "ben")}),
        ("likes(?x, ?x).", "likes(?a, ?b)", {("ann", "ann"), ("ben", "ben")}),
        ("open(ann, _).", "open(ann, ?d)", {("saturday",), ("sunday",)}),
        ("open(_, _).", "open(?p, saturday)", {("ann",), ("ben",)}),
    ],
)
def test_the_rule_for_a_fact_with_a_wildcard(fact, query, answers):
    (found,) = check([parse(DECLARED + fact)])
    assert found.code == "HB040"
    (rule,) = re.findall("`([^`]*)`", found.help)
    base = KnowledgeBase(load_text(DECLARED + rule))
    assert set(base.query(query)) == answers


def test_of_a_long_sort_only_some_constants_are_shown():
    (found,) = check([parse(DECLARED + "works(ann, _).")])
    assert "?week = mo or ?week = tu or ?week = we or …" in found.help


def test_a_second_number_of_columns_is_one_mistake_with_a_name_to_take():
    text = DECLARED + "static edge(person, person).\nstatic edge(person, person, day).\n"
    text += "edge(ann, ben). edge(ann, ben, sunday).\nway: likes(?x, ?y) :- edge(?x, ?y, _).\n"
    (found,) = check([parse(text)])
    assert (found.code, found.message) == (
        "HB015",
        "the predicate `edge` is declared with 2 columns and with 3",
    )
    assert "`edge3`" in found.help
    repaired = text.replace("static edge(person, person, day)", "static edge3(person, person, day)")
    repaired = repaired.replace("edge(ann, ben, sunday)", "edge3(ann, ben, sunday)").replace(
        "edge(?x, ?y, _)", "edge3(?x, ?y, _)"
    )
    assert set(KnowledgeBase(load_text(repaired)).query("likes(?x, ?y)")) == {("ann", "ben")}


def test_facts_with_more_columns_are_reported_of_another_name():
    (found,) = check([parse(DECLARED + "likes(ann, ben, 3).")])
    assert found.code == "HB011"
    assert "`likes3`" in found.help
    (found,) = check([parse(DECLARED + "r: likes(?x, ?x) :- person(?x, _).")])
    assert "person2" not in found.help


LENDING = """theory lending.
sort book. sort person.
fluent lent(book, person) complete. static allowed(person -> int) complete. fluent has(person, book).
action take(person, book).
derived loans(person, int). derived may(person).
loans: {loans}(?p, ?n) :- allowed(?p, _), ?n = count ?b where {lent}(?b, ?p).
may: {may}(?p) :- allowed(?p, ?m), {loans}(?p, ?n), ?n < ?m.
after has(?p, ?b) :- take(?p, ?b), before may(?p).
"""


def test_the_conclusion_that_is_to_be_before_the_action_is_named():
    timeless = LENDING.format(loans="loans", lent="lent", may="may")
    (found,) = check([parse(timeless)])
    assert found.code == "HB039"
    assert found.help.startswith("conclude `may` before the action only")
    half = LENDING.format(loans="before loans", lent="before lent", may="before may")
    half = half.replace("before loans(?p, ?n) :- allowed", "loans(?p, ?n) :- allowed").replace(
        "where before lent", "where lent"
    )
    (found,) = check([parse(half)])
    assert found.help.startswith(
        "conclude `loans` before the action only, with `before` in front of all that changes: after an action, `lent`"
    )
    whole = LENDING.format(loans="before loans", lent="before lent", may="before may")
    assert not check([parse(whole)])


def test_an_exception_of_what_rules_conclude_completely():
    text = """theory t. sort book. sort person.
fluent lent(book, person) complete. fluent has(person, book). action take(person, book).
derived gone(book).
gone: before gone(?b) :- before lent(?b, _).
persists has(?p, ?b) unless take(?p, ?b), gone(?b).
has: after has(?p, ?b) :- take(?p, ?b), before gone(?b).
"""
    (found,) = check([parse(text)])
    assert found.code == "HB064"
    declared, *_ = re.findall("`([^`]*)`", found.help)
    assert declared == "derived gone(book) complete"
    assert not check([parse(text.replace("derived gone(book)", declared))])
