"""Learned rules without the rules of their theory, except for the definitions that their conditions need.

Invariants: The rules conclude nothing that the theory does not conclude. No rule of the theory concludes a
goal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from hornbook.kb.ast.terms import PlanStatement, Rule, Tense, statements
from hornbook.kb.ast.theory import Theory

Moment = tuple[str, Tense | None]
"""A relation at a moment."""


def learned_rules_theory(theory: Theory, learned: Iterable[Rule], goals: Collection[Moment] = ()) -> Theory:
    """Return a theory whose rules are learned rules and the definitions that their conditions need.

    A definition is a rule of the theory about the state before the action. Definitions are followed through
    their own conditions. Plans are left out. The rules belong to the returned theory, so none is marked as
    learned.

    Args:
        theory: The theory that the rules were learned from.
        learned: The learned rules.
        goals: The relations that only learned rules may conclude.
    """
    answering = [replace(rule, learned=False) for rule in learned if not isinstance(rule.head, PlanStatement)]
    changing = any(each.kind == "action" for each in theory.vocabulary.predicates.values())
    goals_now = {relation for relation, tense in goals if not (changing and tense == "after")}
    counting = {p.closes: p.name for p in theory.vocabulary.predicates.values() if p.closes is not None}
    defining: dict[str, list[Rule]] = {}
    for rule in theory.rules:
        is_definition = not rule.lemma and rule.head.tense != "after"
        if is_definition and rule.head.relation not in goals_now:
            defining.setdefault(rule.head.relation, []).append(rule)
    waiting = [each for rule in answering for each in _needed(rule)]
    definitions: dict[str, list[Rule]] = {}
    while waiting:
        relation = waiting.pop()
        if relation not in definitions:
            definitions[relation] = [replace(rule, of_given=True) for rule in defining.get(relation, ())]
            waiting += [each for rule in definitions[relation] for each in _needed(rule)]
            waiting += [counting[relation]] if relation in counting else []
    kept = [rule for rules in definitions.values() for rule in rules]
    return replace(theory, rules=(*kept, *answering))


def _needed(rule: Rule) -> list[str]:
    """Return the relations of the conditions of a rule about the state before the action."""
    return [each.relation for each in statements(rule.body) if each.tense != "after"]
