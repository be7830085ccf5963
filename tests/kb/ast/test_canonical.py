"""Tests of canonical forms: different values have different forms, even if `==` calls them equal."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path

import pytest

from hornbook.kb.ast.canonical import canonical, digest
from hornbook.kb.ast.once_per_theory import CACHED_THEORIES, once_per_theory
from hornbook.kb.ast.substitution import marked_rule
from hornbook.kb.ast.terms import Atom, Constant, Rule, Span, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text

HEAD = Atom("p", (Constant(1),))
RULE = Rule(HEAD, (Atom("q", (Variable("x"),)),), span=Span("file", 3, 1, 3, 9))
VALUES = [
    None,
    True,
    1,
    1.0,
    "1",
    b"1",
    "",
    (),
    (1,),
    ((1,),),
    ("1",),
    (1, None),
    {},
    {1: 2},
    {"1": 2},
    {1: 2, 3: 4},
    {3: 4, 1: 2},
    frozenset(),
    frozenset({1}),
    frozenset({1, 2}),
    Path("1"),
    Constant(1),
    Constant("1"),
    Variable("1"),
    GroundFact("p", (1,)),
    ("p", (1,), None),
    HEAD,
    RULE,
    replace(RULE, span=RULE.span._replace(line=4)),
    replace(RULE, label="p@3"),
    replace(RULE, lemma=True),
    replace(RULE, learned=True),
    replace(RULE, of_given=True),
    replace(RULE, alone=frozenset({"p"})),
    replace(RULE, alternative=1),
]


def test_different_values_have_different_forms():
    digests = [digest(value) for value in VALUES]
    assert [
        pair for pair in combinations(range(len(VALUES)), 2) if digests[pair[0]] == digests[pair[1]]
    ] == []
    assert digest(1, 2) != digest((1, 2)) != digest(1, 2, None)


def test_a_set_has_one_form_whatever_its_order():
    assert canonical(frozenset("abc")) == canonical(frozenset("cba")) == canonical({"b", "c", "a"})


def test_a_place_in_a_file_is_no_part_of_a_form():
    labelled = replace(RULE, label="here")
    assert canonical(labelled) == canonical(replace(labelled, span=Span("other", 9, 9, 9, 9)))


def test_a_value_of_another_kind_is_refused():
    with pytest.raises(TypeError, match="type object has no canonical form"):
        canonical([1, object()])


def test_a_value_nested_too_deeply_is_equal_to_no_other():
    deep: tuple[object, ...] = ()
    for _ in range(10_000):
        deep = (deep,)
    assert digest(deep) != digest(deep)


def test_a_function_is_called_once_for_each_of_a_few_theories():
    calls: list[Theory] = []

    @once_per_theory
    def name(theory: Theory) -> str:
        """The name."""
        calls.append(theory)
        return theory.name

    theories = [load_text("theory same. sort a.") for _ in range(CACHED_THEORIES + 1)]
    assert [name(theory) for theory in (*theories[:CACHED_THEORIES], *theories[:CACHED_THEORIES])] == [
        "same"
    ] * 2 * CACHED_THEORIES
    assert len(calls) == CACHED_THEORIES
    name(theories[-1])
    name(theories[0])
    assert len(calls) == CACHED_THEORIES + 2
    assert name.__doc__ == "The name."


def test_a_marked_rule_has_nothing_of_an_equal_rule():
    other = replace(
        RULE, span=RULE.span._replace(line=4), of_given=True, alone=frozenset({"p"}), learned=True
    )
    assert other == RULE
    first = canonical(marked_rule(other, "'"))
    marked_rule.cache_clear()
    assert canonical(marked_rule(RULE, "'")) == first
