"""Whole sessions of an editor with `hornbook theory lsp`.

The editor opens a theory's files and sends requests. The server answers in its own process.
"""

from __future__ import annotations

from pathlib import Path
from urllib.request import url2pathname

import pytest
from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from hornbook.editing.colours import TYPES
from oracles.editing.editor import Editor, identifier, place
from oracles.editing.words import USES, WORDS


def at(uri, text, mark, nth=0, after=0):
    return identifier(uri), place(text, mark, nth, after)


def stands(location):
    """Return a location as its file name, its line (from 1), and its first UTF-16 column (from 0)."""
    return (
        Path(url2pathname(location.uri)).name,
        location.range.start.line + 1,
        location.range.start.character,
    )


def changed(editor, uri, text):
    editor.replace(uri, text)
    return editor.codes(uri)


# Diagnostics


@pytest.mark.deep
def test_a_mistake_is_underlined_as_it_is_typed_and_removed_when_it_is_repaired(editor, words):
    assert editor.codes(words) == []
    where = place(WORDS, "near(?p, ?q)", 0, 3)
    editor.change(words, lsp.TextDocumentContentChangePartial(lsp.Range(where, where), "e"))
    (found,) = editor.diagnostics(words)
    assert (found.code, found.severity, found.source) == ("HB010", lsp.DiagnosticSeverity.Error, "hornbook")
    assert found.message == "unknown predicate `neaer`\ndid you mean `near`?"
    line = WORDS[: WORDS.index("near(?p")].count("\n")
    assert found.range == lsp.Range(lsp.Position(line, 14), lsp.Position(line, 19))
    after = lsp.Position(where.line, where.character + 1)
    editor.change(words, lsp.TextDocumentContentChangePartial(lsp.Range(where, after), ""))
    assert editor.codes(words) == []


def test_a_text_that_is_not_saved_counts_for_those_that_import_it(editor, words, uses):
    assert editor.codes(uses) == []
    before = editor.published[uses]
    changed(editor, words, WORDS.replace("good", "fine"))
    editor.wait(lambda: editor.published[uses] is not before)
    assert editor.codes(uses) == [(5, "HB010")]
    before = editor.published[uses]
    changed(editor, words, WORDS.replace("good(point).", "good(point)"))
    editor.wait(lambda: editor.published[uses] is not before)
    assert editor.codes(uses) == [(1, "HB016")]


def test_positions_are_counted_in_utf_16(editor, uses):
    text = USES.replace("price(?p, ?n)", "prize(?p, ?n)")
    assert changed(editor, uses, text) == [(5, "HB010")]
    start = editor.diagnostics(uses)[0].range.start
    assert start == place(text, "prize")
    assert start.character == text.split("\n")[4].index("prize") + 1


@pytest.mark.deep
def test_other_encodings_are_mentioned_where_an_editor_prefers_them(folder):
    other = Editor(folder, encodings=["utf-8"])
    uri = other.open(folder / "uses.horn", USES.replace("price(?p, ?n)", "prize(?p, ?n)"))
    line = USES.split("\n")[4]
    assert other.diagnostics(uri)[0].range.start.character == len(line[: line.index("price")].encode())
    other.end()


def test_an_imported_file_that_changes_on_the_disk_is_read_again(editor, tmp_path):
    (tmp_path / "below.horn").write_text("sort a.\nstatic p(a).\n")
    uri = editor.open(tmp_path / "above.horn", "import below.\nderived q(a).\nq(?x) :- p(?x).\n")
    assert editor.codes(uri) == []
    (tmp_path / "below.horn").write_text("sort a.\nstatic other(a).\n")
    before = editor.published[uri]
    event = lsp.FileEvent((tmp_path / "below.horn").as_uri(), lsp.FileChangeType.Changed)
    editor.client.workspace_did_change_watched_files(lsp.DidChangeWatchedFilesParams([event]))
    editor.wait(lambda: editor.published[uri] is not before)
    assert editor.codes(uri) == [(3, "HB010")]
    editor.close(uri)


def test_a_document_that_is_saved_nowhere_is_checked_too(editor):
    uri = "untitled:Untitled-1"
    editor.versions[uri] = 1
    document = lsp.TextDocumentItem(uri, "horn", 1, "derived p.\np :- q.\n")
    editor.client.text_document_did_open(lsp.DidOpenTextDocumentParams(document))
    editor.wait_for_version(uri)
    assert editor.codes(uri) == [(2, "HB010")]
    editor.close(uri)


