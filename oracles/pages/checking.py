"""Common functions of the checker's tests: from texts to diagnostics."""

from __future__ import annotations

from hornbook.kb.check.theory_checks import check
from hornbook.kb.parse.syntax import ParsedFile, parse
from hornbook.kb.sources.diagnostics import Diagnostic


def diagnostics(*texts: str) -> list[Diagnostic]:
    """Return the diagnostics of the last text; the others are its imports."""
    return check([parse(text, f"{number}.horn") for number, text in enumerate(texts)])


def found(*texts: str) -> list[tuple[int, str]]:
    """Return the lines and codes of the last text's diagnostics."""
    return [(diagnostic.span.line, diagnostic.code) for diagnostic in diagnostics(*texts)]


def parsed(text: str, name: str = "<text>") -> ParsedFile:
    """Return the parsed form of a text without syntax errors."""
    file = parse(text, name)
    assert file.diagnostics == (), file.diagnostics
    return file
