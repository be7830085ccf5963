"""Macro-operators of learned rules: sequences of actions that reach a goal, without search.

A macro-operator is a chain of lemmas (compiler/learn/effects/sequences.py). Each concludes a fact after an
action from one condition before it, which has all variables of the fact and of the action:

    after ready(?m) :- clean(?t, ?p), before ready_by_clean(?m, ?t, ?p).

The condition is the conclusion of the next lemma of the chain. If the condition of the last lemma holds in a
state, all actions of the chain, taken one after the other, reach the goal from there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, Rule, Term, Variable
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro-operator.

    Attributes:
        goal: The goal after the last action.
        actions: The actions in order.
        condition: The condition in the state before the first action. It has all variables of the others.
    """

    goal: Atom
    actions: tuple[Atom, ...]
    condition: Atom

    def of_goal(self, goal: Atom) -> Macro | None:
        """Return the macro-operator for a goal with constants or variables, or None if it has another one."""
        if goal.predicate != self.goal.predicate or goal.tense != self.goal.tense:
            return None
        values: dict[str, Term] = {}
        for own, term in zip(self.goal.terms, goal.terms, strict=True):
            assert isinstance(own, Variable)
            if isinstance(term, Constant):
                values[own.name] = term
        return self.instance(values)

    def instance(self, values: dict[str, Term]) -> Macro:
        """Return the macro-operator with terms for some of its variables."""
        goal, condition, *actions = (
            apply_to_statement(each, values) for each in (self.goal, self.condition, *self.actions)
        )
        return Macro(goal, tuple(actions), condition)

    def sequences(self, base: KnowledgeBase) -> Iterator[tuple[GroundFact, ...]]:
        """Yield the sequences of actions that reach the goal from the state of a knowledge base."""
        answers = base.engine.query(Query((self.condition,), self.condition.span))
        for row in answers.rows:
            values = dict(zip(answers.variables, map(Constant, row), strict=True))
            yield tuple(ground_fact(apply_to_statement(action, values)) for action in self.actions)


def macros_in(rules: Iterable[Rule], vocabulary: Vocabulary, most: int) -> list[Macro]:
    """Return the macro-operators with at most `most` actions among certified rules, shorter ones first."""
    lemmas = [macro for rule in rules if (macro := _of_lemma(rule, vocabulary)) is not None]
    found, level = list(lemmas), list(lemmas)
    for _ in range(most - 1):
        level = [
            longer for macro in level for lemma in lemmas if (longer := _joined(lemma, macro)) is not None
        ]
        found += level
    return found


def _of_lemma(rule: Rule, vocabulary: Vocabulary) -> Macro | None:
    """Return a lemma as a macro-operator with one action, or None if it has another form."""
    head, body = rule.head, rule.body
    if len(body) != 2 or not isinstance(head, Atom) or head.tense != "after":
        return None
    action, condition = body
    if not isinstance(action, Atom) or not isinstance(condition, Atom) or condition.tense != "before":
        return None
    if vocabulary.predicates[action.predicate].kind != "action" or condition.predicate == head.predicate:
        return None
    needed, bound = {*head.terms, *action.terms}, set(condition.terms)
    are_variables = all(isinstance(term, Variable) and not term.is_wildcard for term in needed | bound)
    if not are_variables or not needed <= bound or len({*head.terms}) < len(head.terms):
        return None
    return Macro(head, (action,), condition)


def _joined(lemma: Macro, later: Macro) -> Macro | None:
    """Return a macro-operator that begins with the action of a lemma, if its goal is the condition of
    another.
    """
    if lemma.goal.predicate != later.condition.predicate or lemma.condition.predicate == later.goal.predicate:
        return None
    fresh = {term.name for term in later.condition.terms if isinstance(term, Variable)}
    values: dict[str, Term] = {}
    for own, term in zip(lemma.goal.terms, later.condition.terms, strict=True):
        assert isinstance(own, Variable)
        values[own.name] = term
    for term in lemma.condition.terms:
        assert isinstance(term, Variable)
        if term.name not in values:
            name = term.name
            while name in fresh:
                name += "2"
            fresh.add(name)
            values[term.name] = Variable(name)
    first = lemma.instance(values)
    return Macro(later.goal, (*first.actions, *later.actions), replace(first.condition, tense="before"))
