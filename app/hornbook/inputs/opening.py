"""Construction of a knowledge base for a command: a theory with facts from states, tables and files."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.inputs.table_reading import TableReading
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.coded import MOST_FACTS, Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import warn

if TYPE_CHECKING:  # slow to import
    from hornbook.kb.base.knowledge_base import KnowledgeBase
    from hornbook.kb.explain.fact_places import FactSource
    from hornbook.kb.load.adapters import Adapter
    from hornbook.kb.store import Store
    from hornbook.kb.tables.tables import TableFacts


def read_state(theory: Theory, path: Path) -> list[GroundFact]:
    """Return the facts of a state file, as read by the theory's adapter or as facts in the language."""
    reader, state = reader_and_state(theory, path)
    return list(reader.facts(state))


def reader_and_state(theory: Theory, path: Path) -> tuple[Adapter, Any]:
    """Return the theory's adapter and the state that it reads from a file.

    Without an adapter, return a reader of facts, and the facts in the file.
    Learned rules use the adapter of the theory that they import.
    """
    from hornbook.kb.load.adapters import state_of_file, why_none  # noqa: PLC0415 - slow to import
    from hornbook.kb.tables.readers.fact_texts import state_reader  # noqa: PLC0415 - the same

    reader = state_reader(theory)
    if reader is None:
        raise ArgumentError(
            f"the theory `{theory.name}` has no adapter{why_none(theory)} that reads states",
            argument="--state",
        )
    return reader, state_of_file(reader, path)


MAX_SUMMARIES = 3
"""The maximum number of tables that are reported with a line for each."""


@dataclass(frozen=True, slots=True)
class ReadTable:
    """A table that was read, as `PREDICATE=FILE`, with its numbers of facts and of rows without a value.

    `summary` is None if there is nothing to report.
    """

    spec: str
    predicate: str
    facts: int
    without_value: int
    summary: str | None


SeenSource = Callable[["FactSource"], None]
"""A callback that receives each source of facts."""


def limits_of(
    seconds: float | None, memory: int, most_facts: int | None, engine: EngineName | None = None
) -> Limits:
    """Return the limits of a command's knowledge base.

    Facts and answers may take at most `memory` megabytes. DuckDB stores on disk what exceeds them.
    """
    if engine == "duckdb":
        return Limits(facts=most_facts, seconds=seconds, bytes=memory * 2**20)
    facts = MOST_FACTS if most_facts is None else most_facts
    return Limits(facts=facts, seconds=seconds, bytes=memory * 2**20)


def limit_of_facts(most_facts: int | None) -> Limits | None:
    """Return limits on the number of facts alone, or None if no number is given."""
    return None if most_facts is None else Limits(facts=most_facts)


def open_base(
    theory: str | Theory,
    states: list[Path] | None = None,
    tables: list[str] | None = None,
    files: list[Path] | None = None,
    *,
    reading: TableReading = TableReading(),  # noqa: B008 - frozen
    limits: Limits | None = None,
    store: Store | None = None,
    engine: EngineName | None = None,
    seen: SeenSource | None = None,
) -> KnowledgeBase:
    """Return the knowledge base of a theory with the facts of a store and of the command line.

    `seen` is called with each source of facts. Tables are checked against the completeness declarations of
    the theory.
    """
    from hornbook.kb.base.knowledge_base import KnowledgeBase  # noqa: PLC0415 - slow to import

    base = KnowledgeBase(theory, store=store, limits=limits, engine=engine)
    sources: list[FactSource] = []

    def note(source: FactSource) -> None:
        if tables:
            sources.append(source)
        if seen is not None:
            seen(source)

    add_all(base, states or (), tables or (), files or (), reading=reading, seen=note)
    if tables:
        check_tables(base, sources, is_stored=store is not None)
    return base


def check_tables(base: KnowledgeBase, sources: Sequence[FactSource], *, is_stored: bool) -> None:
    """Check the facts of tables against the completeness declarations of the theory."""
    from hornbook.inputs.completeness import (  # noqa: PLC0415 - slow to import
        check_counts,
        empty_relations_warning,
        relations_of,
    )

    check_counts(base)
    given = {relation for source in sources for relation in relations_of(source)}
    if not is_stored and (warning := empty_relations_warning(base.theory, given)):
        warn(f"warning: {warning}")


