"""Connections over real sockets: clients that are slow, send too much, do not read, or are too many."""

from __future__ import annotations

import contextlib
import json
import socket
import threading
import time
from functools import partial

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from hornbook.web import serving
from hornbook.web.connections import Connection, ConnectionLimits, Connections

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
UNFINISHED = b"GET / HTTP/1.1\r\nhost: x\r\n"
BODY = b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc"


class Server:
    """A server in a thread, with the refusals that it records."""

    def __init__(self, **limits) -> None:
        self.refused = []
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()
        routes = [
            Route("/", lambda _: PlainTextResponse("here")),
            Route("/echo", self.echo, methods=["POST"]),
            Route("/large", lambda _: PlainTextResponse("x" * 30_000_000)),
            Route("/slow", self.slow),
        ]
        self.limits = ConnectionLimits(**limits)
        self.connections = Connections(self.limits, lambda *refused: self.refused.append(refused))
        config = uvicorn.Config(
            Starlette(routes=routes),
            http=partial(Connection, self.connections),
            h11_max_incomplete_event_size=self.limits.header_bytes,
            timeout_keep_alive=60,
            log_config=None,
            log_level="error",
            lifespan="off",
            ws="none",
            timeout_graceful_shutdown=1,
        )
        self.server = uvicorn.Server(config)
        self.listening = serving.listen("127.0.0.1", 0)
        self.place = self.listening.getsockname()
        self.thread = threading.Thread(target=self.server.run, args=([self.listening],))

    async def echo(self, request):
        with contextlib.suppress(ClientDisconnect):
            await request.body()
        return PlainTextResponse("read")

    def slow(self, request):
        self.is_asked.set()
        self.may_answer.wait(30)
        return PlainTextResponse("late")

    def connect(self, sent=b""):
        made = socket.create_connection(self.place, timeout=30)
        made.sendall(sent)
        return made

    def eventually(self, kind, number=1):
        """Wait until so many refusals of a kind are recorded."""
        while sum(each[0] == kind for each in self.refused) < number:
            time.sleep(0.01)


