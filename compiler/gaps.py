"""Gaps: what could not be learned because the theory does not say it, and which rule would be needed.

A goal that was asked for and is not derived is followed backwards: each rule that could have given it is asked
which of its conditions failed first (kb/why_not.py), down to conditions that no rule concludes at all or whose
rules cannot be met. An after-fact among them is a missing transition: the theory does not say what becomes of
it when the action is taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kb.knowledge_base import KnowledgeBase
from kb.printer import print_condition
from kb.terms import Atom, GameStatement, Statement, Term, Variable
from kb.why_not import WhyNot, explain_absence

DEPTH = 4
"""How deep failing conditions are followed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A statement that a goal needed and the theory did not derive, and the rule that would be needed."""

    goal: Statement
    missing: Statement
    action: Statement | None

    def __str__(self) -> str:
        """What is missing, and the head and action of a rule that would say it."""
        goal, missing = print_condition(self.goal), print_condition(self.missing)
        if self.missing == self.goal:
            said = f"`{goal}` is not derived"
        else:
            said = f"`{goal}` needs `{missing}`, which is not derived"
        if self.missing.tense != "after":
            return f"{said}; needed: a fact, or a rule that concludes `{_pattern(self.missing)}`"
        after = "the action" if self.action is None else f"`{print_condition(self.action)}`"
        return f"{said} after {after}; needed: a transition rule `{_transition(self.missing, self.action)}`"


def gaps(base: KnowledgeBase, goal: Statement) -> tuple[Gap, ...]:
    """Why a goal is not derived: the nearest statements that nothing gave, after-facts first."""
    action = next(_actions(base), None)
    absence = explain_absence(goal, base, DEPTH)
    missing = dict.fromkeys(_transitions(absence)) or dict.fromkeys(_first_failing(absence)) or (goal,)
    return tuple(Gap(goal, statement, action) for statement in missing)


def known_after(base: KnowledgeBase, facts: list[Statement]) -> tuple[Gap, ...]:
    """The gaps among after-facts that are known to be true (from a simulator, say) and are not derived."""
    action = next(_actions(base), None)
    return tuple(Gap(fact, fact, action) for fact in facts if not base.holds(fact))


def _actions(base: KnowledgeBase) -> Iterator[Statement]:
    for name, predicate in base.theory.vocabulary.predicates.items():
        if predicate.kind == "action":
            yield from base.statements(name)


def _transitions(absence: WhyNot) -> Iterator[Statement]:
    """The failing after-facts for which no other after-fact is to blame."""
    if not absence.attempts and absence.goal.tense == "after":
        yield absence.goal
    for attempt in absence.attempts:
        below = [] if attempt.deeper is None else list(_transitions(attempt.deeper))
        if below:
            yield from below
        elif isinstance(attempt.failing, Atom | GameStatement) and attempt.failing.tense == "after":
            yield attempt.failing


def _first_failing(absence: WhyNot) -> Iterator[Statement]:
    """What failed first in each rule that could have given the goal."""
    for attempt in absence.attempts:
        if isinstance(attempt.failing, Atom | GameStatement):
            yield attempt.failing


def _pattern(statement: Statement) -> str:
    """The statement with variables for its constants: what the head of a needed rule would look like."""
    return print_condition(statement.with_terms(_variables(statement)))


def _transition(statement: Statement, action: Statement | None) -> str:
    names: dict[Term, Variable] = {}
    terms = tuple(names.setdefault(t, Variable(f"x{len(names) + 1}")) for t in statement.terms)
    head = print_condition(statement.with_terms(terms))
    if action is None:
        return f"{head} :- …"
    by = action.with_terms(tuple(names.setdefault(t, Variable(f"x{len(names) + 1}")) for t in action.terms))
    return f"{head} :- {print_condition(by)}, before …"


def _variables(statement: Statement) -> tuple[Variable, ...]:
    return tuple(Variable(f"x{i + 1}") for i in range(len(statement.terms)))
