"""Answers to a query about every state of a table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import Clauses, KnowledgeBase
from hornbook.kb.base.state_evaluation import StateEvaluator
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.spread.states import STATE, BadState, Outcomes, Row, outcome, text_in

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, slots=True)
class QueryStates:
    """The answers to a query about each state, with additional facts and rules.

    If the theory has no adapter, states are facts in the language. The answers to a query with variables are
    a list; a query without variables is answered by true or false.
    """

    theory: Theory
    facts: tuple[GroundFact, ...]
    added: tuple[str, ...]
    """Facts and rules in the language."""
    rules: tuple[Rule, ...]
    query: str
    parameters: tuple[tuple[str, str | int], ...]
    """The names of the query's parameters, each with its value."""
    kinds: tuple[tuple[str, str], ...]
    """The query's variables, each with `word`, `integer` or `mixed`."""
    most: int
    limits: Limits

    gives = "answers"
    reads = (STATE,)

    @property
    def inputs(self) -> tuple[object, ...]:
        return (
            self.facts,
            self.added,
            self.rules,
            self.query,
            self.parameters,
            self.kinds,
            self.most,
            self.limits,
        )

    def type(self) -> pyarrow.DataType:
        arrow = extra_module("pyarrow", "data")
        if not self.kinds:
            return arrow.bool_()
        types = {"integer": arrow.int64(), "word": arrow.string(), "mixed": arrow.string()}
        return arrow.list_(arrow.struct([(name, types[kind]) for name, kind in self.kinds]))

    def ready(self) -> Callable[[pyarrow.Table], Outcomes]:
        return _StatesAnswerer(self).answers


class _StatesAnswerer:
    """A knowledge base that answers the query of a question about the states of tables."""

    def __init__(self, question: QueryStates) -> None:
        self._question = question
        self._reader = reader_of(question.theory)
        self._base = base = KnowledgeBase(question.theory, limits=question.limits)
        base.add(question.facts)
        for text in question.added:
            base.add_text(text)
        base.add_rules(question.rules)
        self._queries = base.engine.parse_queries(question.query, dict(question.parameters))
        self._budget = Budget.of(question.limits)
        self._evaluator = StateEvaluator(base, question.limits)

    def answers(self, rows: pyarrow.Table) -> Outcomes:
        """Return the answers about each row of a table."""
        arrow = extra_module("pyarrow", "data")
        table = rows.select([STATE]).to_pylist()
        errors: list[str | None] = [None] * len(table)
        texts = [None if self._reader is not None else row[STATE] for row in table]
        facts = self._evaluator.read(texts)
        read: dict[int, tuple[GroundFact, ...]] = {}
        for state in facts.missing:
            found, errors[state] = outcome(self._read, table[state])
            if errors[state] is None:
                read[state] = found
        facts = facts.with_facts(self._evaluator.code(read, len(table)))
        kind = self._question.type()
        known = self._evaluator.answers(facts, self._queries, self._question.most, kind)
        # What is not known is answered alone, or is an error with its message.
        alone: list[Any] = []
        places = list(range(len(table)))
        for state in sorted(known.missing):
            if errors[state] is None:
                given = read.get(state)
                asked = self._read(table[state]) if given is None else given
                found, errors[state] = outcome(self._alone, asked)
            places[state] = len(table) + len(alone)
            alone.append(None if errors[state] is not None else found)
        if not alone:
            return known.answers, errors
        both = arrow.concat_arrays([known.answers, arrow.array(alone, kind)])
        return both.take(arrow.array(places)), errors

    def _read(self, row: Row) -> tuple[GroundFact, ...]:
        text = text_in(row)
        with self._budget.bounding():
            if self._reader is None:
                return _facts(self._base.read_clauses(text, STATE))
            return tuple(self._reader.facts(self._reader.read(text, STATE)))

    def _alone(self, facts: tuple[GroundFact, ...]) -> list[dict[str, str | int]] | bool:
        """Return the answers about one state."""
        base = self._base
        base.push()
        try:
            with self._budget.bounding():
                base.add(facts)
                found = base.engine.query(self._queries, max_answers=self._question.most)
        except TooManyAnswersError as problem:
            raise KnowledgeBaseError(f"{problem} (`--max-answers`)") from None
        finally:
            base.pop()
        if found.mixed:
            return found.to_arrow().to_pylist()  # type: ignore[no-any-return]
        return found.to_dicts() if self._question.kinds else bool(found)


def _facts(clauses: Clauses) -> tuple[GroundFact, ...]:
    if clauses.rules:
        raise BadState(STATE, f"`{clauses.rules[0].name}` is a rule, and a state is facts alone")
    return clauses.facts
