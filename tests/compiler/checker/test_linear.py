"""Sums of constraints that refute a case, and those that do not."""

from __future__ import annotations

import pytest

from hornbook.compiler.checker.linear import refuted
from hornbook.kb.ast.terms import MAX_INTEGER, Comparison, Rule
from hornbook.kb.parse.syntax import parse


def comparison(text: str) -> Comparison:
    (rule,) = parse(f"p :- {text}.").clauses
    assert isinstance(rule, Rule)
    (found,) = rule.body
    assert isinstance(found, Comparison)
    return found


def judged(goal, premises, sums):
    return refuted(comparison(goal) if goal else None, [comparison(p) for p in premises], sums)


ADDED = (((0, 1), (1, 1)),)
"""The first constraint and the second."""


@pytest.mark.parametrize(
    ("goal", "premises", "sums"),
    [
        ("?x < 5", ["?x < 4"], (ADDED,)),
        (None, ["?x < 4", "?x > 4"], (ADDED,)),
        ("2 < 3", [], ((((0, 1),),),)),
        # Rounded: of 2x >= 1 and 2x <= 1 no integer is both.
        (None, ["2 * ?x >= 1", "2 * ?x <= 1"], ((((0, 1),), ((1, 1),), ((2, 1), (3, 1))),)),
        # Case by case: x is below 3 or above 3, and both are refuted.
        (None, ["?x != 3", "?x = 3"], ((((0, 1), (2, 1)),), ADDED)),
        # The ends of 64 bits, of each variable.
        (f"?x <= {MAX_INTEGER}", [], ((((0, 1), ("<x", 1)),),)),
        (f"?x >= {-MAX_INTEGER - 1}", [], ((((0, 1), (">x", 1)),),)),
        # Cases of max, in order.
        ("max(?x, ?y) >= ?x", [], ((((1, 1),),), ADDED)),
    ],
)
def test_what_sums_refute(goal, premises, sums):
    assert judged(goal, premises, sums)


@pytest.mark.parametrize(
    ("goal", "premises", "sums"),
    [
        ("?x < 4", ["?x < 5"], (ADDED,)),
        ("?x < 5", ["?x < 4"], ()),
        ("?x < 5", ["?x < 4"], (ADDED, ADDED)),
        ("?x < 5", ["?x < 4"], ((),)),
        ("?x < 5", ["?x < 4"], ((((0, 1), (1, -1)),),)),
        ("?x < 5", ["?x < 4"], ((((0, 1), (1, 0)),),)),
        ("?x < 5", ["?x < 4"], ((((0, 1), (2, 1)),),)),
        ("?x < 5", ["?x < 4"], ((((0, 1), (-1, 1)),),)),
        ("?x < 5", ["?x < 4"], None),
        ("?x < 5", ["?x < 4"], ("false",)),
        # A sum does not speak of itself, nor of one that comes later.
        ("?x < 5", ["?x < 4"], ((((2, 1),), ((0, 1), (1, 1))),)),
        # Not rounded the other way, and not in the middle of a sum.
        (None, ["2 * ?x >= 1", "2 * ?x <= 2"], ((((0, 1),), ((1, 1),), ((2, 1), (3, 1))),)),
        (None, ["2 * ?x >= 1", "2 * ?x <= 1"], (ADDED,)),
        # One case of two.
        (None, ["?x != 3", "?x < 3"], (ADDED,)),
        # What is opaque may be larger than 64 bits.
        (f"?x * ?y <= {MAX_INTEGER}", [], ((((0, 1), ("<x", 1)),),)),
        (f"?x <= {MAX_INTEGER - 1}", [], ((((0, 1), ("<x", 1)),),)),
        # Numbers that are too large for anybody to need.
        ("?x < 5", ["?x < 4"], ((((0, 2**600), (1, 2**600)),),)),
        # Words are no numbers.
        ("?x < 5", ["?x != a"], (ADDED, ADDED)),
    ],
)
def test_what_sums_do_not_refute(goal, premises, sums):
    assert not judged(goal, premises, sums)


def test_a_product_is_one_thing_in_either_order_and_a_quotient_lies_between_its_bounds():
    assert judged("?x * ?y <= 5", ["?y * ?x < 5"], (ADDED,))
    assert judged("?x // 2 <= ?x", ["?x >= 0"], ((((0, 2), (1, 1), (3, 1)),),)) is False
    # x // 2 = q with x - 2q >= 0: of 2q >= 2x + 2 and x >= 0 follows x >= 2x + 2.
    assert judged("?x // 2 <= ?x", ["?x >= 0"], ((((0, 1), (2, 2), (3, 1)),),))
