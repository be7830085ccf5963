"""Tests of derivations: each is valid for its rule, and first derivations use only earlier facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Derivation, Fact, Limits, Match, Var
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import EngineError, NoDerivationsError
from oracles.engine.derivation_checker import check_derivation, premise_facts
from oracles.engine.random_programs import EVERYTHING, PLAIN, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.pages.engines import EngineClass
from oracles.reference.bounds import CallBounds
from oracles.reference.conjunction import ReferenceConjunction
from oracles.reference.relations import Database, IndexedRelation

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH = range(2)
STEP = CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2)
GO_ON = CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(PATH, (Y, Z))), 3)


@pytest.fixture
def engine_with(engine_class: EngineClass) -> Callable[..., Engine]:
    def make(*pairs: tuple[int, int], derivations: str) -> Engine:
        engine = engine_class([CodedPredicate(2), CodedPredicate(2)], derivations=derivations)
        engine.update(add=[Fact(EDGE, pair) for pair in pairs], add_rules=[STEP, GO_ON])
        return engine

    return make


def edge(*pair: int) -> Fact:
    return Fact(EDGE, pair)


def path(*pair: int) -> Fact:
    return Fact(PATH, pair)


def test_a_derivation_names_rule_binding_and_premises(engine_with):
    engine = engine_with((1, 2), (2, 3), derivations="one")
    assert engine.derivation(path(1, 2)) == Derivation("step", (1, 2), (edge(1, 2),))
    assert engine.derivation(path(1, 3)) == Derivation("go on", (1, 2, 3), (path(1, 2), path(2, 3)))


def test_premises_state_in_the_order_of_the_body(engine_class):
    engine = engine_class([CodedPredicate(2), CodedPredicate(2)])
    backwards = CodedRule("r", Match(PATH, (X, Z)), (Match(EDGE, (Y, Z)), Match(EDGE, (X, Y))), 3)
    engine.update(add=[edge(1, 2), edge(2, 3)], add_rules=[backwards])
    assert engine.derivation(path(1, 3)).premises == (edge(2, 3), edge(1, 2))


def test_a_given_fact_has_no_first_derivation(engine_with):
    engine = engine_with((1, 2), (2, 3), derivations="all")
    engine.update(add=[path(1, 3)])
    assert engine.derivation(edge(1, 2)) is None
    assert engine.derivations(edge(1, 2)) == ()
    assert engine.derivation(path(1, 3)) is None
    assert engine.derivations(path(1, 3)) == (Derivation("go on", (1, 2, 3), (path(1, 2), path(2, 3))),)


def test_all_derivations_are_stored_on_request(engine_with):
    engine = engine_with((1, 2), (2, 1), derivations="all")
    assert set(engine.derivations(path(1, 1))) == {
        Derivation("go on", (1, 2, 1), (path(1, 2), path(2, 1))),
        Derivation("go on", (1, 1, 1), (path(1, 1), path(1, 1))),
    }
    assert engine.derivation(path(1, 1)).binding == (1, 2, 1)


def test_derivations_are_queried_for_by_rule(engine_with):
    engine = engine_with((1, 2), (2, 3), (1, 3), derivations="all")
    assert set(engine.derived_by(path(1, 3))) == {"step", "go on"}
    assert engine.derived_by(edge(1, 2)) == ()
    for rule in ("step", "go on"):
        found = [each for each in engine.derivations(path(1, 3)) if each.rule == rule]
        assert list(engine.derivations(path(1, 3), rule)) == found
        assert engine.derivation(path(1, 3), rule) == found[0]
    assert engine.derivation(path(1, 2), "go on") is None
    with pytest.raises(KeyError):
        engine.derived_by(path(3, 1))
    one = engine_with((1, 2), derivations="one")
    for ask in (one.derived_by, lambda fact: one.derivation(fact, "step")):
        with pytest.raises(NoDerivationsError):
            ask(path(1, 2))


@pytest.mark.parametrize("derivations", ["one", "all"])
def test_there_is_no_derivation_of_what_is_not_there(engine_with, derivations):
    engine = engine_with((1, 2), derivations=derivations)
    with pytest.raises(KeyError):
        engine.derivation(path(2, 1))
    if derivations == "all":
        with pytest.raises(KeyError):
            engine.derivations(path(2, 1))


def test_derivations_that_were_not_stored_are_a_named_error(engine_with):
    with pytest.raises(NoDerivationsError, match="derivations='none', this needs 'one'"):
        engine_with((1, 2), derivations="none").derivation(path(1, 2))
    with pytest.raises(NoDerivationsError, match="derivations='one', this needs 'all'"):
        engine_with((1, 2), derivations="one").derivations(path(1, 2))


def test_derivations_of_retracted_premises_are_removed(engine_with):
    engine = engine_with((1, 2), (2, 3), (1, 4), (4, 3), derivations="all")
    assert len(engine.derivations(path(1, 3))) == 2
    through = engine.derivation(path(1, 3)).binding[1]
    engine.update(retract=[edge(1, through)])
    (left,) = engine.derivations(path(1, 3))
    assert left == engine.derivation(path(1, 3))
    assert left.binding == (1, {2: 4, 4: 2}[through], 3)


# Random programs.


def saturated(engine_class: EngineClass, program: RandomProgram, derivations: str) -> Engine | None:
    engine = engine_class(program.predicates, derivations=derivations)
    try:
        engine.update(add=program.given, add_rules=program.rules)
    except EngineError:
        return None
    return engine


def facts_of(engine: Engine, program: RandomProgram) -> Database:
    facts = Database(IndexedRelation)
    for number in range(len(program.predicates)):
        for row in engine.facts(number):
            facts[number].add(row, None)
    return facts


def check_well_founded(first: Mapping[Fact, Derivation | None]) -> None:
    """Check that a walk along first derivations never returns to an earlier fact."""
    finished: set[Fact] = set()
    for start in first:
        stack: list[tuple[Fact, bool]] = [(start, False)]
        open_facts: set[Fact] = set()
        while stack:
            fact, left = stack.pop()
            if left:
                open_facts.discard(fact)
                finished.add(fact)
            elif fact not in finished:
                assert fact not in open_facts, f"{fact} rests on itself"
                open_facts.add(fact)
                stack.append((fact, True))
                derivation = first[fact]
                if derivation is not None:
                    stack += [(premise, False) for premise in premise_facts(derivation.premises)]


@pytest.mark.parametrize("features", [PLAIN, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"])
def test_every_derivation_is_right_and_the_first_ones_are_well_founded(engine_class, features, times):
    derived = 0
    for seed in range(100 * times):
        program = ProgramMaker(features).program(Random(seed))
        engine = saturated(engine_class, program, "one")
        if engine is None:
            continue
        facts = facts_of(engine, program)
        first = {
            Fact(number, row): engine.derivation(Fact(number, row))
            for number, relation in facts.items()
            for row in relation.rows
        }
        assert {fact for fact, derivation in first.items() if derivation is None} == set(program.given)
        for fact, derivation in first.items():
            if derivation is not None:
                check_derivation(fact, derivation, engine.rules, facts)
                derived += 1
        check_well_founded(first)
    assert derived > 200


@pytest.mark.parametrize("features", [PLAIN, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"])
def test_all_derivations_are_right_and_none_is_missing(engine_class, features, times):
    for seed in range(100 * times):
        program = ProgramMaker(features).program(Random(seed))
        engine = saturated(engine_class, program, "all")
        if engine is None:
            continue
        facts = facts_of(engine, program)
        found = set()
        for number, relation in list(facts.items()):
            for row in relation.rows:
                fact = Fact(number, row)
                derivations = engine.derivations(fact)
                assert len({(each.rule, each.binding) for each in derivations}) == len(derivations)
                assert sorted(map(str, engine.derived_by(fact))) == sorted({str(d.rule) for d in derivations})
                for derivation in derivations:
                    check_derivation(fact, derivation, engine.rules, facts)
                    found.add((derivation.rule, derivation.binding))
                first = engine.derivation(fact)
                assert first is None or (first.rule, first.binding) in {
                    (each.rule, each.binding) for each in derivations
                }
        assert found == {
            (rule.id, tuple(cells))
            for rule in program.rules
            for cells, _ in ReferenceConjunction(rule.body, rule.head.terms).solve(
                (None,) * rule.variables, facts, CallBounds(Limits())
            )
        }
