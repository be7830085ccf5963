"""Handlers for editor requests about a position or a document."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcInvalidParams

from hornbook.editing.colours import MODIFIERS, TYPES, coloured, encoded
from hornbook.editing.completion import offers
from hornbook.editing.fixes import fixes
from hornbook.editing.hints import hints
from hornbook.editing.hover import hover
from hornbook.editing.names.navigation import (
    RenameError,
    Thing,
    WordAtPosition,
    declaration,
    meaning,
    name_range,
    references,
    renamed,
    word_at,
)
from hornbook.editing.server import HornServer, PositionRequest
from hornbook.editing.symbols import of_document, of_project
from hornbook.kb.format.formatter import FormattingError, format_text
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.files import shown

COMPLETION_KINDS: Mapping[str, lsp.CompletionItemKind] = MappingProxyType(
    {
        "keyword": lsp.CompletionItemKind.Keyword,
        "predicate": lsp.CompletionItemKind.Function,
        "sort": lsp.CompletionItemKind.Class,
        "variable": lsp.CompletionItemKind.Variable,
        "constant": lsp.CompletionItemKind.EnumMember,
        "value": lsp.CompletionItemKind.Value,
        "theory": lsp.CompletionItemKind.Module,
        "example": lsp.CompletionItemKind.Event,
    }
)


def answer_about_names(server: HornServer) -> None:
    """Register handlers for definitions, references, renaming, symbols and hover."""

    def word(target: PositionRequest) -> WordAtPosition | None:
        return word_at(server.theories, *server.place(target))

    def meaning_of(target: WordAtPosition) -> Thing | None:
        return meaning(server.theories, target, server.theories.scope(target.path))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> lsp.Location | None:
        target = word(params)
        thing = None if target is None else meaning_of(target)
        found = None if target is None or thing is None else declaration(server.theories, target, thing)
        if found is None:
            return None
        path, named = found
        return server.location(path, None if named is None else named.span)

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references_(params: lsp.ReferenceParams) -> list[lsp.Location]:
        target = word(params)
        thing = None if target is None else meaning_of(target)
        if target is None or thing is None:
            return []
        with_declaration = params.context.include_declaration
        found = references(server.theories, target, thing)
        return [
            server.location(each.path, each.found.span)
            for each in found
            if with_declaration or not each.found.declares
        ]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        target = word(params)
        thing = None if target is None else meaning_of(target)
        if target is None or thing is None:
            return []
        lines = server.lines(target.path)
        found = references(server.theories, target, thing, only=target.path)
        return [lsp.DocumentHighlight(lines.range(each.found.span)) for each in found]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range | None:
        target = word(params)
        if target is None:
            return None
        try:
            return name_range(target, server.lines(target.path))
        except RenameError as problem:
            raise JsonRpcInvalidParams(str(problem)) from None

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit | None:
        target = word(params)
        if target is None:
            return None
        try:
            found = renamed(server.theories, target, params.new_name)
        except RenameError as problem:
            raise JsonRpcInvalidParams(str(problem)) from None
        edits: dict[str, list[lsp.TextEdit]] = {}
        for there, name in found:
            edit = lsp.TextEdit(name_range(there, server.lines(there.path)), name)
            edits.setdefault(server.uri(there.path), []).append(edit)
        return lsp.WorkspaceEdit(changes=edits)

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hovering(params: lsp.HoverParams) -> lsp.Hover | None:
        target = word(params)
        message = None if target is None else hover(server.theories, target)
        if target is None or message is None:
            return None
        content = lsp.MarkupContent(lsp.MarkupKind.Markdown, message)
        return lsp.Hover(content, server.lines(target.path).range(target.found.span))

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def document_symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        path = server.path(params.text_document.uri)
        return of_document(server.theories.clauses(path), server.lines(path))

    @server.feature(lsp.WORKSPACE_SYMBOL)
    def workspace_symbols(params: lsp.WorkspaceSymbolParams) -> list[lsp.WorkspaceSymbol]:
        return of_project(server.theories, params.query, server.units)


def answer_about_text(server: HornServer) -> None:
    """Register handlers for completion, quick fixes, formatting, colours and hints."""

    @server.feature(lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=["?", "("]))
    def complete(params: lsp.CompletionParams) -> lsp.CompletionList:
        path = server.path(params.text_document.uri)
        lines = server.lines(path)
        items = []
        for number, offer in enumerate(offers(server.theories, path, lines.up_to(params.position))):
            start = lsp.Position(params.position.line, params.position.character - offer.replaces)
            items.append(
                lsp.CompletionItem(
                    label=offer.word.rstrip(" ("),
                    kind=COMPLETION_KINDS[offer.kind],
                    detail=offer.what or None,
                    sort_text=f"{number:05}",
                    filter_text=offer.word,
                    text_edit=lsp.TextEdit(lsp.Range(start, params.position), offer.word),
                )
            )
        return lsp.CompletionList(is_incomplete=False, items=items)

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions([lsp.CodeActionKind.QuickFix]))
    def code_actions(params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        path = server.path(params.text_document.uri)
        lines = server.lines(path)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        actions = []
        for repaired, fix in fixes(server.theories, path, first, last):
            edits = [lsp.TextEdit(lines.exact_range(fix.span), fix.text)]
            mends = [
                each
                for each in params.context.diagnostics
                if each.code == repaired.code and each.range.start.line + 1 == repaired.span.line
            ]
            actions.append(
                lsp.CodeAction(
                    fix.title,
                    lsp.CodeActionKind.QuickFix,
                    diagnostics=mends or None,
                    is_preferred=True,
                    edit=lsp.WorkspaceEdit({params.text_document.uri: edits}),
                )
            )
        return actions

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit] | None:
        path = server.path(params.text_document.uri)
        try:
            text = server.theories.text(path)
            formatted = format_text(text, shown(path))
        except (TheoryError, FormattingError):
            return None  # errors are underlined already, or the document is missing
        if formatted == text:
            return []
        lines = server.lines(path)
        end = len(lines.lines)
        whole = lsp.Range(lsp.Position(0, 0), lines.position(end, len(lines.line(end)) + 1))
        return [lsp.TextEdit(whole, formatted)]

    @server.feature(lsp.TEXT_DOCUMENT_SEMANTIC_TOKENS_FULL, lsp.SemanticTokensLegend([*TYPES], [*MODIFIERS]))
    def colours(params: lsp.SemanticTokensParams) -> lsp.SemanticTokens:
        path = server.path(params.text_document.uri)
        parsed = server.theories.parsed(path)
        if parsed is None:
            return lsp.SemanticTokens([])
        tokens = coloured(parsed, server.theories.clauses(path), server.theories.scope(path))
        return lsp.SemanticTokens(encoded(tokens, server.lines(path)))

    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def inlay_hints(params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        path = server.path(params.text_document.uri)
        first, last = params.range.start.line + 1, params.range.end.line + 1
        known = server.theories.clauses(path), server.theories.scope(path), server.lines(path)
        return list(hints(*known, first, last))
