"""Tests of numbers that are too large and of input that is too long or too deep.

Each gives a named error and changes nothing.
"""

from __future__ import annotations

from math import inf, nan
from typing import Any

import numpy as np
import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    AbsentOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    Compare,
    CountOf,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.matcher.program.engine import Measure
from hornbook.matcher.program.errors import CapacityError, FactLimitError, LimitError, MalformedError
from hornbook.matcher.program.wellformed import (
    MOST_CALCULATED,
    MOST_COLUMNS,
    MOST_CONDITIONS,
    MOST_NESTED,
    MOST_VARIABLES,
)

X, Y = Var(0), Var(1)
EDGE, NODE, SEEN = range(3)
PREDICATES = [CodedPredicate(2), CodedPredicate(1), CodedPredicate(1)]
COPY = CodedRule("copy", Match(SEEN, (X,)), (Match(NODE, (X,)),), 1)


def chain(length: int) -> tuple[CodedCondition, ...]:
    """Return the conditions of a path with this number of edges."""
    return tuple(Match(EDGE, (Var(place), Var(place + 1))) for place in range(length))


def absent(depth: int) -> CodedCondition:
    inside: CodedCondition = Match(NODE, (X,))
    for _ in range(depth):
        inside = AbsentOf((inside,))
    return inside


def sum_of(depth: int) -> CodedCondition:
    total: Any = X
    for _ in range(depth):
        total = Apply("+", total, 1)
    return Compare("=", Y, total)


BEYOND: dict[str, tuple[CodedCondition, ...]] = {
    "conditions": chain(MOST_CONDITIONS + 1),
    "25,000 conditions": chain(25_000),
    "conditions inside of others": (Match(NODE, (X,)), AbsentOf(chain(MOST_CONDITIONS))),
    "depth": (Match(NODE, (X,)), absent(MOST_NESTED + 1)),
    "great depth": (Match(NODE, (X,)), absent(50_000)),
    "calculation": (Match(NODE, (X,)), sum_of(MOST_CALCULATED + 1)),
    "long calculation": (Match(NODE, (X,)), sum_of(50_000)),
    "variables": (Match(NODE, (Var(MOST_VARIABLES),)),),
}


@pytest.mark.parametrize("body", BEYOND.values(), ids=BEYOND)
def test_what_is_too_long_or_too_deep_is_refused(engine_class, body):
    engine = engine_class(PREDICATES)
    engine.update(add=[Fact(EDGE, (1, 1)), Fact(NODE, (1,))])
    head = body[0].terms[0]
    with pytest.raises(MalformedError, match=r"deep|more than"):
        engine.update(add_rules=[CodedRule("long", Match(SEEN, (head,)), body, MOST_VARIABLES + 1)])
    with pytest.raises(MalformedError, match=r"deep|more than"):
        engine.query(body, [head])
    assert not engine.rules
    assert engine.query([Match(NODE, (X,))], [X]) == [(1,)]


def test_what_is_just_short_enough_is_matched_queried_proved_and_stored_up_to_date():
    engine = CompiledEngine(PREDICATES)
    way = chain(MOST_CONDITIONS)
    rule = CodedRule("way", Match(SEEN, (X,)), way, MOST_CONDITIONS + 1)
    engine.update(add=[Fact(EDGE, (1, 1))], add_rules=[rule])
    assert engine.facts(SEEN) == {(1,)}
    assert engine.query(way, [X, Var(MOST_CONDITIONS)]) == [(1, 1)]
    derivation = engine.derivation(Fact(SEEN, (1,)))
    assert derivation is not None
    assert derivation.premises == (Fact(EDGE, (1, 1)),) * MOST_CONDITIONS
    wide = tuple(Match(EDGE, (X, number)) for number in range(MOST_CONDITIONS))
    assert engine.query(wide, [X]) == []


def test_what_is_just_not_too_deep_is_read():
    engine = CompiledEngine(PREDICATES)
    engine.update(add=[Fact(NODE, (1,))])
    assert engine.query([Match(NODE, (X,)), absent(MOST_NESTED)], [X]) == [(1,)]
    assert engine.query([Match(NODE, (X,)), sum_of(MOST_CALCULATED)], [Y]) == [(1 + MOST_CALCULATED,)]


