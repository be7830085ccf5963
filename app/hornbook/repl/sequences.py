"""Sequences of actions: the effects of each action in turn, and the search for a shortest one.

Each action is assumed in the state after the one before it (kb/base/changes/succession.py).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from itertools import islice
from textwrap import indent
from typing import Any

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.base.changes.sequence_search import SearchOutcome, TooManyActionsError, shortest_sequence
from hornbook.kb.base.changes.succession import facts_after, passing
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import Query, parse_query
from hornbook.kb.sources.diagnostics import TheoryError, error
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.repl.attempts import action_forms, queries_before, too_many_actions
from hornbook.repl.request import halves
from hornbook.repl.session import Session, Supposition
from hornbook.repl.what_if import Difference, assumed

MOST_LEARNED = 20
"""The maximum number of sequences from learned rules that are tried for a query with several conditions."""


@dataclass(frozen=True, slots=True)
class SequenceStep:
    """An action of a sequence, as text, and the changes by it."""

    action: str
    difference: Difference


@dataclass(frozen=True, slots=True)
class SequenceEffects:
    """The effects of a sequence of actions, and the answers to a query about the last one, if any."""

    steps: tuple[SequenceStep, ...]
    answers: Answers | None

    def text(self) -> str:
        lines = []
        for number, step in enumerate(self.steps, 1):
            lines += [f"{number}. {step.action}", indent(step.difference.text(), "   ")]
        return "\n".join([*lines, *(() if self.answers is None else (str(self.answers),))])

    def as_json(self) -> dict[str, Any]:
        return {
            "sequence": [{"action": each.action, **each.difference.as_json()} for each in self.steps],
            "answers": None if self.answers is None else [*self.answers.json_rows()],
        }


@dataclass(frozen=True, slots=True)
class FoundSequence:
    """The result of a search for a sequence of at most `most` actions after which a query has an answer.

    `effects` is None if there is none. Its sequence is empty if the query has an answer at the beginning.
    """

    effects: SequenceEffects | None
    most: int
    outcome: SearchOutcome

    def text(self) -> str:
        tried = f"{counted(self.outcome.states, 'state')}, {counted(self.outcome.tried, 'action')} tried"
        if self.effects is None:
            if self.outcome.is_exhausted:
                return f"no sequence of actions makes it true ({tried}: all that can be reached)"
            return f"no sequence of at most {counted(self.most, 'action')} makes it true ({tried})"
        if not self.effects.steps:
            return f"it holds without an action\n{self.effects.text()}"
        if not self.outcome.states:
            tried = "by learned rules, without search"
        return f"{self.effects.text()}\n{counted(len(self.effects.steps), 'action')} ({tried})"

    def as_json(self) -> dict[str, Any]:
        found = {"sequence": None, "answers": None} if self.effects is None else self.effects.as_json()
        return {
            **found,
            "states": self.outcome.states,
            "tried": self.outcome.tried,
            "exhausted": self.outcome.is_exhausted,
        }


def follow_text(session: Session, first: str, later: str, query: str | None) -> SequenceEffects:
    """Return the effects of a sequence of actions: facts with the first action, and the others with `then`.

    The session is not changed. Raises TheoryError, SessionError and KnowledgeBaseError.
    """
    queries = None if query is None else session.base.engine.parse_queries(query)
    supposed = session.supposed_in(first)
    if not any(_is_action(session, fact) for fact in supposed.add):
        raise _no_action(first)
    return _follow(session, supposed, list(_later_actions(session, later)), queries)


def search_sequence(
    session: Session,
    text: str,
    most: int,
    budget: Budget,
    update_progress: Callable[[int], None] = lambda _: None,
) -> FoundSequence:
    """Search for a shortest sequence of at most `most` actions after which a query has an answer.

    Args:
        session: The session, which is not changed.
        text: The query, after a colon and facts to assume, or the form of the actions to try.
        most: The maximum number of actions.
        budget: The bounds of the search.
        update_progress: Called with the number of evaluated states before each block.

    Raises TheoryError, SessionError, KnowledgeBaseError and SpentError.
    """
    supposed, query = halves(text, "COLON")
    pattern = None
    facts = Supposition()
    if query is None:
        query = supposed
    elif _is_form(session, supposed):
        pattern = supposed
    else:
        facts = session.supposed_in(supposed)
    base = session.base
    goal = base.engine.parse_queries(query)
    if not any(statement.tense == "after" for each in goal for statement in t.statements(each.conditions)):
        help_ = "write `after` before what the actions are to reach: `after ready(?m)`"
        problem = error("HB001", "a sequence of actions needs a query with `after`", goal[0].span, help_)
        raise TheoryError([problem], {"<query>": text})
    forms = action_forms(base, pattern)

    def with_menu(action: GroundFact) -> list[GroundFact]:
        return [*session.menu([action]), action]

    with session.supposing(facts.add, facts.retract):
        now = base.engine.query(queries_before(goal))
        if now:
            return FoundSequence(SequenceEffects((), now), most, SearchOutcome((), 0, 0, is_exhausted=False))
        if pattern is None:
            for actions in islice(_learned_sequences(base, goal, most), MOST_LEARNED):
                effects = _follow(session, Supposition(actions[:1]), actions[1:], goal)
                if effects.answers:
                    return FoundSequence(effects, most, SearchOutcome(actions, 0, 0, is_exhausted=False))
        search = partial(shortest_sequence, with_action=with_menu, update_progress=update_progress)
        try:
            outcome = search(base, goal, forms, most, budget)
        except TooManyActionsError:
            raise TheoryError([too_many_actions()], {"<query>": text}) from None
        if outcome.actions is None:
            return FoundSequence(None, most, outcome)
        first, *later = outcome.actions
        return FoundSequence(_follow(session, Supposition((first,)), later, goal), most, outcome)


def _learned_sequences(
    base: KnowledgeBase, goal: Sequence[Query], most: int
) -> Iterator[tuple[GroundFact, ...]]:
    """Yield sequences of at most `most` actions that reach a goal by macro-operators of learned rules."""
    from hornbook.compiler.match.macros import macros_in  # noqa: PLC0415 - slow to import

    learned = [rule for rule in base.rules if rule.learned]
    for macro in macros_in(learned, base.theory.vocabulary, most) if learned else ():
        for query in goal:
            condition = query.conditions[0]
            found = macro.of_goal(condition) if isinstance(condition, t.Atom) else None
            if found is not None:
                yield from found.sequences(base)


def _follow(
    session: Session, first: Supposition, later: Sequence[GroundFact], queries: Sequence[Query] | None
) -> SequenceEffects:
    """Return the effects of a sequence of actions, of which the first is assumed with other facts."""
    base = session.base
    steps: list[SequenceStep] = []
    fluents: list[GroundFact] = []
    ends = [fact for fact in base.given() if _is_action(session, fact)]
    with ExitStack() as assumptions:
        for supposed in (first, *(Supposition((action,)) for action in later)):
            assumptions.enter_context(session.supposing(fluents, ends))
            difference = assumptions.enter_context(assumed(session, supposed))
            action = next(fact for fact in supposed.add if _is_action(session, fact))
            steps.append(SequenceStep(session.shown(action), _new(base, difference)))
            fluents = facts_after(base)
            ends = [*passing(base, base.given()), *session.menu(supposed.add)]
        answers = None if queries is None else base.engine.query(tuple(queries))
    return SequenceEffects(tuple(steps), answers)


def _new(base: KnowledgeBase, difference: Difference) -> Difference:
    """Return a difference without those facts after the action that hold before it, too."""
    new = (fact for fact in difference.derived if not base.query(fact.removeprefix("after ")))
    return replace(difference, derived=tuple(new))


def _later_actions(session: Session, text: str) -> Iterator[GroundFact]:
    """Yield the actions that are separated by `then`. Raises TheoryError if one is no action."""
    rest: str | None = text
    while rest is not None:
        part, rest = halves(rest, "THEN")
        facts = session.facts_in(part)
        if len(facts) != 1 or not _is_action(session, facts[0]):
            raise _no_action(part)
        yield facts[0]


def _is_action(session: Session, fact: GroundFact) -> bool:
    predicate = session.base.theory.vocabulary.predicates.get(fact.relation)
    return predicate is not None and predicate.kind == "action"


def _is_form(session: Session, text: str) -> bool:
    """Return whether a text has an action."""
    predicates = session.base.theory.vocabulary.predicates
    names = {statement.relation for statement in t.statements(parse_query(text).conditions)}
    return any(name in predicates and predicates[name].kind == "action" for name in names)


def _no_action(text: str) -> TheoryError:
    span = parse_query(text).span
    return TheoryError(
        [error("HB001", "expected one action between `then`", span, "such as `open(front) then open(back)`")],
        {"<query>": text},
    )
