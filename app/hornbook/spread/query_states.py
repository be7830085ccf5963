"""Answers to a query about every state of a table."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import Clauses, KnowledgeBase
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.spread.states import STATE, BadState, Row, RowAnswer, row_answer, text_in

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

    def ready(self) -> Callable[[Sequence[Row]], Sequence[RowAnswer]]:
        reader = reader_of(self.theory)
        base = KnowledgeBase(self.theory, limits=self.limits)
        base.add(self.facts)
        for text in self.added:
            base.add_text(text)
        base.add_rules(self.rules)
        queries = base.engine.parse_queries(self.query, dict(self.parameters))
        budget = Budget.of(self.limits)

        def answers(row: Row) -> list[dict[str, str | int]] | bool:
            text = text_in(row)
            base.push()
            try:
                with budget.bounding():
                    if reader is None:
                        base.add(_facts(base.read_clauses(text, STATE)))
                    else:
                        base.add(reader.facts(reader.read(text, STATE)))
                    found = base.engine.query(queries, max_answers=self.most)
            except TooManyAnswersError as problem:
                raise KnowledgeBaseError(f"{problem} (`--max-answers`)") from None
            finally:
                base.pop()
            if found.mixed:
                return found.to_arrow().to_pylist()  # type: ignore[no-any-return]
            return found.to_dicts() if self.kinds else bool(found)

        return lambda rows: [row_answer(partial(answers, row)) for row in rows]


def _facts(clauses: Clauses) -> tuple[GroundFact, ...]:
    if clauses.rules:
        raise BadState(STATE, f"`{clauses.rules[0].name}` is a rule, and a state is facts alone")
    return clauses.facts
