"""Random test of soundness: no learned rule concludes more than saturation does.

`python benchmarks/rules/soundness.py` runs the same test over more theories; benchmarks/results has its
result.
"""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.kb.ast.terms import Rule
from oracles.proofs.random_theories import random_action, random_state, random_theory
from oracles.proofs.soundness_run import SoundnessTally, World, conclusions, run, try_theory

PARTS = 2
THEORIES = 5
"""Number of theories in each part.

All parts together learn over 100 rules and draw over 1,500 conclusions in other states.
"""


@pytest.mark.parametrize("part", range(PARTS))
def test_learned_rules_conclude_on_other_states_only_what_saturation_does(part):
    tally = run(part, THEORIES, others=5)
    print(tally)
    assert not tally.wrong, tally.wrong[0]
    assert tally.learned >= 50
    assert tally.firing >= 40
    assert tally.firings >= 800
    assert tally.as_lemmas >= 4
    # The rules are of every kind, and nearly every proof gives a rule.
    assert len(tally.relations) >= 15
    assert sum(tally.refused.values()) < 0.05 * tally.learned
    assert tally.silent == 0


def test_no_proof_of_a_conclusion_leads_to_a_wrong_rule():
    tally = run(7, 4, examples=1, others=4, most_proofs=6)
    print(tally)
    assert not tally.wrong, tally.wrong[0]
    assert tally.learned > 25
    assert tally.silent == 0


@settings(max_examples=6)
@given(st.integers(0, 2**32))
def test_no_theory_leads_to_a_wrong_rule(seed):
    random = Random(seed)
    tally = try_theory(random_theory(random), random, examples=1, others=3)
    assert not tally.wrong, tally.wrong[0]


def test_the_run_finds_rules_that_are_wrong():
    """The same test refutes rules with one condition too few, so it is sensitive enough."""
    tally, refuted, tried = SoundnessTally(), 0, 0
    for seed in range(4):
        random = Random(f"weakened.{seed}")
        theory = random_theory(random)
        world = World(theory)
        states = [(*random_state(random), random_action(random)) for _ in range(6)]
        base = world.saturated(states[0])
        if base is None:
            continue
        for relation in ("one", "two", "reach", "size"):
            for goal in base.engine.statements(relation, "before")[:1]:
                learned = learn(explanation_of(base, goal), theory, "learned")
                if isinstance(learned, ProvedExample) and len(learned.rule.body) > 2:
                    for number in range(len(learned.rule.body)):
                        weakened = _without(learned.rule, number)
                        tried += 1
                        refuted += any(
                            holder is not None and not holder.holds(head)
                            for state in states
                            for head, holder, _ in _safe_conclusions(weakened, state, world)
                        )
    assert tally.wrong == []
    assert tried > 20
    assert refuted > tried / 4


def _without(rule: Rule, number: int) -> Rule:
    return Rule(rule.head, tuple(c for place, c in enumerate(rule.body) if place != number), rule.label)


def _safe_conclusions(rule: Rule, state, world: World):
    from hornbook.compiler.generalise.simplification import is_safe

    return conclusions(rule, state, world) if is_safe(rule) else ()


def test_no_rule_learned_from_absences_and_sums_of_what_is_complete_is_wrong():
    tally = run(9, 5, others=5, complete=True)
    print(tally)
    assert not tally.wrong, tally.wrong[0]
    assert tally.with_absences >= 8
    assert tally.firing >= 35
    assert tally.as_lemmas >= 10
    # The learner learns nothing from theories that are not certain to be complete.
    assert tally.of_incomplete > 1
    assert sum(tally.refused.values()) < 0.05 * tally.learned
    assert tally.silent == 0
