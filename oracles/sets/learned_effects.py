"""Learning from examples, and the knowledge base of learned rules without the effects in the theory."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from hornbook.compiler.learn.learning import Example, examples_of, learn_all
from hornbook.compiler.rules.admission import RuleBase
from hornbook.kb.ast.terms import statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase


def learned(
    theory: Theory, base: RuleBase | None = None, examples: Iterable[Example] | None = None
) -> RuleBase:
    """Return the rule base after learning from examples, by default from those of the theory."""
    given = examples_of(theory) if examples is None else examples
    *_, last = learn_all(given, theory, base or RuleBase(theory.name))
    return last.base


def learned_only(theory: Theory, base: RuleBase) -> KnowledgeBase:
    """Return a knowledge base of learned rules, and of clauses about the given state only."""
    extended = base.definitions.extended(theory)
    state = [
        rule
        for rule in extended.rules
        if not any(each.tense == "after" for each in (rule.head, *statements(rule.body)))
    ]
    return KnowledgeBase(replace(extended, rules=(*state, *(entry.answering for entry in base))))


def example(theory: Theory, facts: Iterable[GroundFact], relations: Iterable[str]) -> Example:
    """Return a state with an action as an example, whose goals are the facts of some relations after it."""
    known = KnowledgeBase(theory)
    known.add(facts)
    goals = tuple(goal for name in relations for goal in known.engine.statements(name, "after"))
    return Example("made", "made.horn", tuple(facts), goals)
