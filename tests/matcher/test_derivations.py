"""Tests of derivations: each is valid for its rule, and first derivations use only earlier facts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from random import Random

import pytest

from hornbook.matcher.program.coded import Derivation, Fact, Limits
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import EngineError
from oracles.engine.derivation_checker import check_derivation, premise_facts
from oracles.engine.random_programs import EVERYTHING, PLAIN, WITH_CALLS, ProgramMaker, RandomProgram
from oracles.pages.engines import ALL_ENGINES
from oracles.reference.bounds import CallBounds
from oracles.reference.conjunction import ReferenceConjunction
from oracles.reference.relations import Database, IndexedRelation


def saturated(engine_class: Callable[..., Engine], program: RandomProgram, derivations: str) -> Engine | None:
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
                assert engine.bindings(fact) == tuple((d.rule, d.binding) for d in derivations)
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


@pytest.mark.parametrize("name", ["plain", "compiled", "demand", "demanded"])
@pytest.mark.parametrize("features", [PLAIN, EVERYTHING, WITH_CALLS], ids=["plain", "everything", "calls"])
def test_however_founded_derivations_are_chosen_proofs_end_at_given_facts(name, features, times):
    chosen_others = 0
    for seed in range(60 * times):
        random = Random(seed)
        program = ProgramMaker(features).program(random)
        engine = saturated(ALL_ENGINES[name], program, "all")
        try:
            facts = None if engine is None else facts_of(engine, program)
        except EngineError:  # an engine on demand finds it here
            continue
        if engine is None or facts is None:
            continue
        chosen: dict[Fact, Derivation | None] = {}
        for fact in [Fact(number, row) for number, relation in facts.items() for row in relation.rows]:
            recorded = engine.derivation(fact)
            every = {(each.rule, each.binding) for each in engine.derivations(fact)}
            founded = [d for rule in engine.rules for d in engine.founded_derivations(fact, rule, {}, 1000)]
            for each in founded:
                check_derivation(fact, each, engine.rules, facts)
            assert {(each.rule, each.binding) for each in founded} <= every
            assert recorded is None or (recorded.rule, recorded.binding) in {
                (each.rule, each.binding) for each in founded
            }
            chosen[fact] = None if recorded is None else random.choice(founded)
            chosen_others += chosen[fact] != recorded
        check_well_founded(chosen)
    assert name == "plain" or chosen_others > 20


@pytest.mark.parametrize("name", ["plain", "compiled", "demand"])
def test_founded_derivations_have_the_values_that_are_asked_for(name):
    asked = 0
    for seed in range(60):
        program = ProgramMaker(PLAIN).program(Random(seed))
        engine = saturated(ALL_ENGINES[name], program, "one")
        if engine is None:
            continue
        for number, relation in facts_of(engine, program).items():
            for row in relation.rows:
                for rule in program.rules:
                    found = engine.founded_derivations(Fact(number, row), rule.id, {}, 1000)
                    for each in found:
                        where = {place: cell for place, cell in enumerate(each.binding) if cell is not None}
                        for place, cell in where.items():
                            alike = engine.founded_derivations(
                                Fact(number, row), rule.id, {place: cell}, 1000
                            )
                            assert set(alike) == {other for other in found if other.binding[place] == cell}
                            asked += 1
                        assert engine.founded_derivations(Fact(number, row), rule.id, where, 1) == (each,)
                    assert len(engine.founded_derivations(Fact(number, row), rule.id, {}, 1)) <= 1
    assert asked > 100
