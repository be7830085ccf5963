"""Error messages on pages, with the position in the text that the user typed."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import INTERNAL, describe

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Message:
    """A message with its position, the line there, and help.

    The line is split in three parts, with the affected text in the middle.
    """

    says: str
    severity: str = "error"
    code: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    parts: tuple[str, str, str] = ("", "", "")
    help: str = ""


def messages(problem: Exception) -> tuple[Message, ...]:
    """Return an exception as messages."""
    if isinstance(problem, TheoryError):
        return tuple(_pointing(each, problem.sources.get(each.span.file, "")) for each in problem.diagnostics)
    text, _ = describe(problem)
    return (Message(text.removeprefix("error: ")),)


def status_of(problem: Exception) -> int:
    """Return the status of an error page: internal errors differ from invalid input."""
    return 500 if describe(problem)[1] == INTERNAL else UNPROCESSABLE


def warnings(found: Iterable[Diagnostic], text: str) -> Iterator[Message]:
    """Return the warnings about a text that the user typed."""
    return (_pointing(each, text) for each in found)


def _pointing(found: Diagnostic, text: str) -> Message:
    span, lines = found.span, lines_of(text)
    line = lines[span.line - 1] if 0 < span.line <= len(lines) else ""
    first = span.column - 1
    end = span.end_column - 1 if span.end_line == span.line else len(line)
    parts = line[:first], line[first : max(end, first + 1)], line[max(end, first + 1) :]
    return Message(
        found.message, found.severity, found.code, span.file, span.line, span.column, parts, found.help
    )
