"""Tests of facts that are derived repeatedly during a full rebuild.

The facts are close together or far apart, and some are given.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import AbsentOf, Cell, CodedPredicate, CodedRule, Fact, Limits, Match, Var
from hornbook.matcher.program.errors import FactLimitError
from oracles.engine.derivation_checker import premise_facts
from oracles.reference.engine import ReferenceEngine

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH, BACK, SHUT, OPEN = range(5)
PREDICATES = CodedPredicate(2), CodedPredicate(2), CodedPredicate(2), CodedPredicate(1), CodedPredicate(2)
RULES = [
    CodedRule("edge", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2),
    CodedRule("further", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(PATH, (Y, Z))), 3),
    CodedRule("back", Match(BACK, (Y, X)), (Match(PATH, (X, Y)), Match(PATH, (Y, X))), 2),
    CodedRule("forth", Match(PATH, (X, X)), (Match(BACK, (X, Y)),), 2),
    CodedRule("open", Match(OPEN, (X, Y)), (Match(PATH, (X, Y)), AbsentOf((Match(SHUT, (Y,)),))), 2),
]
PLACES: dict[str, Callable[[int], Cell]] = {
    "close": lambda node: node,
    "below nothing": lambda node: node - 10**6,
    "far apart": lambda node: (-1) ** node * 3**node % (1 << 62),
    "ever further": lambda node: node * node * node,
    "two groups": lambda node: node + (node % 2) * 10**9,
    "at the bounds": lambda node: (1 << 63) - 1 - node if node % 2 else node - (1 << 63),
}


def state(random: Random, place: Callable[[int], Cell], nodes: int) -> list[Fact]:
    some = lambda: place(random.randrange(nodes))  # noqa: E731
    edges = [Fact(EDGE, (some(), some())) for _ in range(nodes * 5 // 4)]
    given = [Fact(PATH, (some(), some())) for _ in range(random.choice((0, 0, 3)))]
    return [*edges, *given, *(Fact(SHUT, (some(),)) for _ in range(2))]


def know_the_same(plain: ReferenceEngine, compiled: CompiledEngine) -> None:
    for predicate in range(len(PREDICATES)):
        facts = plain.facts(predicate)
        assert compiled.facts(predicate) == facts
        assert compiled.count(predicate) == len(facts)
        for cells in list(facts)[::23]:
            derivation = compiled.derivation(Fact(predicate, cells))
            assert derivation is None or all(fact in plain for fact in premise_facts(derivation.premises))


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("place", PLACES)
def test_everything_that_follows(place: str, seed: int) -> None:
    random = Random(f"{place} {seed}")
    plain, compiled = ReferenceEngine(PREDICATES), CompiledEngine(PREDICATES)
    facts = state(random, PLACES[place], random.choice((6, 25, 40)))
    for engine in (plain, compiled):
        engine.update(add=facts, add_rules=RULES)
    know_the_same(plain, compiled)
    removed = random.sample(facts, 4)
    for engine in (plain, compiled):
        engine.update(retract=removed)
    know_the_same(plain, compiled)
    others = state(random, PLACES[place], 25)
    for engine in (plain, compiled):  # most facts change, so all are rebuilt
        engine.push()
        engine.update(retract=facts, add=others)
    know_the_same(plain, compiled)
    for engine in (plain, compiled):
        engine.pop()
    know_the_same(plain, compiled)


@pytest.mark.parametrize("place", PLACES)
def test_a_limit_that_is_passed_while_everything_is_found(place: str) -> None:
    facts = [Fact(EDGE, (PLACES[place](node), PLACES[place](node + 1))) for node in range(39)]
    engine = CompiledEngine(PREDICATES, limits=Limits(facts=500))
    with pytest.raises(FactLimitError) as raised:
        engine.update(add=facts, add_rules=RULES)
    assert raised.value.predicate in {rule.head.predicate for rule in RULES}
    assert not any(engine.count(predicate) for predicate in range(len(PREDICATES)))
    plain, compiled = ReferenceEngine(PREDICATES), engine
    for each in (plain, compiled):
        each.update(add=facts[:15], add_rules=RULES)
    know_the_same(plain, compiled)
