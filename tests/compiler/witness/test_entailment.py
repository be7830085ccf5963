"""Tests of the checker's integer entailment against z3 and against all small numbers."""

from __future__ import annotations

import time
from itertools import pairwise, product
from random import Random
from typing import Any

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.compiler.checker.linear import alternatives, negated, refuted
from hornbook.compiler.checker.proofs import swapped
from hornbook.compiler.refute.countermodel import compare, value
from hornbook.compiler.witness.entailment import (
    MAX_INTEGER,
    MIN_INTEGER,
    Arithmetic,
    TooManyCasesError,
    cases,
)
from hornbook.kb.ast.terms import Comparison, Constant, Expression, Operation, Variable, expression_variables
from hornbook.kb.parse.syntax import parse

NAMES = ("x", "y", "z")
OPERATORS = ("=", "!=", "<", "<=", ">", ">=")


NEGATIVE = tuple(Constant(number) for number in (-4, -3, -2, -1))
DIVISORS = st.sampled_from((-4, -3, -2, -1, 1, 2, 3, 4))


def expressions(depth: int = 2, *, constants: st.SearchStrategy[int]) -> st.SearchStrategy[Expression]:
    leaf: st.SearchStrategy[Expression] = st.sampled_from(NAMES).map(Variable) | constants.map(Constant)
    if depth == 0:
        return leaf
    below = expressions(depth - 1, constants=constants)
    return (
        leaf
        | st.builds(Operation, st.sampled_from(("+", "-", "min", "max")), st.tuples(below, below))
        | st.builds(
            Operation,
            st.just("*"),
            st.tuples(below, constants.map(Constant) | st.sampled_from(NAMES).map(Variable)),
        )
        | st.builds(Operation, st.sampled_from(("//", "mod")), st.tuples(below, DIVISORS.map(Constant)))
        | st.builds(Operation, st.just("abs"), st.tuples(below))
    )


def comparisons(*, constants: st.SearchStrategy[int], depth: int = 2) -> st.SearchStrategy[Comparison]:
    side = expressions(depth, constants=constants)
    return st.builds(Comparison, st.sampled_from(OPERATORS), side, side)


SMALL = st.integers(-4, 4)
LARGE = st.sampled_from(
    (0, 1, -1, 2, MAX_INTEGER, MAX_INTEGER - 1, MIN_INTEGER, MIN_INTEGER + 1, 2**62, -(2**62))
)


# z3 as a second opinion


def number(expression: Expression) -> Any:
    match expression:
        case Constant():
            return z3.IntVal(expression.value)
        case Variable():
            return z3.Int(expression.name)
        case Operation():
            left, *rest = map(number, expression.operands)
            right = rest[0] if rest else -left
            match expression.operator:
                case "+":
                    return left + right
                case "-":
                    return left - right
                case "*":
                    return left * right
                case "//":
                    return quotient(left, right)
                case "mod":
                    return left - right * quotient(left, right)
                case "min":
                    return z3.If(left <= right, left, right)
                case _:
                    return z3.If(left >= right, left, right)


def quotient(left: Any, right: Any) -> Any:
    """Return the quotient rounded down. The division of z3 rounds down only if the divisor is positive."""
    return left / right if right.as_long() > 0 else -left / z3.IntVal(-right.as_long())


def formula(comparison: Comparison) -> Any:
    left, right = number(comparison.left), number(comparison.right)
    return {
        "=": left == right, "!=": left != right, "<": left < right,
        "<=": left <= right, ">": left > right, ">=": left >= right,
    }[comparison.operator]  # fmt: skip


def satisfiable(formulas: list[Any]) -> bool | None:
    """Return whether some 64-bit integers satisfy the formulas, or None if z3 does not know."""
    solver = z3.Solver()
    solver.set("timeout", 300)
    for name in NAMES:
        solver.add(z3.Int(name) >= MIN_INTEGER, z3.Int(name) <= MAX_INTEGER)
    solver.add(*formulas)
    answer = solver.check()
    return None if answer == z3.unknown else answer == z3.sat


