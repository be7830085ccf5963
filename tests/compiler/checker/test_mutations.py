"""Mutation test: the search for counter-models refutes no mutated rule that the checker still accepts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.learn.learner import ProvedExample, explanation_of, learn
from hornbook.compiler.refute.countermodel import find
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_rule
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.proofs.learned_rules import theory_of
from oracles.proofs.mutants import Mutant, mutants
from oracles.proofs.random_theories import random_action, random_state, random_theory
from oracles.proofs.soundness_run import World, asks_what_is_complete, conclusions, read_where_right

CLOSED_SETS = Path(__file__).with_name("mutations_closed_sets.txt").read_text(encoding="utf-8")
ARITHMETIC = Path(__file__).with_name("mutations_arithmetic.txt").read_text(encoding="utf-8")
RECURSION = Path(__file__).with_name("mutations_recursion.txt").read_text(encoding="utf-8")
GAMES = Path(__file__).with_name("mutations_games.txt").read_text(encoding="utf-8")
WRITTEN = {"closed sets": CLOSED_SETS, "arithmetic": ARITHMETIC, "recursion": RECURSION, "games": GAMES}
SHIPPED = ("paper", "cup", "stack", "suicide", "family")
EVERY = {"paper": 4, "arithmetic": 2}
"""Sampling interval: the test tries every n-th mutant."""
TRIES = 12
"""Number of random states that the search for a counter-model of a mutant tries.

With 40 states it finds few more and takes twice as long. `benchmarks/results/mutation.txt` has the long run.
"""

pytestmark = pytest.mark.deep


def _learned(theory: Theory) -> Iterator[Regressed]:
    """Yield the rules that are learned from all derived facts in the theory's examples."""
    for example in theory.examples:
        base = KnowledgeBase(theory)
        try:
            base.add(example_facts(theory, example))
        except KnowledgeBaseError:
            continue
        for relation in base.relations():
            for goal in base.engine.statements(relation.relation, relation.tense):
                if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None:
                    learned = learn(explanation_of(base, goal), theory, "learned")
                    if isinstance(learned, ProvedExample):
                        yield Regressed(learned.rule, learned.certificate.steps)


def _is_accepted(mutant: Mutant, theory: Theory) -> bool | None:
    """Return whether the checker accepts a mutant, or None if the mutant is not a rule of the language."""
    certificate = certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
    try:
        verify(mutant.proved.rule, certificate, theory)
    except RejectedError as problem:
        return None if "not a rule of the theory's language" in str(problem) else False
    return True


def _try(learned: Iterable[Regressed], theory: Theory, tally: Counter[str], every: int = 1) -> None:
    shown: set[str] = set()
    for proved in {print_rule(p.rule): p for p in learned}.values():
        tally["rules"] += 1
        for mutant in islice(mutants(proved), 0, None, every):
            accepted = _is_accepted(mutant, theory)
            if accepted is None:
                tally["no rules"] += 1
                continue
            tally["mutants"] += 1
            tally["of absences"] += asks_what_is_complete(mutant.proved.rule.body)
            found = find(mutant.proved.rule, theory, tries=TRIES)
            if accepted:
                tally["accepted"] += 1
                assert found is None, f"{mutant.kind}: {print_rule(mutant.proved.rule)}\n{found}"
            else:
                tally["undecided" if found is None else "refuted"] += 1
                if found is not None and mutant.kind not in shown:
                    shown.add(mutant.kind)
                    print(f"{mutant.kind}:\n{print_rule(mutant.proved.rule)}\n{found}\n")


@pytest.mark.parametrize("name", [*WRITTEN, *SHIPPED])
def test_no_accepted_mutant_of_a_theorys_rules_is_refuted(name):
    theory = theory_of(WRITTEN[name]) if name in WRITTEN else load(name)
    tally: Counter[str] = Counter()
    _try(_learned(theory), theory, tally, every=EVERY.get(name, 1))
    print(f"{name}: {dict(tally)}")
    assert tally["rules"] >= 1
    assert tally["refuted"] > tally["undecided"]


@pytest.mark.parametrize("complete", [False, True], ids=["known in part", "complete"])
def test_no_accepted_mutant_of_rules_of_random_theories_is_refuted(complete):
    tally: Counter[str] = Counter()
    for seed in range(4, 9) if complete else range(4):
        random = Random(f"mutants.{seed}")
        theory = random_theory(random, complete=complete)
        base = KnowledgeBase(theory)
        try:
            base.add([*random_state(random), random_action(random)])
        except KnowledgeBaseError:
            continue
        goals = [
            goal
            for relation in base.relations()
            for goal in base.engine.statements(relation.relation, relation.tense)
            if raw_engine(base).derivation(base.engine.coding.fact_of(goal)) is not None
        ]
        outcomes = (
            learn(explanation_of(base, g), theory, "learned")
            for g in random.sample(goals, min(4, len(goals)))
        )
        learned = [Regressed(o.rule, o.certificate.steps) for o in outcomes if isinstance(o, ProvedExample)]
        _try(learned, theory, tally)
        _hold_on_states(learned, theory, random, tally)
    print(dict(tally))
    assert tally["mutants"] > 100
    assert tally["accepted"] > 8
    if complete:  # the search for refuting states uses positive conditions only
        assert tally["of absences"] > 20
    else:
        assert tally["refuted"] > tally["undecided"]


def _hold_on_states(
    learned: Iterable[Regressed], theory: Theory, random: Random, tally: Counter[str]
) -> None:
    """Assert that no accepted mutant concludes more than saturation does on a random state."""
    world = World(theory)
    states = [(*random_state(random), random_action(random)) for _ in range(3)]
    for proved in learned:
        for mutant in mutants(proved):
            if _is_accepted(mutant, theory):
                rule = read_where_right(
                    mutant.proved.rule, certificate_of(mutant.proved.rule, mutant.proved.steps, theory, {})
                )
                for state in states:
                    for head, base, _ in conclusions(rule, state, world):
                        tally["conclusions of accepted mutants"] += 1
                        assert base is None or base.holds(head), print_rule(mutant.proved.rule)
