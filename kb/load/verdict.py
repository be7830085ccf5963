"""The verdict on a theory's file: its diagnostics, from the cache where nothing has changed.

The parser and the checker are imported only where there is no verdict yet.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from hornbook.kb.sources.cache import Followed, recall, remember
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError
from hornbook.kb.sources.files import is_stream, read_text, shown
from hornbook.kb.sources.locate import locate, place_of_theory


@dataclass(frozen=True, slots=True)
class Verdict:
    """What is wrong with a file, and the texts that the diagnostics point into."""

    diagnostics: tuple[Diagnostic, ...]
    sources: Mapping[str, str]

    @property
    def errors(self) -> int:
        return sum(diagnostic.severity == "error" for diagnostic in self.diagnostics)

    @property
    def warnings(self) -> int:
        return sum(diagnostic.severity == "warning" for diagnostic in self.diagnostics)


def verdict(target: str | Path, *, cached: bool = True) -> Verdict:
    """The verdict on the file that a name or path leads to. Never raises for what files hold, or if there are none."""
    try:
        path = place_of_theory(target)
        # A pipe is another text each time.
        cached = cached and not is_stream(path)
        known = recall(path, shown(path)) if cached else None
        if known is not None:
            return Verdict(known, {shown(path): read_text(path)} if known else {})
        return _check(path, cached=cached)
    except TheoryError as problem:
        return Verdict(tuple(problem.diagnostics), problem.sources)


def _check(path: Path, *, cached: bool) -> Verdict:
    from hornbook.kb.load.loader import read  # noqa: PLC0415 - the parser and the checker are slow to import

    loaded, files = read(path)
    sources = {file.parsed.name: file.parsed.text for file in files.values()}
    # A missing import may turn up where nobody looks for changes.
    if cached and not any(diagnostic.code == "HB016" for diagnostic in loaded.diagnostics):
        from hornbook.kb.ast.declarations import Import  # noqa: PLC0415 - loaded by now

        contents = {place: file.parsed.text for place, file in files.items()}
        imports = [
            Followed(clause.name, place, locate(clause.name, place.parent, importing=place).resolve())
            for place, file in files.items()
            for clause in file.parsed.clauses
            if isinstance(clause, Import)
        ]
        remember(path, loaded.parsed.name, loaded.diagnostics, contents, imports)
    return Verdict(loaded.diagnostics, sources)
