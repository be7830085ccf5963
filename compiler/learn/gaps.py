"""Gaps: conclusions that a theory lacks for learning from an example, and the rules that would add them.

A goal that is not derived is traced backwards. For each rule that could derive it, the first failing
condition is found (kb/explain/why_not.py), down to conditions that no rule concludes or whose rules cannot be
satisfied. A fact after the action among these is a missing transition: the theory does not determine it when
the action is taken.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.compiler.generalise.generalisation import rule_with_place
from hornbook.kb.ast.substitution import statement_at
from hornbook.kb.ast.terms import Atom, Condition, GameStatement, Rule, Statement, Term, Variable
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.why_not import Attempt, WhyNot, explain_absence
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.dataclass import dataclass

DEPTH = 4
"""The maximum depth of the trace of failing conditions."""
MAX_STOPS = 3
"""The maximum number of rules reported that almost derived a statement."""
_Stop = tuple[Rule, Condition]
"""A rule that almost derived a statement, and the condition that failed."""


@dataclass(frozen=True, slots=True)
class Gap:
    """A statement that a goal needed and that the theory did not derive; `needed` describes a remedy.

    `required_by` is the rule that has it as a condition; None if it is the goal. `stops` are the rules that
    almost derived it, each with the condition that failed.
    """

    goal: Statement
    missing: Statement
    needed: str
    required_by: Rule | None = None
    stops: tuple[_Stop, ...] = ()

    def __str__(self) -> str:
        goal, missing = print_condition(self.goal), print_condition(self.missing)
        subject = f"`{goal}`" if self.missing == self.goal else f"`{goal}` needs `{missing}`, which"
        known = [] if self.required_by is None else [f"{rule_with_place(self.required_by)} asks for it"]
        known += [f"{rule_with_place(rule)} stops at `{print_condition(c)}`" for rule, c in self.stops]
        return "; ".join(
            [f"{subject} is not derived", *filter(None, [", ".join(known)]), f"needed: {self.needed}"]
        )


def gaps(base: KnowledgeBase, goal: Statement) -> tuple[Gap, ...]:
    """Return the reasons why a goal is not derived: the nearest underived statements, facts after the action
    first.
    """
    absence = explain_absence(goal, base.engine, DEPTH)
    found: dict[Statement, _Failing] = {}
    for failing in list(_transitions(absence, None)) or list(_first_failing(absence)) or [(absence, None)]:
        found.setdefault(failing[0].goal, failing)
    return tuple(
        Gap(goal, missing, _needed(missing, base, stops), requiring, stops)
        for missing, (why, requiring) in found.items()
        for stops in [_stops(why)]
    )


def _actions(base: KnowledgeBase) -> Iterator[Statement]:
    for name, predicate in base.theory.vocabulary.predicates.items():
        if predicate.kind == "action":
            yield from base.engine.statements(name)


_Failing = tuple[WhyNot, Rule | None]
"""A failing statement, and the rule that requires it."""


def _transitions(absence: WhyNot, requiring: Rule | None) -> Iterator[_Failing]:
    """Yield the failing facts after the action that no other fact after the action explains.

    Values of games after the action do not count, because actions change them only through facts.
    """
    if not absence.attempts and absence.goal.tense == "after" and isinstance(absence.goal, Atom):
        yield absence, requiring
    for attempt in absence.attempts:
        if attempt.above:
            continue  # the cause is reported there
        below = [] if attempt.deeper is None else list(_transitions(attempt.deeper, attempt.rule))
        if below:
            yield from below
        elif isinstance(attempt.failing, Atom) and attempt.failing.tense == "after":
            yield _why(attempt.failing, attempt), attempt.rule


def _first_failing(absence: WhyNot) -> Iterator[_Failing]:
    """Yield the first failing condition in each rule that could have derived the goal."""
    for attempt in absence.attempts:
        if isinstance(attempt.failing, Atom | GameStatement):
            yield _why(attempt.failing, attempt), attempt.rule


def _why(failing: Statement, attempt: Attempt) -> WhyNot:
    return attempt.deeper or WhyNot(failing, (), (), "")


def _stops(absence: WhyNot) -> tuple[_Stop, ...]:
    """Return the rules that almost derived a statement, nearest first, each with the condition that failed.

    The condition may belong to a rule that failed below it.
    """
    nearest = sorted(absence.attempts, key=lambda attempt: -len(attempt.met))
    return tuple(dict.fromkeys(map(_stop, nearest)))[:MAX_STOPS]


def _stop(attempt: Attempt) -> _Stop:
    while attempt.deeper is not None and attempt.deeper.attempts:
        attempt = max(attempt.deeper.attempts, key=lambda each: len(each.met))
    return attempt.rule, attempt.failing


def _needed(statement: Statement, base: KnowledgeBase, stops: tuple[_Stop, ...]) -> str:
    """Return a description of what would derive a statement that these rules almost derived."""
    return ("facts for which one of these rules holds, or " if stops else "") + _rule_for(statement, base)


def _rule_for(statement: Statement, base: KnowledgeBase) -> str:
    """Return the head, and for a fact after the action also the action, of a rule that would derive a
    statement.

    If the statement may be given as a fact, the text says so.
    """
    predicates = base.theory.vocabulary.predicates
    names: dict[Term, Variable] = {}
    head = _opened(statement, base.theory.vocabulary, names)
    if statement.tense != "after":
        given = isinstance(statement, Atom) and predicates[statement.predicate].kind != "derived"
        given = given and not any(
            rule.head.relation == statement.relation and rule.head.tense != "after"
            for rule in base.theory.rules
        )
        return f"{'a fact, or ' if given else ''}a rule that concludes `{print_condition(head)}`"
    action = next(_actions(base), None)
    if action is None:
        return f"an action, and a transition rule that concludes `{print_condition(head)}`"
    by = _opened(action, base.theory.vocabulary, names)
    if isinstance(head, Atom) and predicates[head.predicate].kind == "derived":
        timeless = statement_at(head, None, base.theory.vocabulary)
        return f"a rule `{print_condition(timeless)} :- …` that holds after `{print_condition(by)}`"
    return f"a transition rule `{print_condition(head)} :- {print_condition(by)}, before …`"


def _opened(statement: Statement, vocabulary: Vocabulary, names: dict[Term, Variable]) -> Statement:
    """Return the statement with variables for its terms; constants of enumerated sorts remain."""
    atoms = [statement] if isinstance(statement, Atom) else [a for a in (statement.game, statement.by) if a]
    closed = [
        vocabulary.sorts[column.name].constants
        for atom in atoms
        for column in vocabulary.predicates[atom.predicate].columns
    ]
    # The value of a game remains too.
    fixed = [term for term, constants in zip(statement.terms, closed, strict=False) if constants]
    fixed += [statement.value] if isinstance(statement, GameStatement) else []
    terms = (
        t if t in fixed else names.setdefault(t, Variable(f"x{len(names) + 1}")) for t in statement.terms
    )
    return statement.with_terms(tuple(terms))
