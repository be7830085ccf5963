"""Sequences of actions: the state after an action, as the next state of a knowledge base.

The next state has the given statics of the state before, and the facts of fluents that the theory concludes
after the action, and no others. A fluent that is not concluded is unknown in the next state. If a fluent is
declared `complete`, its facts after the action must therefore all be concluded.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.ast.terms import Statement
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase


def fluents_of(vocabulary: Vocabulary) -> list[str]:
    """Return the predicates whose facts after an action are the given facts of the next state."""
    return [name for name, predicate in vocabulary.predicates.items() if predicate.kind == "fluent"]


def facts_after(base: KnowledgeBase) -> list[GroundFact]:
    """Return the facts of fluents that a knowledge base concludes after its action, without their moment."""
    return [
        GroundFact(fact.relation, fact.values)
        for name in fluents_of(base.theory.vocabulary)
        for fact in base.facts(name, "after")
    ]


def passing(base: KnowledgeBase, given: Iterable[GroundFact]) -> list[GroundFact]:
    """Return those of some given facts that end with the action: all but the statics."""
    predicates = base.theory.vocabulary.predicates
    statics = {name for name, predicate in predicates.items() if predicate.kind == "static"}
    return [fact for fact in given if fact.relation not in statics]


def action_of(base: KnowledgeBase) -> Statement | None:
    """Return the action in the state of a knowledge base, or None."""
    coding = base.engine.coding
    relations = [coding.relations[number].template.relation for number in sorted(coding.actions)]
    return next((coding.statement(fact) for name in relations for fact in base.engine.facts(name)), None)


def advance(base: KnowledgeBase, action: GroundFact) -> list[GroundFact]:
    """Give a knowledge base the state after its action, with the next action, and return the state's fluents.

    Raises:
        KnowledgeBaseError: The state after the present action contradicts the declarations, or the next
            action is impossible in it. The knowledge base is unchanged.
        FactError: The action does not fit its declaration.
    """
    fluents = facts_after(base)
    base.exchange(passing(base, base.given()), [*fluents, action])
    return fluents