def test_a_fix_is_offered_that_mends(editor, uses):
    changed(editor, uses, USES.replace("good(?p)", "godo(?p)"))
    (found,) = editor.diagnostics(uses)
    queried = lsp.CodeActionParams(identifier(uses), found.range, lsp.CodeActionContext([found]))
    (action,) = editor.run(editor.client.text_document_code_action_async(queried))
    assert (action.title, action.kind, action.diagnostics[0].code) == ("Write `good`", "quickfix", "HB010")
    (edit,) = action.edit.changes[uses]
    assert (edit.range, edit.new_text) == (found.range, "good")


# Names


def test_the_definition_of_an_imported_name(editor, words, uses):
    queried = lsp.DefinitionParams(*at(uses, USES, "price("))
    found = editor.run(editor.client.text_document_definition_async(queried))
    assert stands(found) == ("words.horn", *_line_and_column(WORDS, "price("))
    theory = editor.run(
        editor.client.text_document_definition_async(lsp.DefinitionParams(*at(uses, USES, "words")))
    )
    assert stands(theory) == ("words.horn", 1, 0)


def _line_and_column(text, mark, nth=0):
    where = place(text, mark, nth)
    return where.line + 1, where.character


def test_references_are_found_in_all_files(editor, words, uses):
    queried = lsp.ReferenceParams(lsp.ReferenceContext(True), *at(words, WORDS, "stone("))
    found = editor.run(editor.client.text_document_references_async(queried))
    assert [stands(each)[:2] for each in found] == [
        ("words.horn", _line_and_column(WORDS, "stone(", nth)[0]) for nth in range(3)
    ] + [("uses.horn", 5)]
    queried = lsp.ReferenceParams(lsp.ReferenceContext(False), *at(words, WORDS, "stone("))
    assert len(editor.run(editor.client.text_document_references_async(queried))) == 3


def test_a_predicate_is_renamed_in_all_files_even_in_those_that_are_not_open(editor, words, folder):
    queried = lsp.RenameParams(*at(words, WORDS, "good("), "fine")
    changes = editor.run(editor.client.text_document_rename_async(queried)).changes
    found = {Path(url2pathname(uri)).name: len(edits) for uri, edits in changes.items()}
    assert found == {"words.horn": 4, "uses.horn": 1}
    (edit,) = next(edits for uri, edits in changes.items() if uri.endswith("uses.horn"))
    assert (edit.new_text, edit.range.start) == ("fine", place(USES, "good(?p)"))


def test_a_variable_is_renamed_in_its_clause_only(editor, uses):
    text = USES + "best(?p) :- good(?p).\n"
    changed(editor, uses, text)
    queried = lsp.RenameParams(*at(uses, text, "?p", 1), "?point")
    edits = editor.run(editor.client.text_document_rename_async(queried)).changes[uses]
    assert {edit.range.start.line for edit in edits} == {4}
    assert [edit.new_text for edit in edits] == ["point"] * 5


@pytest.mark.parametrize(
    ("mark", "name", "why"),
    [
        ("good(", "near", "has something called `near` already"),
        ("good(", "two words", "is not a name"),
        ("good(", "sort", "is a word of the language"),
        ("black", "dark", "is unknown here, or built in"),
    ],
)
def test_a_name_that_cannot_be_given_is_refused_with_the_reason(editor, words, mark, name, why):
    with pytest.raises(JsonRpcException, match=why):
        editor.run(editor.client.text_document_rename_async(lsp.RenameParams(*at(words, WORDS, mark), name)))


def test_hover_says_declaration_units_and_how_much_is_known(editor, words, uses):
    def messages(uri, text, mark, nth=0):
        queried = lsp.HoverParams(*at(uri, text, mark, nth))
        return editor.run(editor.client.text_document_hover_async(queried)).contents.value

    near = messages(words, WORDS, "near(")
    assert "static near(point, point)." in near
    assert "side by side" in near
    assert "2 facts stated, 0 rules" in near
    price = messages(uses, USES, "price(")
    assert "price(point -> cents)" in price
    assert "units: `cents`" in price
    assert "?n: cents" in messages(uses, USES, "?n")
    assert "closed: `black`, `white`" in messages(words, WORDS, "black", 1)


