"""Tests of sums of constraints: some refute a case, others do not."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from operator import eq, ge, gt, le, lt, ne

import pytest

from hornbook.compiler.checker.certificate import MAX_NUMBER
from hornbook.compiler.checker.linear import (
    MAX_CASES,
    Alternatives,
    Linear,
    TooManyCasesError,
    alternatives,
    bound,
    cases,
    negated,
    refuted,
)
from hornbook.kb.ast.terms import MAX_INTEGER, Comparison, Constant, Rule, Variable
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
"""The sum of the first and the second constraint."""


@pytest.mark.parametrize(
    ("goal", "premises", "sums"),
    [
        ("?x < 5", ["?x < 4"], (ADDED,)),
        (None, ["?x < 4", "?x > 4"], (ADDED,)),
        ("2 < 3", [], ((((0, 1),),),)),
        # Rounding: no integer satisfies both 2x >= 1 and 2x <= 1.
        (None, ["2 * ?x >= 1", "2 * ?x <= 1"], ((((0, 1),), ((1, 1),), ((2, 1), (3, 1))),)),
        # Case analysis: x is below 3 or above 3, and a sum refutes each case.
        (None, ["?x != 3", "?x = 3"], ((((0, 1), (2, 1)),), ADDED)),
        # The 64-bit bounds of each variable.
        (f"?x <= {MAX_INTEGER}", [], ((((0, 1), ("<x", 1)),),)),
        (f"?x >= {-MAX_INTEGER - 1}", [], ((((0, 1), (">x", 1)),),)),
        # The cases of max, in order.
        ("max(?x, ?y) >= ?x", [], ((((1, 1),),), ADDED)),
        ("abs(?x) >= ?x", [], ((((1, 1),),), (((0, 2), (1, 1)),))),
        # A remainder uses the unknown of the quotient, and is below the divisor.
        ("?x mod 3 < 3", [], ((((1, 1), (2, 1)),),)),
        ("?x mod 3 = ?x - 3 * (?x // 3)", [], ((((4, 1),),), (((4, 1),),))),
        # Equal calls of any other function denote the same number.
        ("bit_and(?x, ?y) = bit_and(?x, ?y)", [], ((((0, 1),),), (((0, 1),),))),
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
        ("3 < 2", [], ((((0, -1),),),)),
        ("?x < 5", [], ((((0, 1), (">x", -1)),),)),
        ("2 < 3", [], ((),)),
        (None, [], ((),)),
        ("?x < 5", ["?x < 4"], (5,)),
        ("?x < 5", ["?x < 4"], None),
        ("?x < 5", ["?x < 4"], ("false",)),
        # A sum does not refer to itself or to a later sum.
        ("?x < 5", ["?x < 4"], ((((2, 1),), ((0, 1), (1, 1))),)),
        # Rounding in the wrong direction fails, and so does rounding in the middle of a sum.
        (None, ["2 * ?x >= 1", "2 * ?x <= 2"], ((((0, 1),), ((1, 1),), ((2, 1), (3, 1))),)),
        (None, ["2 * ?x >= 1", "2 * ?x <= 1"], (ADDED,)),
        # Only one of two cases is refuted.
        (None, ["?x != 3", "?x < 3"], (ADDED,)),
        (None, ["?x != 3", "?x < 3"], (ADDED, ADDED)),
        # An opaque term may exceed 64 bits.
        (f"?x * ?y <= {MAX_INTEGER}", [], ((((0, 1), ("<x", 1)),),)),
        (f"?x <= {MAX_INTEGER - 1}", [], ((((0, 1), ("<x", 1)),),)),
        # The checker refuses multipliers beyond any practical size.
        ("?x < 5", ["?x < 4"], ((((0, 2**600), (1, 2**600)),),)),
        # Words are not numbers.
        ("?x < 5", ["?x != a"], (ADDED, ADDED)),
    ],
)
def test_what_sums_do_not_refute(goal, premises, sums):
    assert not judged(goal, premises, sums)


def test_products_commute_and_quotients_are_bounded():
    assert judged("?x * ?y <= 5", ["?y * ?x < 5"], (ADDED,))
    assert judged("?x // 2 <= ?x", ["?x >= 0"], ((((0, 2), (1, 1), (3, 1)),),)) is False
    # x // 2 = q with x - 2q >= 0. Then 2q >= 2x + 2 and x >= 0 imply x >= 2x + 2.
    assert judged("?x // 2 <= ?x", ["?x >= 0"], ((((0, 1), (2, 2), (3, 1)),),))


def is_met(constraint: Linear, values: Mapping[str, int]) -> bool:
    return sum(c * values[u] for u, c in constraint.coefficients) + constraint.constant >= 0


def holds(found: Alternatives, values: Mapping[str, int]) -> bool:
    """Return whether the values satisfy some alternative. A quotient may have any value."""
    opaque = {u for each in found for c in each for u, _ in c.coefficients} - values.keys()
    assert len(opaque) <= 1
    tried = [{**values, **dict.fromkeys(opaque, q)} for q in range(-20, 21)]
    return any(all(is_met(c, each) for c in conjunction) for each in tried for conjunction in found)


@pytest.mark.parametrize("operator", ["<", "<=", ">", ">=", "=", "!="])
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("?x + ?y", lambda x, y: x + y),
        ("?x - ?y + 1", lambda x, y: x - y + 1),
        ("2 * ?x - ?y * 3", lambda x, y: 2 * x - 3 * y),
        ("min(?x, ?y) + 1", lambda x, y: min(x, y) + 1),
        ("3 - max(?x, ?y)", lambda x, y: 3 - max(x, y)),
        ("max(?x, min(?y, 1))", lambda x, y: max(x, min(y, 1))),
        ("?x + (2 * ?y - 1) // 2", lambda x, y: x + (2 * y - 1) // 2),
        ("?x - ?y // 3", lambda x, y: x - y // 3),
        ("?y * (-7 // 2) + ?x", lambda x, y: y * (-7 // 2) + x),
        ("?x + 0 * ?y", lambda x, _: x),
    ],
)
def test_comparisons_are_met_by_the_numbers_for_which_they_are_true(operator, text, value):
    compared = {"<": lt, "<=": le, ">": gt, ">=": ge, "=": eq, "!=": ne}[operator]
    found = alternatives(comparison(f"{text} {operator} 1"))
    opposite = alternatives(negated(comparison(f"{text} {operator} 1")))
    for x, y in product(range(-4, 5), repeat=2):
        true = compared(value(x, y), 1)
        assert holds(found, {"x": x, "y": y}) is true
        assert holds(opposite, {"x": x, "y": y}) is not true


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("?x * ?y", "?y * ?x", True),
        ("(?x + 0) * ?y", "?x * ?y", True),
        ("?x * ?y", "?x * ?z", False),
        ("?x * ?y", "?x * (?y + 1)", False),
        ("?x * ?y", "(?x + 1) * ?y", False),
        ("?x // ?y", "?y // ?x", False),
        ("?x // ?y", "?x * ?y", False),
        ("?x // 2", "?x // 3", False),
        ("?x // 2", "?x // 2", True),
        ("?x // 0", "?x // -1", False),
    ],
)
def test_what_is_opaque_is_one_unknown_where_it_is_written_alike(one, other, same):
    unknowns = [alternatives(comparison(f"{each} = 0"))[0][-1].coefficients[0][0] for each in (one, other)]
    assert (unknowns[0] == unknowns[1]) is same
    assert all(each.startswith("(") and len(each) == 65 for each in unknowns)


@pytest.mark.parametrize("divisor", ["0", "-2", "?y"])
def test_a_quotient_by_what_is_not_above_zero_has_no_bounds(divisor):
    assert [len(each) for each in alternatives(comparison(f"?x // {divisor} >= 0"))] == [1]
    assert [len(each) for each in alternatives(comparison("?x // 1 >= 0"))] == [3]
    assert alternatives(comparison("7 // 1 >= 0")) == ((Linear((), 7),),)
    for text in (f"7 // ({divisor})", "7 // (?y + 1)", "?x // (?y + 1)"):
        ((constraint,),) = alternatives(comparison(f"{text} >= 0"))
        assert constraint.coefficients[0][0].startswith("(")


def test_a_variable_that_is_called_like_what_is_opaque_is_another_one():
    name = alternatives(comparison("?x * ?y = 0"))[0][0].coefficients[0][0]
    odd = Comparison("=", Variable(name), Constant(0))
    assert alternatives(odd)[0][0].coefficients[0][0] == f"?{name}"


@pytest.mark.parametrize(
    ("coefficients", "constant", "tightened"),
    [
        ({"x": 2, "y": -4}, 3, ({"x": 1, "y": -2}, 1)),
        ({"x": -3}, -4, ({"x": -1}, -2)),
        ({"x": 2, "y": 3}, 5, ({"x": 2, "y": 3}, 5)),
        ({}, 7, ({}, 7)),
        ({"x": 0, "y": 2}, 1, ({"y": 1}, 0)),
    ],
)
def test_a_constraint_is_rounded_to_integers(coefficients, constant, tightened):
    assert Linear.of(coefficients, constant).tightened() == Linear.of(*tightened)


def test_a_number_is_huge_from_one_beyond_the_largest():
    for number in (MAX_NUMBER, -MAX_NUMBER):
        assert not Linear.of({"x": number}, number).is_huge
    for one in (
        Linear.of({"x": MAX_NUMBER + 1}, 0),
        Linear.of({"x": -MAX_NUMBER - 1}, 0),
        Linear((), MAX_NUMBER + 1),
    ):
        assert one.is_huge


@pytest.mark.parametrize(
    ("reference", "constraint"),
    [
        (">x", Linear((("x", 1),), 2**63)),
        ("<x", Linear((("x", -1),), 2**63 - 1)),
        (">", None),
        ("", None),
        ("x", None),
        ("=x", None),
        ("<(x", None),
    ],
)
def test_the_ends_of_64_bits_are_of_variables(reference, constraint):
    assert bound(reference) == constraint


def test_so_many_cases_are_reported_apart_and_no_more():
    most = "min(?a, ?b) + " * 6 + "min(?a, ?b)"
    assert 2 * len(cases(comparison(f"{most} = 0").left)) == MAX_CASES == 256
    with pytest.raises(TooManyCasesError):
        cases(comparison(f"{most} + min(?a, ?b) = 0").left)
    four = "(min(?a, ?b) + min(?a, ?b) + min(?a, ?b) + min(?a, ?b))"
    with pytest.raises(TooManyCasesError):
        cases(comparison(f"{four} + {four} = 0").left)
    assert len(cases(comparison(f"?x + ({most}) = 0").left)) == 128
    assert len(alternatives(comparison(f"{most} <= min(?a, ?b)"))) == 256
    with pytest.raises(TooManyCasesError):
        alternatives(comparison(f"{most} != min(?a, ?b)"))
    unequal = [f"?x{i} != ?y{i}" for i in range(9)]
    assert judged(None, [*unequal[:7], "?z < 0", "?z > 0"], ((((7, 1), (8, 1)),),) * 128)
    assert judged(None, [*unequal[:8], "?z < 0", "?z > 0"], ((((8, 1), (9, 1)),),) * 256)
    assert not judged(None, [*unequal, "?z < 0", "?z > 0"], ((((9, 1), (10, 1)),),) * 512)
    with pytest.raises(TypeError, match="is not a number"):
        cases(Constant("a"))
