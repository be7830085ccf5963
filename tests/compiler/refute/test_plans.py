"""Tests of plans: a state refutes a wrong plan in one move.

Longer plans are not refuted, since a knowledge base does not give the state after a pass.
"""

from __future__ import annotations

from hornbook.compiler.refute.countermodel import find
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.syntax import parse

STEPS = """
theory steps.
sort square.
static next(square, square).
fluent at(square).
action go(square).
game reach(square).
there: before reach(?q) by go(?q) is GI :- go(?q), before at(?p), next(?p, ?q).
"""
PLANS = """
right: plan reach(?q) in 1 by go(?q) :- at(?p), next(?p, ?q).
wrong: plan reach(?q) in 1 by go(?q) :- at(?q).
longer: plan reach(?q) in 2 by go(?p) :- at(?p), next(?p, ?q).
"""


def test_a_state_refutes_a_wrong_plan():
    theory = load_text(STEPS)
    right, wrong, longer = parse(PLANS).clauses
    assert find(right, theory, lemmas=[longer]) is None
    assert "`reach(thing_q) by go(thing_q) is GI` does not follow" in str(find(wrong, theory))
    assert find(longer, theory, lemmas=[right]) is None
