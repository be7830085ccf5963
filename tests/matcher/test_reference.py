"""Tests of the basics of an engine: facts, rules, updates and queries.

Overflow, sets, limits and proofs have their own tests.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    Apply,
    Change,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import (
    DuplicateRuleError,
    EngineError,
    KeyConflictError,
    MalformedError,
    NotStratifiedError,
    UnknownRuleError,
    UnsafeRuleError,
)
from oracles.pages.engines import EngineClass

X, Y, Z, N = Var(0), Var(1), Var(2), Var(3)
EDGE, PATH, NODE, AGE, LONELY = range(5)
PREDICATES = [
    CodedPredicate(2),
    CodedPredicate(2),
    CodedPredicate(1),
    CodedPredicate(2, key=1),
    CodedPredicate(1),
]
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)


def edges(*pairs: tuple[int, int]) -> list[Fact]:
    return [Fact(EDGE, pair) for pair in pairs]


@pytest.fixture
def engine_with(engine_class: EngineClass) -> Callable[..., Engine]:
    def make(*facts: Fact, rules: tuple[CodedRule, ...] = ()) -> Engine:
        engine = engine_class(PREDICATES)
        engine.update(add=facts, add_rules=rules)
        return engine

    return make


def rule(head: Match, *body: CodedCondition, variables: int = 4) -> CodedRule:
    return CodedRule("r", head, body, variables)


def test_a_recursive_rule_is_followed_to_the_end(engine_with):
    engine = engine_with(*edges((1, 2), (2, 3), (3, 1)), rules=(STEP, GO_ON))
    assert engine.facts(PATH) == {(a, b) for a in (1, 2, 3) for b in (1, 2, 3)}


def test_mutual_recursion(engine_with):
    odd = CodedRule("odd", Match(NODE, (Y,)), (Match(LONELY, (X,)), Match(EDGE, (X, Y))), 2)
    even = CodedRule("even", Match(LONELY, (Y,)), (Match(NODE, (X,)), Match(EDGE, (X, Y))), 2)
    engine = engine_with(Fact(LONELY, (0,)), *edges((0, 1), (1, 2), (2, 3)), rules=(odd, even))
    assert engine.facts(NODE) == {(1,), (3,)}
    assert engine.facts(LONELY) == {(0,), (2,)}


def test_the_same_variable_twice_is_the_same_cell_twice(engine_with):
    engine = engine_with(*edges((1, 1), (1, 2)), rules=(rule(Match(NODE, (X,)), Match(EDGE, (X, X))),))
    assert engine.facts(NODE) == {(1,)}


def test_constants_state_in_bodies_and_heads(engine_with):
    engine = engine_with(*edges((1, 2), (3, 4)), rules=(rule(Match(PATH, (7, Y)), Match(EDGE, (3, Y))),))
    assert engine.facts(PATH) == {(7, 4)}


def test_a_rule_without_conditions_holds(engine_with):
    assert engine_with(rules=(rule(Match(EDGE, (5, 6))),)).facts(EDGE) == {(5, 6)}


def test_a_predicate_without_columns(engine_class):
    engine = engine_class([CodedPredicate(1), CodedPredicate(0)])
    engine.update(add_rules=[rule(Match(1, ()), Match(0, (X,)))])
    assert engine.facts(1) == set()
    engine.update(add=[Fact(0, (1,))])
    assert engine.facts(1) == {()}


@pytest.mark.parametrize(
    ("operator", "left"), [("=", {2}), ("!=", {1, 3}), ("<", {1}), ("<=", {1, 2}), (">", {3}), (">=", {2, 3})]
)
def test_comparisons(engine_with, operator, left):
    nodes = [Fact(NODE, (number,)) for number in (1, 2, 3)]
    engine = engine_with(
        *nodes, rules=(rule(Match(LONELY, (X,)), Match(NODE, (X,)), Compare(operator, X, 2)),)
    )
    assert {number for (number,) in engine.facts(LONELY)} == left


@pytest.mark.parametrize("sides", [(X, 3), (3, X), (X, Apply("+", 1, 2)), (Apply("+", 1, 2), X)])
def test_an_equation_binds_the_variable_of_any_side(engine_with, sides):
    engine = engine_with(rules=(rule(Match(NODE, (X,)), Compare("=", *sides)),))
    assert engine.facts(NODE) == {(3,)}


def test_equations_wait_for_one_another(engine_with):
    body = (Compare("=", Z, Apply("*", Y, 10)), Compare("=", Y, Apply("+", X, 1)), Compare("=", X, 4))
    assert engine_with(rules=(rule(Match(PATH, (Y, Z)), *body),)).facts(PATH) == {(5, 50)}


@pytest.mark.parametrize(
    ("operator", "result"), [("+", -4), ("-", -10), ("*", -21), ("//", -3), ("min", -7), ("max", 3)]
)
def test_arithmetic(engine_with, operator, result):
    engine = engine_with(rules=(rule(Match(NODE, (X,)), Compare("=", X, Apply(operator, -7, 3))),))
    assert engine.facts(NODE) == {(result,)}


def test_counting_up_to_a_bound_ends(engine_with):
    count = rule(Match(NODE, (Y,)), Match(NODE, (X,)), Compare("=", Y, Apply("+", X, 1)), Compare("<", Y, 10))
    assert engine_with(Fact(NODE, (0,)), rules=(count,)).facts(NODE) == {(number,) for number in range(10)}


def test_absence_reads_a_finished_stratum(engine_with):
    unreached = rule(Match(LONELY, (X,)), Match(NODE, (X,)), AbsentOf((Match(PATH, (1, X)),)))
    nodes = [Fact(NODE, (number,)) for number in (1, 2, 3, 4)]
    engine = engine_with(*nodes, *edges((1, 2), (2, 3)), rules=(unreached, STEP, GO_ON))
    assert engine.facts(LONELY) == {(1,), (4,)}


def test_variables_that_occur_only_inside_an_absence_are_local(engine_with):
    engine = engine_with(
        *[Fact(NODE, (number,)) for number in (1, 2)],
        *edges((1, 2)),
        rules=(
            rule(Match(LONELY, (X,)), Match(NODE, (X,)), AbsentOf((Match(EDGE, (X, Y)), Match(NODE, (Y,))))),
        ),
    )
    assert engine.facts(LONELY) == {(2,)}


def test_the_absence_of_a_conjunction_is_not_the_absence_of_its_parts(engine_with):
    body = AbsentOf((Match(EDGE, (X, Y)), Match(EDGE, (Y, X))))
    engine = engine_with(
        *[Fact(NODE, (number,)) for number in (1, 2, 3, 4)], *edges((1, 2), (3, 4), (4, 3)), rules=(
            rule(Match(LONELY, (X,)), Match(NODE, (X,)), body),
        )
    )  # fmt: skip
    assert engine.facts(LONELY) == {(1,), (2,)}


AGES = [Fact(AGE, (1, 30)), Fact(AGE, (2, 30)), Fact(AGE, (3, 50))]


@pytest.mark.parametrize(
    ("function", "variable", "result"),
    [("count", X, 3), ("count", Y, 2), ("sum", Y, 110), ("min", Y, 30), ("max", Y, 50)],
)
def test_aggregates_are_over_the_distinct_bindings_of_all_local_variables(
    engine_with, function, variable, result
):
    aggregate = AggregateOf(N, function, (variable,), (Match(AGE, (X, Y)),))
    assert engine_with(*AGES).query([aggregate], [N]) == [(result,)]


@pytest.mark.parametrize(
    ("function", "result"), [("count", [(0,)]), ("sum", [(0,)]), ("min", []), ("max", [])]
)
def test_aggregates_over_no_answers(engine_with, function, result):
    aggregate = AggregateOf(N, function, (Y,), (Match(AGE, (X, Y)),))
    assert engine_with().query([aggregate], [N]) == result


def test_an_aggregate_is_taken_for_each_binding_of_the_variables_outside(engine_with):
    sums = AggregateOf(N, "count", (Y,), (Match(EDGE, (X, Y)),))
    engine = engine_with(*[Fact(NODE, (number,)) for number in (1, 2)], *edges((1, 5), (1, 6)))
    assert engine.query([sums, Match(NODE, (X,))], [X, N]) == [(1, 2), (2, 0)]


def test_an_aggregate_may_be_compared_with_a_known_number(engine_with):
    aggregate = AggregateOf(Apply("+", X, 1), "count", (Y,), (Match(EDGE, (Z, Y)),))
    engine = engine_with(*[Fact(NODE, (number,)) for number in (1, 2)], *edges((1, 5), (1, 6)))
    assert engine.query([Match(NODE, (X,)), aggregate], [X]) == [(1,)]


# Updates.


def test_an_update_says_what_became_of_the_saturated_facts(engine_class):
    engine = engine_class(PREDICATES)
    change = engine.update(add=edges((1, 2), (2, 3)), add_rules=[STEP, GO_ON])
    paths = {Fact(PATH, pair) for pair in ((1, 2), (2, 3), (1, 3))}
    assert change == Change(frozenset({*edges((1, 2), (2, 3)), *paths}), frozenset())
    change = engine.update(retract=edges((2, 3)), add=edges((3, 1)))
    assert change.added == {*edges((3, 1)), Fact(PATH, (3, 1)), Fact(PATH, (3, 2))}
    assert change.removed == {*edges((2, 3)), Fact(PATH, (2, 3)), Fact(PATH, (1, 3))}


def test_what_is_retracted_and_added_at_once_is_given(engine_with):
    engine = engine_with(*edges((1, 2)))
    engine.update(add=edges((1, 2), (3, 4)), retract=edges((1, 2), (3, 4)))
    assert engine.given(EDGE) == {(1, 2), (3, 4)}


def test_retracting_what_is_not_given_and_adding_twice_change_nothing(engine_with):
    engine = engine_with(*edges((1, 2), (1, 2)), rules=(STEP,))
    assert engine.update(retract=edges((8, 8)), add=edges((1, 2))) == Change(frozenset(), frozenset())
    assert engine.update(retract=[Fact(PATH, (1, 2))]) == Change(frozenset(), frozenset())
    assert Fact(PATH, (1, 2)) in engine


def test_a_fact_may_be_given_and_derived(engine_with):
    engine = engine_with(*edges((1, 2)), Fact(PATH, (1, 2)), rules=(STEP,))
    assert engine.update(retract=[Fact(PATH, (1, 2))]) == Change(frozenset(), frozenset())
    assert engine.given(PATH) == set()
    engine.update(add=[Fact(PATH, (1, 2))])
    assert engine.update(retract=edges((1, 2))).removed == set(edges((1, 2)))
    assert engine.facts(PATH) == {(1, 2)}


def test_rules_come_and_go(engine_with):
    engine = engine_with(*edges((1, 2), (2, 3)), rules=(STEP, GO_ON))
    assert engine.rules == {"step": STEP, "go on": GO_ON}
    assert engine.update(remove_rules=["go on"]).removed == {Fact(PATH, (1, 3))}
    assert engine.rules == {"step": STEP}
    with pytest.raises(TypeError):
        engine.rules["mine"] = GO_ON


def test_a_rule_that_is_removed_and_added_at_once_is_replaced(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    engine.update(remove_rules=["step"], add_rules=[CodedRule("step", Match(PATH, (Y, X)), STEP.body, 2)])
    assert engine.facts(PATH) == {(2, 1)}


def test_sets_of_facts_that_were_handed_out_do_not_change(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    before = engine.facts(PATH)
    engine.update(add=edges((2, 3)))
    assert before == {(1, 2)}


def test_predicates_can_be_added_later(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    engine.add_predicates([CodedPredicate(1), CodedPredicate(2, key=1, counts=EDGE)])
    assert engine.facts(5) == engine.given(6) == set()
    engine.update(add_rules=[rule(Match(5, (X,)), Match(PATH, (X, Y)))])
    assert engine.facts(5) == {(1,)}


def test_membership(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    assert Fact(EDGE, (1, 2)) in engine
    assert Fact(PATH, (1, 2)) in engine
    assert Fact(PATH, (2, 1)) not in engine
    assert Fact(99, (2, 1)) not in engine


def test_two_values_for_one_key_are_an_error(engine_with):
    engine = engine_with(Fact(AGE, (1, 30)))
    with pytest.raises(KeyConflictError) as caught:
        engine.update(add=[Fact(AGE, (1, 31))])
    assert {caught.value.first, caught.value.second} == {Fact(AGE, (1, 30)), Fact(AGE, (1, 31))}
    engine.update(retract=[Fact(AGE, (1, 30))], add=[Fact(AGE, (1, 31))])
    assert engine.facts(AGE) == {(1, 31)}


def test_derived_values_for_one_key_conflict_too(engine_with):
    grow = rule(Match(AGE, (X, 1)), Match(NODE, (X,)))
    with pytest.raises(KeyConflictError):
        engine_with(Fact(AGE, (1, 30)), Fact(NODE, (1,)), rules=(grow,))


def test_a_key_of_no_columns_means_one_fact(engine_class):
    engine = engine_class([CodedPredicate(1, key=0)])
    engine.update(add=[Fact(0, (1,))])
    with pytest.raises(KeyConflictError):
        engine.update(add=[Fact(0, (2,))])


def state(engine: Engine) -> object:
    return (
        [(set(engine.facts(number)), set(engine.given(number))) for number in range(len(PREDICATES))],
        dict(engine.rules),
        [engine.derivation(Fact(PATH, row)) for row in sorted(engine.facts(PATH))],
    )


UNSTRATIFIED = rule(Match(NODE, (X,)), Match(EDGE, (X, Y)), AbsentOf((Match(NODE, (Y,)),)))


@pytest.mark.parametrize(
    ("error", "update"),
    [
        (
            DuplicateRuleError,
            {"add_rules": [CodedRule("step", Match(NODE, (X,)), (Match(EDGE, (X, X)),), 1)]},
        ),
        (DuplicateRuleError, {"add_rules": [UNSTRATIFIED, UNSTRATIFIED]}),
        (UnknownRuleError, {"remove_rules": ["step", "nobody"]}),
        (UnknownRuleError, {"remove_rules": ["step", "step"]}),
        (UnsafeRuleError, {"add_rules": [rule(Match(NODE, (Y,)), Match(EDGE, (X, X)))]}),
        (NotStratifiedError, {"add_rules": [UNSTRATIFIED]}),
        (MalformedError, {"add_rules": [rule(Match(99, ()))]}),
        (MalformedError, {"add": [Fact(EDGE, (1, 2, 3))]}),
        (MalformedError, {"retract": [Fact(99, (1, 2, 3))]}),
        (KeyConflictError, {"add": [Fact(AGE, (1, 1)), Fact(AGE, (1, 2))]}),
    ],
)
def test_an_error_leaves_everything_as_it_was(engine_with, error, update):
    engine = engine_with(*edges((1, 2), (2, 3)), rules=(STEP, GO_ON))
    before = state(engine)
    more = {"add": edges((3, 4)), "retract": edges((1, 2))}
    with pytest.raises(error) as caught:
        engine.update(**{**more, **update})
    assert isinstance(caught.value, EngineError)
    assert state(engine) == before
    engine.update(add=edges((3, 4)))
    assert (1, 4) in engine.facts(PATH)


@pytest.mark.parametrize("error", [DuplicateRuleError("r"), UnknownRuleError("r"), MalformedError("no")])
def test_wrong_arguments_are_value_errors(error):
    assert isinstance(error, ValueError)


# Queries.


def test_a_query_gives_distinct_sorted_tuples(engine_with):
    engine = engine_with(*edges((2, 1), (1, 3), (1, 2)), rules=(STEP,))
    assert engine.query([Match(PATH, (X, Y))], [X]) == [(1,), (2,)]
    assert engine.query([Match(PATH, (X, Y))], [Y, X]) == [(1, 2), (2, 1), (3, 1)]


def test_a_query_without_variables_says_whether_it_holds(engine_with):
    engine = engine_with(*edges((2, 1)))
    assert engine.query([Match(EDGE, (2, X))], []) == [()]
    assert engine.query([Match(EDGE, (3, X))], []) == []


def test_a_query_may_ask_for_absence_of_anything(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP, GO_ON))
    assert engine.query([Match(EDGE, (X, Y)), AbsentOf((Match(PATH, (Y, X)),))], [X, Y]) == [(1, 2)]


def test_asking_changes_nothing(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    before = state(engine)
    engine.query([Match(LONELY, (X,)), AbsentOf((Match(PATH, (Y, X)),))], [X])
    assert state(engine) == before


@pytest.mark.parametrize(
    ("body", "expected", "unbound"),
    [
        ([Match(EDGE, (X, Y))], [Z], 2),
        ([Compare("<", X, 3)], [], 0),
        ([Compare("=", X, X)], [X], 0),
        ([Compare("=", X, Apply("+", X, 0))], [X], 0),
        ([Compare("=", X, Y)], [X], 0),
        ([Match(NODE, (X,)), AbsentOf((Compare("=", X, Apply("+", Y, 1)),))], [X], 1),
        ([Match(NODE, (X,)), AbsentOf((Match(EDGE, (X, Y)),))], [X, Y], 1),
        ([AbsentOf((Match(NODE, (X,)),)), AbsentOf((Match(LONELY, (X,)),))], [], 0),
        ([AggregateOf(N, "count", (Z,), (Match(EDGE, (X, Y)),))], [N], 2),
        ([AggregateOf(N, "count", (X,), (Match(EDGE, (X, N)),))], [N], 3),
    ],
)
def test_unsafe_queries(engine_with, body, expected, unbound):
    with pytest.raises(UnsafeRuleError) as caught:
        engine_with().query(body, expected)
    assert caught.value.rule is None
    assert caught.value.variable == unbound or body == [Compare("=", X, Y)]


def test_a_malformed_query_is_refused(engine_with):
    with pytest.raises(MalformedError):
        engine_with().query([Match(EDGE, (X,))], [X])


@pytest.mark.parametrize("predicate", [-1, len(PREDICATES)])
def test_facts_of_an_unknown_predicate_are_an_error(engine_with, predicate):
    engine = engine_with()
    with pytest.raises(MalformedError):
        engine.facts(predicate)
    with pytest.raises(MalformedError):
        engine.given(predicate)


def test_a_body_may_be_longer_than_the_stack_is_deep(engine_class):
    """The body is a chain of 1,100 conditions with a comparison for each."""
    chain = [Match(EDGE, (Var(place), Var(place + 1))) for place in range(1100)]
    falling = [Compare(">=", Var(place), Var(place + 1)) for place in range(1100)]
    engine = engine_class(PREDICATES)
    engine.update(add=[Fact(EDGE, (1, 1)), Fact(EDGE, (1, 2))])
    assert engine.query([*chain, *falling], [Var(0), Var(1100)]) == [(1, 1)]
