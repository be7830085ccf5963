"""The audit of frames: facts that changed although a frame excludes the change.

A frame claims that an action changes only those instances of the fluent that one of its cases names. The
cases are evaluated in the state before the action. For a `persists` clause, the claim covers only facts that
held and end. Several frames of one fluent are several claims. A fluent without a frame may be changed by
every action. The actual changes come from a simulator, not from the theory.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping
from collections.abc import Set as AbstractSet
from itertools import count, islice

from hornbook.kb.ast.declarations import Frame
from hornbook.kb.ast.terms import Atom, Condition, Constant, Tense, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_states import EvaluatedState
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers
from hornbook.matcher.program.dataclass import dataclass

_Values = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Breach:
    """A fact that an action made true or false, and the frame that excludes this change."""

    fact: GroundFact
    frame: Frame

    def __str__(self) -> str:
        shown = ", ".join(map(str, self.fact.values))
        if self.frame.persists:
            return f"{self.frame.span}: `{self.fact.relation}({shown})` persists, and has ended"
        return f"{self.frame.span}: the frame does not allow a change of `{self.fact.relation}({shown})`"


def breaches(base: KnowledgeBase, after: Iterable[GroundFact]) -> list[Breach]:
    """Return the changes that a frame of the theory does not allow, by frame.

    Args:
        base: A knowledge base with a state and the action taken in it.
        after: All fluent facts of the actual next state, without tense words. Statics and actions are
            ignored.
    """
    theory = base.theory
    before = {
        name: {fact.values for fact in base.facts(name, tense)} for name, tense in frame_relations(theory)
    }
    queries = [Query(case, frame.span) for frame in theory.frames for case in frame.cases]
    return _found(theory, before, after, lambda number: base.engine.query(queries[number]))


def frame_relations(theory: Theory) -> list[tuple[str, Tense]]:
    """Return the relations whose facts show breaches, at their moment."""
    return [(name, "before") for name in sorted({frame.fluent.predicate for frame in theory.frames})]


def frame_queries(theory: Theory) -> list[tuple[Condition, ...]]:
    """Return the queries whose answers show breaches: the cases of all frames, in order."""
    return [case for frame in theory.frames for case in frame.cases]


def breaches_in(theory: Theory, state: EvaluatedState, after: Iterable[GroundFact]) -> list[Breach]:
    """Return what `breaches` returns, for a state that was evaluated with `frame_relations` and
    `frame_queries`.
    """
    before = {name: state.values(name, tense) for name, tense in frame_relations(theory)}
    return _found(theory, before, after, state.answers)


def _found(
    theory: Theory,
    before: Mapping[str, AbstractSet[_Values]],
    after: Iterable[GroundFact],
    answers: Callable[[int], Answers],
) -> list[Breach]:
    """Return the changes that a frame does not allow; `answers` gives those to a query of `frame_queries`."""
    follows: dict[str, set[_Values]] = defaultdict(set)
    for fact in after:
        follows[fact.relation].add(fact.values)
    found: list[Breach] = []
    numbers = count()
    for frame in theory.frames:
        name = frame.fluent.predicate
        cases = list(islice(numbers, len(frame.cases)))
        changed = before[name] - follows[name] if frame.persists else before[name] ^ follows[name]
        about = [values for values in changed if _is_about(frame.fluent, values)]
        allowed = [_allowed(frame.fluent, answers(case)) for case in cases] if about else []
        found += [
            Breach(GroundFact(name, values), frame)
            for values in sorted(about, key=str)
            if not any(case.holds(values) for case in allowed)
        ]
    return found


def _is_about(fluent: Atom, values: _Values) -> bool:
    """Return whether a fact is an instance of a frame's fluent."""
    bound: dict[str, str | int] = {}
    for term, value in zip(fluent.arguments, values, strict=True):
        if isinstance(term, Constant):
            if term.value != value:
                return False
        elif not term.is_wildcard and bound.setdefault(term.name, value) != value:
            return False
    return True


@dataclass(frozen=True, slots=True)
class _Allowed:
    """The changes that a case allows: columns of the fluent, and the allowed values of these columns."""

    columns: tuple[int, ...]
    values: frozenset[_Values]

    def holds(self, values: _Values) -> bool:
        return tuple(values[column] for column in self.columns) in self.values


def _allowed(fluent: Atom, answers: Answers) -> _Allowed:
    """Return the answers to a case, projected on the columns of the fluent that share its variables."""
    columns = {
        term.name: column
        for column, term in enumerate(fluent.arguments)
        if isinstance(term, Variable) and term.name in answers.variables
    }
    chosen = [answers.variables.index(name) for name in columns]
    rows = frozenset(tuple(row[place] for place in chosen) for row in answers.rows)
    return _Allowed(tuple(columns.values()), rows)
