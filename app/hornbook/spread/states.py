"""Tables of states with one state per row, as text for the theory's adapter, and the answers about each.

A chunk of a table is a record batch with the columns that a question reads. The result has one row for each
of its rows: the answers, or the reason why the row has none. Batches are exchanged between processes as Arrow
streams.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from hornbook.kb.ast.theory import Theory
from hornbook.kb.lower.budget import SpentError
from hornbook.kb.sources import cache
from hornbook.kb.sources.diagnostics import TheoryError, did_you_mean
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.sources.locate import adapters_are_run, home
from hornbook.kb.tables.tables import BadRow, TableError
from hornbook.kb.text.counts import counted
from hornbook.matcher import _core
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.terminal.failure import INTERNAL, describe
from hornbook.theories import domain

if TYPE_CHECKING:
    import pyarrow

STATE = "state"
"""The column with the text of a state."""
ERROR = "error"
"""The column with the reason why a row has no answers."""
Row = Mapping[str, Any]


Outcomes = tuple[Any, list[str | None]]
"""The answers about some rows (a list, or an Arrow array), and for each row the reason why it has none."""


class BadState(Exception):
    """A row that cannot be answered; the message names the column and the reason."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(f"column `{column}`: {reason}")


class TableQuestion(Protocol):
    """A question about every state of a table. It can be pickled."""

    @property
    def theory(self) -> Theory: ...

    @property
    def gives(self) -> str:
        """The column for the answers."""

    @property
    def reads(self) -> tuple[str, ...]:
        """The columns that the question reads if the table has them; the first one is required."""

    @property
    def inputs(self) -> tuple[object, ...]:
        """All inputs of the answers besides the theory, its adapter and the program."""

    def type(self) -> pyarrow.DataType:
        """Return the Arrow type of the answers about one state."""

    def ready(self, threads: int | None = None) -> Callable[[pyarrow.Table], Outcomes]:
        """Return a function that answers the rows of a table, with a number of threads for each block.

        By default, there are as many threads as processors.
        """


@dataclass(frozen=True, slots=True)
class TableAnswering:
    """The work of answering a question about chunks of a table, with a number of threads."""

    question: TableQuestion
    threads: int | None = None

    @classmethod
    def of(cls, question: TableQuestion, threads: int | None = None) -> TableAnswering:
        """Return the work. Workers run code from theory folders only if this process may."""
        untyped: Any = question
        theory = replace(untyped.theory, adapters=untyped.theory.adapters and adapters_are_run())
        return cls(replace(untyped, theory=theory), threads)

    def ready(self) -> Callable[[bytes], bytes]:
        answer = self.question.ready(self.threads)
        schema = answer_schema(self.question)

        def answered(part: bytes) -> bytes:
            arrow = extra_module("pyarrow", "data")
            columns = answer(batch_of(part))
            return bytes_of(arrow.record_batch(list(map(arrow.array, columns, schema.types)), schema=schema))

        return answered


def answer_schema(question: TableQuestion) -> pyarrow.Schema:
    """Return the columns of a chunk's result."""
    arrow = extra_module("pyarrow", "data")
    return arrow.schema([(question.gives, question.type()), (ERROR, arrow.string())])


def outcome(answer: Callable[[Any], Any], of: Any) -> tuple[Any, str | None]:
    """Return the answer of a function, or the reason for its absence. An internal error is raised."""
    try:
        with exits_are_errors:
            return answer(of), None
    except BadState as problem:
        return None, str(problem)
    except TheoryError as problem:
        messages = (f"line {d.span.line}, column {d.span.column}: {d.message}" for d in problem.diagnostics)
        return None, f"column `{STATE}`: {'; '.join(messages)}"
    except SpentError as problem:
        return None, f"unknown: {problem}"
    except HornbookError as problem:
        return None, str(problem)
    except Exception as problem:  # an adapter may raise anything
        text, code = describe(problem)
        if code == INTERNAL:
            raise
        return None, text.removeprefix("error: ")


def text_in(row: Row, column: str = STATE) -> str:
    """Return the text in a column of a row. Raises BadState if there is none."""
    text = row[column]
    if not isinstance(text, str):
        raise BadState(column, "it is NULL" if text is None else "it is no text")
    return text


def identity(question: TableQuestion) -> str:
    """Return the key of answers: a digest of the question, the theory with its code, and the program."""
    theory = TableAnswering.of(question).question.theory
    places = [*([] if theory.path is None else [theory.path]), *map(Path, theory.sources)]
    folders = dict.fromkeys(home(place) for place in places if place.is_file())
    code = [
        (str(file.relative_to(folder)), cache.sources(file))
        for folder in folders
        for file in sorted([*folder.glob("*.py"), *folder.glob("[!.]*/*.py")])
    ]
    packages = Path(domain.__file__).parent
    program = cache.program(
        Path(__file__).parents[1],
        *map(packages.with_name, ("kb", "matcher", "compiler", "planner", "play", "render", "theories")),
        Path(_core.__file__),
    )
    kind = f"answers of {type(question).__name__}"
    return cache.key(kind, program, theory, question.inputs, code)


def batch_of(stream: bytes) -> pyarrow.Table:
    """Return the rows of a stream that `bytes_of` wrote."""
    with extra_module("pyarrow", "data").ipc.open_stream(stream) as reader:
        found: pyarrow.Table = reader.read_all()
        return found


def bytes_of(batch: pyarrow.RecordBatch) -> bytes:
    """Return a batch as an Arrow stream."""
    arrow = extra_module("pyarrow", "data")
    into = arrow.BufferOutputStream()
    with arrow.ipc.new_stream(into, batch.schema) as writer:
        writer.write_batch(batch)
    found: bytes = into.getvalue().to_pybytes()
    return found


def question_columns(names: Sequence[str], question: TableQuestion, source: str) -> list[str]:
    """Return the columns of a table that a question reads.

    Raises TableError if the question does not apply.
    """
    needed = question.reads[0]
    if needed not in names:
        hint = did_you_mean(needed, names)
        message = f"no column is called `{needed}`, which holds the text of a state"
        there = f"there are {', '.join(names)}" if names else "there are no columns"
        raise TableError(source, f"{message}; {hint or there}")
    taken = [name for name in (question.gives, ERROR) if name in names]
    if taken:
        raise TableError(source, f"it has a column `{taken[0]}` already, where answers go; rename it")
    read = [name for name in question.reads if name in names]
    for name in read:
        if names.count(name) > 1:
            raise TableError(source, f"{names.count(name)} columns are called `{name}`; rename the others")
    return read


def must_be_text(schema: pyarrow.Schema, columns: Iterable[str], source: str) -> None:
    """Raise TableError if one of the columns does not contain text."""
    for name in columns:
        if not _may_be_text(kind := schema.field(name).type):
            raise TableError(source, f"column `{name}` has values of type {kind}, not text; cast it to text")


def _may_be_text(kind: pyarrow.DataType) -> bool:
    """Return whether a column of this type may contain text. A column with only NULLs may have any type."""
    types = extra_module("pyarrow", "data").types
    if types.is_dictionary(kind):
        kind = kind.value_type
    of_text = (types.is_string, types.is_large_string, types.is_string_view, types.is_null)
    return any(is_text(kind) for is_text in of_text)


def refusal(source: str, rows: int, errors: Iterable[tuple[int, str]], way_out: str) -> TableError:
    """Return the error for rows without answers; rows are counted from 1."""
    bad = [BadRow(number, reason, ()) for number, reason in errors]
    return TableError(source, f"{counted(len(bad), 'bad row')} of {rows:,}, {way_out}", bad)
