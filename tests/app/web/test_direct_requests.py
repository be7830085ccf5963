"""Plain requests are read and answered without h11, in the same way as by h11."""

from __future__ import annotations

import random
import re

import h11
import pytest

from hornbook.web.direct_requests import plain_head, read_plain_request

PLAIN = (
    b"POST /query?a=%20b HTTP/1.1\r\nHost: here:8000\r\nContent-Type:application/json \r\n"
    b"X-Request-ID: a b\tc\r\nEmpty:\r\ncontent-length: 5\r\nConnection: keep-alive\r\n\r\nabcde"
)
PARTS = [
    b"GET", b"POST", b"PUT", b" ", b"  ", b"/", b"/query", b"?", b"#", b"HTTP/1.1", b"HTTP/1.0", b"\r\n", b"\n", b"\r",
    b"Host: a", b"Host:", b"host : a", b"content-length: 5", b"content-length: 05", b"content-length: +5",
    b"content-length: 5, 5", b"content-length: 6", b"content-length: 0", b"transfer-encoding: chunked", b"expect: 100-continue",
    b"upgrade: h2c", b"connection: close", b"connection: keep-alive, close", b" folded", b"\x00", b"\x01", b"\x7f", b"\xff",
    b"\t", b"\x0b", b"\x85", b"abcde", b":", b"a", b"a: b", b": b", b"a:b: c", b"\r\n\r\n", b"%00", b"%ff", b"(",
]  # fmt: skip


def read_by_h11(received):
    """Return the only request in some bytes as h11 reads it; None if it is refused, unfinished or not alone."""
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(received)
    try:
        request = connection.next_event()
        if not isinstance(request, h11.Request):
            return None
        body = b""
        while isinstance(event := connection.next_event(), h11.Data):
            body += event.data
        if not isinstance(event, h11.EndOfMessage) or connection.trailing_data[0]:
            return None
    except h11.RemoteProtocolError:
        return None
    if connection.their_state is not h11.DONE or connection.they_are_waiting_for_100_continue:
        return None
    return request.method.decode(), request.target, list(request.headers), body


def changed(rng):
    """Return a plain request with some random changes."""
    found = bytearray(PLAIN)
    for _ in range(rng.randrange(1, 4)):
        place = rng.randrange(len(found) + 1)
        if rng.random() < 0.5:
            starts = [match.start() for match in re.finditer(rb"\r\n|(?<=\n)|$", bytes(found))]
            place = rng.choice(starts)
        end = place if rng.random() < 0.7 else min(len(found), place + rng.randrange(1, 12))
        found[place:end] = rng.choice(PARTS) + (b"\r\n" if rng.random() < 0.3 else b"")
    return bytes(found)


def test_a_plain_request_is_read():
    plain = read_plain_request(PLAIN)
    assert plain == read_by_h11(PLAIN)
    assert plain.headers[1:3] == [(b"content-type", b"application/json"), (b"x-request-id", b"a b\tc")]
    assert read_plain_request(b"GET / HTTP/1.1\r\nhost: a\r\n\r\n").body == b""


def test_h11_reads_every_plain_request_in_the_same_way():
    rng = random.Random(8)
    plain = 0
    for _ in range(20_000):
        received = changed(rng)
        found = read_plain_request(received)
        if found is not None:
            plain += 1
            assert found == read_by_h11(received), received
    assert plain > 1500


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"POST", b"HEAD"),
        (b"POST", b"post"),
        (b"/query", b"*"),
        (b"HTTP/1.1", b"HTTP/1.0"),
        (b"Host: here:8000\r\n", b""),
        (b"Host: here:8000\r\n", b"Host: a\r\nHost: b\r\n"),
        (b"content-length: 5", b"content-length: 6"),
        (b"content-length: 5", b"content-length: 4"),
        (b"content-length: 5", b"content-length: 5\r\nContent-Length: 5"),
        (b"content-length: 5", b"transfer-encoding: chunked"),
        (b"content-length: 5", b"content-length: 5\r\nexpect: 100-continue"),
        (b"keep-alive", b"close"),
        (b"a b", b"a \xe9"),
        (b"a b", b"a\r\n b"),
        (b"a b", b"a\nb"),
        (b"Empty:", b"Empty :"),
    ],
)
def test_other_requests_are_left_to_h11(old, new):
    assert PLAIN.count(old) == 1
    assert read_plain_request(PLAIN.replace(old, new)) is None


@pytest.mark.parametrize("status", [200, 201, 303, 404, 422, 503])
def test_the_head_of_a_response_is_that_of_h11(status):
    headers = [(b"date", b"now, or later"), (b"content-length", b"12"), (b"x-empty", b"")]
    connection = h11.Connection(h11.SERVER)
    connection.receive_data(PLAIN)
    while connection.next_event() is not h11.NEED_DATA:
        pass
    from uvicorn.protocols.http.h11_impl import STATUS_PHRASES

    response = h11.Response(status_code=status, headers=headers, reason=STATUS_PHRASES[status])
    assert plain_head(status, headers) == (connection.send(response), 12)


@pytest.mark.parametrize(
    ("status", "headers"),
    [
        (204, []),
        (304, [(b"content-length", b"1")]),
        (200, []),
        (200, [(b"content-length", b"1"), (b"content-length", b"1")]),
        (200, [(b"content-length", b"1"), (b"connection", b"close")]),
        (200, [(b"transfer-encoding", b"chunked")]),
        (200, [(b"content-length", b"1"), (b"location", b"/a\r\nset-cookie: b")]),
        (200, [(b"content-length", b"1"), (b"a b", b"c")]),
    ],
)
def test_other_responses_are_left_to_h11(status, headers):
    assert plain_head(status, headers) is None
