"""Folders of tables, databases and workbooks: each table has the name of its predicate.

A *specification* is what a user writes to name tables of facts: `PREDICATE=FILE` for one table, `DIR` for a
folder, `FILE.sqlite` for a database, `FILE.xlsx` for a workbook. This module expands the last three into
specifications of single tables.
"""

from __future__ import annotations

from pathlib import Path

from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.tables.database_files import has_tables, is_database, is_workbook
from hornbook.kb.tables.databases import database_tables, is_store_database
from hornbook.kb.tables.table_facts import TableError
from hornbook.kb.tables.tables import ENDINGS, TABLE_SUFFIXES

_NO_HEADER = "()="
"""The beginning of the specification of a folder whose files have no header."""
_ENDINGS_HELP = f"a table's name ends in {ENDINGS}"


def tables_of(spec: str, vocabulary: Vocabulary) -> list[str]:
    """Return `PREDICATE=FILE` for each table of a folder or a database. Any other specification is returned
    unchanged.

    A folder is given as `DIR`, or as `()=DIR` if no file has a header, and a database as `FILE.sqlite`. In a
    folder, files with other endings, hidden files and stores are ignored. In a database or workbook, tables
    without a predicate of a similar name are ignored. Raises TableError if there is no table, a name seems
    misspelt, or two tables have the same predicate.
    """
    database = _database(spec)
    if database is not None:
        return _tables_of_database(database, vocabulary)
    folder = table_folder(spec)
    if folder is None:
        return [spec]
    try:
        files = sorted(each for each in folder.iterdir() if _is_table(each))
    except OSError as problem:
        raise TableError(str(folder), f"cannot be read: {problem.strerror}") from None
    if not files:
        raise TableError(str(folder), f"there is no table in this folder; {_ENDINGS_HELP}")
    header = "()" if spec.startswith(_NO_HEADER) else ""
    by_predicate: dict[str, tuple[Path, str]] = {}
    for file in files:
        if has_tables(file):
            specs = [(each.partition("=")[0], each) for each in _tables_of_database(file, vocabulary)]
        else:
            _require_predicate_name(file.stem, file, vocabulary, is_required=True)
            columns = header if file.suffix.lower() in (".csv", ".tsv") else ""
            specs = [(file.stem, f"{file.stem}{columns}={file}")]
        for name, table in specs:
            if name in by_predicate:
                other = by_predicate[name][0].name
                raise TableError(
                    str(file), f"`{other}` has facts of `{name}` too; leave one of them in the folder"
                )
            by_predicate[name] = file, table
    return [table for _, table in by_predicate.values()]


def ignored_tables(spec: str, vocabulary: Vocabulary) -> list[str]:
    """Return the names of the tables of a database `FILE.sqlite` that `tables_of` ignores.

    For other specifications, the list is empty. Raises TableError if the database cannot be read.
    """
    path = _database(spec)
    return [] if path is None else [t for t in tables_in(path) if t not in vocabulary.predicates]


def _database(spec: str) -> Path | None:
    """Return the path of a database that a specification names as a whole, or None.

    A specification with `=` names one table, unless a file has this very name.
    """
    path = Path(spec.strip())
    is_whole = has_tables(path) and ("=" not in spec or why_no_file(path) is None)
    return path if is_whole and table_folder(spec) is None else None


def tables_in(path: Path) -> list[str]:
    """Return the names of the tables of a database, or of the sheets of a workbook. Raises TableError."""
    if not is_workbook(path):
        return database_tables(path)
    from hornbook.kb.tables.readers.workbooks import sheet_names  # noqa: PLC0415 - slow to import

    return sheet_names(path)


def _tables_of_database(path: Path, vocabulary: Vocabulary) -> list[str]:
    """Return `PREDICATE=FILE::TABLE` for each table with the name of a predicate. Raises TableError."""
    tables = tables_in(path)
    for name in tables:
        _require_predicate_name(name, path, vocabulary, is_required=False)
    by_predicate = [f"{name}={path}::{name}" for name in tables if name in vocabulary.predicates]
    if not by_predicate:
        what = "sheet of this workbook" if is_workbook(path) else "table of this database"
        way_out = (
            f"`PREDICATE=FILE::{'SHEET' if is_workbook(path) else 'TABLE'}` names the one that has its facts"
        )
        raise TableError(str(path), f"no {what} ({', '.join(tables)}) is called as a predicate; {way_out}")
    return by_predicate


def _require_predicate_name(name: str, place: Path, vocabulary: Vocabulary, *, is_required: bool) -> None:
    """Raise TableError if the name of a table is not that of a predicate.

    With `is_required` False, another name is allowed, unless it seems to be a misspelt predicate. `place` is
    the file that the error names.
    """
    hint = None if name in vocabulary.predicates else did_you_mean(name, vocabulary.predicates)
    if name not in vocabulary.predicates and (hint or is_required):
        way_out = (
            hint or "a table of a folder is called as its predicate is, and `PREDICATE=FILE` names one alone"
        )
        raise TableError(str(place), f"no predicate is called `{name}`; {way_out}")


def table_folder(spec: str) -> Path | None:
    """Return the folder of `DIR` or `()=DIR`, or None for other specifications."""
    place = spec.removeprefix(_NO_HEADER).strip()
    try:
        return Path(place) if place and Path(place).is_dir() else None
    except (OSError, ValueError):  # an invalid folder name
        return None


def _is_table(path: Path) -> bool:
    """Return whether a path is a visible file with tables: a table file, or a database that is no store."""
    if path.name.startswith(".") or not path.is_file():
        return False
    return (
        path.suffix.lower() in TABLE_SUFFIXES
        or is_workbook(path)
        or (is_database(path) and not is_store_database(path))
    )
