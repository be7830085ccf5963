"""Tests of function calls in rules and queries.

A condition is false if it uses a call that has no value.
"""

from __future__ import annotations

from itertools import permutations

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    Apply,
    Call,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Function,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    EngineError,
    FactLimitError,
    MalformedError,
)
from hornbook.matcher.sql.engine import SqlEngine

GREATEST = 2**63 - 1
X, Y, Z = map(Var, range(3))
NUMBER, OTHER, STORED = range(3)
PREDICATES = [CodedPredicate(1), CodedPredicate(1), CodedPredicate(2)]
HALF = Function("half", lambda cells: cells[0] // 2 if cells[0] % 2 == 0 else None)
SUM = Function("sum", sum)
BEYOND = Apply("+", X, GREATEST)
"""A term that overflows for every X above 0."""


def half(operand):
    return Call(HALF, (operand,))


@pytest.fixture
def outcome(engine_class):
    """Return a function that gives the answers to a query or "overflow".

    The result must be equal for every order of the conditions.
    """

    def ask(*body, numbers=(1, 2, 4)):
        engine = engine_class(PREDICATES)
        engine.update(add=[Fact(NUMBER, (number,)) for number in numbers])
        outcomes = []
        for ordered in permutations(body):
            try:
                outcomes.append(engine.query(ordered, [X]))
            except ArithmeticOverflowError:
                outcomes.append("overflow")
        assert all(each == outcomes[0] for each in outcomes)
        return outcomes[0]

    return ask


@pytest.mark.parametrize(
    ("conditions", "answers"),
    [
        ([Compare("=", Y, half(X))], [(2,), (4,)]),
        ([Compare("!=", half(X), 1)], [(4,)]),
        ([Compare("=", half(half(X)), 1)], [(4,)]),
        ([Compare(">", Apply("*", half(X), 10), 10)], [(4,)]),
        ([Compare("=", Call(SUM, (X, half(X), 1)), 4)], [(2,)]),
        ([AbsentOf((Compare("=", Y, half(X)),))], [(1,)]),
        ([AggregateOf(half(X), "count", (Z,), (Match(NUMBER, (Z,)), Compare("<", Z, 3)))], [(4,)]),
        ([Compare("=", Y, half(X)), Compare("=", Z, half(Y))], [(4,)]),
        # A missing value wins over an overflow on the other side or in another condition. Within one side,
        # the first of the two wins.
        ([Compare("=", half(1), BEYOND)], []),
        ([Compare("<", BEYOND, half(1))], []),
        ([Compare("<", BEYOND, 1), Compare("=", Y, half(1))], []),
        ([Compare("<", Apply("+", half(1), BEYOND), 1)], []),
        ([Compare("<", Apply("+", BEYOND, half(1)), 1)], "overflow"),
        ([Compare("=", Y, half(BEYOND))], "overflow"),
    ],
)
def test_a_comparison_without_a_value_is_false(outcome, conditions, answers):
    assert outcome(Match(NUMBER, (X,)), *conditions) == answers


def test_rules_call_functions_and_facts_go_with_what_they_rest_on(engine_class):
    engine = engine_class(PREDICATES)
    rule = CodedRule("halves", Match(OTHER, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, half(X))), 2)
    engine.update(add=[Fact(NUMBER, (n,)) for n in (3, 4, 10)], add_rules=[rule])
    assert engine.facts(OTHER) == {(2,), (5,)}
    assert engine.derivation(Fact(OTHER, (5,))).premises == (Fact(NUMBER, (10,)), None)
    engine.push()
    engine.update(retract=[Fact(NUMBER, (10,))], add=[Fact(NUMBER, (20,))])
    assert engine.facts(OTHER) == {(2,), (10,)}
    engine.pop()
    assert engine.facts(OTHER) == {(2,), (5,)}


def test_what_a_function_raises_ends_the_update_and_changes_nothing(engine_class):
    def refuses(cells):
        if cells[0] > 2:
            raise LookupError("no such thing")
        return cells[0]

    engine = engine_class(PREDICATES)
    call = Call(Function("refuses", refuses), (X,))
    rule = CodedRule("r", Match(OTHER, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, call)), 2)
    engine.update(add=[Fact(NUMBER, (1,))], add_rules=[rule])
    for _ in range(2):
        with pytest.raises(LookupError, match="no such thing"):
            engine.update(add=[Fact(NUMBER, (2,)), Fact(NUMBER, (3,))])
        assert engine.facts(NUMBER) == engine.facts(OTHER) == {(1,)}
        with pytest.raises(LookupError):
            engine.query([Compare("=", Y, Call(call.function, (9,)))], [Y])
    engine.update(add=[Fact(NUMBER, (2,))])
    assert engine.facts(OTHER) == {(1,), (2,)}


def test_a_recursion_that_calls_is_stopped_by_a_bound(engine_class):
    engine = engine_class(PREDICATES, limits=Limits(facts=100))
    more = Function("more", lambda cells: cells[0] + 1)
    rule = CodedRule("r", Match(NUMBER, (Y,)), (Match(NUMBER, (X,)), Compare("=", Y, Call(more, (X,)))), 2)
    with pytest.raises(FactLimitError):
        engine.update(add=[Fact(NUMBER, (1,))], add_rules=[rule])
    assert engine.facts(NUMBER) == set()


def test_the_core_asks_once_for_the_same_cells():
    queried = []

    def noted(cells):
        queried.append(cells)
        return cells[0] % 7

    call = Call(Function("noted", noted), (X,))
    engine = CompiledEngine(PREDICATES)
    rule = CodedRule("r", Match(OTHER, (Z,)), (Match(STORED, (X, Y)), Compare("=", Z, call)), 3)
    engine.update(add=[Fact(STORED, (n % 50, n)) for n in range(1000)], add_rules=[rule])
    assert sorted(queried) == [(n,) for n in range(50)]
    assert engine.query([Match(STORED, (X, 7)), Compare("=", Y, call)], [Y]) == [(0,)]
    assert len(queried) == 50


@pytest.mark.parametrize(
    "call",
    [Call(HALF, ()), Call(HALF, (X,) * 101), Call("half", (X,)), Call(HALF, (2**70,))],  # type: ignore[arg-type]
)
def test_what_is_no_call_is_refused(engine_class, call):
    with pytest.raises(MalformedError):
        engine_class(PREDICATES).query([Match(NUMBER, (X,)), Compare("=", Y, call)], [Y])


def test_what_a_function_should_not_give_is_no_cell():
    for wrong in ("word", 2**70, 1.5):
        call = Call(Function("wrong", lambda _, wrong=wrong: wrong), (X,))
        engine = CompiledEngine(PREDICATES)
        engine.update(add=[Fact(NUMBER, (1,))])
        with pytest.raises((TypeError, RuntimeError, OverflowError, ValueError)):
            engine.query([Match(NUMBER, (X,)), Compare("=", Y, call)], [Y])


def test_duckdb_refuses_a_call():
    engine = SqlEngine(PREDICATES)
    engine.update(add=[Fact(NUMBER, (2,))])
    with pytest.raises(EngineError, match="it calls `half`"):
        engine.query([Match(NUMBER, (X,)), Compare("=", Y, half(X))], [Y])
