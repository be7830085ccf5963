"""Tests of suggested keys: only where the examples agree, and only for conditions that a key makes one."""

from __future__ import annotations

import pytest

from hornbook.compiler.learn.effects.missing_keys import missing_keys
from hornbook.compiler.learn.learning import examples_of
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.loader import load_text
from tests.compiler.learn.effects.test_effects import learned

TEXT = """theory parts.
sort part. sort box. sort bar = int.
static in(box, part).
static size(box -> int) counts in.
fluent level(part, bar).
fluent on(part).
action start(part).
derived fine(part).
derived ready(box).
fine: fine(?p) :- level(?p, ?n), ?n >= 5, level(?p, ?m), ?m < 9, on(?p).
ready: ready(?b) :- size(?b, _), all ?p in in(?b, ?p): fine(?p).
started: after on(?p) :- start(?p).
raised: after level(?p, ?n) :- start(?p), before level(?p, ?m), ?n = ?m + 1.
persists level(?p, _) unless start(?p).
persists on(_).
example one: in(b, a), in(b, c), size(b, 2), level(a, 6), level(c, 7), on(c), start(a).
expect one: after ready(b).
"""


def suggested(text: str) -> list[str]:
    theory = load_text(text)
    base = learned(theory)
    states = [example.facts for example in examples_of(theory)]
    rules = (*(entry.rule for entry in base), *base.definitions.clauses)
    return [str(each) for each in missing_keys(rules, theory.vocabulary, states)]


def test_a_key_that_merges_two_conditions_is_suggested_with_its_declaration():
    (found,) = suggested(TEXT)
    assert found == (
        "<text>:5: `fine_after_start_3` has the conditions `before level(?p, ?m)` and `before level(?p, ?m2)`, which"
        " a key would make one: if it always holds, declare `fluent level(part -> bar).`"
    )


def test_with_the_key_no_condition_is_repeated():
    assert suggested(TEXT.replace("level(part, bar)", "level(part -> bar)")) == []


def test_a_key_that_an_example_contradicts_is_not_suggested():
    assert suggested(TEXT.replace("level(c, 7)", "level(c, 7), level(c, 8)")) == []


CONDITIONS = {
    "level(?p, ?n), level(?p, ?m), ?n > 1, ?m > 2": 1,
    "level(?p, ?n), level(?p, 3)": 1,
    "level(?p, ?n), level(?p, ?m), ?n != ?m": 0,
    "level(?p, ?n), level(?p, ?m), ?n < ?m": 0,
    "level(?p, 2), level(?p, 3)": 0,
    "level(?p, ?n), level(?q, ?n), next(?p, ?q)": 0,
    "next(?p, ?q), next(?p, ?r), level(?q, 1), level(?r, ?n)": 0,  # the state has two facts
}


@pytest.mark.parametrize(("conditions", "number"), CONDITIONS.items(), ids=CONDITIONS)
def test_only_conditions_that_may_be_one(conditions, number):
    theory = load_text(
        "theory t. sort part. sort bar = int. static level(part, bar). static next(part, part). derived fine(part)."
        f" fine: fine(?p) :- {conditions}."
    )
    state = [GroundFact("level", ("a", 3)), GroundFact("next", ("a", "b")), GroundFact("next", ("a", "c"))]
    assert len(list(missing_keys(theory.rules, theory.vocabulary, [state]))) == number
