"""Tests of the subsumption filter: it never rules out a pair for which theta-subsumption holds."""

from __future__ import annotations

import random
from dataclasses import replace

from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.terms import Atom, Condition, Constant, Rule, Term, Variable

WORDS = ["a", "b"]


def random_rule(rng: random.Random, size: int) -> Rule:
    def term() -> Term:
        if rng.random() < 0.3:
            return Constant(rng.choice(WORDS))
        return Variable(f"v{rng.randrange(4)}")

    arities = {"p": 2, "q": 1, "r": 3}
    body: list[Condition] = []
    for _ in range(size):
        name = rng.choice(list(arities))
        body.append(Atom(name, tuple(term() for _ in range(arities[name]))))
    head = Atom("h", (term(), term()))
    return Rule(head, tuple(body), "rule")


def test_a_shape_never_hides_a_subsumption():
    rng = random.Random(7)
    subsumed = ruled_out = 0
    for _ in range(16):
        generals = [
            (r, SubsumptionShape(r)) for r in (random_rule(rng, rng.randint(1, 3)) for _ in range(25))
        ]
        specifics = [
            (r, SubsumptionShape(r)) for r in (random_rule(rng, rng.randint(2, 8)) for _ in range(25))
        ]
        for general, asks in generals:
            for specific, offers in specifics:
                may = asks.may_subsume(offers)
                if subsumes(general, specific):
                    subsumed += 1
                    assert may, (general, specific)
                else:
                    ruled_out += not may
    # The filter must be worth its cost, so it has to rule out most pairs without subsumption.
    assert subsumed > 100
    assert ruled_out > 0.8 * (10_000 - subsumed)


def test_a_long_rule_is_looked_at_closely():
    """Shared terms of two conditions rule out no pair with a long rule. Only missing predicates do."""
    long = Rule(Atom("h", ()), tuple(Atom("q", (Variable(f"v{i}"),)) for i in range(100)), "long")
    there = replace(long, body=(*long.body, Atom("p", (Variable("v0"), Variable("w")))))
    short = Rule(
        Atom("h", ()), (Atom("p", (Variable("a"), Variable("b"))), Atom("q", (Variable("b"),))), "short"
    )
    assert SubsumptionShape(short).may_subsume(SubsumptionShape(there))
    assert not subsumes(short, there)
    assert not SubsumptionShape(short).may_subsume(SubsumptionShape(long))
    assert not subsumes(short, long)
