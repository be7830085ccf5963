"""Gaps: conclusions that the theory lacks for an example to be learned from, and the rules that would add them.

A goal that was asked for and is not derived is followed backwards: each rule that could have given it is asked
which of its conditions failed first (kb/explain/why_not.py), down to conditions that no rule concludes at all or whose
rules cannot be met. An after-fact among them is a missing transition: the theory does not say what becomes of
it when the action is taken.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, GameStatement, Statement, Term, Variable
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.why_not import WhyNot, explain_absence
from hornbook.kb.format.printer import print_condition

DEPTH = 4
"""How deep failing conditions are followed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A statement that a goal needed and the theory did not derive; `needed` is what would give it."""

    goal: Statement
    missing: Statement
    needed: str

    def __str__(self) -> str:
        goal, missing = print_condition(self.goal), print_condition(self.missing)
        if self.missing == self.goal:
            return f"`{goal}` is not derived; needed: {self.needed}"
        return f"`{goal}` needs `{missing}`, which is not derived; needed: {self.needed}"


def gaps(base: KnowledgeBase, goal: Statement) -> tuple[Gap, ...]:
    """Why a goal is not derived: the nearest statements that nothing gave, after-facts first."""
    absence = explain_absence(goal, base, DEPTH)
    missing = dict.fromkeys(_transitions(absence)) or dict.fromkeys(_first_failing(absence)) or (goal,)
    return tuple(Gap(goal, statement, _needed(statement, base)) for statement in missing)


def known_after(base: KnowledgeBase, facts: Iterable[Statement]) -> tuple[Gap, ...]:
    """The gaps among after-facts that are known to be true (from a simulator, say) and are not derived."""
    return tuple(Gap(fact, fact, _needed(fact, base)) for fact in facts if not base.holds(fact))


def _actions(base: KnowledgeBase) -> Iterator[Statement]:
    for name, predicate in base.theory.vocabulary.predicates.items():
        if predicate.kind == "action":
            yield from base.statements(name)


def _transitions(absence: WhyNot) -> Iterator[Statement]:
    """The failing after-facts for which no other after-fact is to blame.

    What a game is worth after the action is no such fact: no action changes it but through facts.
    """
    if not absence.attempts and absence.goal.tense == "after" and isinstance(absence.goal, Atom):
        yield absence.goal
    for attempt in absence.attempts:
        if attempt.above:
            continue  # what is to blame stands there
        below = [] if attempt.deeper is None else list(_transitions(attempt.deeper))
        if below:
            yield from below
        elif isinstance(attempt.failing, Atom) and attempt.failing.tense == "after":
            yield attempt.failing


def _first_failing(absence: WhyNot) -> Iterator[Statement]:
    """What failed first in each rule that could have given the goal."""
    for attempt in absence.attempts:
        if isinstance(attempt.failing, Atom | GameStatement):
            yield attempt.failing


def _needed(statement: Statement, base: KnowledgeBase) -> str:
    """The head, and for an after-fact the action, of a rule that would give a statement."""
    names: dict[Term, Variable] = {}
    head = _opened(statement, base.theory.vocabulary, names)
    if statement.tense != "after":
        return f"a fact, or a rule that concludes `{print_condition(head)}`"
    action = next(_actions(base), None)
    if action is None:
        return f"an action, and a transition rule that concludes `{print_condition(head)}`"
    by = _opened(action, base.theory.vocabulary, names)
    if isinstance(head, Atom) and base.theory.vocabulary.predicates[head.predicate].kind == "derived":
        timeless = statement_at(head, None, base.theory.vocabulary)
        return f"a rule `{print_condition(timeless)} :- …` that holds after `{print_condition(by)}`"
    return f"a transition rule `{print_condition(head)} :- {print_condition(by)}, before …`"


def _opened(statement: Statement, vocabulary: Vocabulary, names: dict[Term, Variable]) -> Statement:
    """The statement with variables for its things; the constants of closed sorts stay."""
    atoms = [statement] if isinstance(statement, Atom) else [a for a in (statement.game, statement.by) if a]
    closed = [
        vocabulary.sorts[column.name].constants
        for atom in atoms
        for column in vocabulary.predicates[atom.predicate].columns
    ]
    # The value of a game stays too.
    kept = [term for term, constants in zip(statement.terms, closed, strict=False) if constants]
    kept += [statement.value] if isinstance(statement, GameStatement) else []
    terms = (t if t in kept else names.setdefault(t, Variable(f"x{len(names) + 1}")) for t in statement.terms)
    return statement.with_terms(tuple(terms))
