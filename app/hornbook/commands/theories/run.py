"""The command `hornbook theory run`: every derived fact, written as tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions, LimitOptions
from hornbook.commands.options import flag, option
from hornbook.inputs.store_names import SUFFIXES
from hornbook.kb.ast.terms import GameStatement, Variable
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.base.proved_rules import raw_engine
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.coding import Relation
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.store.connection import is_store
from hornbook.kb.tables.arrow_arrays import kind_of_column
from hornbook.kb.tables.column_names import HOLDS, YES, column_names
from hornbook.kb.tables.table_facts import TableError
from hornbook.kb.tables.table_folders import table_folder, tables_of
from hornbook.kb.tables.tables import file_of
from hornbook.kb.tables.written_tables import (
    ColumnKind,
    WrittenTable,
    table_name,
    write_csv,
    write_duckdb,
    write_parquet,
    write_sqlite,
)
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import require_writable
from hornbook.matcher.program.coded import Limits
from hornbook.terminal.coloured import counter, progress
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line

if TYPE_CHECKING:
    import pyarrow


_DUCKDB = ".duckdb"


class Format(StrEnum):
    """The file format of tables in a folder."""

    CSV = "csv"
    PARQUET = "parquet"


def run(
    theory: options.Theory,
    *,
    into: Annotated[
        Path,
        option("--into", "DIR", "The folder for the tables; or a database, `FILE.sqlite` or `FILE.duckdb`."),
    ],
    format_: Annotated[Format, flag("--format", "The format of files in a folder.")] = Format.CSV,
    given: FactOptions,
    states: options.TableOfStates = None,
    only_rules: options.OnlyRules = False,
    bounds: LimitOptions,
    json_output: options.Json = False,
) -> None:
    """Write every fact that the rules derive, in one table for each relation.

    All facts are added first, then all consequences are derived once. The columns of a table are named after
    their sorts. Tables of an earlier run are replaced, and other files are not changed. If anything fails,
    nothing is written. Facts about the state after an action are written only if an action is given.

    With --states, the facts of each state of a table are derived together with all other facts. Each table
    then has a first column `state_number`, from 0. With --skip-bad, states with errors have no facts. With
    --only-rules, the tables have the conclusions of the learned rules alone. The theory then contributes only
    the definitions of their conditions: the clauses about the given state.
    """
    if only_rules and states is None:
        raise ArgumentError("it needs a table of states (`--states`)", "--only-rules")
    started = perf_counter()
    is_database = into.suffix in (*SUFFIXES, _DUCKDB) and not into.is_dir()
    _must_be_writable(into, format_, is_database=is_database)
    _must_be_another_folder(into, [table_folder(spec) for spec in given.facts or ()])
    base = given.open(theory, bounds.limits(), engine="demand" if states is None else None)
    if states is None:
        # Derive all consequences once, after all facts were added.
        with counter("concluding", base.engine.facts_so_far, "facts"):
            base.push()
        tables = [_table(base, relation) for relation in _concluded(base)]
    else:
        tables = _tables_of_states(
            base, states, bounds.limits(), only_rules=only_rules, skip_bad=given.skip_bad
        )
    _must_differ(into, tables)
    places = [into if is_database else into / f"{table.name}.{format_}" for table in tables]
    read = [each for spec in given.facts or () for each in tables_of(spec, base.theory.vocabulary)]
    _must_be_no_input(places, [*map(file_of, read), *(() if states is None else [file_of(str(states))])])
    sizes: list[int] = []
    with progress("writing", len(tables)) as update_progress:

        def wrote(size: int) -> None:
            sizes.append(size)
            update_progress(advance=1)

        if is_database:
            (write_duckdb if into.suffix == _DUCKDB else write_sqlite)(into, tables, wrote)
        else:
            (write_csv if format_ is Format.CSV else write_parquet)(into, tables, wrote)
    if json_output:
        relations = [
            {
                "relation": table.name,
                "columns": table.columns,
                "rows": size,
                "file": str(place),
            }
            for table, size, place in zip(tables, sizes, places, strict=True)
        ]
        print_json({"relations": relations, "seconds": round(perf_counter() - started, 3)})
        return
    for table, size in zip(tables, sizes, strict=True):
        print_line(f"{table.name}: {counted(size, 'row')}")
    print_line(f"wrote {counted(len(tables), 'table')} into {into}")


def _must_be_writable(into: Path, format_: Format, *, is_database: bool) -> None:
    """Check before the long work that the output can be written. Raises BadParameter or WritingError."""
    if is_database:
        if format_ is not Format.CSV:
            raise ArgumentError("a database has its own tables, so leave out this option", "--format")
        if is_store(into):
            raise ArgumentError(f"{into} is a store; name another file", "--into")
        for module in ("duckdb", "pyarrow") if into.suffix == _DUCKDB else ():
            extra_module(module, "data")
        require_writable(into)
        return
    if format_ is Format.PARQUET:
        extra_module("pyarrow.parquet", "data")
    if into.is_dir():
        require_writable(into / "any")
    elif into.exists():
        raise ArgumentError(
            f"{into} is a file; name a folder, or a database by a name such as {into.stem}.sqlite", "--into"
        )


def _must_be_another_folder(into: Path, read: Sequence[Path | None]) -> None:
    """Raise BadParameter if inputs are in the output folder, since the next run would read its output."""
    if into.is_dir() and any(each is not None and into.samefile(each) for each in read):
        raise ArgumentError(f"the input tables are in {into}; name another folder", "--into")


def _must_differ(into: Path, tables: Sequence[WrittenTable]) -> None:
    """Raise TableError if table names differ only in case. Some file systems and SQLite do not distinguish
    them.
    """
    names: dict[str, str] = {}
    for table in tables:
        other = names.setdefault(table.name.casefold(), table.name)
        if other != table.name:
            raise TableError(
                str(into),
                f"`{other}` and `{table.name}` differ only in case,"
                " so they might become one table; rename one",
            )


def _must_be_no_input(places: Sequence[Path], read: Sequence[Path]) -> None:
    """Raise TableError if a table would replace an input.

    This can happen for a static or a fluent with both given and concluded facts.
    """
    for place in places:
        if place.exists() and any(each.exists() and place.samefile(each) for each in read):
            raise TableError(str(place), "derived facts would replace input facts; name another folder")


def _concluded(base: KnowledgeBase) -> Iterator[Relation]:
    """Yield the relations that rules conclude, in the order of their declarations.

    Relations on the state after an action are included only if there is an action.
    """
    heads = {rule.head.predicate for rule in raw_engine(base).rules.values()}
    is_acted = any(raw_engine(base).facts(action) for action in base.engine.coding.actions)
    for number, relation in enumerate(base.engine.coding.relations):
        declared = isinstance(relation.template, GameStatement) or (
            base.theory.vocabulary.predicates[relation.template.relation].kind in ("derived", "meta")
        )
        if (declared or number in heads) and (relation.template.tense != "after" or is_acted):
            yield relation


def _tables_of_states(
    base: KnowledgeBase, states: Path, limits: Limits, *, only_rules: bool, skip_bad: bool
) -> list[WrittenTable]:
    """Return a table for each relation that rules conclude, with the facts of every state.

    Raises TableError if a state has an error, unless such states are skipped.
    """
    from hornbook.spread.derived_facts import derived_facts  # noqa: PLC0415 - slow to import
    from hornbook.spread.states import refusal  # noqa: PLC0415 - the same

    found = derived_facts(base, states, limits, only_rules=only_rules)
    if found.errors and not skip_bad:
        way_out = "so nothing was written: correct them, or use `--skip-bad` for the facts of the others"
        bad = [(state + 1, error) for state, error in found.errors.items()]
        raise refusal(str(states), found.states, bad, way_out)

    def written(name: str, table: pyarrow.Table) -> WrittenTable:
        # Values of mixed columns are texts already.
        kinds: tuple[ColumnKind, ...] = tuple(map(kind_of_column, table.schema.types))
        return WrittenTable(
            name,
            tuple(table.column_names),
            kinds,
            lambda: list(zip(*(column.to_pylist() for column in table.columns), strict=True)),
            lambda: table,
        )

    return [written(name, table) for name, table in found.tables.items()]


def _table(base: KnowledgeBase, relation: Relation) -> WrittenTable:
    """Return the table of a relation. A relation without columns gets a row `yes` if it holds."""
    template = relation.template
    name = table_name(template)
    columns = column_names(relation.sorts)
    query = print_condition(template.with_terms(tuple(map(Variable, columns))))

    def arrow() -> pyarrow.Table:
        return base.table(template.relation, template.tense)

    if columns:
        return WrittenTable(name, columns, relation.shown_kinds, lambda: base.query(query).rows, arrow)
    return WrittenTable(name, (HOLDS,), ("word",), lambda: [(YES,)] * len(base.query(query)), arrow)