@pytest.mark.parametrize("arity", [MOST_COLUMNS + 1, 2**32, 2**64, 2.5, "2", None])
def test_a_predicate_of_no_width(engine_class, arity):
    engine = engine_class(PREDICATES)
    with pytest.raises(MalformedError):
        engine.add_predicates([CodedPredicate(1), CodedPredicate(arity)])
    with pytest.raises(MalformedError):
        engine.facts(len(PREDICATES))


def test_a_width_beyond_32_bits_is_not_cut_off(engine_class):
    engine = engine_class([CodedPredicate(2, key=1, counts=1), CodedPredicate(2)])
    closed = ClosedSet(0, 1, (1,))
    with pytest.raises(MalformedError):
        engine.query([CountOf(X, (closed,), 2**32 + 1)], [X])


def derived_often(times: int) -> list[Fact]:
    return [Fact(EDGE, (1, number)) for number in range(times)]


OFTEN = CodedRule("often", Match(SEEN, (X,)), (Match(EDGE, (X, Y)),), 2)


def test_the_count_of_derivations_does_not_carry_into_what_is_given():
    """The smaller capacity simulates 2^31 derivations, where the next bit means that the fact is given."""
    engine = CompiledEngine(PREDICATES, capacity=(1000, 3, 1000))
    engine.update(add=[*derived_often(3), Fact(SEEN, (7,))], add_rules=[OFTEN])
    with pytest.raises(CapacityError, match="more than 3 derivations of one fact") as caught:
        engine.update(add=[Fact(EDGE, (1, 9))])
    assert isinstance(caught.value, LimitError)
    assert (engine.count(EDGE), engine.facts(SEEN), engine.given(SEEN)) == (3, {(1,), (7,)}, {(7,)})
    engine.update(add=[Fact(SEEN, (1,))])
    engine.update(retract=[*derived_often(3)])
    assert engine.facts(SEEN) == {(1,), (7,)}
    engine.update(retract=[Fact(SEEN, (1,))])
    assert engine.facts(SEEN) == {(7,)}


def test_too_many_derivations_while_all_is_found_anew():
    engine = CompiledEngine(PREDICATES, capacity=(1000, 3, 1000))
    with pytest.raises(CapacityError):
        engine.update(add=derived_often(4), add_rules=[OFTEN])
    assert (engine.count(EDGE), engine.count(SEEN), len(engine.rules)) == (0, 0, 0)
    engine.update(add=derived_often(3), add_rules=[OFTEN])
    assert engine.facts(SEEN) == {(1,)}


def test_more_facts_of_a_predicate_than_there_are_numbers():
    engine = CompiledEngine(PREDICATES, capacity=(4, 1000, 1000))
    engine.update(add=[Fact(NODE, (number,)) for number in range(4)], add_rules=[COPY])
    with pytest.raises(CapacityError, match="more than 4 facts of one predicate"):
        engine.update(add=[Fact(NODE, (9,))])
    with pytest.raises(CapacityError):
        engine.update(add_columns={NODE: (np.arange(5),)})
    assert engine.facts(SEEN) == {(number,) for number in range(4)}
    engine.update(retract=[Fact(NODE, (1,))])
    assert engine.facts(SEEN) == {(0,), (2,), (3,)}


def test_more_rules_than_there_are_numbers():
    engine = CompiledEngine(PREDICATES, capacity=(1000, 1000, 6))
    rules = [CodedRule(number, Match(SEEN, (number,)), (Match(NODE, (number,)),), 0) for number in range(4)]
    engine.update(add=[Fact(NODE, (1,))], add_rules=rules[:3])
    with pytest.raises(CapacityError, match="more than 6 rules"):
        engine.update(add_rules=[CodedRule(9, Match(SEEN, (9,)), (Match(NODE, (9,)),), 0)] * 1 + rules[3:])
    assert (len(engine.rules), engine.facts(SEEN)) == (3, {(1,)})