@settings(max_examples=150)
@given(st.lists(comparisons(constants=SMALL, depth=1), max_size=4), comparisons(constants=SMALL))
def test_what_is_entailed_is_so_for_z3(premises: list[Comparison], goal: Comparison) -> None:
    if Arithmetic(premises).entails(goal):
        assert satisfiable([*map(formula, premises), z3.Not(formula(goal))]) is not True


@settings(max_examples=150)
@given(st.lists(comparisons(constants=LARGE, depth=1), max_size=3), comparisons(constants=LARGE, depth=1))
def test_what_is_entailed_near_the_ends_of_64_bits_is_so_for_z3(
    premises: list[Comparison], goal: Comparison
) -> None:
    if Arithmetic(premises).entails(goal):
        assert satisfiable([*map(formula, premises), z3.Not(formula(goal))]) is not True


@pytest.mark.deep
@settings(max_examples=150)
@given(st.lists(comparisons(constants=SMALL | LARGE, depth=1), max_size=5))
def test_what_is_contradictory_is_so_for_z3(premises: list[Comparison]) -> None:
    if Arithmetic(premises).contradictory():
        assert satisfiable([formula(premise) for premise in premises]) is not True


@settings(max_examples=150)
@given(
    st.lists(comparisons(constants=SMALL | LARGE, depth=0), max_size=4), expressions(constants=SMALL | LARGE)
)
def test_what_fits_into_64_bits_does_so_for_z3(premises: list[Comparison], expression: Expression) -> None:
    if Arithmetic(premises).fits(expression):
        outside = z3.Or(number(expression) < MIN_INTEGER, number(expression) > MAX_INTEGER)
        assert satisfiable([*map(formula, premises), outside]) is not True


def _linear(random: Random, names: tuple[str, ...] = NAMES) -> Expression:
    total: Expression = Constant(random.randint(-5, 5))
    for name in random.sample(names, random.randint(1, 2)):
        total = Operation(
            "+", (total, Operation("*", (Constant(random.choice((-2, -1, 1, 2, 3))), Variable(name))))
        )
    return total


def _linear_comparison(random: Random) -> Comparison:
    operator = random.choice(("<", "<=", ">", ">=", "=", "<=", ">=", "!="))
    return Comparison(operator, _linear(random), _linear(random))  # type: ignore[arg-type]


@pytest.mark.deep
def test_most_linear_entailments_are_found() -> None:
    """A false negative only refuses a proof, and no wrong rule is learned."""
    random = Random(3)
    entailed = found = 0
    for _ in range(280):
        premises = [_linear_comparison(random) for _ in range(random.randint(1, 4))]
        goal = _linear_comparison(random)
        output = Arithmetic(premises).entails(goal)
        known = satisfiable([*map(formula, premises), z3.Not(formula(goal))]) is False
        assert not output or known, (premises, goal)
        if known and satisfiable([formula(premise) for premise in premises]):
            entailed += 1
            found += output
    print(f"{found} of {entailed} linear entailments found")
    assert entailed > 20
    assert found > 0.97 * entailed


# All small numbers


@settings(max_examples=200)
@given(st.lists(comparisons(constants=SMALL, depth=1), max_size=3), comparisons(constants=SMALL))
def test_what_is_entailed_holds_of_all_small_numbers(premises: list[Comparison], goal: Comparison) -> None:
    arithmetic = Arithmetic(premises)
    entailed, contradictory = arithmetic.entails(goal), arithmetic.contradictory()
    if not entailed and not contradictory:
        return
    for numbers in product(range(-4, 5), repeat=len(NAMES)):
        assignment = {name: Constant(n) for name, n in zip(NAMES, numbers, strict=True)}
        if all(_holds(premise, assignment) for premise in premises):
            assert not contradictory
            assert _holds(goal, assignment)


