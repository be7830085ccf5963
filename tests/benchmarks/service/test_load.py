"""Tests of the load clients: a refused request or a wrong answer must not count as a success."""

from __future__ import annotations

import json
import threading
import time
from argparse import Namespace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from benchmarks.service import kills, mixed
from benchmarks.service.running import Running

REFUSED = (503, {"error": "busy", "message": "later", "diagnostics": []})
WRONG = (200, {"answers": [], "count": 1, "warnings": [], "goal": "", "steps": [{"place": None}], "added": 1})
RIGHT = (200, {"answers": ["all"]})


class Rules:
    """Rules that draw the same conclusion about every board."""

    def match(self, board):
        return [self]

    def to_dict(self):
        return "all"


@pytest.fixture
def answering():
    """Return the address of a server that gives every request the same answer."""
    servers = []

    def begin(status, messages):
        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self):
                self.rfile.read(int(self.headers["Content-Length"]))
                body = json.dumps(messages).encode()
                self.send_response(status)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *of):
                """Suppress the log."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        servers.append(server)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}"

    yield begin
    for server in servers:
        server.shutdown()
        server.server_close()


def loaded(address, turns):
    tally, began = mixed.LoadTally(), time.monotonic()
    given = Namespace(rate=1000.0, clients=1)
    mixed._ask(Running(None, address, []), turns, 0, began, began + 0.012, given, tally)
    return tally


@pytest.mark.parametrize(("status", "messages"), [REFUSED, WRONG])
def test_what_is_refused_or_answered_wrongly_is_no_success(answering, status, messages):
    tally = loaded(answering(status, messages), mixed._turns(["board"], Rules()))
    assert tally.right.total() == 0
    assert {error.split()[0] for error in tally.errors} > {"match", "query", "added", "why", "why_not"}


def test_what_is_answered_as_the_library_does_is_a_success(answering):
    match = mixed._turns(["board"], Rules())[:1]
    tally = loaded(answering(*RIGHT), match)
    assert tally.errors == []
    assert tally.right["match"] == len(tally.seconds) == 12


def test_what_is_not_answered_is_an_error():
    tally = loaded("http://127.0.0.1:1", mixed._turns(["board"], Rules())[:1])
    assert tally.right.total() == 0
    assert "Connection refused" in tally.errors[0]


@pytest.mark.parametrize(("status", "messages"), [REFUSED, WRONG])
def test_a_change_that_is_refused_is_not_acknowledged(answering, status, messages):
    reported, errors = set(), []
    kills._add(answering(status, messages), "c", reported, threading.Event(), errors)
    assert reported == set()
    assert len(errors) == 1
