"""Tables of states in files, answered chunk by chunk into a table with the same rows.

Invariants: The file of answers is written whole or not at all. Until then, the answers of each finished chunk
are stored in a folder next to it. Their file names are digests of the chunk and the question. The same
command resumes from there, and after a change of the table only the changed chunks are answered again.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.tables.stored_tables import stored_table
from hornbook.kb.tables.tables import TableError, file_and_table
from hornbook.kb.text.lines import first_line
from hornbook.kb.text.writing import WritingError, require_writable
from hornbook.matcher.program.dataclass import dataclass
from hornbook.spread.answer_place import AnswerPlace
from hornbook.spread.places import BackendOpener, results
from hornbook.spread.states import (
    ERROR,
    TableAnswering,
    TableQuestion,
    answer_schema,
    batch_of,
    bytes_of,
    identity,
    must_be_text,
    question_columns,
    refusal,
)

if TYPE_CHECKING:
    import pyarrow

PART = 1000
"""The default number of states in a chunk."""
_CHUNK_FILE = re.compile(r"[0-9]{6,}-[0-9a-f]{40}\.(?:arrow|[0-9]+)|whole\.[0-9]+")
"""Names of the files in the folder of chunks.

They are stored chunks, and unfinished files, whose extension is the number of the process that writes them.
"""


@dataclass(frozen=True, slots=True)
class TableReport:
    """The counts for a table: its rows, the rows without answers, its chunks, the chunks answered earlier."""

    rows: int
    bad: int
    parts: int
    known: int


def answer_file(
    question: TableQuestion,
    states: Path,
    into: Path,
    opened: BackendOpener,
    *,
    part: int = PART,
    skip_bad: bool = False,
    update_progress: Callable[[int, int], None],
    seen: Callable[[pyarrow.ChunkedArray], None] | None = None,
) -> TableReport:
    """Answer a question about every row of a table, and write its columns and the answers to another.

    Args:
        question: The question.
        states: The table of states, `FILE` or `FILE::TABLE`.
        into: The table of answers, `FILE` or `FILE::TABLE`.
        opened: The backend.
        part: The number of states in a chunk.
        skip_bad: Whether rows without answers are written, with the reason in a column `error`.
        update_progress: Called with the number of finished rows and of all rows.
        seen: Called with the answers of each chunk.

    Raises:
        TableError: If `states` is no table of states. Without `skip_bad`, also if a row cannot be answered.
          In this case, all other rows are answered first, and nothing is written.
        WritingError: If the file cannot be written.
    """
    place = AnswerPlace.of(into)
    require_writable(place.path)
    input_file, _ = file_and_table(str(states))
    if place.path.exists() and input_file.exists() and place.path.samefile(input_file):
        raise TableError(str(place.path), "the answers would replace the states; choose another file")
    table = _Table(states, part, question)
    folder = place.parts
    try:
        folder.mkdir(exist_ok=True)
    except FileExistsError as problem:
        why = "a folder for the finished answers is needed here, but this is a file; move it away"
        raise WritingError(problem.errno, why, str(folder)) from None
    except OSError as problem:
        raise WritingError(problem.errno, problem.strerror, str(folder)) from None
    try:
        known = _answered(table, folder, opened, update_progress)
        report = _joined(table, folder, place, known, skip_bad=skip_bad, seen=seen)
        for leftover in folder.glob("*"):
            if _CHUNK_FILE.fullmatch(leftover.name):
                leftover.unlink()
        return report
    finally:
        if not any(folder.iterdir()):
            folder.rmdir()


class _Table:
    """A table with states, as chunks, each with the name of the file of its answers."""

    def __init__(self, place: Path, part: int, question: TableQuestion) -> None:
        self._stored = stored_table(str(place))
        self.source, self.rows, self.schema = self._stored.source, self._stored.rows, self._stored.schema
        self.part, self.question = part, question
        self._known_by = identity(question)
        self.columns = question_columns(self.schema.names, question, self.source)
        must_be_text(self.schema, self.columns, self.source)

    def parts(self) -> Iterator[tuple[str, bytes, pyarrow.RecordBatch]]:
        """Yield each chunk: the name of its answer file, the serialised input columns, and all columns."""
        for number, batch in enumerate(self._stored.batches(self.part)):
            serialised = bytes_of(batch.select(self.columns))
            known_by = sha256(f"{self._known_by}\0".encode() + serialised).hexdigest()
            yield f"{number:06}-{known_by[:40]}.arrow", serialised, batch


def _answered(
    table: _Table, folder: Path, opened: BackendOpener, update_progress: Callable[[int, int], None]
) -> int:
    """Answer the chunks whose answers are not in the folder, and return how many were there."""
    sent: dict[int, tuple[str, int]] = {}
    known = rows = 0

    def new() -> Iterator[tuple[int, bytes]]:
        nonlocal known, rows
        for number, (name, serialised, batch) in enumerate(table.parts()):
            if (folder / name).exists():
                known, rows = known + 1, rows + batch.num_rows
                update_progress(rows, table.rows)
            else:
                sent[number] = name, batch.num_rows
                yield number, serialised

    parts = new()
    first = next(parts, None)
    if first is None:
        return known  # an idle cluster would be wasteful
    with opened() as place:
        for number, answers in results(
            place, TableAnswering.of(table.question, place.threads), chain([first], parts)
        ):
            name, size = sent.pop(number)
            _write(folder / name, answers)
            rows += size
            update_progress(rows, table.rows)
    return known


def _write(path: Path, content: bytes) -> None:
    """Write the answers of a chunk, whole or not at all. Raises WritingError."""
    temporary = path.with_suffix(f".{os.getpid()}")
    try:
        temporary.write_bytes(content)
        temporary.replace(path)
    except OSError as problem:
        temporary.unlink(missing_ok=True)
        raise WritingError(problem.errno, problem.strerror, str(path)) from None


def _joined(
    table: _Table,
    folder: Path,
    into: AnswerPlace,
    known: int,
    *,
    skip_bad: bool,
    seen: Callable[[pyarrow.ChunkedArray], None] | None,
) -> TableReport:
    """Write the table with its answers, and move it to its destination when it is complete."""
    arrow, parquet = extra_module("pyarrow", "data"), extra_module("pyarrow.parquet", "data")
    gives = list(answer_schema(table.question))[: 2 if skip_bad else 1]
    schema = arrow.schema([*table.schema, *gives], table.schema.metadata)
    errors: list[tuple[int, str]] = []
    rows, parts = 0, 0
    written = folder / f"whole.{os.getpid()}"
    try:
        with parquet.ParquetWriter(written, schema) as writer:
            for name, _, batch in table.parts():
                answers = _answers(folder / name, table.source)
                columns = [answers[field.name].combine_chunks() for field in gives]
                writer.write_batch(arrow.record_batch([*batch.columns, *columns], schema=schema))
                if seen is not None:
                    seen(answers[table.question.gives])
                reasons = enumerate(answers[ERROR].to_pylist(), rows + 1)
                errors += [(number, reason) for number, reason in reasons if reason is not None]
                rows, parts = rows + batch.num_rows, parts + 1
        if errors and not skip_bad:
            way_out = (
                "so nothing was written: correct them, or use `--skip-bad` to write the other rows, with the"
                " reason for each missing answer"
                f" (`{folder.name}` has the finished answers)"
            )
            raise refusal(table.source, rows, errors, way_out)
        into.put(written)
    except WritingError:
        raise
    except OSError as problem:
        raise WritingError(problem.errno, problem.strerror, str(into.path)) from None
    finally:
        written.unlink(missing_ok=True)
    return TableReport(rows, len(errors), parts, known)


def _answers(path: Path, source: str) -> pyarrow.Table:
    """Return the stored answers of a chunk. Raises TableError if they are missing or damaged."""
    try:
        return batch_of(path.read_bytes())
    except FileNotFoundError:
        raise TableError(
            source, "the table changed while its rows were answered; repeat the command"
        ) from None
    except (OSError, ValueError) as problem:
        raise TableError(
            str(path), f"the stored answers cannot be read; delete the file ({first_line(problem)})"
        ) from None
