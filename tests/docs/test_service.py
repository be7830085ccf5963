"""Tests of the how-to's service with malformed requests.

No honest client sends them. The service reports the error and serves the next request.
"""

from __future__ import annotations

import http.client
import json
import threading
from http.server import ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from hornbook import LearnedRules
from oracles.pages.markdown_blocks import blocks

PAGE = Path(__file__).parents[2] / "docs" / "how-to" / "embed-in-a-service.md"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    """Start the service without learned rules and yield it."""
    names: dict[str, Any] = {"__name__": "service"}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(tmp_path_factory.mktemp("service"))
        LearnedRules("chess").save("mates.horn")
        (block,) = (b for b in blocks(PAGE) if b.file == "service.py")
        exec(compile(block.text, str(PAGE), "exec"), names)
    found: ThreadingHTTPServer = names["serve"](0)
    threading.Thread(target=found.serve_forever, daemon=True).start()
    yield found
    found.shutdown()
    found.server_close()


def messages(
    server: ThreadingHTTPServer, body: bytes, path: str = "/query", **headers: str
) -> tuple[int, Any]:
    """Return the status and the body of the response to a request with exactly these headers."""
    connection = http.client.HTTPConnection("127.0.0.1", server.server_port, timeout=20)
    connection.putrequest("POST", path)
    for name, value in headers.items():
        connection.putheader(name.replace("_", "-"), value)
    connection.endheaders(body)
    reply = connection.getresponse()
    answer = json.loads(reply.read())
    connection.close()
    return reply.status, answer


def sent(server: ThreadingHTTPServer, body: bytes, path: str = "/query") -> tuple[int, Any]:
    return messages(server, body, path, Content_Length=str(len(body)))


HONEST = b'{"query": "ancestor(ada, ben)"}'


@pytest.mark.parametrize(
    ("headers", "status", "reason"),
    [
        ({}, 411, "say the Content-Length, a whole number of bytes"),
        ({"Content_Length": "-1"}, 411, "say the Content-Length, a whole number of bytes"),
        ({"Content_Length": "many"}, 411, "say the Content-Length, a whole number of bytes"),
        ({"Content_Length": "²"}, 411, "say the Content-Length, a whole number of bytes"),
        ({"Content_Length": "100001"}, 413, "send no more than 100000 bytes"),
        ({"Content_Length": "9" * 5_000}, 413, "send no more than 100000 bytes"),
    ],
)
def test_a_length_that_is_none_or_too_long_is_refused_unread(server, headers, status, reason):
    assert messages(server, b"", **headers) == (status, {"errors": [reason]})
    assert sent(server, HONEST) == (200, [{}])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"", "send JSON, without deep nesting"),
        (b"{", "send JSON, without deep nesting"),
        (b'{"query": "\xff"}', "send JSON, without deep nesting"),
        (b"[" * 90_000, "send JSON, without deep nesting"),
        (b'{"query": ' + b"9" * 5_000 + b"}", "send JSON, without deep nesting"),
        (b'["query"]', "send an object of texts"),
        (b'{"query": ["a"]}', "send an object of texts"),
        (b'{"query": "\\ud800"}', "a text has half a character (a lone surrogate)"),
        (b'{"\\udfff": "a"}', "a text has half a character (a lone surrogate)"),
        (b"{}", "'query' is missing"),
    ],
)
def test_what_is_no_object_of_texts_is_refused(server, body, reason):
    assert sent(server, body) == (400, {"errors": [reason]})
    assert sent(server, HONEST) == (200, [{}])


@pytest.mark.parametrize(
    ("path", "queried"),
    [
        ("/query", {"query": "ancestor(" * 5_000}),
        ("/query", {"query": "(" * 50_000}),
        ("/query", {"query": "ancestor(ada, ben)", "facts": "parent('a\x00\u2028', b). " * 500 + "parent("}),
        ("/query", {"query": "ancestor(ada, ben)", "facts": f"parent({'9' * 5_000}, b)."}),
        ("/query", {"query": f"?x = {' + '.join(['1'] * 20_000)}"}),
        ("/why", {"fact": ""}),
        ("/position", {"fen": "8/" * 10_000}),
        ("/position", {"fen": "\x00"}),
    ],
)
def test_what_cannot_be_read_is_refused_with_a_reason(server, path, queried):
    status, answer = sent(server, json.dumps(queried).encode(), path)
    assert status == 400
    assert answer["errors"]
    assert all(isinstance(each, str) for each in answer["errors"])
    assert sent(server, HONEST) == (200, [{}])


def test_an_answer_that_would_be_too_large_is_refused(server):
    facts = " ".join(f"parent(eve, c{number})." for number in range(200))
    body = json.dumps({"query": "parent(?a, ?b), parent(?c, ?d)", "facts": facts}).encode()
    assert sent(server, body) == (400, {"errors": ["more than 10,000 answers; ask for less, or allow more"]})
    assert sent(server, HONEST) == (200, [{}])
