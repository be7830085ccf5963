"""Answers to a query about every state of a table."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.lower.errors import KnowledgeBaseError, TooManyAnswersError
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.state_texts import StateTexts
from hornbook.spread.states import STATE, Outcomes

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

    def ready(self, threads: int | None = None) -> Callable[[pyarrow.Table], Outcomes]:
        return _StatesAnswerer(self, threads).answers


class _StatesAnswerer:
    """A knowledge base that answers the query of a question about the states of tables."""

    def __init__(self, question: QueryStates, threads: int | None) -> None:
        self._question = question
        self._base = base = KnowledgeBase(question.theory, limits=question.limits)
        base.add(question.facts)
        for text in question.added:
            base.add_text(text)
        base.add_rules(question.rules)
        self._queries = base.engine.parse_queries(question.query, dict(question.parameters))
        self._texts = StateTexts(base, question.limits, threads)

    def answers(self, rows: pyarrow.Table) -> Outcomes:
        """Return the answers about each row of a table."""
        arrow = extra_module("pyarrow", "data")
        states, kind = self._texts.read(rows), self._question.type()
        known = self._texts.evaluator.answers(states.facts, self._queries, self._question.most, kind)
        single = {state: states.ask_single(state, self._single) for state in sorted(known.missing)}
        if not single:
            return known.answers, states.errors
        both = arrow.concat_arrays([known.answers, arrow.array(list(single.values()), kind)])
        places = {state: len(known.answers) + place for place, state in enumerate(single)}
        chosen = [places.get(state, state) for state in range(len(known.answers))]
        return both.take(arrow.array(chosen)), states.errors

    def _single(self, facts: tuple[GroundFact, ...]) -> list[dict[str, str | int]] | bool:
        """Return the answers about one state."""
        base = self._base
        base.push()
        try:
            with self._texts.budget.bounding():
                base.add(facts)
                found = base.engine.query(self._queries, max_answers=self._question.most)
        except TooManyAnswersError as problem:
            raise KnowledgeBaseError(f"{problem} (`--max-answers`)") from None
        finally:
            base.pop()
        if found.mixed:
            return found.to_arrow().to_pylist()  # type: ignore[no-any-return]
        return found.to_dicts() if self._question.kinds else bool(found)
