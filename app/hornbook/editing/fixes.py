"""Quick fixes: proposals in the help of a diagnostic, offered if they reduce the number of diagnostics."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hornbook.editing.names.quick_fixes import Edit, QuickFix, repairs
from hornbook.editing.names.quick_fixes import quick_fixes as proposed
from hornbook.editing.workspace import Workspace


def fixes(workspace: Workspace, path: Path, first: int, last: int) -> Iterator[QuickFix]:
    """Yield the fixes for diagnostics between two lines, counted from 1."""
    file = workspace.parsed(path)
    if file is None or path not in workspace.texts:
        return
    before = workspace.diagnostics(path)
    words = workspace.scope(path).vocabulary
    for diagnostic in before:
        if first <= diagnostic.span.line <= last:
            for fix in proposed(diagnostic, file, words):
                if repairs(fix, before, workspace.diagnostics_of(path, edited(file.text, fix.edits))):
                    yield fix


def edited(text: str, edits: tuple[Edit, ...]) -> str:
    """Return a text after edits that do not overlap."""
    lines = text.split("\n")
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line) + 1)
    for edit in sorted(edits, key=lambda edit: (edit.span.line, edit.span.column), reverse=True):
        span = edit.span
        start = starts[span.line - 1] + span.column - 1
        end = starts[span.end_line - 1] + span.end_column - 1
        text = text[:start] + edit.text + text[max(start, end) :]
    return text
