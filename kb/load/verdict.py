"""The verdict on a theory's file: its diagnostics, from the cache if nothing has changed.

An entry is used only if its files and the targets of its imports are unchanged (`dependencies.py`). The
parser and the checker are imported only if there is no valid entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hornbook.kb.load.dependencies import dependencies, unchanged_texts
from hornbook.kb.sources import cache
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.sources.locate import place_of_theory
from hornbook.kb.text.counts import counted
from hornbook.kb.text.spans import Span
from hornbook.kb.text.streams import is_stream
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """The diagnostics of a file, and the texts that they refer to."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]

    @property
    def errors(self) -> int:
        return sum(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    @property
    def warnings(self) -> int:
        return sum(diagnostic.severity == "warning" for diagnostic in self.diagnostics)

    @property
    def summary(self) -> str:
        """The number of diagnostics, such as `2 errors, 1 warning`, or `no mistakes`."""
        counts = ((self.errors, "error"), (self.warnings, "warning"))
        return ", ".join(counted(number, word) for number, word in counts if number) or "no mistakes"


def verdict(target: str | Path, *, cached: bool = True) -> Verdict:
    """Return the verdict on the file of a name or path. Problems with files become diagnostics and are never
    raised.
    """
    try:
        path = place_of_theory(target)
        # A pipe has another text each time.
        cached = cached and not is_stream(path)
        known = recalled(path) if cached else None
        if known is not None:
            return Verdict(known, {shown(path): read_text(path)} if known else {})
        return _check(path, cached=cached)
    except TheoryError as problem:
        return Verdict(tuple(problem.diagnostics), problem.sources)


def recalled(path: Path) -> tuple[Diagnostic, ...] | None:
    """Return the cached verdict on a file, if nothing that it depends on has changed."""
    entry = cache.recall(_key(path))
    if entry is None:
        return None
    if unchanged_texts(entry) is None:
        return None
    return tuple(_diagnostic(*row) for row in entry["diagnostics"])


def _check(path: Path, *, cached: bool) -> Verdict:
    from hornbook.kb.load.loader import read  # noqa: PLC0415 - the parser and the checker are slow to import

    loaded, files = read(path)
    sources = {file.parsed.name: file.parsed.text for file in files.values()}
    # A missing import may appear in a folder that no entry names.
    if cached and not any(diagnostic.code == "HB016" for diagnostic in loaded.diagnostics):
        entry = dependencies(files)
        if entry is not None:
            entry["diagnostics"] = [_row(diagnostic) for diagnostic in loaded.diagnostics]
            cache.remember({_key(path): entry})
    return Verdict(loaded.diagnostics, sources)


def _key(path: Path) -> str:
    """Return the key of a file's verdict. There is one for each file, so that the cache does not grow during
    editing.
    """
    return cache.key("check", cache.program(Path(__file__).parents[1]), path, shown(path))


def _row(diagnostic: Diagnostic) -> list[Any]:
    span = diagnostic.span
    place = (span.file, span.line, span.column, span.end_line, span.end_column)
    return [diagnostic.code, diagnostic.severity, diagnostic.message, diagnostic.help, place]


def _diagnostic(code: str, severity: Any, message: str, help_: str, place: Any) -> Diagnostic:
    return Diagnostic(code, severity, message, help_, Span(*place))
