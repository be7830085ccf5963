"""All engines derive the same facts from random theories that calculate with dates, amounts and words."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from hornbook import KnowledgeBase
from hornbook.kb.ast.operators import FUNCTIONS, is_of_integers
from hornbook.kb.ast.terms import Node, Operation, Rule, Statement, parts
from hornbook.kb.lower.errors import KnowledgeBaseError
from oracles.forger.states import States
from oracles.forger.theories import random_theory
from oracles.pages.engines import engines_with
from oracles.proofs.plain_truth import PlainTruth


def calls_words(node: Node) -> bool:
    if isinstance(node, Operation) and node.operator in FUNCTIONS and not is_of_integers(node.operator):
        return True
    return not isinstance(node, Statement) and any(map(calls_words, parts(node)))


def is_for_all(rule: Rule) -> bool:
    """Return whether DuckDB has what the rule calls."""
    return not any(map(calls_words, rule.body))


@pytest.mark.parametrize("seed", range(8))
def test_they_derive_the_same(seed):
    random = Random(f"engines {seed}")
    made, _ = random_theory(random, complete=bool(seed % 2), values=True)
    states = States(PlainTruth(made.theory), random)
    for _ in range(3):
        facts, action = states.at_random(), states.random_action()
        everything = sorted({*facts, *((action,) if action else ())}, key=str)
        for rules in (made.theory.rules, tuple(filter(is_for_all, made.theory.rules))):
            theory = replace(made.theory, rules=rules)
            engines = [e for e in engines_with() if e != "duckdb" or all(map(is_for_all, rules))]
            found = {}
            for engine in engines:
                base = KnowledgeBase(theory, engine=engine)
                try:
                    base.add(everything)
                    found[engine] = sorted(map(str, base.facts()))
                except KnowledgeBaseError as problem:
                    found[engine] = [type(problem).__name__]
            assert len({tuple(each) for each in found.values()}) == 1, (made.files, everything)