def answer(connection):
    """The status and the body of what comes until the connection is closed; (0, "") if nothing does."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65_536):
            received += piece
            head, end, body = received.partition(b"\r\n\r\n")
            if end and b"connection: close" not in head.lower() and len(body) >= 4:
                break
    if not received:
        return 0, ""
    head, _, body = received.partition(b"\r\n\r\n")
    return int(head.split()[1]), body.decode()


@pytest.fixture
def serving_with():
    running = []

    def begin(**limits):
        server = Server(**limits)
        running.append(server)
        server.thread.start()
        while not server.server.started:
            time.sleep(0.01)
        return server

    yield begin
    for server in running:
        server.may_answer.set()
        server.server.should_exit = True
        server.thread.join()
        server.listening.close()


def test_a_long_header_is_refused_before_it_is_read_whole(serving_with):
    server = serving_with(header_bytes=2000)
    with server.connect(b"GET / HTTP/1.1\r\nhost: x\r\nlong: ") as connection:
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 80_000_000:
                sent += connection.send(b"x" * 65_536)
        assert sent < 80_000_000
    server.eventually("header")
    assert server.refused == [("header", 431)]


def test_a_client_with_a_long_header_gets_a_reason(serving_with):
    server = serving_with(header_bytes=2000)
    with server.connect(b"GET / HTTP/1.1\r\nhost: x\r\nlong: " + b"x" * 3000) as connection:
        status, body = answer(connection)
    assert status == 431
    assert json.loads(body)["message"] == "the header is longer than 2,000 bytes"


def test_invalid_http_is_refused_as_json(serving_with):
    server = serving_with()
    with server.connect(b"nonsense\r\n\r\n") as connection:
        status, body = answer(connection)
    assert status == 400
    assert json.loads(body)["error"] == "http"
    assert server.refused == [("http", 400)]


def test_a_header_that_takes_too_long_is_refused(serving_with):
    server = serving_with(header_seconds=0.2)
    with server.connect(UNFINISHED) as connection:
        status, body = answer(connection)
    assert status == 408
    assert json.loads(body)["message"] == "the header was not complete after 0.2 seconds"
    assert server.refused == [("header-time", 408)]


def test_bytes_that_trickle_do_not_prolong_a_header(serving_with):
    server = serving_with(header_seconds=0.3)
    with server.connect(UNFINISHED) as connection, contextlib.suppress(ConnectionError):
        while not server.refused:
            connection.sendall(b"a: b\r\n")
            time.sleep(0.02)
    assert server.refused == [("header-time", 408)]


def test_a_connection_without_a_request_is_closed(serving_with):
    server = serving_with(header_seconds=0.1)
    with server.connect() as connection:
        assert answer(connection) == (0, "")
    assert server.refused == []


def test_a_connection_is_closed_after_an_idle_time(serving_with):
    server = serving_with(idle_seconds=0.1)
    with server.connect(GET) as connection:
        assert answer(connection) == (200, "here")
        assert connection.recv(1) == b""


def test_a_body_that_nobody_ends_is_cut_off(serving_with):
    server = serving_with(body_seconds=-0.8)  # a second more is left to the application
    with server.connect(BODY) as connection:
        assert answer(connection) == (0, "")
    assert server.refused == [("body-time", 0)]


def test_a_body_that_is_sent_on_after_the_answer_is_cut_off(serving_with):
    server = serving_with(body_seconds=-0.5)
    request = b"GET / HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\n"
    with server.connect(request) as connection, contextlib.suppress(ConnectionError):
        while not server.refused:
            connection.sendall(b"1\r\nx\r\n")
            time.sleep(0.02)
    assert server.refused == [("body-time", 0)]


def test_a_client_that_does_not_read_is_cut_off(serving_with):
    server = serving_with(response_seconds=0.2, idle_seconds=60.0)
    with server.connect(GET.replace(b" / ", b" /large ")):
        server.eventually("response-time")


def test_a_client_that_does_not_read_the_end_is_cut_off(serving_with):
    server = serving_with(response_seconds=0.2, idle_seconds=60.0)
    with server.connect(b"GET /large HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"):
        server.eventually("closing-time")


def test_unfinished_requests_do_not_keep_others_out(serving_with):
    server = serving_with(connections=20, client_connections=20, header_seconds=60.0, body_seconds=60.0)
    with contextlib.ExitStack() as stored:
        for number in range(60):
            stored.enter_context(server.connect(UNFINISHED if number % 2 else BODY))
        with server.connect(GET) as connection:
            assert answer(connection) == (200, "here")
    server.eventually("client-connections", 41)


def test_the_client_with_the_most_connections_gives_way(serving_with):
    server = serving_with(connections=3, client_connections=3, header_seconds=60.0)
    with contextlib.ExitStack() as stored:
        other = stored.enter_context(socket.create_connection(server.place, 30, ("127.0.0.2", 0)))
        other.sendall(UNFINISHED)
        for _ in range(6):
            stored.enter_context(server.connect(UNFINISHED))
        time.sleep(0.1)
        other.sendall(b"\r\n")
        assert answer(other) == (200, "here")


def test_requests_in_progress_are_not_closed_for_others(serving_with):
    server = serving_with(connections=1, client_connections=5)
    with server.connect(GET.replace(b" / ", b" /slow ")) as busy:
        server.is_asked.wait(30)
        with server.connect(GET) as connection:
            status, body = answer(connection)
        assert (status, json.loads(body)["error"]) == (503, "connections")
        server.may_answer.set()
        assert answer(busy) == (200, "late")
    assert server.refused == [("connections", 503)]


def test_one_client_has_no_more_connections_than_its_share(serving_with):
    server = serving_with(connections=5, client_connections=1)
    with server.connect(GET.replace(b" / ", b" /slow ")):
        server.is_asked.wait(30)
        with server.connect(GET) as connection:
            status, body = answer(connection)
        assert (status, json.loads(body)["error"]) == (429, "client-connections")
        with socket.create_connection(server.place, 30, ("127.0.0.2", 0)) as other:
            other.sendall(GET)
            assert answer(other) == (200, "here")
        server.may_answer.set()


def test_requests_follow_each_other_on_one_connection(serving_with):
    server = serving_with(header_seconds=5.0)
    with server.connect(GET + GET) as connection:
        received = b""
        while received.count(b"here") < 2:
            received += connection.recv(65_536)
        connection.sendall(GET)
        assert answer(connection) == (200, "here")
    assert server.refused == []


@pytest.mark.parametrize(
    ("address", "network"),
    [("192.0.2.7", "192.0.2.7"), ("2001:db8::1:2:3", "2001:db8::/64"), ("pipe", "pipe"), ("", "")],
)
def test_addresses_of_one_ipv6_network_are_one_client(address, network):
    connection = Connection.__new__(Connection)
    connection.client = (address, 1) if address else None
    assert connection.network == network


def test_invalid_http_is_not_quoted(serving_with):
    with serving_with().connect(b"GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n") as connection:
        status, body = answer(connection)
    assert status == 400
    assert json.loads(body)["message"] == "the request is not valid HTTP: illegal request line"
