"""Quick fixes: the repairs that a diagnostic proposes, offered if they reduce the number of diagnostics."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from hornbook.editing.workspace import Workspace
from hornbook.kb.sources.diagnostics import Diagnostic, Replacement


def fixes(
    workspace: Workspace, path: Path, first: int, last: int
) -> Iterator[tuple[Diagnostic, Replacement]]:
    """Yield the fixes for diagnostics between two lines, counted from 1, each with its diagnostic."""
    file = workspace.parsed(path)
    if file is None or path not in workspace.texts:
        return
    before = workspace.diagnostics(path)
    for diagnostic in before:
        if first <= diagnostic.span.line <= last:
            for fix in diagnostic.fixes:
                text = edited(file.text, fix) if fix.span.file == file.name else file.text
                if repairs(diagnostic, before, workspace.diagnostics_of(path, text)):
                    yield diagnostic, fix


def repairs(diagnostic: Diagnostic, before: Sequence[Diagnostic], after: Sequence[Diagnostic]) -> bool:
    """Return whether a fix of one diagnostic reduces the mistakes.

    A text that becomes parsable may show other mistakes, which existed before.
    """
    unparsed = ("HB001", "HB002", "HB003", "HB004", "HB006")
    if diagnostic.code in unparsed:
        counted = [sum(each.code in unparsed for each in found) for found in (before, after)]
        return counted[1] < counted[0]
    errors = [sum(each.severity == "error" for each in found) for found in (before, after)]
    if diagnostic.severity == "error":
        return errors[1] < errors[0]
    return errors[1] <= errors[0] and len(after) < len(before)


def edited(text: str, fix: Replacement) -> str:
    """Return a text after a fix."""
    lines = text.split("\n")
    span = fix.span
    start, end = (
        sum(len(line) + 1 for line in lines[: number - 1]) + column - 1
        for number, column in ((span.line, span.column), (span.end_line, span.end_column))
    )
    return text[:start] + fix.text + text[max(start, end) :]
