"""Tests of arithmetic beyond 64 bits: it is unknown during an update and an error at its end, in every order."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.errors import ArithmeticOverflowError
from hornbook.matcher.program.operators import calculated

GREATEST, LEAST = 2**63 - 1, -(2**63)
X, Y, Z, L, M = map(Var, range(5))
NUMBER, OTHER, HOLDS, MEMBER, COUNT, MAYBE, SIZE = range(7)
PREDICATES = [
    CodedPredicate(1),
    CodedPredicate(1),
    CodedPredicate(1),
    CodedPredicate(1),
    CodedPredicate(1, key=0, counts=MEMBER),
    CodedPredicate(1),
    CodedPredicate(1, key=0, counts=MAYBE),
]
MEMBERS = ClosedSet(COUNT, MEMBER, ())
BEYOND = Apply("+", X, GREATEST)
"""A term that overflows for every X above 0."""


@pytest.fixture
def outcome(engine_class):
    """Return a function that gives the answers to a query or "overflow".

    The result must be equal for every order of the conditions.
    """

    def ask(*body: CodedCondition, numbers: tuple[int, ...] = (1,), more: tuple[Fact, ...] = ()) -> object:
        engine = engine_class(PREDICATES)
        engine.update(add=[*(Fact(NUMBER, (number,)) for number in numbers), *more])
        outcomes = []
        for ordered in permutations(body):
            try:
                outcomes.append(engine.query(ordered, [X]))
            except ArithmeticOverflowError:
                outcomes.append("overflow")
        assert all(each == outcomes[0] for each in outcomes)
        return outcomes[0]

    return ask


def members(*cells: int, count: int | None = None) -> tuple[Fact, ...]:
    return Fact(COUNT, (len(cells) if count is None else count,)), *(Fact(MEMBER, (cell,)) for cell in cells)


@pytest.mark.parametrize(
    ("expression", "fits"),
    [
        (Apply("+", GREATEST, 0), True),
        (Apply("+", GREATEST, 1), False),
        (Apply("-", LEAST, 0), True),
        (Apply("-", LEAST, 1), False),
        (Apply("-", 0, LEAST), False),
        (Apply("*", 2**31, 2**32), False),
        (Apply("*", -(2**31), 2**32), True),
        (Apply("*", LEAST, -1), False),
        (Apply("//", 1, 0), False),
        (Apply("//", 0, 0), False),
        (Apply("//", LEAST, -1), False),
        (Apply("//", LEAST, 1), True),
        (Apply("//", 7, -2), True),
        (Apply("max", GREATEST, LEAST), True),
        (Apply("mod", 1, 0), False),
        (Apply("mod", LEAST, -1), True),
        (Apply("mod", 7, -2), True),
        (Apply("shift_left", 1, 62), True),
        (Apply("shift_left", 1, 63), False),
        (Apply("shift_left", -1, 63), True),
        (Apply("shift_left", 0, 63), True),
        (Apply("shift_left", 0, 64), False),
        (Apply("shift_left", 1, -1), False),
        (Apply("shift_right", LEAST, 63), True),
        (Apply("shift_right", 1, 64), False),
        (Apply("shift_right", 1, -1), False),
        (Apply("bit_xor", LEAST, GREATEST), True),
        (Apply("-", Apply("+", GREATEST, 1), 1), False),  # an intermediate result counts
        (Apply("*", 0, Apply("+", GREATEST, 1)), False),
        (Apply("min", 0, Apply("//", 1, 0)), False),
    ],
)
def test_what_fits_into_64_bits(outcome, expression, fits):
    assert (outcome(Compare("=", X, expression), numbers=()) == "overflow") is not fits


def test_floor_division_rounds_down(outcome):
    assert outcome(Compare("=", X, Apply("//", 7, -2))) == [(-4,)]


@pytest.mark.parametrize(
    ("operator", "left", "right", "result"),
    [
        ("mod", 7, 3, 1), ("mod", -7, 3, 2), ("mod", 7, -3, -2), ("mod", -7, -3, -1), ("mod", 6, -3, 0),
        ("mod", LEAST, -1, 0), ("mod", LEAST, GREATEST, GREATEST - 1), ("mod", GREATEST, LEAST, -1),
        ("bit_and", 12, 10, 8), ("bit_and", -1, 10, 10), ("bit_or", 12, 10, 14), ("bit_or", LEAST, 1, LEAST + 1),
        ("bit_xor", 12, 10, 6), ("bit_xor", -1, 0, -1),
        ("shift_left", 3, 4, 48), ("shift_left", -3, 4, -48), ("shift_left", -1, 63, LEAST), ("shift_left", 5, 0, 5),
        ("shift_right", 48, 4, 3), ("shift_right", -1, 5, -1), ("shift_right", -9, 2, -3), ("shift_right", LEAST, 63, -1),
    ],
)  # fmt: skip
def test_remainders_and_bits(outcome, operator, left, right, result):
    assert outcome(Compare("=", X, Apply(operator, left, right)), numbers=()) == [(result,)]


@given(st.integers(LEAST, GREATEST), st.integers(LEAST, GREATEST) | st.sampled_from((-3, -1, 1, 2)))
def test_a_remainder_is_what_the_quotient_leaves(left, right):
    if right != 0:
        quotient, rest = calculated("//", left, right), calculated("mod", left, right)
        assert quotient * right + rest == left
        assert 0 <= rest < right or right < rest <= 0


def test_an_overflow_says_rule_and_binding(engine_class):
    engine = engine_class(PREDICATES)
    too_much = CodedRule("r", Match(HOLDS, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, BEYOND)), 2)
    with pytest.raises(ArithmeticOverflowError) as caught:
        engine.update(add=[Fact(NUMBER, (7,))], add_rules=[too_much])
    assert (caught.value.rule, caught.value.binding) == ("r", (7, None))
    assert str(caught.value) == "rule 'r': arithmetic leaves 64 bits with (7, None)"
    assert not engine.rules
    assert not engine.facts(NUMBER)


FALSE = [
    Compare("<", X, 1),
    Match(OTHER, (X,)),
    AbsentOf((Match(NUMBER, (X,)),)),
    AllOf(MEMBERS, (L,), ()),
    CountOf(Z, (MEMBERS,), 1),
    AggregateOf(Z, "min", (L,), (Match(OTHER, (L,)),)),
    Compare(">", 1, Apply("+", X, 1)),
]


@pytest.mark.parametrize("false", FALSE)
@pytest.mark.parametrize(
    "unknown", [Compare("=", Y, BEYOND), Compare("<", BEYOND, 0), Compare("=", X, BEYOND)]
)
def test_a_false_condition_wins_over_an_overflow(outcome, false, unknown):
    assert outcome(Match(NUMBER, (X,)), unknown, false) == []


def test_an_overflow_is_an_error_where_no_condition_is_false(outcome):
    assert outcome(Match(NUMBER, (X,)), Compare("=", Y, BEYOND), Compare(">", X, 0)) == "overflow"
    assert outcome(Match(NUMBER, (X,)), Compare("!=", BEYOND, 5)) == "overflow"


def test_one_instance_that_overflows_is_enough(outcome):
    body = Match(NUMBER, (X,)), Compare("=", Y, BEYOND)
    assert outcome(*body, numbers=(0, -1)) == [(-1,), (0,)]
    assert outcome(*body, numbers=(0, 1)) == "overflow"


def test_conditions_that_read_a_variable_without_a_value_are_unknown(outcome):
    hidden = Compare("=", Y, BEYOND)
    for reading in (
        Compare("<", Y, 0),
        Compare("=", Z, Y),
        AbsentOf((Compare("=", Y, Y),)),
        AllOf(MEMBERS, (L,), (Compare("=", L, Y),)),
        CountOf(Z, (MEMBERS,), 1, (Y,)),
        CountOf(Apply("+", Y, 1), (MEMBERS,), 1),
        AggregateOf(Z, "count", (L,), (Match(MEMBER, (L,)), Compare("<", L, Y))),
    ):
        assert outcome(Match(NUMBER, (X,)), hidden, reading, more=members()) == "overflow"
        assert outcome(Match(NUMBER, (X,)), hidden, reading, Compare("=", X, 2), more=members()) == []


@pytest.mark.parametrize(
    "count",
    [
        CountOf(Z, (MEMBERS,), 1, (Y,)),
        CountOf(Apply("+", Y, 1), (MEMBERS,), 1),
        CountOf(Y, (MEMBERS,), 1, (Y,)),
        CountOf(1, (MEMBERS,), 1, (Y, X)),
    ],
)
def test_a_count_of_a_variable_without_a_value_is_unknown_though_members_are_missing(engine_class, count):
    """In the middle of a join, a rule checks whether the number of members equals a count."""
    joined = Match(NUMBER, (X,)), Match(OTHER, (L,)), Match(OTHER, (M,))
    body = *joined, Compare("=", Y, BEYOND), count
    engine = engine_class(PREDICATES)
    engine.update(add_rules=[CodedRule("counted", Match(HOLDS, (X,)), body, 5)])
    engine.update(add=[Fact(NUMBER, (1,)), *members(5, count=2)])
    with pytest.raises(ArithmeticOverflowError):
        engine.update(add=[Fact(OTHER, (3,))])


def test_a_match_gives_a_variable_its_value_before_any_equation(outcome):
    body = Match(NUMBER, (X,)), Match(OTHER, (Y,)), Compare("=", Y, BEYOND)
    assert outcome(*body) == []
    assert outcome(*body, more=(Fact(OTHER, (3,)),)) == "overflow"


def test_a_variable_takes_its_value_from_whichever_equation_has_one(outcome):
    two = Match(NUMBER, (X,)), Compare("=", Y, BEYOND), Compare("=", Y, Apply("-", X, 5))
    assert outcome(*two) == "overflow"
    assert outcome(*two, Compare(">", Y, 0)) == []
    assert outcome(*two, Compare("=", Z, Y), Compare(">", Z, 0)) == []


def test_a_count_gives_a_variable_its_value_where_an_equation_has_none(outcome):
    body = Match(NUMBER, (X,)), Compare("=", Y, BEYOND), CountOf(Y, (MEMBERS,), 1)
    assert outcome(*body, Compare(">", Y, 2), more=members(5, 6)) == []
    assert outcome(*body, Compare("=", Y, 2), more=members(5, 6)) == "overflow"


def test_absence_of_something_unknown_is_unknown(outcome):
    inside = Match(OTHER, (Y,)), Compare("<", Apply("*", Y, 2**62), 0)
    others = (Fact(OTHER, (2,)), Fact(OTHER, (1,)))
    assert outcome(Match(NUMBER, (X,)), AbsentOf(inside), more=others[1:]) == [(1,)]
    assert outcome(Match(NUMBER, (X,)), AbsentOf(inside), more=others) == "overflow"
    negative = (*others, Fact(OTHER, (-1,)))
    assert outcome(Match(NUMBER, (X,)), AbsentOf(inside), more=negative) == []  # true, so not absent


def test_an_aggregate_over_something_unknown_is_unknown(outcome):
    inside = Match(OTHER, (Y,)), Compare("<", Apply("*", Y, 2**62), 0)
    for function in ("count", "min", "sum"):
        body = Match(NUMBER, (X,)), AggregateOf(Z, function, (Y,), inside)
        assert outcome(*body, more=(Fact(OTHER, (-1,)), Fact(OTHER, (2,)))) == "overflow"
        assert outcome(*body, more=(Fact(OTHER, (-1,)), Fact(OTHER, (1,)))) == [(1,)]


def test_a_sum_overflows_by_its_result_only(outcome):
    body = Match(NUMBER, (X,)), AggregateOf(Z, "sum", (Y,), (Match(OTHER, (Y,)),))
    others = (Fact(OTHER, (GREATEST,)), Fact(OTHER, (GREATEST - 1,)))
    assert outcome(*body, more=others) == "overflow"
    assert outcome(*body, more=(*others, Fact(OTHER, (3 - GREATEST,)))) == "overflow"
    assert outcome(*body, more=(*others, Fact(OTHER, (1 - GREATEST,)))) == [(1,)]


def test_a_member_for_which_the_conditions_are_unknown_may_be_needed_or_not(outcome):
    fits = AllOf(MEMBERS, (L,), (Compare("<", Apply("*", L, 2**62), 3 * 2**61),))
    for cells, count, expected in (
        ((0, 1), 2, [(1,)]),
        ((0, 2), 2, "overflow"),  # it could be all members
        ((0, 1, 2), 4, []),  # too few, even with the unknown member
    ):
        assert outcome(Match(NUMBER, (X,)), fits, more=members(*cells, count=count)) == expected


def test_a_way_to_prove_a_member_that_overflows_does_not_harm_another_way(outcome):
    fits = AllOf(MEMBERS, (L,), (Match(OTHER, (Y,)), Compare(">", Apply("*", Y, 2**62), L)))
    one, two = Fact(OTHER, (1,)), Fact(OTHER, (2,))
    assert outcome(Match(NUMBER, (X,)), fits, more=(one, two, *members(5))) == [(1,)]
    assert outcome(Match(NUMBER, (X,)), fits, more=(two, *members(5))) == "overflow"


@pytest.mark.parametrize("late", [True, False])
def test_an_overflow_is_forgiven_when_later_facts_make_the_condition_true(engine_class, late):
    """The set is unknown while `MAYBE` has only the member that overflows. Then a better proof arrives."""
    maybe = ClosedSet(SIZE, MAYBE, ())
    fits = AllOf(maybe, (L,), (Match(OTHER, (Y,)), Compare(">", Apply("*", Y, 2**62), 0)))
    rules = [CodedRule("holds", Match(HOLDS, (X,)), (Match(NUMBER, (X,)), fits), 5)]
    if late:
        # HOLDS and OTHER are concluded from each other, so that they belong to one stratum.
        rules.append(CodedRule("late", Match(OTHER, (1,)), (Match(MEMBER, (X,)),), 5))
        rules.append(CodedRule("loop", Match(MEMBER, (X,)), (Match(HOLDS, (X,)),), 5))
        rules.append(CodedRule("start", Match(MEMBER, (X,)), (Match(NUMBER, (X,)),), 5))
    engine = engine_class(PREDICATES)
    given = [Fact(NUMBER, (3,)), Fact(SIZE, (1,)), Fact(MAYBE, (9,)), Fact(OTHER, (2,))]
    if late:
        engine.update(add=given, add_rules=rules)
        assert engine.facts(HOLDS) == {(3,)}
    else:
        with pytest.raises(ArithmeticOverflowError):
            engine.update(add=given, add_rules=rules)


def test_a_growing_number_overflows_at_last(engine_class):
    double = CodedRule(
        "double", Match(NUMBER, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, Apply("*", X, 2))), 2
    )
    engine = engine_class(PREDICATES)
    engine.update(add=[Fact(NUMBER, (0,))], add_rules=[double])
    assert engine.facts(NUMBER) == {(0,)}
    with pytest.raises(ArithmeticOverflowError):
        engine.update(add=[Fact(NUMBER, (1,))])
    assert engine.facts(NUMBER) == {(0,)}
