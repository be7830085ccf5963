"""The conformance suite of all engines: facts, rules, updates, queries, groups, limits, derivations and marks.

A test with the marker `requires` runs only for engines with these capabilities.
"""

from __future__ import annotations

import signal
from collections.abc import Callable
from functools import reduce
from threading import Timer

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
    Derivation,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import (
    DuplicateRuleError,
    EngineError,
    FactLimitError,
    KeyConflictError,
    LimitError,
    MalformedError,
    MarkError,
    NoDerivationsError,
    NotStratifiedError,
    UnknownRuleError,
    UnsafeRuleError,
)

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
BACK = CodedRule("back", Match(PATH, (Y, X)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(EDGE, (Y, Z))), 3)


def edges(*pairs: tuple[int, int]) -> list[Fact]:
    return [Fact(EDGE, pair) for pair in pairs]


@pytest.fixture
def engine_with(make: Callable[..., Engine]) -> Callable[..., Engine]:
    def made(*facts: Fact, rules: tuple[CodedRule, ...] = (), **options: object) -> Engine:
        engine = make(PREDICATES, **options)
        engine.update(add=facts, add_rules=rules)
        return engine

    return made


def refused(error: type[EngineError], engine: Engine, **update: object) -> EngineError:
    """Return the error of an update, or of the queries after it if the engine is not immediate."""

    def update_and_derive() -> None:
        engine.update(**update)
        assert not engine.capabilities.immediate
        for number in range(len(PREDICATES)):
            engine.facts(number)

    with pytest.raises(error) as caught:
        update_and_derive()
    return caught.value


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


def test_a_predicate_without_columns(make):
    engine = make([CodedPredicate(1), CodedPredicate(0)])
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


@pytest.mark.requires("immediate")
def test_an_update_says_what_became_of_the_saturated_facts(make):
    engine = make(PREDICATES)
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
    unchanged = Change(frozenset(), frozenset()) if engine.capabilities.immediate else None
    assert engine.update(retract=edges((8, 8)), add=edges((1, 2))) == unchanged
    assert engine.update(retract=[Fact(PATH, (1, 2))]) == unchanged
    assert Fact(PATH, (1, 2)) in engine


def test_a_fact_may_be_given_and_derived(engine_with):
    engine = engine_with(*edges((1, 2)), Fact(PATH, (1, 2)), rules=(STEP,))
    engine.update(retract=[Fact(PATH, (1, 2))])
    assert engine.given(PATH) == set()
    assert engine.facts(PATH) == {(1, 2)}
    engine.update(add=[Fact(PATH, (1, 2))])
    engine.update(retract=edges((1, 2)))
    assert engine.facts(PATH) == {(1, 2)}


def test_rules_come_and_go(engine_with):
    engine = engine_with(*edges((1, 2)), Fact(NODE, (3,)), rules=(STEP, BACK))
    assert engine.rules == {"step": STEP, "back": BACK}
    assert engine.facts(PATH) == {(1, 2), (2, 1)}
    engine.update(remove_rules=["back"])
    assert engine.facts(PATH) == {(1, 2)}
    assert engine.rules == {"step": STEP}
    with pytest.raises(TypeError):
        engine.rules["mine"] = BACK


