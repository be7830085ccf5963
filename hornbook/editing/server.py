"""The server of one editor: its desk, and what it publishes of open documents.

An edited document is checked at once, and what is wrong with it is published; the other open documents, which may rest on
it, follow when the editor is quiet.
"""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Protocol

from lsprotocol import types as lsp
from pygls.lsp.server import LanguageServer

from hornbook import __version__
from hornbook.editing.desk import Desk
from hornbook.editing.mistakes import underlined
from hornbook.editing.texts import UNITS, Lines, Units, by_lines, path_of
from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.files import shown

QUIET = 0.25
"""Seconds without an edit after which other documents are checked again."""


class Asked(Protocol):
    """A request about a place in a document."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class HornServer(LanguageServer):
    """The desk of one editor, and what it knows of each document by its file."""

    def __init__(self) -> None:
        super().__init__("hornbook", __version__)
        self.desk = Desk()
        self.uris: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}
        self.outcomes: dict[Path, dict[str, str]] = {}
        """Of the expectations that were run, by their text, what was derived instead; nothing where one is met."""
        self._waiting: asyncio.TimerHandle | None = None

    @property
    def units(self) -> Units:
        return UNITS[
            str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        ]

    def path(self, uri: str) -> Path:
        folders = self.desk.folders
        return path_of(uri, folders[0] if folders else Path.cwd())

    def uri(self, path: Path) -> str:
        """The address of a file as the editor wrote it, if it did."""
        return self.uris.get(path) or path.as_uri()

    def lines(self, path: Path) -> Lines:
        """The text of a file by lines."""
        parsed = self.desk.parsed(path)
        return by_lines("" if parsed is None else parsed.text, self.units)

    def place(self, asked: Asked) -> tuple[Path, int, int]:
        """The file, line and column that a request is about."""
        path = self.path(asked.text_document.uri)
        return path, *self.lines(path).place(asked.position)

    def location(self, path: Path, span: Span | None) -> lsp.Location:
        """A place in a file, or its beginning."""
        top = lsp.Position(0, 0)
        range_ = lsp.Range(top, top) if span is None else self.lines(path).range(span)
        return lsp.Location(self.uri(path), range_)

    # What is wrong

    def check(self, path: Path) -> None:
        """Checks an open document, and publishes what is found."""
        lines = by_lines(self.desk.texts[path], self.units)
        found = [*self.desk.diagnostics(path), *self.desk.unused_lemmas(path)]
        said = underlined(found, shown(path), lines)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uris[path], said, self.versions.get(path))
        )

    def check_others(self) -> None:
        """Checks all open documents again, as soon as the editor is quiet."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(QUIET, self._check_others)

    def _check_others(self) -> None:
        self._waiting = None
        for path in list(self.desk.texts):
            self.check(path)
        gc.collect()
        gc.freeze()
