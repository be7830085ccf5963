"""Messages that no editor should send: each is answered, and waiting edits are processed together."""

from __future__ import annotations

import json
import subprocess
import sys
import threading

import pytest
from lsprotocol import types as lsp

from hornbook.editing.answers import answer_about_names, answer_about_text
from hornbook.editing.documents import keep_documents
from hornbook.editing.examples import offer_lenses
from hornbook.editing.server import HornServer
from hornbook.editing.workspace import LARGEST

PLACE = {"line": 0, "character": 0}
RANGE = {"start": PLACE, "end": PLACE}
TEXT = "theory t.\nsort s.\nstatic p(s).\nstatic q(s).\nr: q(?x) :- p(?x).\n"


def methods():
    """Return the methods of all requests that the server answers."""
    server = HornServer()
    for each in (keep_documents, answer_about_names, answer_about_text, offer_lenses):
        each(server)
    known = {**server.protocol.fm.builtin_features, **server.protocol.fm.features}
    return sorted(name for name in known if "RESULT" in lsp_kind(name))


def lsp_kind(method):
    return "RESULT" if lsp.METHOD_TO_TYPES[method][1] is not None else ""


REQUESTS = [name for name in methods() if name not in ("initialize", "shutdown")]


def about(uri):
    """Return parameters that fit every request about a document."""
    return {
        "textDocument": {"uri": uri},
        "position": PLACE,
        "range": RANGE,
        "context": {"includeDeclaration": True, "diagnostics": [], "triggerKind": 1},
        "options": {"tabSize": 2, "insertSpaces": True},
        "newName": "other",
        "query": "x",
        "command": "nothing",
    }


