"""Connections over real sockets: clients that are slow, send too much, do not read, or are too many."""

from __future__ import annotations

import asyncio
import contextlib
import json
import re
import socket
import threading
import time
from functools import partial

import h11
import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.requests import ClientDisconnect
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route

from hornbook.web import serving
from hornbook.web.connections import ClientConnection, ConnectionLimits, Connections

GET = b"GET / HTTP/1.1\r\nhost: x\r\n\r\n"
UNFINISHED = b"GET / HTTP/1.1\r\nhost: x\r\n"
BODY = b"POST /echo HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\nabc"


class Server:
    """A server in a thread that records its refusals."""

    def __init__(self, loop="auto", keep_alive=60, **limits) -> None:
        self.refused = []
        self.may_answer = threading.Event()
        self.is_asked = threading.Event()
        routes = [
            Route("/", lambda _: PlainTextResponse("here")),
            Route("/echo", self.echo, methods=["POST"]),
            Route("/large", lambda _: PlainTextResponse("x" * 30_000_000)),
            Route("/refusing", lambda _: PlainTextResponse("no", 413), methods=["POST"]),
            Route("/slow", self.slow),
            Route("/pieces", self.pieces),
            Route("/short", self.short),
        ]
        self.limits = ConnectionLimits(**limits)
        self.connections = Connections(self.limits, lambda *refused: self.refused.append(refused))
        config = uvicorn.Config(
            Starlette(routes=routes),
            http=partial(ClientConnection, self.connections),
            h11_max_incomplete_event_size=self.limits.header_bytes,
            timeout_keep_alive=keep_alive,
            log_config=None,
            log_level="error",
            loop=loop,
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

    async def pieces(self, request):
        async def several():
            self.is_asked.set()
            await asyncio.to_thread(self.may_answer.wait, 30)
            for piece in ("o", "n", "e"):
                yield piece

        return StreamingResponse(several())

    async def short(self, request):
        return PlainTextResponse("short", headers={"content-length": "6"})

    def connect(self, sent=b""):
        made = socket.create_connection(self.place, timeout=30)
        made.sendall(sent)
        return made

    def eventually(self, kind, number=1):
        """Wait until the given number of refusals of a kind is recorded."""
        while sum(each[0] == kind for each in self.refused) < number:
            time.sleep(0.01)


def answer(connection):
    """Return the status and body received until the connection is closed, or (0, "") if nothing arrives."""
    received = b""
    with contextlib.suppress(ConnectionError):
        while piece := connection.recv(65_536):
            received += piece
            head, end, body = received.partition(b"\r\n\r\n")
            if (
                end
                and b"connection: close" not in head.lower()
                and len(body) >= int(re.search(rb"content-length: (\d+)", head)[1])
            ):
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
    server = serving_with(body_seconds=-0.8)  # the application gets one more second
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


def test_a_connection_is_idle_after_the_rest_of_a_refused_body(serving_with):
    server = serving_with(idle_seconds=0.2, header_seconds=60.0)
    with server.connect(BODY.replace(b"/echo", b"/refusing")) as connection:
        assert answer(connection) == (413, "no")
        connection.sendall(b"x" * 97)
        assert connection.recv(1) == b""
    assert server.refused == []


def all_of(connection):
    """Return all data received until the connection is closed."""
    received = b""
    while piece := connection.recv(65_536):
        received += piece
    return received


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        (GET, [b"here"]),
        (GET.replace(b"1.1", b"1.0"), [b"here"]),
        (GET + GET + GET, [b"here", b"here", b"here"]),
        (BODY.replace(b"100", b"3"), [b"read"]),
        (GET.replace(b" / ", b" /large "), [b"x" * 30_000_000]),
    ],
    ids=["one", "old", "pipelined", "body", "large"],
)
def test_a_client_that_sends_no_more_gets_its_answers(serving_with, sent, answers, loop):
    server = serving_with(loop=loop)
    with server.connect(sent) as connection:
        connection.shutdown(socket.SHUT_WR)
        received = all_of(connection)
    assert received.count(b"HTTP/1.1 200 OK") == len(answers)
    assert [each.partition(b"HTTP/1.1")[0] for each in received.split(b"\r\n\r\n")[1:]] == answers
    assert server.refused == []


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
def test_a_client_that_sends_no_more_gets_a_late_answer(serving_with, loop):
    server = serving_with(loop=loop)
    with server.connect(GET.replace(b" / ", b" /slow ") + GET) as connection:
        server.is_asked.wait(30)
        connection.shutdown(socket.SHUT_WR)
        time.sleep(0.1)
        server.may_answer.set()
        received = all_of(connection)
    assert [received.count(each) for each in (b"late", b"here")] == [1, 1]