def _holds(comparison: Comparison, assignment: dict[str, Constant]) -> bool:
    return compare(
        comparison.operator, value(comparison.left, assignment), value(comparison.right, assignment)
    )


@settings(max_examples=100)
@given(comparisons(constants=SMALL), st.tuples(SMALL, SMALL, SMALL))
def test_a_comparison_its_alternatives_its_negation_and_its_mirror_agree(
    comparison: Comparison, numbers: tuple[int, int, int]
) -> None:
    assignment = {name: Constant(n) for name, n in zip(NAMES, numbers, strict=True)}
    holds = _holds(comparison, assignment)
    assert _holds(negated(comparison), assignment) == (not holds)
    assert _holds(swapped(comparison), assignment) == holds
    fixed = [Comparison("=", Variable(name), constant) for name, constant in assignment.items()]
    arithmetic = Arithmetic([*fixed, comparison])
    assert not (holds and arithmetic.contradictory())
    if not _has_unknown(comparison):
        assert bool(arithmetic.contradictory()) == (not holds)


def _has_unknown(expression: Comparison | Expression) -> bool:
    if isinstance(expression, Comparison):
        return _has_unknown(expression.left) or _has_unknown(expression.right)
    if not isinstance(expression, Operation):
        return False
    if expression.operator in ("//", "mod") and expression.right in NEGATIVE:
        return True  # the checker assumes nothing of it
    of_two = expression.operator == "*" and all(
        any(True for _ in expression_variables(side)) for side in expression.operands
    )
    return of_two or any(map(_has_unknown, expression.operands))


# Case by case

x, y, z = map(Variable, NAMES)


def over(operator: str, left: Expression | int, right: Expression | int) -> Comparison:
    sides = [Constant(side) if isinstance(side, int) else side for side in (left, right)]
    return Comparison(operator, sides[0], sides[1])  # type: ignore[arg-type]


def op(operator: str, left: Expression | int, right: Expression | int) -> Operation:
    sides = [Constant(side) if isinstance(side, int) else side for side in (left, right)]
    return Operation(operator, (sides[0], sides[1]))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("premises", "goal", "entailed"),
    [
        ([over(">", x, 3)], over(">=", x, 4), True),
        ([over(">", x, 3)], over(">", x, 4), False),
        ([over(">", op("*", x, 2), 7)], over(">=", x, 4), True),
        ([over("<", op("*", x, 2), 7), over(">", op("*", x, 2), 5)], over("=", x, 3), True),
        ([over("=", op("*", x, 2), y)], over("!=", y, 7), True),
        ([over("!=", x, y)], over("!=", y, x), True),
        ([over("!=", x, y), over("<=", x, y)], over("<", x, y), True),
        ([over("<=", x, y), over("<=", y, z), over("<=", z, x)], over("=", x, z), True),
        ([over("=", x, op("-", y, 1)), over("=", y, 5)], over("=", x, 4), True),
        ([over("=", op("min", x, y), 3)], over(">=", x, 3), True),
        ([over("=", op("min", x, y), 3)], over("=", x, 3), False),
        ([over("=", op("max", x, y), 3), over("<", x, 3)], over("=", y, 3), True),
        ([over("=", op("//", x, 3), 2)], over("<=", x, 8), True),
        ([over("=", op("//", x, 3), 2)], over("<=", x, 7), False),
        ([over("=", op("//", x, 3), -1)], over("<", x, 0), True),
        ([over(">", op("*", x, y), 3)], over(">", op("*", y, x), 2), True),
        ([over(">", op("*", x, y), 3)], over(">", x, 0), False),
        ([over(">", op("*", x, op("+", y, 1)), 3)], over(">", op("*", op("+", 1, y), x), 3), True),
        ([], over("<=", x, MAX_INTEGER), True),
        ([over(">", x, MAX_INTEGER - 1)], over("=", x, MAX_INTEGER), True),
        ([], over("!=", op("+", x, x), 1), True),
        ([], over("=", op("-", x, x), 0), True),
        ([], over("=", x, y), False),
    ],
)  # fmt: skip
def test_entailment_case_by_case(premises: list[Comparison], goal: Comparison, entailed: bool) -> None:
    assert Arithmetic(premises).entails(goal) == entailed