class Talk:
    """A server that receives raw bytes."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "hornbook", "theory", "lsp"]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        self.number = 0
        self.ask("initialize", {"capabilities": {}})
        self.tell("initialized", {})

    def send(self, *messages):
        for each in messages:
            body = each if isinstance(each, bytes) else json.dumps(each).encode()
            self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def receive(self):
        size = 0
        while (line := self.process.stdout.readline()) != b"\r\n":
            assert line
            name, _, value = line.partition(b":")
            if name.lower() == b"content-length":
                size = int(value)
        return json.loads(self.process.stdout.read(size))

    def message(self, method, *params):
        output = {"jsonrpc": "2.0", "method": method}
        return {**output, "params": params[0]} if params else output

    def tell(self, method, *params):
        self.send(self.message(method, *params))

    def ask(self, method, *params):
        """Return the answer to a request, and the messages before it."""
        self.number += 1
        self.send({"id": self.number, **self.message(method, *params)})
        return self.answer(self.number)

    def answer(self, number):
        self.before = []
        while "id" not in (found := self.receive()) or found["id"] != number or "method" in found:
            self.before.append(found)
        return found

    def edits(self, uri, number):
        insert = {
            "range": {"start": {"line": 2, "character": 7}, "end": {"line": 2, "character": 7}},
            "text": "x",
        }
        for version in range(2, number + 2):
            document = {"uri": uri, "version": version}
            yield self.message(
                "textDocument/didChange", {"textDocument": document, "contentChanges": [insert]}
            )

    def open(self, uri, text):
        document = {"uri": uri, "languageId": "horn", "version": 1, "text": text}
        self.tell("textDocument/didOpen", {"textDocument": document})

    def end(self):
        self.ask("shutdown")
        self.tell("exit")
        assert self.process.wait(60) == 0
        self.process.stdin.close()
        self.process.stdout.close()


@pytest.fixture(scope="module")
def talk():
    made = Talk()
    yield made
    made.end()


def test_the_table_has_the_requests_of_the_server():
    assert {"textDocument/hover", "textDocument/rename", "textDocument/inlayHint", "workspace/symbol"} <= {
        *REQUESTS
    }
    assert len(REQUESTS) >= 15


@pytest.mark.parametrize("method", REQUESTS)
@pytest.mark.parametrize(
    "params",
    [(), (None,), ({},), ([],), ("text",), (5,), ({"textDocument": 5, "position": []},)],
    ids=["absent", "null", "empty", "list", "text", "number", "wrong"],
)
def test_malformed_parameters_are_answered_by_an_error(talk, method, params):
    assert talk.ask(method, *params)["error"]["code"] == -32602


@pytest.mark.parametrize("method", [each for each in REQUESTS if each.startswith("textDocument/")])
@pytest.mark.parametrize("uri", ["file:///nowhere/t.horn", "untitled:t", "", "file:///", "nonsense"])
def test_an_unknown_document_is_no_failure(talk, method, uri):
    answer = talk.ask(method, about(uri))
    assert "result" in answer or answer["error"]["code"] == -32602, answer


@pytest.mark.parametrize("method", [each for each in REQUESTS if each.startswith("textDocument/")])
def test_a_place_beyond_the_text_is_no_failure(talk, method, tmp_path):
    uri = (tmp_path / "t.horn").as_uri()
    talk.open(uri, TEXT)
    far = {"line": 10**6, "character": 10**6}
    params = {**about(uri), "position": far, "range": {"start": far, "end": PLACE}}
    answer = talk.ask(method, params)
    talk.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert "result" in answer or answer["error"]["code"] == -32602, answer


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (b"[", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b"null", -32600),
        (b"5", -32600),
        (b'{"jsonrpc": "2.0", "id": {}, "method": "textDocument/hover"}', -32600),
        (b'{"jsonrpc": "2.0", "id": true, "method": "textDocument/hover"}', -32600),
    ],
)
def test_what_is_no_request_is_answered_without_a_number(talk, message, code):
    talk.send(message)
    answer = talk.answer(None)
    assert (answer["id"], answer["error"]["code"]) == (None, code)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        ({"jsonrpc": "1.0", "method": "textDocument/hover", "params": {}}, -32600),
        ({"method": "textDocument/hover", "params": {}}, -32600),
        ({"jsonrpc": "2.0", "method": 5}, -32600),
        ({"jsonrpc": "2.0", "method": "nonsense"}, -32601),
        ({"jsonrpc": "2.0", "method": "textDocument/hover", "params": {"jsonrpc": "2.0", "id": 1}}, -32602),
    ],
)
def test_a_request_that_is_none_is_answered_by_its_number(talk, message, code):
    talk.send({"id": "a", **message})
    assert talk.answer("a")["error"]["code"] == code


@pytest.mark.parametrize("params", [(), (None,), ({},), ({"id": {}},), ({"id": "never"},), ({"id": 1},)])
def test_a_cancellation_of_nothing_is_ignored(talk, params):
    talk.tell("$/cancelRequest", *params)
    assert talk.ask("workspace/symbol", {"query": ""})["result"] is not None


@pytest.mark.parametrize("name", ["didOpen", "didChange", "didClose", "didSave"])
@pytest.mark.parametrize("params", [(), ({},), ({"textDocument": {"uri": "file:///nowhere/u.horn"}},)])
def test_a_malformed_notification_ends_nothing(talk, name, params):
    talk.tell(f"textDocument/{name}", *params)
    assert talk.ask("workspace/symbol", {"query": ""})["result"] is not None


def test_edits_of_a_document_that_is_not_open_are_ignored(talk, tmp_path):
    uri = (tmp_path / "closed.horn").as_uri()
    talk.send(*talk.edits(uri, 3))
    assert talk.ask("textDocument/documentSymbol", about(uri))["result"] in ([], None)


def test_a_request_after_many_edits_has_the_latest_text(talk, tmp_path):
    uri = (tmp_path / "many.horn").as_uri()
    talk.open(uri, TEXT)
    talk.send(*talk.edits(uri, 300))
    names = [each["name"] for each in talk.ask("textDocument/documentSymbol", about(uri))["result"]]
    assert f"{'x' * 300}p" in names
    published = [each for each in talk.before if each.get("method") == "textDocument/publishDiagnostics"]
    assert len(published) < 100
    while talk.receive()["params"].get("version") != 301:
        pass


def test_requests_between_many_edits_have_the_text_before_them(talk, tmp_path):
    uri = (tmp_path / "burst.horn").as_uri()
    talk.open(uri, TEXT)
    sent = []
    for number, edit in enumerate(talk.edits(uri, 1000), 1):
        sent.append(edit)
        if number % 50 == 0:
            asked = talk.message("textDocument/documentSymbol", about(uri))
            sent.append({"id": f"burst {number}", **asked})
    # The pipe may be full of answers before all messages are sent.
    sender = threading.Thread(target=talk.send, args=sent)
    sender.start()
    published = 0
    for number in range(50, 1001, 50):
        found = talk.answer(f"burst {number}")
        published += len(talk.before)
        assert f"{'x' * number}p" in [each["name"] for each in found["result"]]
    sender.join()
    assert published < 200
    while talk.receive().get("params", {}).get("version") != 1001:
        pass


@pytest.mark.deep
def test_requests_before_and_after_the_session_are_refused():
    talk = Talk.__new__(Talk)
    command = [sys.executable, "-m", "hornbook", "theory", "lsp"]
    talk.process = subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    )
    talk.number = 0
    assert talk.ask("textDocument/hover", about("file:///t.horn"))["error"]["code"] == -32002
    talk.ask("initialize", {"capabilities": {}})
    talk.ask("shutdown")
    assert talk.ask("textDocument/hover", about("file:///t.horn"))["error"]["code"] == -32600
    talk.tell("exit")
    talk.process.wait(60)
    talk.process.stdin.close()
    talk.process.stdout.close()


NOTIFIED = sorted(
    name
    for name in lsp.METHOD_TO_TYPES
    if not lsp_kind(name) and lsp.message_direction(name) != "serverToClient"
)


@pytest.mark.parametrize("method", NOTIFIED)
@pytest.mark.parametrize("params", [(), ({"textDocument": 5},), ({"textDocument": {"uri": "file:///t"}},)])
def test_a_notification_with_a_number_is_answered_by_an_error(talk, method, params):
    assert talk.ask(method, *params)["error"]["code"] == -32600


@pytest.mark.parametrize("method", ["initialize", *REQUESTS])
def test_a_request_without_a_number_is_ignored(talk, method):
    talk.tell(method, about("file:///nowhere/t.horn"))
    assert talk.ask("workspace/symbol", {"query": ""})["result"] is not None


def test_a_second_initialization_is_refused(talk):
    assert talk.ask("initialize", {"capabilities": {}})["error"]["code"] == -32600


@pytest.mark.deep_cases("Content-Length")
@pytest.mark.parametrize(
    ("header", "output"),
    [
        (
            b"Content-Length: 100000000000000",
            b"'100000000000000', and a message has at most 100,000,000 bytes",
        ),
        (b"Content-Length: " + b"9" * 5000, b"and a message has at most 100,000,000 bytes"),
        (b"Content-Length: 100000001", b"and a message has at most 100,000,000 bytes"),
        (b"Content-Length: -5", b"not a positive integer: '-5'"),
        (b"Content-Length: +5", b"not a positive integer: '+5'"),
        (b"Content-Length: 5.0", b"not a positive integer: '5.0'"),
        (b"Content-Length: many", b"not a positive integer: 'many'"),
        (b"Content-Length: \xb2", b"not a positive integer: '\\xb2'"),
        (b"Content-Length:", b"not a positive integer: ''"),
        (b"Content-Length: 0", b"not a positive integer: '0'"),
        (b"Content-Length: 2\r\nContent-Length: 2", b"has more than one `Content-Length`"),
        (b"Content-Length: 2\r\ncontent-length: 3", b"has more than one `Content-Length`"),
        (b"Content-Type: text/plain", b"has no `Content-Length`"),
        (b"nonsense", b"a line of a header has no colon: 'nonsense"),
        (b"a: " + b"x" * 10_000, b"longer than 8,192 bytes"),
        (b"a: b\r\n" * 200, b"more than 100 lines"),
    ],
    ids=lambda value: value[:30].decode("latin-1") if isinstance(value, bytes) else None,
)
def test_a_header_without_one_valid_length_ends_the_server(header, output):
    command = [sys.executable, "-m", "hornbook", "theory", "lsp"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        # The stream stays open: the server ends without further input.
        process.stdin.write(header + b"\r\n\r\n{}")
        process.stdin.flush()
        answer, log = process.stdout.read(), process.stderr.read()
        assert process.wait(60) == 1
    assert json.loads(answer.partition(b"\r\n\r\n")[2])["error"]["code"] == -32700
    assert output in log
    assert b"Traceback" not in log
    assert log.count(b"\n") == 1


def test_a_header_in_other_letters_is_read(talk):
    body = json.dumps({"id": "lower", **talk.message("workspace/symbol", {"query": ""})}).encode()
    header = b"content-type: application/vscode-jsonrpc; charset=utf-8\r\ncontent-length:%d" % len(body)
    talk.process.stdin.write(b"\r\n%s\r\n\r\n%s" % (header, body))
    talk.process.stdin.flush()
    assert talk.answer("lower")["result"] is not None


def test_a_document_that_is_too_large_is_not_read(talk, tmp_path):
    uri = (tmp_path / "large.horn").as_uri()
    talk.open(uri, TEXT + "% long\n" * (LARGEST // 7))
    while "diagnostics" not in (found := talk.receive().get("params", {})) or found["uri"] != uri:
        pass
    assert [each["code"] for each in found["diagnostics"]] == ["HB004"]
    for method in REQUESTS:
        answer = talk.ask(method, about(uri))
        assert "result" in answer or answer["error"]["code"] == -32602, answer
    talk.tell("textDocument/didClose", {"textDocument": {"uri": uri}})
