"""Regression tests for facts of a recursive predicate that supported each other.

Their outside support was retracted in the same update.
"""

from __future__ import annotations

from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import AggregateOf, CodedPredicate, CodedRule, Fact, Match, Var
from oracles.reference.engine import ReferenceEngine

A, B, C, D = (Var(number) for number in range(4))


def alike(predicates: tuple[CodedPredicate, ...], *updates: dict[str, list[object]]) -> None:
    engines = ReferenceEngine(predicates), CompiledEngine(predicates)
    for update in updates:
        plain, compiled = (engine.update(**update) for engine in engines)
        assert (compiled.added, compiled.removed) == (plain.added, plain.removed)


def test_a_retracted_fact_that_new_support_leads_back_to():
    """The new fact 0(0, 1) derives 1(0) from 1(0) itself, which is about to be removed."""
    other = CodedRule("other", Match(3, (A, B)), (Match(2, (A, B)),), 2)
    circle = CodedRule("circle", Match(1, (B,)), (Match(0, (B, 1)), Match(1, (A,))), 2)
    alike(
        (CodedPredicate(2), CodedPredicate(1), CodedPredicate(2), CodedPredicate(2)),
        {"add": [Fact(1, (0,)), Fact(2, (1, 0)), Fact(2, (0, 1))], "add_rules": [other, circle]},
        {"add": [Fact(0, (0, 1))], "retract": [Fact(1, (0,))]},
    )


def test_a_fact_that_comes_while_what_it_rests_on_goes():
    """3(2, 2) is derived from the vanishing 1(2) before the engine finds that no other derivation remains."""
    give, open_, close, circle = (
        CodedRule("give", Match(4, (B,)), (Match(0, (B,)),), 2),
        CodedRule("open", Match(3, (A, B)), (Match(1, (A,)), Match(4, (B,))), 2),
        CodedRule("close", Match(1, (A,)), (Match(2, (A,)), Match(3, (B, C))), 3),
        CodedRule(
            "circle",
            Match(3, (A, D)),
            (Match(3, (A, B)), AggregateOf(D, "sum", (A,), (Match(0, (A,)),))),
            4,
        ),
    )
    alike(
        (CodedPredicate(1), CodedPredicate(1), CodedPredicate(1), CodedPredicate(2), CodedPredicate(1)),
        {"add_rules": [give, open_, close, circle]},
        {"add": [Fact(0, (1,)), Fact(1, (2,))]},
        {"add": [Fact(0, (2,))], "retract": [Fact(1, (2,))]},
    )