def test_a_sum_fits_only_where_its_parts_leave_room() -> None:
    assert not Arithmetic([]).fits(op("+", x, 1))
    assert Arithmetic([over("<", x, MAX_INTEGER)]).fits(op("+", x, 1))
    assert Arithmetic([over("<", x, y)]).fits(op("+", x, 1))
    assert not Arithmetic([over("<=", x, y)]).fits(op("+", x, 1))
    assert not Arithmetic([over(">", x, 0), over("<", x, 2**32)]).fits(op("*", x, x))
    assert Arithmetic([]).fits(op("min", x, y))
    assert Arithmetic([]).fits(op("//", x, 2))


def test_a_word_is_no_number() -> None:
    with pytest.raises(TypeError):
        cases(Constant("black"))
    with pytest.raises(TypeError):
        alternatives(Comparison("<", Constant("black"), Constant(3)))


# Bounds


def test_nested_cases_are_bounded() -> None:
    deep: Expression = x
    for number_ in range(60):
        deep = op("min", deep, op("max", y, number_))
    started = time.process_time()
    with pytest.raises(TooManyCasesError):
        cases(deep)
    assert not Arithmetic([over(">", deep, 3)]).entails(over(">", x, 3))
    assert not Arithmetic([]).entails(over(">", deep, 3))
    assert not Arithmetic([over(">", deep, 3)]).contradictory()
    assert time.process_time() - started < 5


def test_hard_systems_are_given_up_in_time() -> None:
    random = Random(5)
    names = tuple(f"v{i}" for i in range(12))
    premises = [Comparison("<=", _linear(random, names), _linear(random, names)) for _ in range(60)]
    premises += [Comparison("!=", Variable(a), Variable(b)) for a, b in pairwise(names)]
    arithmetic = Arithmetic(premises)
    started = time.process_time()
    for name in names:
        arithmetic.entails(Comparison("<", Variable(name), Constant(10**9)))
    arithmetic.contradictory()
    assert time.process_time() - started < 30


def test_only_the_premises_near_a_goal_are_queried() -> None:
    chain = [
        over("=", Variable(f"d{i + 1}"), op("+", Variable(f"d{i}"), Variable(f"c{i}"))) for i in range(2_000)
    ]
    arithmetic = Arithmetic([*chain, *(over(">=", Variable(f"c{i}"), 0) for i in range(2_000))])
    started = time.process_time()
    assert arithmetic.entails(over(">=", Variable("d1003"), Variable("d1000")))
    assert not arithmetic.entails(over("<=", Variable("d1003"), Variable("d1000")))
    assert time.process_time() - started < 2


def test_premises_come_and_go() -> None:
    arithmetic = Arithmetic([over(">", x, 3)])
    copy = arithmetic.copy()
    arithmetic.discard(over(">", x, 3))
    assert not arithmetic.entails(over(">", x, 2))
    assert copy.entails(over(">", x, 2))
    arithmetic.add(over(">", x, y))
    arithmetic.add(over(">", y, 2))
    assert arithmetic.mentioning("y") == [over(">", x, y), over(">", y, 2)]
    assert arithmetic.entails(over(">", x, 3))


def product_of(names: list[str]) -> Expression:
    product: Expression = Variable(names[0])
    for name in names[1:]:
        product = Operation("*", (product, Variable(name)))
    return product


def test_what_a_product_is_called_does_not_grow_with_its_factors() -> None:
    lengths = []
    for factors in (4, 16):
        ((linear, _),) = cases(product_of([f"x{number}" for number in range(factors)]))
        ((name, _),) = linear.coefficients
        lengths.append(len(name))
    assert lengths[0] == lengths[1]


