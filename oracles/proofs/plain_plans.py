"""The truth of plans by exhaustive search: each action of the friend, and the state after it and a pass.

It shares no code with the checker. With the theory's other truths (oracles/proofs/plain_truth.py) it shares
only the theory's conclusions from facts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.kb.ast import terms as t
from hornbook.kb.parse.facts import ground_fact
from oracles.proofs.plain_truth import Facts, PlainTruth


def is_so(truth: PlainTruth, state: Facts, plan: t.PlanStatement) -> bool:
    """Return whether a ground plan is right in a state without an action.

    Its action must win at once by the theory. Otherwise, the game must be won after a pass by a plan with one
    move less; a game of the same name with other arguments also counts.
    """
    taken = state | {ground_fact(plan.by)}
    goal = t.GameStatement(replace(plan.game, tense="before"), plan.by, t.WON)
    if plan.moves == 1:
        return truth.says(truth.closed(taken), goal)
    left = after_a_pass(truth, taken)
    rest = [
        t.GameStatement(replace(game, tense="after"), None, t.SECOND_PLAYER_WIN)
        for game in _games(truth, plan.game.predicate, left)
        if any(
            is_so(truth.later, left, t.PlanStatement(game, plan.moves - 1, action))
            for action in truth.later.actions(left)
        )
    ]
    supposed = truth._of(
        frozenset(map(truth.coding.fact, taken)) | frozenset(map(truth.coding.fact_of, rest))
    )
    return truth.says(supposed, goal)


def after_a_pass(truth: PlainTruth, taken: Facts) -> Facts:
    """Return the state after an action and a pass: facts that change with the turn are removed, alternating
    ones return.
    """
    words, turn_dependent = truth.vocabulary.predicates, turning(truth)
    before = truth.without_action(taken)
    left = {f for f in truth.after(truth.closed(taken), before) if f.relation not in turn_dependent}
    return frozenset(left | {f for f in before if words[f.relation].turn == "alternates"})


def turning(truth: PlainTruth) -> set[str]:
    """Return the predicates that a pass may change."""
    words = truth.vocabulary.predicates
    found = {name for name, p in words.items() if p.turn is not None or p.kind == "game"}
    while True:
        more = set(found)
        for rule in truth.theory.rules:
            for statement in t.statements(rule.body):
                at_one_moment = statement.tense == rule.head.tense
                if at_one_moment and t.predicate_of(statement) in found:
                    more.add(t.predicate_of(rule.head))
        for predicate in words.values():
            pair = {predicate.name, predicate.closes or predicate.name}
            more |= pair if pair & more else set()
        if more == found:
            return found
        found = more


def _games(truth: PlainTruth, name: str, state: Facts) -> Iterator[t.Atom]:
    columns = truth.vocabulary.predicates[name].columns
    return (t.Atom(name, terms) for terms in truth._product([c.name for c in columns], state))