def test_symbols_of_a_document_and_of_the_project(editor, words):
    queried = lsp.DocumentSymbolParams(identifier(words))
    found = editor.run(editor.client.text_document_document_symbol_async(queried))
    assert [(each.name, each.kind.name) for each in found] == [
        ("words", "Module"), ("point", "Class"), ("colour", "Class"), ("cents", "Class"), ("near", "Function"),
        ("price", "Function"), ("stone", "Function"), ("put", "Function"), ("good", "Function"),
        ("side_by_side", "Method"), ("corner", "Event"),
    ]  # fmt: skip
    everywhere = editor.run(editor.client.workspace_symbol_async(lsp.WorkspaceSymbolParams("isgood")))
    assert [(each.name, each.container_name) for each in everywhere] == [("it_is_good", "uses")]


# Text


@pytest.mark.parametrize(
    ("typed", "offered", "not_offered"),
    [
        ("best(?p) :- ne", {"near"}, {"good"}),
        ("best(?p) :- stone(?p, ", {"black", "white"}, {"a1", "near"}),
        ("best(?p) :- near(?p, ?other), price(?", {"?p", "?other"}, {"near"}),
        ("x: after stone(?p, ?c) :- put(?c, ?p), before ", {"stone", "good"}, {"near", "put"}),
        ("x: good(?p) :- stone(?p, ?c), ?c = ", {"black", "white"}, {"a1"}),
        ("static far(", {"point", "colour", "cents", "int"}, {"near"}),
        ("deri", {"derived"}, {"near"}),
        ("import ", {"words"}, {"near"}),
        ("expect ", set(), {"near"}),
        ("best(?p) :- near(?p, ", {"a1", "c1"}, {"black"}),
        ("% near(", set(), {"near"}),
    ],
)
def test_what_is_offered_fits_the_place(editor, uses, typed, offered, not_offered):
    editor.replace(uses, f"import words.\nderived best(point).\n{typed}")
    position = lsp.Position(2, len(typed))
    found = editor.run(
        editor.client.text_document_completion_async(lsp.CompletionParams(identifier(uses), position))
    )
    labels = {item.label for item in found.items}
    assert offered <= labels
    assert not not_offered & labels


def test_variables_of_the_sort_come_first(editor, uses):
    typed = "best(?p) :- price(?p, ?n), stone(?q, ?c), near(?"
    editor.replace(uses, f"import words.\n{typed}")
    position = lsp.Position(1, len(typed))
    found = editor.run(
        editor.client.text_document_completion_async(lsp.CompletionParams(identifier(uses), position))
    )
    ranked = sorted(found.items, key=lambda item: item.sort_text)
    assert [item.label for item in ranked][:2] == ["?p", "?q"]
    assert ranked[0].text_edit.range.start.character == len(typed) - 1


def test_a_document_is_laid_out_and_one_with_mistakes_is_left(editor, words):
    def edits():
        queried = lsp.DocumentFormattingParams(
            identifier(words), lsp.FormattingOptions(2, insert_spaces=True)
        )
        return editor.run(editor.client.text_document_formatting_async(queried))

    assert list(edits() or ()) == []
    changed(editor, words, WORDS.replace("near(?p, ?q), ", "near(?p,?q)  ,"))
    (edit,) = edits()
    assert edit.new_text == WORDS
    changed(editor, words, WORDS.replace("near(?p, ?q), ", "near(?p,?q  ,"))
    assert edits() is None


def test_words_have_colours_by_what_they_are(editor, uses):
    queried = lsp.SemanticTokensParams(identifier(uses))
    data = editor.run(editor.client.text_document_semantic_tokens_full_async(queried)).data
    lines, line, start, found = USES.split("\n"), 0, 0, {}
    for place_ in range(0, len(data), 5):
        delta, shift, length, kind, _ = data[place_ : place_ + 5]
        line, start = line + delta, shift if delta else start + shift
        raw = lines[line].encode("utf-16-le")
        found.setdefault(raw[2 * start : 2 * (start + length)].decode("utf-16-le"), TYPES[kind])
    assert {word: found[word] for word in ("import", "words", "best", "point", "it_is_good", "?p", "'🙂'", "3", ":-")} == {
        "import": "keyword", "words": "namespace", "best": "function", "point": "type", "it_is_good": "label",
        "?p": "variable", "'🙂'": "string", "3": "number", ":-": "operator",
    }  # fmt: skip
    assert found["% 🙂 stands beside"] == "comment"