def test_products_are_one_unknown_where_they_are_written_alike_and_only_there() -> None:
    one, other = product_of(["x", "y", "z"]), product_of(["x", "y", "w"])
    stored = Arithmetic([Comparison(">", one, Constant(5))])
    assert stored.entails(Comparison(">=", one, Constant(6)))
    assert not stored.entails(Comparison(">=", other, Constant(6)))


def test_a_variable_that_is_called_like_a_product_is_not_that_product() -> None:
    product = product_of(["x", "y"])
    ((linear, _),) = cases(product)
    ((name, _),) = linear.coefficients
    assert not Arithmetic([Comparison(">", Variable(name), Constant(5))]).entails(
        Comparison(">", product, Constant(5))
    )


def test_an_elimination_ends_where_it_would_take_too_much(monkeypatch: pytest.MonkeyPatch) -> None:
    """The inequalities form a cycle with no integer solution.

    The default budget finds it and a smaller one does not.
    """
    names = [f"x{number}" for number in range(12)]
    cycle = [Comparison("<", Variable(a), Variable(b)) for a, b in pairwise([*names, names[0]])]
    assert Arithmetic(cycle).contradictory()
    monkeypatch.setattr("hornbook.compiler.witness.entailment.MAX_WORK", 20)
    assert not Arithmetic(cycle).contradictory()


def test_differences_that_add_up_to_a_contradiction_are_one_sum() -> None:
    names = [f"x{number}" for number in range(12)]
    cycle = [Comparison("<", Variable(a), Variable(b)) for a, b in pairwise([*names, names[0]])]
    found = Arithmetic(cycle).contradictory()
    assert found
    ((only,),) = found[1]
    assert sorted(only) == [(number, 1) for number in range(12)]


differences = st.tuples(st.sampled_from("0wxy"), st.sampled_from("xyz"), st.integers(-4, 4))


@given(st.lists(differences, max_size=8))
def test_of_differences_it_is_found_whether_integers_satisfy_them(output: list[tuple[str, str, int]]) -> None:
    """Each triple bounds the difference of two numbers.

    The result equals that of all shortest paths (Floyd 1962).
    """
    most = {(a, b): 0 if a == b else 99 for a in "0wxyz" for b in "0wxyz"}
    for one, other, by in output:
        most[one, other] = min(most[one, other], by)
    for via, a, b in product("0wxyz", repeat=3):
        most[a, b] = min(most[a, b], most[a, via] + most[via, b])
    terms = {name: Constant(0) if name == "0" else Variable(name) for name in "0wxyz"}
    premises = [
        Comparison("<=", Operation("-", (terms[other], terms[one])), Constant(by))
        for one, other, by in output
    ]
    found = Arithmetic(premises).contradictory()
    assert bool(found) == any(most[name, name] < 0 for name in "0wxyz")
    if found:
        numbers, sums = found
        assert refuted(None, [premises[number] for number in numbers], sums)


def test_many_premises_of_which_one_has_cases_do_not_hide_a_bound() -> None:
    output = """?w = ?u - 1, ?s = ?v - 1, ?p >= 1, ?x >= 1, ?x <= 8, ?y >= 1, ?u <= 8, ?v <= 8, ?u - ?p >= 1, ?v - ?r >= ?u - ?p + 1,
        ?r - ?y >= ?v - ?r + 2, ?a - ?x <= 1, ?x - ?a <= 1, ?t - ?y <= 1, ?y - ?t <= 1, ?a >= 1, ?a <= 8, ?t >= 1, ?t <= 8,
        ?v - ?t >= 2, abs(?a - ?p) + abs(?t - ?r) >= 1"""
    premises = [c for c in parse(f"far: q :- {output}.").clauses[0].body if isinstance(c, Comparison)]
    arithmetic = Arithmetic(premises)
    assert arithmetic.fits(Operation("-", (Variable("s"), Variable("r"))))
    assert not arithmetic.entails(Comparison(">=", Variable("s"), Constant(7)))
