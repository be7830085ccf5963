"""A table of states that learned rules are to cover, in memory."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.state_reading import StateReader
from hornbook.kb.load.adapters import reader_of
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.tables import TableError
from hornbook.matcher.program.coded import Limits
from hornbook.spread.derived_facts import derived_facts, state_batches
from hornbook.spread.state_texts import StateTexts
from hornbook.spread.states import STATE, refusal

if TYPE_CHECKING:
    import pyarrow

_READ = 4_096
"""The number of states whose facts are kept."""


class CoveredTable:
    """The states of a table (`StatesToCover`), with the theory whose adapter reads them.

    Args:
        theory: The theory.
        states: The states, as for `evaluate_states`.
        limits: The limits of each state, except for the seconds, which bound the whole run.
        skip_bad: Whether states with errors are left out.

    Raises:
        TableError: The table has no column `state`, it does not hold text, or states have errors and are not
            left out.
    """

    def __init__(self, theory: Theory, states: Any, limits: Limits, *, skip_bad: bool) -> None:
        arrow = extra_module("pyarrow", "data")
        self.file = str(states) if isinstance(states, Path) else "states"
        self._table: pyarrow.Table = arrow.concat_tables(list(state_batches(states)))
        self._limits, self._skip_bad = replace(limits, seconds=None), skip_bad
        base = KnowledgeBase(theory, limits=self._limits)
        self._texts = StateTexts(base, self._limits)
        self._reader = StateReader(theory, base.engine.coding) if reader_of(theory) is None else None
        self.facts = lru_cache(_READ)(self._facts)

    @property
    def states(self) -> int:
        return int(self._table.num_rows)

    def conclusions(
        self, theory: Theory, relations: Collection[str]
    ) -> tuple[Mapping[str, pyarrow.Table], Mapping[int, str]]:
        """Return what the rules of a theory conclude, and the errors of states."""
        base = KnowledgeBase(theory, limits=self._limits)
        found = derived_facts(base, self._table, self._limits, relations=relations)
        if found.errors and not self._skip_bad:
            bad = [(state + 1, error) for state, error in found.errors.items()]
            raise refusal(self.file, found.states, bad, "correct them, or use `--skip-bad` to leave them out")
        return found.tables, found.errors

    def _facts(self, state: int) -> tuple[GroundFact, ...]:
        """Return the facts of a state. Raises TableError if it cannot be read."""
        text = self._table.column(STATE)[state].as_py()
        [rows] = [None] if self._reader is None else self._reader.rows([text])
        if rows is not None:
            return tuple(
                GroundFact(relation, values, tense)
                for (relation, tense), some in rows.items()
                for values in some
            )
        read = self._texts.read(self._table.slice(state, 1))
        found: tuple[GroundFact, ...] | None = read.ask_single(0, lambda facts: facts)
        if found is None:
            raise TableError(self.file, f"state {state}: {read.errors[0]}")
        return found