def test_hints_say_the_sort_of_each_variable_once(editor, uses):
    whole = lsp.Range(lsp.Position(0, 0), lsp.Position(9, 0))
    found = editor.run(
        editor.client.text_document_inlay_hint_async(lsp.InlayHintParams(identifier(uses), whole))
    )
    assert [(hint.position, hint.label) for hint in found] == [
        (place(USES, mark, 0, 2), label)
        for mark, label in (("?p", ": point"), ("?c", ": colour"), ("?n", ": cents"))
    ]


# Lenses


def lenses(editor, uri):
    found = editor.run(editor.client.text_document_code_lens_async(lsp.CodeLensParams(identifier(uri))))
    return [(lens.command.title, lens.command) for lens in found]


def press(editor, command):
    queried = lsp.ExecuteCommandParams(command.command, command.arguments)
    return editor.run(editor.client.workspace_execute_command_async(queried))


def test_an_example_is_run_and_its_expectations_say_what_came_of_them(editor, words):
    shown = lenses(editor, words)
    assert [title for title, _ in shown] == ["run: 2 expectations", "learn a rule", "run", "run"]
    assert press(editor, shown[0][1]) == "corner: 1 expectation met, 1 not met"
    met, not_met = [title for title, _ in lenses(editor, words)][2:]
    assert met == "met"
    assert not_met.startswith("not met: `good(c1)` is not derived")


def test_a_rule_is_learned_from_an_example_and_shown_with_its_proof(editor, words, folder):
    text = WORDS.replace("expect corner: good(c1).\n", "") + (
        "derived fair(point).\nfairly:\n  fair(?p) :- good(?p), near(_, ?p).\n"
        "example two: stone(c1, black).\nexpect two: fair(b1).\n"
    )
    changed(editor, words, text)
    learn = [command for title, command in lenses(editor, words) if title == "learn a rule"]
    messages = press(editor, learn[1])
    assert "fair(" in messages.split("\n\n")[-1]
    assert "%   side_by_side (before)\n%   fairly (before)\n" in messages
    editor.wait(lambda: editor.opened)
    shown = Path(url2pathname(editor.opened[-1].removeprefix("file://")))
    assert shown.read_text(encoding="utf-8") == messages
    # The text has no errors, although it is not in the folder of the file that it imports.
    learned = editor.open(shown, messages)
    assert editor.codes(learned) == []


def test_an_example_that_cannot_be_run_says_why(editor, words):
    changed(editor, words, WORDS.replace("example corner:", 'example corner from "no.txt":'))
    run = lenses(editor, words)[0][1]
    assert press(editor, run) is None
    assert "no.txt" in editor.shown[-1]


# Arbitrary input


def test_no_text_ends_the_server_or_silences_it(editor, folder):
    path = folder / "odd.horn"
    uri = editor.open(path, "")
    for text in ("\0", "p(", "import odd.", "import import", "'", "?", "\ud83d\ude42 :-".encode("utf-16", "surrogatepass").decode("utf-16"), "/* *" * 50, "a" * 5000, "p :- " * 300):  # fmt: skip
        editor.replace(uri, text)
        whole = lsp.Range(lsp.Position(0, 0), lsp.Position(99, 0))
        document = identifier(uri)
        client = editor.client
        for queried in (
            client.text_document_code_lens_async(lsp.CodeLensParams(document)),
            client.text_document_semantic_tokens_full_async(lsp.SemanticTokensParams(document)),
            client.text_document_inlay_hint_async(lsp.InlayHintParams(document, whole)),
            client.text_document_document_symbol_async(lsp.DocumentSymbolParams(document)),
            client.text_document_completion_async(lsp.CompletionParams(document, lsp.Position(0, 3))),
            client.text_document_hover_async(lsp.HoverParams(document, lsp.Position(7, 7))),
            client.text_document_code_action_async(
                lsp.CodeActionParams(document, whole, lsp.CodeActionContext([]))
            ),
        ):
            editor.run(queried)
    assert changed(editor, uri, "derived p.\np :- q.\n") == [(2, "HB010")]
    editor.close(uri)
