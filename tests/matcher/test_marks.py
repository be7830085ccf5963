"""Tests of push() and pop(): facts and derivations are restored exactly."""

from __future__ import annotations

import pytest

from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Match, Var
from hornbook.matcher.program.engine import Engine
from hornbook.matcher.program.errors import MarkError

X, Y, Z = Var(0), Var(1), Var(2)
EDGE, PATH = range(2)
RULES = [
    CodedRule("step", Match(PATH, (X, Y)), (Match(EDGE, (X, Y)),), 2),
    CodedRule("go on", Match(PATH, (X, Z)), (Match(PATH, (X, Y)), Match(PATH, (Y, Z))), 3),
]


def chain(*numbers: int) -> list[Fact]:
    return [Fact(EDGE, (number, number + 1)) for number in numbers]


@pytest.fixture
def engine(engine_class):
    engine = engine_class([CodedPredicate(2), CodedPredicate(2)], derivations="all")
    engine.update(add=chain(1, 2, 3), add_rules=RULES)
    return engine


def everything(engine: Engine) -> object:
    paths = sorted(engine.facts(PATH))
    return (
        set(engine.given(EDGE)),
        set(engine.facts(EDGE)),
        paths,
        [engine.derivation(Fact(PATH, path)) for path in paths],
        [engine.derivations(Fact(PATH, path)) for path in paths],
    )


def test_pop_restores_facts_and_derivations(engine):
    before = everything(engine)
    engine.push()
    engine.update(retract=chain(2), add=[*chain(4), Fact(PATH, (1, 3))])
    assert everything(engine) != before
    engine.pop()
    assert everything(engine) == before


def test_marks_nest(engine):
    states = []
    for number in range(4, 9):
        states.append(everything(engine))
        engine.push()
        engine.update(add=chain(number), retract=chain(number - 3))
    for before in reversed(states):
        engine.pop()
        assert everything(engine) == before


def test_a_mark_is_used_once(engine):
    engine.push()
    engine.pop()
    with pytest.raises(MarkError):
        engine.pop()


def test_pop_without_a_mark_is_an_error(engine):
    before = everything(engine)
    with pytest.raises(MarkError):
        engine.pop()
    assert everything(engine) == before


@pytest.mark.parametrize(
    "change", [{"remove_rules": ["step"]}, {"add_rules": [CodedRule("r", RULES[0].head, RULES[0].body, 2)]}]
)
def test_rules_cannot_change_under_a_mark(engine, change):
    engine.push()
    before = everything(engine)
    with pytest.raises(MarkError):
        engine.update(add=chain(8), **change)
    assert everything(engine) == before
    engine.pop()
    engine.update(**change)
    assert everything(engine) != before or "r" in engine.rules


def test_a_failed_update_keeps_the_marks(engine):
    before = everything(engine)
    engine.push()
    with pytest.raises(ValueError, match="width"):
        engine.update(add=[Fact(EDGE, (1,))])
    engine.pop()
    assert everything(engine) == before


def test_predicates_that_were_added_under_a_mark_stay(engine):
    engine.push()
    engine.add_predicates([CodedPredicate(1)])
    engine.update(add=[Fact(2, (5,))])
    engine.pop()
    assert engine.facts(2) == set()
    engine.update(add=[Fact(2, (6,))])
    assert engine.facts(2) == {(6,)}