def test_a_rule_that_is_removed_and_added_at_once_is_replaced(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    engine.update(remove_rules=["step"], add_rules=[CodedRule("step", Match(PATH, (Y, X)), STEP.body, 2)])
    assert engine.facts(PATH) == {(2, 1)}


def test_sets_of_facts_that_were_handed_out_do_not_change(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    before = engine.facts(PATH)
    engine.update(add=edges((2, 3)))
    assert before == {(1, 2)}


def test_membership(engine_with):
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
    assert Fact(EDGE, (1, 2)) in engine
    assert Fact(PATH, (1, 2)) in engine
    assert Fact(PATH, (2, 1)) not in engine


def test_two_values_for_one_key_are_an_error(engine_with):
    engine = engine_with(Fact(AGE, (1, 30)))
    with pytest.raises(KeyConflictError) as caught:
        engine.update(add=[Fact(AGE, (1, 31))])
    assert {caught.value.first, caught.value.second} == {Fact(AGE, (1, 30)), Fact(AGE, (1, 31))}
    engine.update(retract=[Fact(AGE, (1, 30))], add=[Fact(AGE, (1, 31))])
    assert engine.facts(AGE) == {(1, 31)}


def test_derived_values_for_one_key_conflict_too(engine_with):
    grow = rule(Match(AGE, (X, 1)), Match(NODE, (X,)))
    refused(KeyConflictError, engine_with(Fact(AGE, (1, 30))), add=[Fact(NODE, (1,))], add_rules=[grow])


def test_a_key_of_no_columns_means_one_fact(make):
    engine = make([CodedPredicate(1, key=0)])
    engine.update(add=[Fact(0, (1,))])
    with pytest.raises(KeyConflictError):
        engine.update(add=[Fact(0, (2,))])


def state(engine: Engine) -> object:
    paths = sorted(engine.facts(PATH))
    derived = paths if engine.capabilities.derivations else []
    return (
        [(set(engine.facts(number)), set(engine.given(number))) for number in range(len(PREDICATES))],
        dict(engine.rules),
        [engine.derivation(Fact(PATH, row)) for row in derived],
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
    engine = engine_with(*edges((1, 2), (2, 3)), rules=(STEP, BACK))
    before = state(engine)
    more = {"add": edges((3, 4)), "retract": edges((1, 2))}
    with pytest.raises(error) as caught:
        engine.update(**{**more, **update})
    assert isinstance(caught.value, EngineError)
    assert state(engine) == before
    engine.update(add=edges((3, 4)))
    assert (4, 3) in engine.facts(PATH)


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
    engine = engine_with(*edges((1, 2)), rules=(STEP,))
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


# Groups of facts.


def test_an_exchange_of_groups_is_the_update_with_their_facts(engine_with):
    engine = engine_with(Fact(NODE, (1,)), rules=(STEP,))
    first, second = (
        engine.group(edges((1, 2), (2, 3))),
        engine.group([*edges((2, 3), (4, 5)), Fact(NODE, (1,))]),
    )
    engine.exchange([], [first])
    assert engine.facts(PATH) == {(1, 2), (2, 3)}
    engine.exchange([first], [second])
    assert engine.facts(PATH) == {(2, 3), (4, 5)}
    engine.exchange([second], [])
    assert engine.facts(PATH) == engine.given(NODE) == set()


def test_an_exchange_that_is_refused_changes_nothing(engine_with):
    engine = engine_with(rules=(STEP,))
    engine.exchange([], [engine.group([*edges((1, 2)), Fact(NODE, (2,))])])
    before = state(engine)
    with pytest.raises(KeyConflictError):
        engine.exchange(
            [engine.group([Fact(NODE, (2,))])], [engine.group([Fact(AGE, (1, 2)), Fact(AGE, (1, 3))])]
        )
    assert state(engine) == before


@pytest.mark.parametrize("fact", [Fact(9, (1,)), Fact(0, (1,)), Fact(NODE, ("a",)), Fact(NODE, (2**63,))])
def test_a_fact_that_fits_no_predicate_makes_no_group(engine_with, fact):
    with pytest.raises(MalformedError):
        engine_with().group([Fact(NODE, (1,)), fact])


# Limits.

PAIRS = CodedRule("pairs", Match(PATH, (X, Y)), (Match(NODE, (X,)), Match(NODE, (Y,))), 2)


def nodes(end: int) -> list[Fact]:
    return [Fact(NODE, (number,)) for number in range(end)]


def test_given_facts_are_bounded(engine_with):
    engine = engine_with(*nodes(10), limits=Limits(facts=10))
    with pytest.raises(FactLimitError, match=r"^more than 10 facts$"):
        engine.update(add=nodes(11))
    assert engine.given(NODE) == {(number,) for number in range(10)}


@pytest.mark.requires("immediate")
def test_given_and_derived_facts_are_bounded_together(engine_with):
    engine = engine_with(*nodes(3), rules=(PAIRS,), limits=Limits(facts=12))
    before = state(engine)
    for fact in (Fact(NODE, (7,)), Fact(PATH, (7, 7))):
        with pytest.raises(FactLimitError):
            engine.update(add=[fact])
        assert state(engine) == before
    engine.update(add=[Fact(PATH, (1, 1))])  # given and derived: one fact


@pytest.mark.requires("immediate")
def test_a_fact_that_is_found_twice_counts_once(engine_with):
    one = CodedRule("one", Match(NODE, (7,)), (Match(PATH, (X, Y)),), 2)
    paths = [Fact(PATH, (number, number)) for number in range(4)]
    assert engine_with(*paths, rules=(one,), limits=Limits(facts=5)).facts(NODE) == {(7,)}


COUNTING = rule(Match(NODE, (Y,)), Match(NODE, (X,)), Compare("=", Y, Apply("+", X, 1)))


@pytest.mark.parametrize(
    ("limits", "message"),
    [
        (Limits(facts=1000), "more than 1,000 facts"),
        (Limits(facts=None, seconds=0.05), "more than 0.05 seconds"),
        (Limits(facts=None, bytes=100_000), "more than 100,000 bytes"),
    ],
    ids=["facts", "seconds", "bytes"],
)
def test_an_endless_rule_ends_at_each_bound(engine_with, limits, message):
    engine = engine_with(limits=limits)
    assert str(refused(LimitError, engine, add=nodes(1), add_rules=[COUNTING])) == message
    if engine.capabilities.immediate:
        assert not engine.rules
        assert not engine.facts(NODE)


# Derivations.


def edge(*pair: int) -> Fact:
    return Fact(EDGE, pair)


def path(*pair: int) -> Fact:
    return Fact(PATH, pair)


@pytest.fixture
def derived(engine_with: Callable[..., Engine]) -> Callable[..., Engine]:
    """Return a maker of engines with paths over edges."""

    def made(*pairs: tuple[int, int], derivations: str) -> Engine:
        return engine_with(*edges(*pairs), rules=(STEP, TWICE), derivations=derivations)

    return made


TWICE = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(PATH, (Y, Z))), 3)


@pytest.mark.requires("derivations")
def test_a_derivation_names_rule_binding_and_premises(derived):
    engine = derived((1, 2), (2, 3), derivations="one")
    assert engine.derivation(path(1, 2)) == Derivation("step", (1, 2), (edge(1, 2),))
    assert engine.derivation(path(1, 3)) == Derivation("go on", (1, 2, 3), (path(1, 2), path(2, 3)))


@pytest.mark.requires("derivations")
def test_premises_state_in_the_order_of_the_body(engine_with):
    engine = engine_with()
    backwards = CodedRule("r", Match(PATH, (X, Z)), (Match(EDGE, (Y, Z)), Match(EDGE, (X, Y))), 3)
    engine.update(add=[edge(1, 2), edge(2, 3)], add_rules=[backwards])
    assert engine.derivation(path(1, 3)).premises == (edge(2, 3), edge(1, 2))


@pytest.mark.requires("derivations")
def test_a_given_fact_has_no_first_derivation(derived):
    engine = derived((1, 2), (2, 3), derivations="all")
    engine.update(add=[path(1, 3)])
    assert engine.derivation(edge(1, 2)) is None
    assert engine.derivations(edge(1, 2)) == ()
    assert engine.derivation(path(1, 3)) is None
    assert engine.derivations(path(1, 3)) == (Derivation("go on", (1, 2, 3), (path(1, 2), path(2, 3))),)


@pytest.mark.requires("derivations")
def test_all_derivations_are_stored_on_request(derived):
    engine = derived((1, 2), (2, 1), derivations="all")
    assert set(engine.derivations(path(1, 1))) == {
        Derivation("go on", (1, 2, 1), (path(1, 2), path(2, 1))),
        Derivation("go on", (1, 1, 1), (path(1, 1), path(1, 1))),
    }
    assert engine.derivation(path(1, 1)).binding == (1, 2, 1)


@pytest.mark.requires("derivations")
def test_derivations_are_queried_for_by_rule(derived):
    engine = derived((1, 2), (2, 3), (1, 3), derivations="all")
    assert set(engine.derived_by(path(1, 3))) == {"step", "go on"}
    assert engine.derived_by(edge(1, 2)) == ()
    for rule in ("step", "go on"):
        found = [each for each in engine.derivations(path(1, 3)) if each.rule == rule]
        assert list(engine.derivations(path(1, 3), rule)) == found
        assert engine.derivation(path(1, 3), rule) == found[0]
    assert engine.derivation(path(1, 2), "go on") is None
    with pytest.raises(KeyError):
        engine.derived_by(path(3, 1))
    one = derived((1, 2), derivations="one")
    for ask in (one.derived_by, lambda fact: one.derivation(fact, "step")):
        with pytest.raises(NoDerivationsError):
            ask(path(1, 2))


@pytest.mark.requires("derivations")
@pytest.mark.parametrize("derivations", ["one", "all"])
def test_there_is_no_derivation_of_what_is_not_there(derived, derivations):
    engine = derived((1, 2), derivations=derivations)
    with pytest.raises(KeyError):
        engine.derivation(path(2, 1))
    if derivations == "all":
        with pytest.raises(KeyError):
            engine.derivations(path(2, 1))


@pytest.mark.requires("derivations")
def test_derivations_that_were_not_stored_are_a_named_error(derived):
    with pytest.raises(NoDerivationsError, match="derivations='none', this needs 'one'"):
        derived((1, 2), derivations="none").derivation(path(1, 2))
    with pytest.raises(NoDerivationsError, match="derivations='one', this needs 'all'"):
        derived((1, 2), derivations="one").derivations(path(1, 2))


@pytest.mark.requires("derivations")
def test_derivations_of_retracted_premises_are_removed(derived):
    engine = derived((1, 2), (2, 3), (1, 4), (4, 3), derivations="all")
    assert len(engine.derivations(path(1, 3))) == 2
    through = engine.derivation(path(1, 3)).binding[1]
    engine.update(retract=[edge(1, through)])
    (left,) = engine.derivations(path(1, 3))
    assert left == engine.derivation(path(1, 3))
    assert left.binding == (1, {2: 4, 4: 2}[through], 3)


def test_an_engine_without_derivations_says_so(make):
    engine = make(PREDICATES)
    engine.update(add=edges((1, 2)))
    if not engine.capabilities.derivations:
        for ask in (engine.derivation, engine.derivations, engine.derived_by, engine.bindings):
            with pytest.raises(NoDerivationsError):
                ask(edge(1, 2))


# Marks.


def chain(*numbers: int) -> list[Fact]:
    return edges(*((number, number + 1) for number in numbers))


@pytest.fixture
def marked(derived: Callable[..., Engine]) -> Engine:
    return derived((1, 2), (2, 3), (3, 4), derivations="all")


def everything(engine: Engine) -> object:
    paths = sorted(engine.facts(PATH))
    return (
        set(engine.given(EDGE)),
        set(engine.facts(EDGE)),
        paths,
        [engine.derivation(Fact(PATH, path)) for path in paths],
        [engine.derivations(Fact(PATH, path)) for path in paths],
    )


@pytest.mark.requires("marks")
def test_pop_restores_facts_and_derivations(marked):
    before = everything(marked)
    marked.push()
    marked.update(retract=chain(2), add=[*chain(4), Fact(PATH, (1, 3))])
    assert everything(marked) != before
    marked.pop()
    assert everything(marked) == before


@pytest.mark.requires("marks")
def test_marks_nest(marked):
    states = []
    for number in range(4, 9):
        states.append(everything(marked))
        marked.push()
        marked.update(add=chain(number), retract=chain(number - 3))
    for before in reversed(states):
        marked.pop()
        assert everything(marked) == before


@pytest.mark.requires("marks")
def test_a_mark_is_used_once(marked):
    marked.push()
    marked.pop()
    with pytest.raises(MarkError):
        marked.pop()


@pytest.mark.requires("marks")
def test_pop_without_a_mark_is_an_error(marked):
    before = everything(marked)
    with pytest.raises(MarkError):
        marked.pop()
    assert everything(marked) == before


@pytest.mark.requires("marks")
@pytest.mark.parametrize(
    "change", [{"remove_rules": ["step"]}, {"add_rules": [CodedRule("r", STEP.head, STEP.body, 2)]}]
)
def test_rules_cannot_change_under_a_mark(marked, change):
    marked.push()
    before = everything(marked)
    with pytest.raises(MarkError):
        marked.update(add=chain(8), **change)
    assert everything(marked) == before
    marked.pop()
    marked.update(**change)
    assert everything(marked) != before or "r" in marked.rules


@pytest.mark.requires("marks")
def test_a_failed_update_keeps_the_marks(marked):
    before = everything(marked)
    marked.push()
    with pytest.raises(ValueError, match="width"):
        marked.update(add=[Fact(EDGE, (1,))])
    marked.pop()
    assert everything(marked) == before


def test_without_marks_push_and_pop_are_refused(make):
    engine = make(PREDICATES)
    if not engine.capabilities.marks:
        for call in (engine.push, engine.pop):
            with pytest.raises(MarkError):
                call()


# Interruption.


def test_an_interrupt_ends_a_long_call_and_changes_nothing(engine_with):
    engine = engine_with(*nodes(40))
    before = set(engine.given(NODE))
    long = [Match(NODE, (Var(place),)) for place in range(8)]
    total = reduce(lambda left, right: Apply("+", left, right), map(Var, range(8)))
    timer = Timer(0.2, signal.raise_signal, [signal.SIGINT])
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        engine.query([*long, Compare("=", Apply("*", total, total), 7)], [])
    timer.join()
    assert engine.given(NODE) == before
    assert engine.query([Match(NODE, (39,))], []) == [()]
