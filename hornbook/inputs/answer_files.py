"""Where the answers to a query are written: a file whose ending says how."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import IO

import typer

from hornbook.kb.lower.coding import CodedQuery
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.writing import must_have_place, write_files, write_text

_ENDINGS = (".csv", ".parquet")


def must_take_answers(into: Path, read: Iterable[Path]) -> None:
    """To be asked before the work. Raises BadParameter where the ending is none of those, or the file is one that is `read`;
    WritingError where it could not be written, MissingExtraError.
    """
    if into.suffix not in _ENDINGS:
        raise typer.BadParameter(
            f"`{into.name}` ends in none of {' and '.join(_ENDINGS)}", param_hint="--into"
        )
    if into.exists() and any(each.exists() and into.samefile(each) for each in read):
        raise typer.BadParameter("the answers would replace facts that are read", param_hint="--into")
    must_have_place(into)
    if into.suffix == ".parquet":
        extra_module("pyarrow.parquet", "data")


def write_answers(into: Path, answers: Answers, coded: CodedQuery) -> None:
    """Writes answers to a file that takes them; one that is there is replaced. Raises WritingError."""
    if into.suffix == ".csv":
        write_text(into, answers.csv_lines())
        return
    arrow, parquet = extra_module("pyarrow", "data"), extra_module("pyarrow.parquet", "data")
    types = {"integer": arrow.int64(), "word": arrow.string(), "mixed": arrow.string()}
    schema = arrow.schema([(name, types[kind]) for name, kind in zip(coded.names, coded.kinds, strict=True)])
    table = answers.arrow().cast(schema)

    def put(stream: IO[bytes]) -> None:
        parquet.write_table(table, stream)

    write_files([(into, put)])
