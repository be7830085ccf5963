"""Tests of heads that identify the instance of their rule.

They are stored without a lookup for an equal fact; other heads always need one.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import CodedPredicate, CodedRule, Fact, Limits, Match, Var
from hornbook.matcher.program.errors import FactLimitError
from oracles.reference.engine import ReferenceEngine

X, Y = Var(0), Var(1)
EDGE, FOUND, BOTH = 0, 1, 2
PREDICATES = CodedPredicate(2), CodedPredicate(3), CodedPredicate(2)
EDGES = [Fact(EDGE, (a, (a * a + 1) % 7)) for a in range(7)]


def named(name: int, *body: Match) -> CodedRule:
    return CodedRule(name, Match(FOUND, (name, X, Y)), body, 2)


ALONG = Match(EDGE, (X, Y))
BACK = Match(EDGE, (Y, X))


def both(limits: Limits = Limits()) -> tuple[ReferenceEngine, CompiledEngine]:  # noqa: B008 - frozen
    return ReferenceEngine(PREDICATES, limits=limits), CompiledEngine(PREDICATES, limits=limits)


def know_the_same(plain: ReferenceEngine, compiled: CompiledEngine) -> None:
    for predicate in range(len(PREDICATES)):
        assert compiled.facts(predicate) == plain.facts(predicate)
        assert compiled.count(predicate) == len(plain.facts(predicate))


def rule_sets() -> Iterator[tuple[str, list[CodedRule]]]:
    yield "each rule by its number", [named(1, ALONG), named(2, BACK), named(3, ALONG, BACK)]
    yield "numbers that do not grow", [named(2, ALONG), named(1, BACK)]
    yield (
        "two rules of one number",
        [named(1, ALONG), CodedRule("same", Match(FOUND, (1, X, Y)), (Match(EDGE, (Y, X)),), 2)],
    )
    yield "a variable that is not said", [CodedRule("some", Match(FOUND, (1, X, 0)), (ALONG,), 2)]
    yield "no number", [CodedRule("turned", Match(BOTH, (Y, X)), (ALONG,), 2)]
    yield (
        "no number, several rules",
        [
            CodedRule("along", Match(BOTH, (X, Y)), (ALONG,), 2),
            CodedRule("back", Match(BOTH, (X, Y)), (BACK,), 2),
        ],
    )
    yield (
        "looked up while more are stored",
        [
            CodedRule("turned", Match(BOTH, (Y, X)), (ALONG,), 2),
            CodedRule("seen", Match(FOUND, (1, X, Y)), (ALONG, Match(BOTH, (X, Y))), 2),
            CodedRule(
                "by two", Match(FOUND, (2, X, X)), (ALONG, Match(BOTH, (Y, X)), Match(BOTH, (X, Y))), 2
            ),
        ],
    )


@pytest.mark.parametrize("rules", [pytest.param(rules, id=name) for name, rules in rule_sets()])
@pytest.mark.parametrize("first", [[], [Fact(FOUND, (1, 2, 5)), Fact(BOTH, (2, 1))]], ids=["", "given ones"])
def test_whatever_the_heads_are(rules, first):
    engines = both()
    for update in (
        {"add_rules": rules},
        {"add": [*EDGES, *first]},
        {"retract": EDGES[:2]},
        {"add": EDGES[:1], "retract": EDGES[3:5]},
        {"retract": EDGES},
        {"add": EDGES},
        {"remove_rules": [rules[0].id]},
        {"add_rules": rules[:1]},
    ):
        changes = [engine.update(**update) for engine in engines]
        assert (changes[1].added, changes[1].removed) == (changes[0].added, changes[0].removed)
        know_the_same(*engines)


def test_rows_that_nobody_looked_for_are_taken_back():
    engines = both()
    for engine in engines:
        engine.update(add_rules=[named(1, ALONG), named(2, BACK)])
        for _ in range(3):
            engine.push()
            engine.update(add=EDGES)
            engine.pop()
        assert not engine.facts(FOUND)
        engine.update(add=EDGES)
        engine.push()
        engine.update(retract=EDGES[:3])
        engine.pop()
    know_the_same(*engines)


def test_rows_that_nobody_looked_for_are_removed_after_a_bound():
    engines = both(Limits(facts=10))
    for engine in engines:
        engine.update(add_rules=[named(1, ALONG), named(2, BACK)])
        with pytest.raises(FactLimitError):
            engine.update(add=EDGES)
        engine.update(add=EDGES[:2])
    know_the_same(*engines)


def test_rows_that_nobody_looked_for_go_with_their_rule():
    """If many rows are removed, they are reused, and reuse removes them from the table."""
    edges = [Fact(EDGE, (a, a)) for a in range(3000)]
    engine = CompiledEngine(PREDICATES)
    engine.update(add_rules=[named(1, ALONG), named(2, BACK)])
    engine.update(add=edges)
    other = [Fact(EDGE, (a, a + 1)) for a in range(4000)]
    engine.update(remove_rules=[1, 2], retract=edges, add=other)
    assert not engine.facts(FOUND)
    engine.update(add_rules=[named(5, ALONG)])
    assert engine.facts(FOUND) == {(5, *edge.cells) for edge in other}
    engine.update(retract=other[1:])
    assert engine.facts(FOUND) == {(5, 0, 1)}
