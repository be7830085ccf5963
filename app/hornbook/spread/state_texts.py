"""The texts of states as facts for a knowledge base: in columns where possible, and one by one where not."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from hornbook.inputs.states import reader_for
from hornbook.kb.ast.parts import Rows, facts_in
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.state_evaluation import StateEvaluator
from hornbook.kb.base.state_reading import StateFacts, StateReader
from hornbook.kb.lower.budget import Budget
from hornbook.kb.lower.coding import Coding
from hornbook.kb.tables.readers.fact_texts import FactTexts
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.states import STATE, Row, outcome, text_in

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


class StateFactReader:
    """The reader of the texts of states as facts: by the theory's adapter, or by `FactTexts`.

    Facts in the language are read many at a time.
    """

    def __init__(self, theory: Theory) -> None:
        self.reader = reader_for(theory)
        is_text = isinstance(self.reader, FactTexts)
        self._plain = StateReader(theory, Coding(theory.vocabulary)) if is_text else None

    @property
    def are_facts(self) -> bool:
        """Whether the texts are facts in the language."""
        return self._plain is not None

    def rows(self, texts: Sequence[object]) -> list[Rows | None]:
        """Return the facts of texts, which need not fit their declarations.

        None is returned for texts that only the reader of single states understands.
        """
        return [None] * len(texts) if self._plain is None else self._plain.rows(texts)

    def facts(self, rows: Sequence[Row]) -> list[tuple[tuple[GroundFact, ...] | None, str | None]]:
        """Return for each row the facts of its state, or the reason why there are none."""
        known = self.rows([row[STATE] for row in rows])
        return [
            outcome(self._read, row) if found is None else (tuple(facts_in(found)), None)
            for row, found in zip(rows, known, strict=True)
        ]

    def _read(self, row: Row) -> tuple[GroundFact, ...]:
        return tuple(self.reader.facts(self.reader.read(text_in(row), STATE)))


class StateTexts:
    """The reader of states for a knowledge base: by the theory's adapter, or by `FactTexts`."""

    def __init__(self, base: KnowledgeBase, limits: Limits, threads: int | None = None) -> None:
        self.base, self.budget = base, Budget.of(limits)
        self.evaluator = StateEvaluator(base, limits, threads)
        self._reader = reader_for(base.theory)
        self._are_facts = isinstance(self._reader, FactTexts)

    def read(self, table: pyarrow.Table) -> ReadStates:
        """Return the facts of the states in the column `state` of a table."""
        rows = table.select([STATE]).to_pylist()
        facts = self.evaluator.read([row[STATE] if self._are_facts else None for row in rows])
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
            return tuple(self._reader.facts(self._reader.read(text, STATE)))
