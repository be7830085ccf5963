"""Code lenses above examples and their commands, which run in a thread so that typing is not delayed."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import TypeVar

from lsprotocol import types as lsp

from hornbook.editing.lenses import LEARN, RUN, lenses, written
from hornbook.editing.server import HornServer
from hornbook.kb.ast.theory import Theory
from hornbook.terminal.code_exits import exits_are_errors
from hornbook.terminal.failure import describe

T = TypeVar("T")


def offer_lenses(server: HornServer) -> None:
    """Register handlers that show lenses and execute their commands."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def code_lenses(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        path = server.path(params.text_document.uri)
        outcomes = server.outcomes.get(path, {})
        return list(
            lenses(server.theories.clauses(path), params.text_document.uri, server.lines(path), outcomes)
        )

    @server.command(RUN)
    async def run(uri: str, name: str) -> str | None:
        path = server.path(uri)
        known = {clause: written(each) for each in server.theories.clauses(path) for clause in each.clauses}
        ran = await _in_thread(server, path, lambda theory: _running().run_example(theory, name))
        if ran is None:
            return None
        found = {known[expect]: why for expect, why in ran.outcomes if expect in known}
        server.outcomes.setdefault(path, {}).update(found)
        _refresh(server)
        summary: str = ran.summary
        _say(server, summary)
        return summary

    @server.command(LEARN)
    async def learn(uri: str, name: str) -> str | None:
        path = server.path(uri)
        text: str | None = await _in_thread(
            server, path, lambda theory: _running().learned_text(theory, name, path.stem)
        )
        if text is not None:
            await _show(server, name, text, path)
        return text


def _running() -> ModuleType:
    """Return the module that runs and learns.

    It is imported late, since it imports the engine and the learner, which plain editing does not need.
    """
    return import_module("hornbook.editing.running")


async def _in_thread(server: HornServer, path: Path, work: Callable[[Theory], T]) -> T | None:
    """Return the result of `work` on the theory of a document; on failure show the error and return None."""
    try:
        theory = server.theories.theory(path)
        return await asyncio.to_thread(exits_are_errors(work), theory)
    except Exception as problem:  # noqa: BLE001 - adapters may raise anything, and the user must see it
        text, _ = describe(problem)
        _say(server, text, lsp.MessageType.Error)
        return None


def _say(server: HornServer, text: str, kind: lsp.MessageType = lsp.MessageType.Info) -> None:
    server.window_show_message(lsp.ShowMessageParams(kind, text))


async def _show(server: HornServer, name: str, text: str, path: Path) -> None:
    """Show a text as a new document that resolves imports in the folder of `path`.

    If the editor cannot show documents, the text is shown as a message.
    """
    window = server.client_capabilities.window
    if window is None or window.show_document is None or not window.show_document.support:
        _say(server, text)
        return
    file = Path(tempfile.mkdtemp(prefix="hornbook-")) / f"learned_from_{name}.horn"
    file.write_text(text, encoding="utf-8")
    server.theories.import_contexts[file.resolve()] = path
    await server.window_show_document_async(lsp.ShowDocumentParams(file.as_uri(), take_focus=True))


def _refresh(server: HornServer) -> None:
    workspace = server.client_capabilities.workspace
    if workspace is not None and workspace.code_lens is not None and workspace.code_lens.refresh_support:
        server.workspace_code_lens_refresh(None)