@pytest.mark.parametrize(
    "limits",
    [Limits(seconds=1e10), Limits(seconds=1e300), Limits(seconds=inf), Limits(seconds=2**70), Limits(facts=2**64 - 1),
     Limits(facts=2**63), Limits(facts=2**64), Limits(bytes=2**64 - 1), Limits(facts=10**30, bytes=10**30)],
)  # fmt: skip
def test_a_bound_that_is_never_reached_is_no_bound(engine_class, limits):
    engine = engine_class(PREDICATES, limits=limits)
    engine.update(add=[Fact(NODE, (1,)), Fact(NODE, (2,))], add_rules=[COPY])
    engine.update(add=[Fact(NODE, (3,))])
    assert engine.facts(SEEN) == {(1,), (2,), (3,)}
    assert engine.query([Match(SEEN, (X,))], [X]) == [(1,), (2,), (3,)]


def test_no_facts_at_all(engine_class):
    engine = engine_class(PREDICATES, limits=Limits(facts=0))
    with pytest.raises(FactLimitError):
        engine.update(add=[Fact(NODE, (1,))])
    assert engine.facts(NODE) == set()


@pytest.mark.parametrize(
    "bounds",
    [{"seconds": nan}, {"seconds": -1.0}, {"seconds": "5"}, {"facts": -1}, {"facts": 1.5}, {"facts": inf}, {"bytes": -1},
     {"bytes": "many"}],
)  # fmt: skip
def test_a_bound_that_is_none(bounds):
    with pytest.raises(ValueError, match=f"the limit of {next(iter(bounds))} is a"):
        Limits(**bounds)


def test_the_network_before_the_first_update():
    engine = CompiledEngine(PREDICATES)
    assert len(engine.network([EDGE, NODE]).tries) == 3
    engine.update(add=[Fact(NODE, (1,))], add_rules=[COPY])
    engine.add_predicates([CodedPredicate(1)])
    assert len(engine.network([3]).tries) == 2
    engine.update(add=[Fact(NODE, (2,)), Fact(3, (1,))])
    assert engine.facts(SEEN) == {(1,), (2,)}


def test_statistics_of_another_width_are_refused():
    with pytest.raises(MalformedError, match="statistics of predicate 0"):
        CompiledEngine(PREDICATES, statistics={EDGE: Measure(10, (3.0,))})
    engine = CompiledEngine(PREDICATES[:1], statistics={NODE: Measure(10, ()), 2**40: Measure(1, ())})
    with pytest.raises(MalformedError, match="statistics of predicate 1"):
        engine.add_predicates([CodedPredicate(1)])
    with pytest.raises(MalformedError):
        engine.count(NODE)


def test_a_fact_that_went_in_the_meantime_has_no_derivation():
    """Another thread may remove the fact between the two queries."""
    engine = CompiledEngine(PREDICATES, derivations="all")
    engine.update(add=[Fact(NODE, (1,))], add_rules=[COPY])
    for ask in (engine._core.derivation, engine._core.derivations):
        assert ask(Fact(SEEN, (1,)), None)
        for fact in (Fact(SEEN, (2,)), Fact(9, (2,)), Fact(SEEN, ())):
            with pytest.raises(KeyError):
                ask(fact, None)


@pytest.mark.parametrize("predicate", [-1, 3, 2**32, 2**64, "x", None])
def test_the_columns_of_a_change_to_no_predicate(predicate):
    engine = CompiledEngine(PREDICATES)
    change = engine.update(add=[Fact(NODE, (1,))])
    with pytest.raises(MalformedError, match="no predicate"):
        change.added.columns(predicate)  # type: ignore[attr-defined]


def test_a_profile_of_conditions_that_are_all_alike_comes_to_an_end():
    """Each condition could match any other one. The profile does not try all assignments."""
    engine = CompiledEngine(PREDICATES)
    alike = tuple(Match(NODE, (Var(place),)) for place in range(12))
    pairs = tuple(Match(EDGE, (Var(place), Var((place * 5 + 1) % 12))) for place in range(12))
    engine.update(add_rules=[CodedRule("alike", Match(SEEN, (X,)), (*alike, *pairs), 12)])
    engine.profile(True)
    engine.update(add=[Fact(NODE, (1,)), Fact(EDGE, (1, 1))])
    engine.update(add=[Fact(NODE, (2,))])
    assert {part.rule for part in engine.profile_report().parts} <= {"alike"}
    assert engine.facts(SEEN) == {(1,)}
