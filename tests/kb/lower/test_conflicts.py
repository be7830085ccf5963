"""The message about two values for one key names the rules and the facts that give them."""

from __future__ import annotations

import pytest

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.conflicts import RefusedChange, reasons_of
from hornbook.kb.lower.engines import make_engine
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.errors import KeyConflictError
from oracles.pages.engines import engines_with

TEXT = """theory rates.
sort person.
sort percent = int.
static person(person) complete.
static child(person) complete.
static student(person) complete.
static fixed(person -> percent).
derived rate(person -> percent).
ordinary: rate(?p, 20) :- person(?p).
reduced exception to ordinary: rate(?p, 5) :- child(?p).
pupils exception to ordinary: rate(?p, 3) :- student(?p).
stated: fixed(?p, 1) :- student(?p).
"""
BOB = [GroundFact(name, ("bob",)) for name in ("person", "child", "student")]


@pytest.mark.parametrize("engine", engines_with("derivations"))
def test_both_rules_and_their_facts_are_named(engine):
    base = KnowledgeBase(load_text(TEXT), engine=engine)
    with pytest.raises(KnowledgeBaseError) as raised:
        _ = base.add(BOB) or base.query("rate(?p, ?r)")
    message = str(raised.value)
    for part in (
        "`rate(bob, 3)` follows by `pupils` (<text>:11:1) from `student(bob)`",
        "`rate(bob, 5)` follows by `reduced` (<text>:10:1) from `child(bob)`",
    ):
        assert part in message


def test_a_given_value_is_called_given():
    base = KnowledgeBase(load_text(TEXT))
    base.add([GroundFact("fixed", ("bob", 2))])
    with pytest.raises(KnowledgeBaseError, match=r"`fixed\(bob, 2\)` is given"):
        base.add(BOB[2:])
    assert base.query("student(?p)").rows == ()


def test_nothing_is_said_about_facts_that_are_not_found_again():
    base = KnowledgeBase(load_text(TEXT))
    coding = base.engine.coding
    first, second = (coding.fact(GroundFact("rate", ("bob", value))) for value in (3, 5))
    engine = make_engine(coding.predicates, derivations="one", limits=Limits())
    problem = KeyConflictError(first, second)
    assert (
        reasons_of(problem, engine, RefusedChange(), coding, lambda _: base.theory.rules[0], Limits()) == ""
    )
    known = RefusedChange(add=(first, second))
    assert reasons_of(problem, engine, known, coding, lambda _: base.theory.rules[0], Limits()) == (
        "`rate(bob, 3)` is given; `rate(bob, 5)` is given"
    )
