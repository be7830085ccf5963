"""Rules about sets that gain a member, learned without invented predicates, as candidates of the forger."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from random import Random

from hornbook.compiler.generalise.explanation import Explanation
from hornbook.compiler.generalise.generalisation import (
    Generalised,
    Generaliser,
    NotOperationalError,
    merge_keys,
)
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import regress
from hornbook.kb.ast.terms import All, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from oracles.forger.rules import Candidate
from oracles.forger.theories import RandomTheory
from oracles.sets.random_sets import RandomSetTheory


def set_theory(random: Random) -> RandomTheory:
    """Return a random theory whose actions change closed sets."""
    made = RandomSetTheory(random)

    def state(random: Random) -> tuple[frozenset[GroundFact], GroundFact]:
        *facts, action = made.state(random, 1, 3)
        return frozenset(facts), action

    return RandomTheory(made.theory, (made.text,), {}, state)


KIND = "learned of a set that may change"
WEAKER = "a condition on its members dropped"


def candidate_of_sets(explanation: Explanation, theory: Theory, label: str) -> Candidate | None:
    """Return the rule that an explanation gives if its sets become conditions for any number of members."""
    last, vocabulary = explanation.nodes[-1], operational_vocabulary(theory, explanation.goal)
    if last.rule is None:
        return None
    worker = Generaliser(vocabulary, regresses_sets=True, changes_sets=True)
    terms = (
        Variable(f"{term.name}~0") if isinstance(term, Variable) else term for term in last.rule.head.terms
    )
    goal = last.conclusion.with_terms(tuple(terms))
    try:
        worker.explain(explanation, goal)
        merge_keys(worker.conditions, worker.unifier, vocabulary)
        steps = worker.resolved_steps(worker.uses)
        found = Generalised(worker.resolved_head(goal), worker.resolved_conditions(), steps, timeless=False)
        learned = regress(found, vocabulary, label)
    except NotOperationalError:
        return None
    return Candidate(KIND, learned.rule, learned.steps)


def weaker(candidate: Candidate) -> Iterator[Candidate]:
    """Yield the candidate with one condition fewer inside a closed condition of its body."""
    body = candidate.rule.body
    for place, condition in enumerate(body):
        if isinstance(condition, All) and len(condition.conditions) > 1:
            for dropped in condition.conditions:
                left = tuple(each for each in condition.conditions if each != dropped)
                changed = (*body[:place], replace(condition, conditions=left), *body[place + 1 :])
                yield replace(candidate, kind=WEAKER, rule=replace(candidate.rule, body=changed))
