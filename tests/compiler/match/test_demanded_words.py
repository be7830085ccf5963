"""Tests of demand-driven predicates: matching, learning and compiled programs give the same conclusions."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hornbook.compiler.match.as_code import program_of
from hornbook.compiler.match.position import RuleMatcher, SharedRules
from hornbook.kb.ast.parts import in_parts
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import VARIABLE
from hornbook.kb.parse.syntax import parse
from hornbook.matcher.demand.engine import DemandEngine
from oracles.language.complete_theories import facts, made
from tests.compiler.match.test_complete_rules import FOCUS, GAMES

WAYS = """theory ways.
sort thing.
static near(thing, thing).
static marked(thing).
static worth(thing, int).
static at(thing, thing).
static there(thing, thing).
action take(thing).
derived way(thing, thing).
game won(thing).
one: way(?a, ?b) :- near(?a, ?b).
more: way(?a, ?c) :- near(?a, ?b), way(?b, ?c).
"""
LEARNED = "r: won(?x) by take(?y) is GI :- there(?x, ?y), way(?x, ?y), way(?y, ?z), near(?z, ?x)."


@pytest.fixture(autouse=True)
def compiled(monkeypatch):
    """Unset the variable for the engine; the plain engine concludes all facts."""
    monkeypatch.delenv(VARIABLE, raising=False)


def with_demands(theory: Theory) -> Theory:
    words = theory.vocabulary.predicates
    predicates = {name: replace(each, demanded=each.kind == "derived") for name, each in words.items()}
    return replace(theory, vocabulary=replace(theory.vocabulary, predicates=predicates))


def a_theory(random: Random, seed: int) -> tuple[Theory, tuple[Rule, ...]]:
    if seed % 2:
        theory = made(random)
        return theory.theory, theory.rules
    return load_text(WAYS), tuple(each for each in parse(LEARNED).clauses if isinstance(each, Rule))


def matcher_of(theory: Theory, rules: tuple[Rule, ...], shared: SharedRules | None = None) -> RuleMatcher:
    matcher = RuleMatcher(theory, FOCUS, shared=shared)
    for rule in rules if not matcher.has_rules else ():
        matcher.add(rule)
    return matcher


def stored(matcher: RuleMatcher) -> int:
    engine = raw_engine(matcher.base)
    inside = engine.inside if isinstance(engine, DemandEngine) else engine
    return sum(len(inside.facts(number)) for number in range(len(matcher.base.engine.coding.relations)))


def test_matched_from_position_to_position_they_say_the_same(times):
    output, left_out = 0, 0
    for seed in range(14 * times):
        random, shared = Random(seed), SharedRules()
        theory, rules = a_theory(random, seed)
        usual = matcher_of(theory, rules)
        asking = [matcher_of(with_demands(theory), rules, shared)]
        for _ in range(4):
            parts = list(in_parts(facts(random)))
            expected = usual.conclusions(parts, GAMES)
            for matcher in asking:
                assert isinstance(raw_engine(matcher.base), DemandEngine)
                found = matcher.conclusions(parts, GAMES)
                assert [(each.rule, each.statement, each.bindings) for each in found] == [
                    (each.rule, each.statement, each.bindings) for each in expected
                ]
                assert matcher.statements(parts, GAMES) == usual.statements(parts, GAMES)
                assert matcher.first(parts, GAMES[0]).keys() == usual.first(parts, GAMES[0]).keys()
                assert all(matcher.premises(each) for each in found)
                left_out += stored(usual) - stored(matcher)
            output += len(expected)
            if len(asking) == 1:
                asking.append(matcher_of(with_demands(theory), rules, shared))
    assert output > 50
    assert left_out > 100


def test_a_program_of_its_own_is_that_of_the_theory_without_the_word():
    for seed in range(2):
        random = Random(seed)
        theory, rules = a_theory(random, seed)
        positions = [(list(in_parts(facts(random))), GAMES) for _ in range(3)]
        programs = [program_of(each, FOCUS, rules, positions) for each in (theory, with_demands(theory))]
        assert programs[0] == replace(programs[1], fingerprint=programs[0].fingerprint)
