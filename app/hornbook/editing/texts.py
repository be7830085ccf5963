"""Conversion between the editor's positions and spans, and application of the editor's changes to a text.

An editor counts lines and units from 0. The units are those of UTF-16 unless it negotiated others. A span
counts lines and characters from 1.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from lsprotocol import types as lsp
from pygls.uris import to_fs_path

from hornbook.kb.ast.terms import Span
from hornbook.kb.text.lines import with_plain_ends
from hornbook.matcher.program.dataclass import dataclass

Units = Callable[[str], int]
"""A function that returns the number of units of a text in an encoding."""

UNITS: Mapping[str, Units] = MappingProxyType(
    {
        "utf-8": lambda text: len(text.encode("utf-8", "surrogatepass")),
        "utf-16": lambda text: len(text.encode("utf-16-le", "surrogatepass")) // 2,
        "utf-32": len,
    }
)


@dataclass(frozen=True, slots=True)
class TextLines:
    """A text by lines, with the units of an editor's positions."""

    lines: Sequence[str]
    units: Units

    def line(self, number: int) -> str:
        """Return a line by its number from 1; empty beyond the last."""
        return self.lines[number - 1] if 1 <= number <= len(self.lines) else ""

    def position(self, line: int, column: int) -> lsp.Position:
        """Return the editor's position of a line and a column."""
        before = self.line(line)[: column - 1]
        return lsp.Position(line - 1, len(before) if before.isascii() else self.units(before))

    def place(self, position: lsp.Position) -> tuple[int, int]:
        """Return the line and the column of an editor's position, which may be beyond the end of its line."""
        text = self.line(position.line + 1)
        if text.isascii():
            return position.line + 1, min(position.character, len(text)) + 1
        left, column = position.character, 0
        while column < len(text) and left > 0:
            left -= self.units(text[column])
            column += 1
        return position.line + 1, column + 1

    def exact_range(self, span: Span) -> lsp.Range:
        """Return the editor's range of a span, which may be empty."""
        return lsp.Range(self.position(span.line, span.column), self.position(span.end_line, span.end_column))

    def range(self, span: Span) -> lsp.Range:
        """Return the editor's range of a span, extended if empty.

        Some editors do not show empty ranges.
        """
        start, end = self.position(span.line, span.column), self.position(span.end_line, span.end_column)
        if end.line == start.line and end.character <= start.character:
            end = lsp.Position(start.line, start.character + 1)
        return lsp.Range(start, end)

    def up_to(self, position: lsp.Position) -> str:
        """Return the text before a position."""
        line, column = self.place(position)
        return "\n".join([*self.lines[: line - 1], self.line(line)[: column - 1]])


def by_lines(text: str, units: Units) -> TextLines:
    return TextLines(with_plain_ends(text).split("\n"), units)


def changed(text: str, change: lsp.TextDocumentContentChangeEvent, units: Units) -> str:
    """Return a text after a change; line ends are normalised, which changes no position."""
    if isinstance(change, lsp.TextDocumentContentChangeWholeDocument):
        return change.text
    lines = by_lines(text, units)
    first, last = change.range.start, change.range.end
    if last.line >= len(lines.lines):
        after = ""
    else:
        line, column = lines.place(last)
        after = "\n".join([lines.line(line)[column - 1 :], *lines.lines[line:]])
    return lines.up_to(first) + change.text + after


def path_of(uri: str, folder: Path) -> Path:
    """Return the file of a document; for an unsaved one, a file in `folder`."""
    place = to_fs_path(uri) if uri.startswith("file:") else None
    if place is not None:
        return Path(place).resolve()
    return (folder / (uri.rpartition("/")[2].rpartition(":")[2] or "untitled")).resolve()
