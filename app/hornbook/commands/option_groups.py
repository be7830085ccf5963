"""Groups of options that several commands have, each a dataclass with a field for each option.

A parameter of a command with such a type stands for the options of the group, at its place in `--help`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.commands import options
from hornbook.inputs.opening import SeenSource, limits_of
from hornbook.inputs.opening_store import open_query_base
from hornbook.inputs.table_reading import TableReading
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.sources.collector import collector_paused
from hornbook.matcher.program.coded import MOST_FACTS, Limits
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.base.knowledge_base import KnowledgeBase
    from hornbook.kb.lower.budget import Budget


@dataclass(frozen=True, slots=True)
class FactOptions:
    """The learned rules and the facts that a query is answered with."""

    rules: options.Rules = None
    state: options.States = None
    facts: options.Tables = None
    add: options.Added = None
    table_format: options.TableFormat = None
    skip_bad: options.SkipBad = False

    @property
    def reading(self) -> TableReading:
        """How the tables are read."""
        return TableReading(self.skip_bad, tuple(self.table_format or ()))

    def open(
        self,
        theory: str,
        limits: Limits,
        engine: EngineName | None = None,
        seen: SeenSource | None = None,
    ) -> KnowledgeBase:
        """Return the knowledge base of a theory. `seen` is called with each source of facts."""
        with collector_paused():  # all that is opened lasts until the command ends
            return open_query_base(
                theory,
                self.rules,
                self.state,
                self.facts,
                self.add,
                reading=self.reading,
                limits=limits,
                engine=engine,
                seen=seen,
            )

    def files(self, base: KnowledgeBase) -> Sequence[Path]:
        """Return every file with facts."""
        from hornbook.kb.tables.table_folders import tables_of  # noqa: PLC0415 - slow to import
        from hornbook.kb.tables.tables import file_of  # noqa: PLC0415 - the same

        tables = [each for spec in self.facts or () for each in tables_of(spec, base.theory.vocabulary)]
        return [*map(file_of, tables), *(self.state or ()), *(self.add or ())]


@dataclass(frozen=True, slots=True)
class LimitOptions:
    """The limits of the facts and answers of a query."""

    seconds: options.Seconds = None
    memory: options.Memory = options.SEARCH_MEGABYTES
    most_facts: options.MaxFacts = None

    def limits(self, engine: EngineName | None = None) -> Limits:
        return limits_of(self.seconds, self.memory, self.most_facts, engine)


@dataclass(frozen=True, slots=True)
class SearchLimitOptions:
    """The limits of each search."""

    seconds: options.SearchSeconds = options.SEARCH_SECONDS
    memory: options.SearchMemory = options.SEARCH_MEGABYTES
    most_facts: options.SearchMaxFacts = MOST_FACTS

    def budget(self) -> Budget:
        from hornbook.kb.lower.budget import Budget  # noqa: PLC0415 - slow to import

        return Budget(seconds=self.seconds, megabytes=self.memory, facts=self.most_facts)


@dataclass(frozen=True, slots=True)
class LearningLimitOptions(SearchLimitOptions):
    """The limits of learning from each example or problem."""

    seconds: options.SearchSeconds = 600.0
