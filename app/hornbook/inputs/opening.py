"""A knowledge base as the commands open it: a theory, then facts from states, tables and the command line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import typer

from hornbook.inputs.promises import must_be_as_many, nothing_given, relations_of
from hornbook.kb.ast.theory import GroundFact, Theory, Vocabulary
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.explain.fact_places import FactSource, facts_of_state
from hornbook.kb.load.adapters import Adapter, reader_of, state_of_file, why_none
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.sources.files import read_text
from hornbook.kb.store import Store
from hornbook.kb.tables.table_folders import passed_over, tables_of
from hornbook.kb.tables.tables import TableFacts, load_table
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.matcher.program.coded import MOST_FACTS, Limits


def read_state(theory: Theory, path: Path) -> list[GroundFact]:
    """The facts of a state as the theory's adapter reads it."""
    reader, state = reader_and_state(theory, path)
    return list(reader.facts(state))


def reader_and_state(theory: Theory, path: Path) -> tuple[Adapter, Any]:
    """The theory's adapter, and a state as it reads it; learned rules have that of the theory they import."""
    reader = reader_of(theory)
    if reader is None:
        raise typer.BadParameter(
            f"the theory `{theory.name}` has no adapter{why_none(theory)} that reads states",
            param_hint="--state",
        )
    return reader, state_of_file(reader, path)


SeenSource = Callable[[FactSource], None]
"""What is done besides with each source of facts."""


def limits_of(
    seconds: float | None, memory: int, most_facts: int | None, engine: EngineName | None = None
) -> Limits:
    """The limits of a knowledge base of a command, which may take so many megabytes for its facts and answers; DuckDB keeps
    on disk what does not fit into these.
    """
    if engine == "duckdb":
        return Limits(facts=most_facts, seconds=seconds, bytes=memory * 2**20)
    facts = MOST_FACTS if most_facts is None else most_facts
    return Limits(facts=facts, seconds=seconds, bytes=memory * 2**20)


def limit_of_facts(most_facts: int | None) -> Limits | None:
    """The limits of what bounds facts alone; None where no number is given."""
    return None if most_facts is None else Limits(facts=most_facts)


def open_base(
    theory: str | Theory,
    states: list[Path] | None = None,
    tables: list[str] | None = None,
    files: list[Path] | None = None,
    *,
    skip_bad: bool = False,
    limits: Limits | None = None,
    store: Store | None = None,
    engine: EngineName | None = None,
    seen: SeenSource | None = None,
) -> KnowledgeBase:
    """The knowledge base of a theory with a store's facts, and everything that the command line adds to it; each source of
    facts is `seen`. What is declared complete is held against the tables, where there are any.
    """
    base = KnowledgeBase(theory, store=store, limits=limits, engine=engine)
    given: set[str] = set()

    def note(source: FactSource) -> None:
        given.update(relations_of(source))
        if seen is not None:
            seen(source)

    add_all(base, states or (), tables or (), files or (), skip_bad=skip_bad, seen=note)
    if tables:
        must_be_as_many(base)
        if store is None and (warning := nothing_given(base.theory, given)):
            typer.echo(f"warning: {warning}", err=True)
    return base


def told_of_table(found: TableFacts) -> str:
    """How many facts a table gave, what was taken for the names of its columns, and how many rows have no value."""
    told = counted(len(found.facts), "fact")
    if found.header:
        told += f" below the header `{','.join(found.header)}`"
    if found.without_value:
        told += f", {counted(found.without_value, 'row')} without a value"
    return told


def read_tables(
    tables: Sequence[str], vocabulary: Vocabulary, *, skip_bad: bool, tell: Callable[[str], None]
) -> Iterator[tuple[str, TableFacts]]:
    """Each table that is meant, as `PREDICATE=FILE`, with its facts; what is passed over or left out is told. Raises TableError."""
    specs = [each for table in tables for each in tables_of(table, vocabulary)]
    for table in tables:
        if others := passed_over(table, vocabulary):
            tell(f"{table}: passed over {', '.join(map(on_one_line, others))}, called as no predicate")
    for spec in specs:
        found = load_table(spec, vocabulary, skip_bad=skip_bad)
        for row in found.bad:
            tell(f"skipped: {spec}: {row}")
        yield spec, found


def add_all(
    base: KnowledgeBase,
    states: Sequence[Path],
    tables: Sequence[str],
    files: Sequence[Path],
    *,
    skip_bad: bool,
    seen: SeenSource | None = None,
) -> None:
    """Adds the facts of states, tables and texts; of tables rows that do not fit may be left out, and are told."""
    for path in states:
        read = facts_of_state(str(path), *reader_and_state(base.theory, path))
        base.add(read.facts)
        if seen is not None:
            seen(read)
    for spec, found in read_tables(
        tables, base.theory.vocabulary, skip_bad=skip_bad, tell=partial(typer.echo, err=True)
    ):
        if found.header or found.without_value:
            typer.echo(f"{spec}: {told_of_table(found)}", err=True)
        base.add(found.facts)
        if seen is not None:
            seen(found.facts)
    for path in files:
        clauses = base.read_clauses(read_text(path), str(path))
        base.exchange((), clauses.facts, rules=clauses.rules)
        if seen is not None:
            seen(clauses.statements)
