"""Server of one editor: its workspace, and the diagnostics that it publishes.

An edited document is checked as soon as no more edits are queued, and its diagnostics are published. The
other open documents, which may import it, are checked when the editor is idle. A request is answered from the
latest text.
"""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any, BinaryIO, Protocol, cast

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException, JsonRpcParseError
from pygls.lsp.server import LanguageServer

from hornbook import __version__
from hornbook.editing.protocol.framing import FramingError, Messages
from hornbook.editing.protocol.messages import HornProtocol
from hornbook.editing.protocol.mistakes import underlined
from hornbook.editing.texts import UNITS, TextLines, Units, by_lines, path_of
from hornbook.editing.workspace import Workspace
from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.files import shown

QUIET = 0.25
"""The idle time in seconds after which other documents are checked again."""


WAITING = 0.03
"""The idle time in seconds after which the edited document is checked."""
LONGEST_WAITING = 0.5
"""The longest delay in seconds between an edit and the check of its document, even during further edits."""


class PositionRequest(Protocol):
    """A request about a position in a document."""

    text_document: lsp.TextDocumentIdentifier
    position: lsp.Position


class HornServer(LanguageServer):
    """The workspace of one editor, and data about each document by its file."""

    def __init__(self) -> None:
        super().__init__("hornbook", __version__, protocol_cls=HornProtocol)
        self.theories = Workspace()
        self.uris: dict[Path, str] = {}
        self.versions: dict[Path, int] = {}
        self.outcomes: dict[Path, dict[str, str]] = {}
        """The derived values of each executed expectation, by its text; empty if it is met."""
        self._waiting: asyncio.TimerHandle | None = None
        self._edited: set[Path] = set()
        self._check: asyncio.TimerHandle | None = None
        self._latest = 0.0
        """The latest time for the check of the edited documents."""

    def start_io(self, stdin: BinaryIO | None = None, stdout: BinaryIO | None = None) -> None:
        """Serve an editor until it ends the session. Raises FramingError where the end of a message is not
        certain.
        """
        assert stdin is not None
        try:
            super().start_io(cast(BinaryIO, Messages(stdin)), stdout)
        except FramingError as problem:
            assert isinstance(self.protocol, HornProtocol)
            self.protocol.refuse(None, JsonRpcParseError(str(problem)))
            raise

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Answer a message that is not JSON; leave errors caused by a message to the protocol."""
        if source is JsonRpcException and isinstance(error, ValueError | RecursionError):
            assert isinstance(self.protocol, HornProtocol)
            self.protocol.refuse(None, JsonRpcParseError(f"the message is no JSON: {error}"))
            return
        super().report_server_error(error, source)

    @property
    def units(self) -> Units:
        return UNITS[
            str(getattr(self.workspace.position_encoding, "value", self.workspace.position_encoding))
        ]

    def path(self, uri: str) -> Path:
        folders = self.theories.folders
        return path_of(uri, folders[0] if folders else Path.cwd())

    def uri(self, path: Path) -> str:
        """Return the URI of a file as the editor wrote it, if it did."""
        return self.uris.get(path) or path.as_uri()

    def lines(self, path: Path) -> TextLines:
        """Return the text of a file by lines."""
        parsed = self.theories.parsed(path)
        return by_lines("" if parsed is None else parsed.text, self.units)

    def place(self, requested: PositionRequest) -> tuple[Path, int, int]:
        """Return the file, line and column of a request."""
        path = self.path(requested.text_document.uri)
        return path, *self.lines(path).place(requested.position)

    def location(self, path: Path, span: Span | None) -> lsp.Location:
        """Return a location in a file, or its beginning."""
        top = lsp.Position(0, 0)
        range_ = lsp.Range(top, top) if span is None else self.lines(path).range(span)
        return lsp.Location(self.uri(path), range_)

    # Diagnostics

    def check_soon(self, path: Path) -> None:
        """Schedule one check of a document for all queued edits, and then of the others."""
        loop = asyncio.get_running_loop()
        if not self._edited:
            self._latest = loop.time() + LONGEST_WAITING
        self._edited.add(path)
        if self._check is not None:
            self._check.cancel()
        self._check = loop.call_at(min(loop.time() + WAITING, self._latest), self._check_edited)

    def _check_edited(self) -> None:
        edited, self._edited, self._check = self._edited, set(), None
        for path in edited & self.theories.texts.keys():
            self.check(path)
        self.check_others()

    def check(self, path: Path) -> None:
        """Check an open document, and publish the diagnostics."""
        lines = by_lines(self.theories.texts[path], self.units)
        found = [*self.theories.diagnostics(path), *self.theories.unused_lemmas(path)]
        message = underlined(found, shown(path), lines)
        self.text_document_publish_diagnostics(
            lsp.PublishDiagnosticsParams(self.uris[path], message, self.versions.get(path))
        )

    def check_others(self) -> None:
        """Schedule a check of all open documents, for when the editor is idle."""
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.get_running_loop().call_later(QUIET, self._check_others)

    def _check_others(self) -> None:
        self._waiting = None
        for path in list(self.theories.texts):
            self.check(path)
        gc.collect()
        gc.freeze()
