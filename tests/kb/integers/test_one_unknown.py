"""Tests of comparisons with one unknown: the exact solution against a search of a small domain."""

from __future__ import annotations

import operator
from random import Random

import pytest

from hornbook.kb.ast.terms import Comparison, Constant, Expression, Operation, Variable
from hornbook.kb.integers.intervals import Intervals
from hornbook.kb.integers.univariate import Narrowing, UnsolvedError, solutions
from hornbook.kb.lower.definitions import definition
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.text.literals.functions import DEFINITIONS, OPERANDS, digits_operands
from hornbook.matcher.program.operators import GREATEST

OPERATORS = {
    "=": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
CENTS = 1_000_000_000_000


def solved(text: str, low: int = 1, high: int = CENTS) -> tuple[tuple[int, int], ...]:
    (comparison,) = parse_query(text).conditions
    assert isinstance(comparison, Comparison)
    return solutions(comparison, Intervals(((low, high),))).parts


def test_a_line_is_solved_at_the_integer_inside():
    assert solved("7 * ?k + 3 >= 100") == ((14, CENTS),)
    assert solved("100 - 7 * ?k >= 0") == ((1, 14),)
    assert solved("7 * ?k = 21") == ((3, 3),)
    assert solved("7 * ?k = 22") == ()
    assert solved("?k != 5", 1, 9) == ((1, 4), (6, 9))


def test_a_minimum_and_a_quotient_bend_the_line():
    assert solved("min(?k + 5, 90) * 12 >= 600") == ((45, CENTS),)
    assert solved("min(?k + 5, 40) * 12 >= 600") == ()
    assert solved("(?k + 10) // 7 >= 12") == ((74, CENTS),)
    assert solved("1 <= min(1, (0 + ?k) // 7)") == ((7, CENTS),)
    assert solved("max(10 - ?k, ?k - 20) <= 3") == ((7, 23),)


def test_interest_that_is_rounded_leaves_gaps():
    # A loan of 80 cents immediately costs 6 cents more, so the amount just below it may suffice.
    assert solved("?k - 6 * (?k // 80) - 77 >= 0") == ((77, 79), (83, CENTS))


def test_what_leaves_64_bits_does_not_hold():
    most = GREATEST // 1_000_000_000_000
    assert solved("?k * 1000000000000 >= 5", 1, 100_000_000) == ((1, most),)


def test_a_product_of_two_parts_with_the_unknown_is_solved():
    assert solved("?k * ?k >= 5") == ((3, 3_037_000_499),)
    assert solved("?k * ?k = 49", -CENTS) == ((-7, -7), (7, 7))
    assert solved("?k * ?k = 50", -CENTS) == ()


def test_a_remainder_is_solved_up_to_the_next_multiple():
    assert solved("?k mod 10 = 3", -10, 25) == ((-7, -7), (3, 3), (13, 13), (23, 23))
    assert solved("(7 - 3 * ?k) mod 5 >= 3", 0, 9) == ((1, 1), (3, 3), (6, 6), (8, 8))


@pytest.mark.parametrize("name", sorted(DEFINITIONS))
def test_the_definition_of_a_function_is_solved_as_trying_says(name):
    random, unknown = Random(name), Variable("k")
    places = digits_operands(name)
    for _ in range(3):
        others = [
            Constant(random.randint(0, 3) if at in places else random.randint(1, 40))
            for at in range(OPERANDS[name])
        ]
        calls = Operation(name, (unknown, *others[1:]))
        low = random.randint(-800, 20_000)
        values = [
            int(DEFINITIONS[name](*(k if each is unknown else each.value for each in calls.operands)))
            for k in range(low, low + 400)
        ]
        chosen = random.choice(values)
        for sign, compare in OPERATORS.items():
            comparison = Comparison(sign, definition(calls), Constant(chosen))
            found = solutions(comparison, Intervals(((low, low + 399),)))
            assert found == Intervals.of(
                (low + i, low + i) for i, v in enumerate(values) if compare(v, chosen)
            )


def test_an_expression_that_changes_at_every_step_is_given_up():
    with pytest.raises(UnsolvedError):
        solved("?k - 2 * (?k // 2) >= 1")


@pytest.mark.parametrize("seed", range(4))
def test_random_comparisons_hold_where_trying_says(seed):
    random = Random(seed)
    for _ in range(250):
        comparison = Comparison(random.choice(tuple(OPERATORS)), _linear(random, 3), _linear(random, 2))
        low = random.randint(-30, 10)
        high = low + random.randint(0, 90)
        tried = [k for k in range(low, high + 1) if _holds(comparison, k)]
        found = solutions(comparison, Intervals(((low, high),)))
        assert found == Intervals.of((k, k) for k in tried), comparison


@pytest.mark.parametrize("seed", range(4))
def test_expressions_that_share_parts_leave_what_trying_says(seed):
    # A result about a part over one interval must not be reused for another interval.
    random = Random(f"parts {seed}")
    for _ in range(150):
        low = random.randint(-30, 10)
        high = low + random.randint(0, 90)
        left, tried = Narrowing(Intervals(((low, high),))), range(low, high + 1)
        parts = [_linear(random, 2) for _ in range(3)]
        for _ in range(random.randint(1, 5)):
            sign = random.choice(("+", "-", "min", "max"))
            parts.append(Operation(sign, (random.choice(parts), random.choice(parts))))
            comparison = Comparison(random.choice(tuple(OPERATORS)), parts[-1], random.choice(parts))
            left.define(parts[-1])
            left.hold(comparison)
            tried = [k for k in tried if _holds(comparison, k)]
            assert left.domain == Intervals.of((k, k) for k in tried), comparison


def test_a_part_that_leaves_64_bits_narrows_once_for_all_that_rest_on_it():
    unknown = Variable("k")
    large = Operation("*", (unknown, Constant(10**12)))
    left = Narrowing(Intervals(((1, CENTS),)))
    left.define(large)
    assert left.domain.parts == ((1, GREATEST // 10**12),)
    left.hold(Comparison(">=", Operation("-", (large, Constant(5))), Constant(3 * 10**12)))
    assert left.domain.parts == ((4, GREATEST // 10**12),)


def _linear(random: Random, depth: int) -> Expression:
    if depth == 0 or random.random() < 0.15:
        return random.choice((Variable("k"), Constant(random.randint(-9, 30))))
    inner = _linear(random, depth - 1)
    match random.choice(("+", "-", "*", "//", "mod", "min", "max")):
        case "*":
            other = _linear(random, 0) if random.random() < 0.3 else Constant(random.randint(-4, 6))
            return Operation("*", (inner, other))
        case "//" | "mod" as sign:
            return Operation(sign, (inner, Constant(random.randint(1, 9))))
        case sign:
            return Operation(sign, (inner, _linear(random, depth - 1)))  # type: ignore[arg-type]


def _holds(comparison: Comparison, unknown: int) -> bool:
    return bool(
        OPERATORS[comparison.operator](_value(comparison.left, unknown), _value(comparison.right, unknown))
    )


def _value(expression: Expression, unknown: int) -> int:
    match expression:
        case Constant(value):
            assert isinstance(value, int)
            return value
        case Variable():
            return unknown
    left, right = _value(expression.left, unknown), _value(expression.right, unknown)
    each = {
        "+": operator.add, "-": operator.sub, "*": operator.mul, "//": operator.floordiv, "mod": operator.mod,
        "min": min, "max": max,
    }  # fmt: skip
    return int(each[expression.operator](left, right))
