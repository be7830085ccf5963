"""Handlers for editor notifications about documents, files and folders."""

from __future__ import annotations

import gc
from pathlib import Path

from lsprotocol import types as lsp

from hornbook.editing.server import HornServer
from hornbook.editing.texts import changed


def keep_documents(server: HornServer) -> None:
    """Register handlers that keep the server's workspace in step with the editor's documents."""

    @server.feature(lsp.INITIALIZED)
    def initialized(params: lsp.InitializedParams) -> None:
        gc.disable()  # garbage is collected when the editor is idle, and never during typing
        _take_folders(server)
        workspace = server.client_capabilities.workspace
        watched = None if workspace is None else workspace.did_change_watched_files
        if watched is not None and watched.dynamic_registration:
            options = lsp.DidChangeWatchedFilesRegistrationOptions([lsp.FileSystemWatcher("**/*.horn")])
            requested = lsp.Registration("theories", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options)
            server.client_register_capability(lsp.RegistrationParams([requested]))

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        path = server.path(params.text_document.uri)
        server.uris[path] = params.text_document.uri
        server.versions[path] = params.text_document.version
        server.theories.open(path, params.text_document.text)
        server.check(path)
        server.check_others()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def edited(params: lsp.DidChangeTextDocumentParams) -> None:
        path = server.path(params.text_document.uri)
        text = server.theories.texts.get(path)
        if text is None:
            return  # a document that was not opened
        for change in params.content_changes:
            text = changed(text, change, server.units)
        server.theories.texts[path] = text
        server.versions[path] = params.text_document.version
        server.check_soon(path)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        path = server.path(params.text_document.uri)
        server.theories.close(path)
        server.uris.pop(path, None)
        server.outcomes.pop(path, None)
        nothing = lsp.PublishDiagnosticsParams(params.text_document.uri, [])
        server.text_document_publish_diagnostics(nothing)
        server.check_others()

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    def saved(params: lsp.DidSaveTextDocumentParams) -> None:
        server.theories.invalidate()
        server.check_others()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)
    def files_changed(params: lsp.DidChangeWatchedFilesParams) -> None:
        server.theories.invalidate()
        server.check_others()

    @server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)
    def folders_changed(params: lsp.DidChangeWorkspaceFoldersParams) -> None:
        _take_folders(server)


def _take_folders(server: HornServer) -> None:
    root = server.workspace.root_path
    folders = [server.path(folder.uri) for folder in server.workspace.folders.values()]
    server.theories.folders = folders or ([] if root is None else [Path(root).resolve()])