@pytest.mark.parametrize("loop", ["uvloop", "asyncio"])
@pytest.mark.parametrize(
    ("sent", "kind", "refused"),
    [(UNFINISHED, "http", [("http", 400)]), (BODY, "body", []), (GET + UNFINISHED, "http", [("http", 400)])],
)
def test_an_unfinished_request_whose_sender_ends_is_refused(serving_with, sent, kind, refused, loop):
    server = serving_with(loop=loop)
    with server.connect(sent) as connection:
        connection.shutdown(socket.SHUT_WR)
        *_, body = all_of(connection).split(b"\r\n\r\n")
    assert json.loads(body)["error"] == kind
    assert server.refused == refused


def test_a_connection_whose_client_says_nothing_and_ends_is_closed(serving_with):
    server = serving_with()
    with server.connect() as connection:
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection) == b""
    with server.connect(GET) as connection:
        assert answer(connection) == (200, "here")
        connection.shutdown(socket.SHUT_WR)
        assert all_of(connection) == b""
    assert server.refused == []


@pytest.fixture
def read_by_h11(monkeypatch):
    """Return the pieces of data that h11 reads."""
    read, receive = [], h11.Connection.receive_data

    def received(connection, data):
        read.append(bytes(data))
        receive(connection, data)

    monkeypatch.setattr(h11.Connection, "receive_data", received)
    return read


def test_h11_does_not_read_plain_requests(serving_with, read_by_h11):
    echo = BODY.replace(b"100", b"3")
    with serving_with().connect() as connection:
        for sent, body in ((GET, "here"), (echo, "read"), (GET.replace(b" / ", b" /nowhere "), "Not Found")):
            connection.sendall(sent)
            assert answer(connection)[1] == body
        assert read_by_h11 == []
        connection.sendall(UNFINISHED)
        time.sleep(0.05)
        connection.sendall(b"\r\n")
        assert answer(connection) == (200, "here")
        assert b"".join(read_by_h11) == GET
        connection.sendall(echo)
        assert answer(connection) == (200, "read")
        assert b"".join(read_by_h11) == GET


def test_a_response_without_a_length_is_written_by_h11(serving_with, read_by_h11):
    server = serving_with()
    sent = GET.replace(b" / ", b" /pieces ")
    with server.connect(sent) as connection:
        server.is_asked.wait(30)
        connection.sendall(GET)
        time.sleep(0.1)
        connection.shutdown(socket.SHUT_WR)
        time.sleep(0.1)
        server.may_answer.set()
        received = all_of(connection)
    assert b"".join(read_by_h11) == sent + GET
    assert b"transfer-encoding: chunked" in received.lower()
    assert b"1\r\no\r\n1\r\nn\r\n1\r\ne\r\n0\r\n\r\n" in received
    assert received.endswith(b"here")


def test_a_response_of_another_length_than_it_says_ends_the_connection(serving_with):
    with serving_with().connect(GET.replace(b" / ", b" /short ")) as connection:
        assert all_of(connection).endswith(b"\r\n\r\nshort")


def test_requests_that_come_during_an_answer_wait(serving_with):
    server = serving_with()
    with server.connect(GET.replace(b" / ", b" /slow ")) as connection:
        server.is_asked.wait(30)
        connection.sendall(GET)
        time.sleep(0.05)
        connection.sendall(BODY.replace(b"100", b"3"))
        time.sleep(0.05)
        server.may_answer.set()
        connection.shutdown(socket.SHUT_WR)
        received = all_of(connection)
    assert [each.partition(b"HTTP/1.1")[0] for each in received.split(b"\r\n\r\n")[1:]] == [
        b"late",
        b"here",
        b"read",
    ]


def test_a_connection_stays_open_longer_than_the_time_between_requests(serving_with):
    """The timer that h11's path starts after a response must not end a later answer."""
    server = serving_with(keep_alive=1)
    with server.connect(UNFINISHED) as connection:
        time.sleep(0.05)
        connection.sendall(b"\r\n")
        assert answer(connection) == (200, "here")
        connection.sendall(GET.replace(b" / ", b" /slow "))
        time.sleep(1.2)
        server.may_answer.set()
        assert answer(connection) == (200, "late")


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("2001:db8::1:2:3", "2001:db8::/64"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("fe80::1%eth0", "fe80::/64"),
        ("pipe", "pipe"),
        ("", ""),
    ],
)
def test_addresses_of_one_ipv6_network_are_one_client(address, network):
    connection = ClientConnection.__new__(ClientConnection)
    connection.client = (address, 1) if address else None
    assert connection.network == network


def test_invalid_http_is_not_quoted(serving_with):
    with serving_with().connect(b"GET /\0 HTTP/1.1\r\nhost: x\r\n\r\n") as connection:
        status, body = answer(connection)
    assert status == 400
    assert json.loads(body)["message"] == "the request is not valid HTTP: illegal request line"
