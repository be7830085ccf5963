"""Tests of random theories with predicates that are declared complete.

All engines, including DuckDB, have the same conclusions and can prove them.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.explain.proof import Proof
from hornbook.kb.explain.proof_steps import ProofReason
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ground_fact
from oracles.language.complete_theories import CompleteTheory, facts, made
from oracles.pages.engines import engines_with

pytestmark = pytest.mark.deep

ENGINES = engines_with()


def conclusions(base: KnowledgeBase, theory: CompleteTheory) -> dict[str, list[tuple[str | int, ...]]]:
    """Return the facts of each derived predicate and the conclusions of the learned rules."""
    variables = ("?x", "?x, ?y")
    arities = {name: theory.theory.vocabulary.predicates[name].arity for name in theory.derived}
    queried = [f"{name}({variables[arity - 1]})" for name, arity in arities.items()]
    return {text: base.query(text).to_tuples() for text in (*queried, "won(?x) by take(?y) is GI")}


@pytest.mark.parametrize("engine", ENGINES[1:])
def test_every_engine_says_the_same_while_facts_come_and_go(engine, times):
    found: Counter[str] = Counter()
    for seed in range(8 * times):
        random = Random(seed)
        theory = made(random)
        bases = [KnowledgeBase(theory.theory, engine=name) for name in (ENGINES[0], engine)]
        for base in bases:
            add_proved_rules(base, theory.rules)
        given = []
        for _ in range(3):
            before, given = given, facts(random)
            for base in bases:
                base.retract(before)
                base.add(given)
            expected, reported = (conclusions(base, theory) for base in bases)
            assert reported == expected, theory.text
            found.update(text.split("(")[0] for text, rows in reported.items() for _ in rows)
    assert found["won"] > 10
    assert found["d0"] > 20


@pytest.mark.parametrize("engine", ENGINES[:3])
def test_everything_has_a_proof_that_says_what_is_complete_and_what_was_counted(engine, times):
    grounds = counted = 0
    for seed in range(20 * times):
        random = Random(seed)
        theory = made(random)
        base = KnowledgeBase(theory.theory, engine=engine)
        add_proved_rules(base, theory.rules)
        given = facts(random)
        base.add(given)
        for fact in [
            fact for name in (*theory.derived, "won by take is") for fact in base.engine.statements(name)
        ]:
            proof = base.why(print_condition(fact))
            assert proof.goal == fact
            assert {ground_fact(leaf) for leaf in proof.given_facts} <= set(given)
            for reason in (reason for step in proof.steps for reason in step.reasons):
                assert all(ground.is_complete for ground in reason.grounds)
                grounds += len(reason.grounds)
                counted += check_counted(proof, reason)
    assert grounds > 50
    assert counted > 20


def check_counted(proof: Proof, reason: ProofReason) -> bool:
    """Check that a count or sum has a fact exactly if its set is not empty."""
    text = print_condition(reason.condition)
    result = text.split(" = ")[0]
    if " = count " not in text:
        return False
    assert bool(reason.steps) == (result != "0"), proof.to_text()
    return result != "0"
