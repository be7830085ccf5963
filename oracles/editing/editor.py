"""A client of the Language Server Protocol that opens documents, edits them, and waits for diagnostics.

The client is that of pygls. The server runs in a separate process, as in an editor.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient
from pygls.uris import from_fs_path

PATIENCE = 60
"""Time limit in seconds for an answer of the server."""


class Editor:
    """An editor with its server.

    Requests are methods of `client` with the suffix `_async`; `ask` waits for their answers.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        options: Sequence[str] = (),
        encodings: Sequence[str] | None = None,
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self.loop = asyncio.new_event_loop()
        self.client = LanguageClient("an editor", "1")
        self.published: dict[str, lsp.PublishDiagnosticsParams] = {}
        self.shown: list[str] = []
        self.opened: list[str] = []
        self.versions: dict[str, int] = {}
        self.news = asyncio.Event()
        client = self.client

        @client.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)
        def published(params: lsp.PublishDiagnosticsParams) -> None:
            self.published[params.uri] = params
            self.news.set()

        @client.feature(lsp.WINDOW_SHOW_MESSAGE)
        def message(params: lsp.ShowMessageParams) -> None:
            self.shown.append(params.message)
            self.news.set()

        @client.feature(lsp.WINDOW_SHOW_DOCUMENT)
        def show(params: lsp.ShowDocumentParams) -> lsp.ShowDocumentResult:
            self.opened.append(params.uri)
            self.news.set()
            return lsp.ShowDocumentResult(success=True)

        @client.feature(lsp.CLIENT_REGISTER_CAPABILITY)
        def registered(params: lsp.RegistrationParams) -> None:
            return None

        @client.feature(lsp.WORKSPACE_CODE_LENS_REFRESH)
        def refresh(params: Any = None) -> None:
            self.news.set()

        command = [sys.executable, "-m", "hornbook", "theory", "lsp", *options]
        self.run(client.start_io(*command, env=environment, cwd=None if folder is None else str(folder)))
        uri = None if folder is None else from_fs_path(str(folder))
        name = "" if folder is None else folder.name
        request = client.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(
                    workspace=lsp.WorkspaceClientCapabilities(
                        workspace_folders=True,
                        did_change_watched_files=lsp.DidChangeWatchedFilesClientCapabilities(
                            dynamic_registration=True
                        ),
                        code_lens=lsp.CodeLensWorkspaceClientCapabilities(refresh_support=True),
                    ),
                    window=lsp.WindowClientCapabilities(
                        show_document=lsp.ShowDocumentClientCapabilities(support=True)
                    ),
                    general=lsp.GeneralClientCapabilities(
                        position_encodings=None if encodings is None else [*encodings]
                    ),
                ),
                root_uri=uri,
                workspace_folders=None if uri is None else [lsp.WorkspaceFolder(uri, name)],
            )
        )
        self.capabilities = self.run(request).capabilities
        client.initialized(lsp.InitializedParams())

    @property
    def process(self) -> int:
        """Return the id of the server's process."""
        return self.client._server.pid

    def run(self, work: Any) -> Any:
        """Wait for a coroutine and return its result."""
        return self.loop.run_until_complete(asyncio.wait_for(work, PATIENCE))

    # Documents

    def open(self, path: Path, text: str | None = None) -> str:
        """Open a document and return its address as soon as the server has checked it."""
        uri = from_fs_path(str(path.resolve())) or ""
        text = path.read_text(encoding="utf-8") if text is None else text
        self.versions[uri] = 1
        self.client.text_document_did_open(
            lsp.DidOpenTextDocumentParams(lsp.TextDocumentItem(uri, "horn", 1, text))
        )
        self.wait_for_version(uri)
        return uri

    def close(self, uri: str) -> None:
        self.client.text_document_did_close(lsp.DidCloseTextDocumentParams(lsp.TextDocumentIdentifier(uri)))

    def change(self, uri: str, *changes: lsp.TextDocumentContentChangeEvent) -> None:
        """Make changes and wait until the server has checked them."""
        self.send(uri, *changes)
        self.wait_for_version(uri)

    def send(self, uri: str, *changes: lsp.TextDocumentContentChangeEvent) -> None:
        self.versions[uri] += 1
        document = lsp.VersionedTextDocumentIdentifier(self.versions[uri], uri)
        self.client.text_document_did_change(lsp.DidChangeTextDocumentParams(document, [*changes]))

    def replace(self, uri: str, text: str) -> None:
        """Replace the text of a document."""
        self.change(uri, lsp.TextDocumentContentChangeWholeDocument(text))

    def wait_for_version(self, uri: str) -> None:
        self.wait(lambda: uri in self.published and (self.published[uri].version or 0) >= self.versions[uri])

    def wait(self, until: Any) -> None:
        """Wait until a condition holds."""

        async def waiting() -> None:
            while not until():
                self.news.clear()
                await self.news.wait()

        self.run(waiting())

    def diagnostics(self, uri: str) -> list[lsp.Diagnostic]:
        return list(self.published[uri].diagnostics)

    def codes(self, uri: str) -> list[tuple[int, str]]:
        """Return the lines, counted from 1, and the codes of a document's diagnostics."""
        return [(each.range.start.line + 1, str(each.code)) for each in self.diagnostics(uri)]

    def end(self) -> None:
        """End the server as an editor does."""
        self.run(self.client.shutdown_async(None))
        self.client.exit(None)
        self.run(self.client.stop())
        self.loop.close()


def identifier(uri: str) -> lsp.TextDocumentIdentifier:
    return lsp.TextDocumentIdentifier(uri)


def place(text: str, mark: str, nth: int = 0, after: int = 0) -> lsp.Position:
    """Return the position, in UTF-16, `after` characters behind the start of the nth occurrence of a mark."""
    offset = -1
    for _ in range(nth + 1):
        offset = text.index(mark, offset + 1)
    before = text[: offset + after]
    line = before.rpartition("\n")[2]
    return lsp.Position(before.count("\n"), len(line.encode("utf-16-le")) // 2)
