"""Conversion of diagnostics to the protocol."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from lsprotocol import types as lsp

from hornbook.editing.texts import TextLines
from hornbook.kb.sources.diagnostics import Diagnostic, Severity

SEVERITIES: Mapping[Severity, lsp.DiagnosticSeverity] = MappingProxyType(
    {
        "error": lsp.DiagnosticSeverity.Error,
        "warning": lsp.DiagnosticSeverity.Warning,
        "note": lsp.DiagnosticSeverity.Information,
    }
)
UNUSED = ("HB021", "HB054")
"""The codes of diagnostics about unused text, which editors show in grey."""


def underlined(diagnostics: Iterable[Diagnostic], file: str, lines: TextLines) -> list[lsp.Diagnostic]:
    """Return the diagnostics of a file.

    One that points into another file appears at the top, with its location.
    """
    return [_underlined(each, file, lines) for each in diagnostics]


def _underlined(diagnostic: Diagnostic, file: str, lines: TextLines) -> lsp.Diagnostic:
    span = diagnostic.span
    message = f"{diagnostic.message}\n{diagnostic.help}" if diagnostic.help else diagnostic.message
    is_here = span.file == file
    top = lsp.Position(0, 0)
    return lsp.Diagnostic(
        range=lines.range(span) if is_here else lsp.Range(top, top),
        message=message if is_here else f"{span}: {message}",
        severity=SEVERITIES[diagnostic.severity],
        code=diagnostic.code,
        source="hornbook",
        tags=[lsp.DiagnosticTag.Unnecessary] if diagnostic.code in UNUSED else None,
    )
