"""The texts of states as facts for a knowledge base: in columns where possible, and one by one where not."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.base.knowledge_base import Clauses, KnowledgeBase
from hornbook.kb.base.state_evaluation import StateEvaluator
from hornbook.kb.base.state_reading import StateFacts
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.lower.budget import Budget
from hornbook.kb.tables.readers.json_records import read_json_text
from hornbook.kb.tables.tables import TableError, read_rows
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.states import STATE, BadState, Row, outcome, text_in

if TYPE_CHECKING:
    import pyarrow


@dataclass(frozen=True, slots=True)
class ReadStates:
    """The facts of some states, in the order of the rows of a table.

    Attributes:
        facts: The facts in columns.
        errors: For each state the reason why it cannot be read, or None.
    """

    facts: StateFacts
    errors: list[str | None]
    _rows: list[Row]
    _read: Mapping[int, tuple[GroundFact, ...]]
    _ground: Callable[[Row], tuple[GroundFact, ...]]

    def ask_single(self, state: int, ask: Callable[[tuple[GroundFact, ...]], Any]) -> Any:
        """Return the result of `ask` for the facts of one state. Its error is added to the errors."""
        if self.errors[state] is not None:
            return None
        found, self.errors[state] = outcome(lambda state: ask(self._facts_of(state)), state)
        return found

    def _facts_of(self, state: int) -> tuple[GroundFact, ...]:
        known = self._read.get(state)
        return self._ground(self._rows[state]) if known is None else known


class StateTexts:
    """The reader of states for a knowledge base: by the theory's adapter, or as facts.

    Without an adapter, a state is facts in the language, or as JSON: `{"parent": [["cleo", "eve"]]}`.
    """

    def __init__(self, base: KnowledgeBase, limits: Limits, threads: int | None = None) -> None:
        self.base, self.budget = base, Budget.of(limits)
        self.evaluator = StateEvaluator(base, limits, threads)
        self._reader = reader_of(base.theory)

    def read(self, table: pyarrow.Table) -> ReadStates:
        """Return the facts of the states in the column `state` of a table."""
        rows = table.select([STATE]).to_pylist()
        facts = self.evaluator.read([row[STATE] if self._reader is None else None for row in rows])
        errors: list[str | None] = [None] * len(rows)
        read: dict[int, tuple[GroundFact, ...]] = {}
        for state in sorted(facts.missing):
            found, errors[state] = outcome(self._ground, rows[state])
            if errors[state] is None:
                read[state] = found
        facts = facts.with_facts(self.evaluator.code(read, len(rows)))
        return ReadStates(facts, errors, rows, read, self._ground)

    def _ground(self, row: Row) -> tuple[GroundFact, ...]:
        text = text_in(row)
        with self.budget.bounding():
            if self._reader is None and text.lstrip().startswith("{"):
                return tuple(_facts_of_json(text, self.base.theory.vocabulary))
            if self._reader is None:
                return _facts(self.base.read_clauses(text, STATE))
            return tuple(self._reader.facts(self._reader.read(text, STATE)))


def _facts(clauses: Clauses) -> tuple[GroundFact, ...]:
    if clauses.rules:
        raise BadState(STATE, f"`{clauses.rules[0].name}` is a rule, and a state is facts alone")
    return clauses.facts


def _facts_of_json(text: str, vocabulary: Vocabulary) -> Iterator[GroundFact]:
    """Yield the facts of an object with the rows of each predicate. Raises BadState."""
    try:
        tables = read_json_text(text)
    except (ValueError, RecursionError) as problem:
        raise BadState(STATE, f"this is not JSON: {problem}") from None
    for predicate, rows in tables.items():
        if not (isinstance(rows, list) and all(isinstance(row, list) for row in rows)):
            raise BadState(STATE, f"`{predicate}` wants a list of rows, each a list of values")
        try:
            yield from read_rows(rows, predicate, vocabulary, name=f"`{predicate}`").facts
        except TableError as problem:
            raise BadState(STATE, str(problem)) from None
