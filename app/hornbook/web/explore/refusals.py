"""What a page says where something cannot be read or answered: the message, and for what was typed the place in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.text.lines import lines_of
from hornbook.terminal.failure import INTERNAL, describe

UNPROCESSABLE = 422


@dataclass(frozen=True, slots=True)
class Message:
    """A message: where it points, the line there in three parts of which the middle one is meant, and a way out."""

    says: str
    severity: str = "error"
    code: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    parts: tuple[str, str, str] = ("", "", "")
    help: str = ""


def messages(problem: Exception) -> tuple[Message, ...]:
    """What is wrong, message by message."""
    if isinstance(problem, TheoryError):
        return tuple(_pointing(each, problem.sources.get(each.span.file, "")) for each in problem.diagnostics)
    said, _ = describe(problem)
    return (Message(said.removeprefix("error: ")),)


def status_of(problem: Exception) -> int:
    """The status of a page that says this: a mistake of ours is told from what was asked."""
    return 500 if describe(problem)[1] == INTERNAL else UNPROCESSABLE


def warnings(found: Iterable[Diagnostic], text: str) -> Iterator[Message]:
    """What is odd about what was typed."""
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