def tables_summary(tables: Sequence[ReadTable]) -> Iterator[str]:
    """Yield a line for each of a few tables with a header or missing values, or one line for many tables."""
    from hornbook.inputs.completeness import named_briefly  # noqa: PLC0415 - slow to import

    noted = [each for each in tables if each.summary is not None]
    if len(noted) <= MAX_SUMMARIES:
        yield from (f"{each.spec}: {each.summary}" for each in noted)
        return
    facts = counted(sum(each.facts for each in tables), "fact")
    names = [
        f"{each.predicate} {each.facts:,}"
        + (f" ({counted(each.without_value, 'row')} without a value)" if each.without_value else "")
        for each in tables
    ]
    yield f"{counted(len(tables), 'table')} with {facts}: {named_briefly(names)}"


def table_summary(found: TableFacts) -> str:
    """Return a summary of a table: its fact count, its header, and the number of rows without a value."""
    summary = counted(len(found.facts), "fact")
    if found.header:
        summary += f" below the header `{','.join(found.header)}`"
    if found.without_value:
        summary += f", {counted(found.without_value, 'row')} without a value"
    return summary


def read_tables(
    tables: Sequence[str], vocabulary: Vocabulary, *, reading: TableReading, tell: Callable[[str], None]
) -> Iterator[tuple[str, TableFacts]]:
    """Yield each table as `PREDICATE=FILE` with its facts. Skipped tables and rows are reported with `tell`.

    Raises TableError.
    """
    from hornbook.kb.tables.table_folders import ignored_tables, tables_of  # noqa: PLC0415 - slow to import
    from hornbook.kb.tables.tables import load_table, predicate_of  # noqa: PLC0415 - the same

    specs = [each for table in tables for each in tables_of(table, vocabulary)]
    for table in tables:
        if others := ignored_tables(table, vocabulary):
            tell(f"{table}: passed over {', '.join(map(on_one_line, others))}, called as no predicate")
    formats = reading.formats(vocabulary)
    for spec in specs:
        table_format = formats.of(predicate_of(spec))
        found = load_table(spec, vocabulary, skip_bad=reading.skip_bad, table_format=table_format)
        for row in found.bad:
            tell(f"skipped: {spec}: {row}")
        yield spec, found


def add_all(
    base: KnowledgeBase,
    states: Sequence[Path],
    tables: Sequence[str],
    files: Sequence[Path],
    *,
    reading: TableReading,
    seen: SeenSource | None = None,
) -> None:
    """Add the facts of states, tables and texts.

    With `reading.skip_bad`, malformed table rows are skipped and reported.
    """
    for path in states:
        from hornbook.kb.explain.fact_places import facts_of_state  # noqa: PLC0415 - slow to import

        read = facts_of_state(str(path), *reader_and_state(base.theory, path), base.theory.vocabulary)
        base.add(read.facts)
        if seen is not None:
            seen(read)
    if tables:
        _add_tables(base, tables, reading=reading, seen=seen)
    for path in files:
        clauses = base.read_clauses(read_text(path), str(path))
        base.exchange((), clauses.facts, rules=clauses.rules)
        if seen is not None:
            seen(clauses.statements)


def _add_tables(
    base: KnowledgeBase, tables: Sequence[str], *, reading: TableReading, seen: SeenSource | None
) -> None:
    from hornbook.kb.tables.tables import predicate_of  # noqa: PLC0415 - slow to import

    noted: list[ReadTable] = []
    try:
        for spec, found in read_tables(tables, base.theory.vocabulary, reading=reading, tell=warn):
            summary = table_summary(found) if found.header or found.without_value else None
            noted.append(ReadTable(spec, predicate_of(spec), len(found.facts), found.without_value, summary))
            base.add(found.facts)
            if seen is not None:
                seen(found.facts)
    finally:
        for line in tables_summary(noted):
            warn(line)
