"""Learned rules without the other rules of their theory.

Learned rules are evaluated with the definitions of their conditions: the clauses that conclude facts about
a state from facts about the same state. Clauses about the state after an action, such as effects and frames,
are left out.

Invariants: In every state, the rules conclude no more than together with the whole theory. The check of a
theory ensures this for absences: they are conditions only on facts that are known completely before the
action (HB039).
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.ast.terms import Rule, statements
from hornbook.kb.ast.theory import Theory


def rules_alone(rules: Iterable[Rule], theory: Theory) -> tuple[Rule, ...]:
    """Return the definitions of the conditions of learned rules, and then the rules."""
    learned = tuple(rules)
    counts = {each.closes: each.name for each in theory.vocabulary.predicates.values() if each.closes}
    clauses: dict[str, list[Rule]] = {}
    for clause in filter(_is_of_one_state, theory.rules):
        clauses.setdefault(clause.head.relation, []).append(clause)
    needed: set[str] = set()
    new = {each.relation for rule in learned for each in statements(rule.body)}
    while new:
        new |= {counts[name] for name in new if name in counts} - needed
        needed |= new
        below = (clause for name in new for clause in clauses.get(name, ()))
        new = {each.relation for clause in below for each in statements(clause.body)} - needed
    definitions = (each for each in theory.rules if _is_of_one_state(each) and each.head.relation in needed)
    return (*definitions, *learned)


def _is_of_one_state(clause: Rule) -> bool:
    return all(each.tense != "after" for each in (clause.head, *statements(clause.body)))
