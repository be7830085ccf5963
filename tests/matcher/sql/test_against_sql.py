"""Tests of the DuckDB engine on random programs.

It has the facts and answers of the plain engine, or reports that it does not support the program.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var
from hornbook.matcher.program.errors import (
    BeyondEngineError,
    DuplicateRuleError,
    EngineError,
    KeyConflictError,
    MalformedError,
    MarkError,
    OverfullSetError,
    UnknownRuleError,
)
from hornbook.matcher.program.scope import variables
from hornbook.matcher.sql.engine import SqlEngine
from oracles.engine.random_programs import ProgramMaker, RandomProgram
from oracles.reference.engine import ReferenceEngine

pytestmark = pytest.mark.deep

X, Y, Z = Var(0), Var(1), Var(2)


def reported(call: Callable[..., object], *arguments: object) -> object:
    """Return the result of a call, or the error that it raises."""
    try:
        return call(*arguments)
    except EngineError as error:
        return error


def all_facts(engine: SqlEngine, program: RandomProgram) -> None:
    engine.update(add=program.given, add_rules=program.rules)
    for number in range(len(program.predicates)):
        engine.facts(number)


@pytest.mark.parametrize("huge", [False, True], ids=["small cells", "huge cells"])
def test_facts_and_answers_are_those_of_the_plain_engine(huge, times):
    """A contradictory program is refused when it is loaded or when its facts are requested."""
    outcomes: Counter[str] = Counter()
    for seed in range(14 * times):
        program = ProgramMaker(huge=huge).program(Random(seed))
        plain, sql = ReferenceEngine(program.predicates), SqlEngine(program.predicates)
        try:
            plain.update(add=program.given, add_rules=program.rules)
        except EngineError:
            with pytest.raises(EngineError):
                all_facts(sql, program)
            outcomes["error"] += 1
            continue
        sql.update(add=program.given, add_rules=program.rules)
        for number in range(len(program.predicates)):
            compare(reported(plain.facts, number), reported(sql.facts, number), outcomes, seed)
        for rule in program.rules:
            queried = [
                Var(index) for index in sorted(variables([c for c in rule.body if isinstance(c, Match)]))
            ]
            compare(
                reported(plain.query, rule.body, queried),
                reported(sql.query, rule.body, queried),
                outcomes,
                seed,
            )
    assert outcomes["same"] > 2 * outcomes["beyond"] > 0
    assert outcomes["error"] > 0


def compare(expected: object, found: object, outcomes: Counter[str], seed: int) -> None:
    if isinstance(found, BeyondEngineError):
        outcomes["beyond"] += 1
    elif isinstance(found, EngineError):
        assert type(found) is type(expected), seed
    else:
        assert found == (expected if isinstance(found, list) else frozenset(expected)), seed
        outcomes["same"] += 1


def test_random_changes_lead_where_they_lead_the_plain_engine(times):
    for seed in range(5 * times):
        random = Random(seed)
        program = ProgramMaker().program(random)
        plain, sql = ReferenceEngine(program.predicates), SqlEngine(program.predicates)
        for _ in range(6):
            add, retract = (random.sample(program.given, len(program.given) // 2) for _ in range(2))
            rules = [rule for rule in program.rules if random.random() < 0.5]
            changed = {
                "add": add,
                "retract": retract,
                "add_rules": [rule for rule in rules if rule.id not in plain.rules],
                "remove_rules": [rule.id for rule in rules if rule.id in plain.rules],
            }
            try:
                plain.update(**changed)
            except EngineError:
                continue  # the other engine may notice this only later
            sql.update(**changed)
            assert sql.rules == plain.rules
            for number in range(len(program.predicates)):
                assert sql.given(number) == plain.given(number)
                found = reported(sql.facts, number)
                assert isinstance(found, BeyondEngineError) or found == plain.facts(number), seed


def test_what_does_not_fit_is_refused_and_changes_nothing():
    engine = SqlEngine([CodedPredicate(2, key=1), CodedPredicate(1), CodedPredicate(1, key=0, counts=1)])
    rule = CodedRule("r", Match(1, (X,)), (Match(0, (X, Y)),), 2)
    engine.update(add=[Fact(0, (1, 2))], add_rules=[rule])
    for error, change in [
        (KeyConflictError, {"add": [Fact(0, (3, 4)), Fact(0, (1, 3))]}),
        (OverfullSetError, {"add": [Fact(1, (5,)), Fact(1, (6,)), Fact(2, (1,))]}),
        (MalformedError, {"add": [Fact(0, (7, 8)), Fact(0, (1,))]}),
        (MalformedError, {"add_columns": {0: ([1], [2, 3])}}),
        (DuplicateRuleError, {"add": [Fact(0, (3, 4))], "add_rules": [rule]}),
        (UnknownRuleError, {"add": [Fact(0, (3, 4))], "remove_rules": ["s"]}),
    ]:
        with pytest.raises(error):
            engine.update(**change)
        assert [engine.given(number) for number in range(3)] == [{(1, 2)}, set(), set()]
    assert Fact(1, (1,)) in engine
    assert Fact(1, (2,)) not in engine


def test_a_broken_promise_of_what_is_concluded_is_reported_when_it_is_queried_for():
    copy = CodedRule("r", Match(1, (X, Y)), (Match(0, (X, Y)),), 2)
    engine = SqlEngine([CodedPredicate(2), CodedPredicate(2, key=1), CodedPredicate(1, key=0, counts=0)])
    engine.update(add=[Fact(0, (1, 2)), Fact(0, (1, 3)), Fact(2, (2,))], add_rules=[copy])
    with pytest.raises(KeyConflictError) as caught:
        engine.facts(1)
    assert (caught.value.first, caught.value.second) == (Fact(1, (1, 2)), Fact(1, (1, 3)))
    assert engine.facts(0) == {(1, 2), (1, 3)}


def test_there_are_no_marks():
    engine = SqlEngine()
    for call in (engine.push, engine.pop):
        with pytest.raises(MarkError):
            call()


def test_a_broken_promise_of_recursive_conclusions_is_reported_by_each_query():
    step = CodedRule("step", Match(1, (X, Y)), (Match(0, (X, Y)),), 2)
    further = CodedRule("further", Match(1, (X, Z)), (Match(1, (X, Y)), Match(0, (Y, Z))), 3)
    engine = SqlEngine([CodedPredicate(2), CodedPredicate(2, key=1)])
    engine.update(add=[Fact(0, (1, 2)), Fact(0, (2, 3))], add_rules=[step, further])
    for _ in range(2):
        with pytest.raises(KeyConflictError):
            engine.facts(1)
    engine.update(retract=[Fact(0, (2, 3))])
    assert engine.facts(1) == {(1, 2)}


def test_the_compiled_engine_finds_the_same_closures(times):
    """The rules are left-linear, right-linear and not linear, and two predicates depend on each other."""
    bodies = [
        (Match(1, (X, Y)), Match(0, (Y, Z))),
        (Match(0, (X, Y)), Match(1, (Y, Z))),
        (Match(1, (X, Y)), Match(1, (Y, Z))),
        (Match(2, (X, Y)), Match(1, (Y, Z))),
    ]
    for seed in range(6 * times):
        random = Random(seed)
        edges = [Fact(0, (random.randrange(30), random.randrange(30))) for _ in range(40)]
        rules = [
            CodedRule("step", Match(1, (X, Y)), (Match(0, (X, Y)),), 2),
            CodedRule("back", Match(2, (Y, X)), (Match(1, (X, Y)),), 2),
            *(
                CodedRule(number, Match(1, (X, Z)), body, 3)
                for number, body in enumerate(random.sample(bodies, 2))
            ),
        ]
        compiled, sql = CompiledEngine([CodedPredicate(2)] * 3), SqlEngine([CodedPredicate(2)] * 3)
        for engine in (compiled, sql):
            engine.update(add=edges, add_rules=rules)
        assert [sql.facts(n) for n in (1, 2)] == [frozenset(compiled.facts(n)) for n in (1, 2)], seed
