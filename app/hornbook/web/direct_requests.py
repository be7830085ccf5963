"""A short way for plain requests that arrive whole: they are read and answered without h11.

h11 takes longer than the answer to a small query. So a request of a usual form is read by one regular
expression, and its response is sent in one piece. Every other request, and every response without a known
length, goes to h11.

Invariants: A request that is read here is read by h11 in the same way, and the bytes of its response are
those that h11 sends.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

import h11
from uvicorn.protocols.http.h11_impl import STATUS_PHRASES, RequestResponseCycle

if TYPE_CHECKING:
    from uvicorn._types import ASGISendEvent

_VALUE = rb"[!-~]++(?:[ \t]++[!-~]++)*+"
_HEAD = re.compile(
    rb"(GET|POST) (/[!-~]*+) HTTP/1\.1\r\n"
    rb"((?:[-!#$%&'*+.^_`|~0-9A-Za-z]++:[ \t]*+(?:" + _VALUE + rb"[ \t]*+)?\r\n)++)\r\n"
)
"""The head of a plain request: method, target and header lines."""
_PLAIN_FIELDS = re.compile(rb"(?:[a-z0-9-]++: (?:" + _VALUE + rb")?+\r\n)*+")
"""The header lines of a plain response."""
_OTHER_FRAMING = frozenset((b"transfer-encoding", b"expect", b"upgrade"))
"""Headers of requests that h11 reads."""
_LONGEST_NUMBER = 9
"""The largest number of digits of the length of a plain body."""

Headers = list[tuple[bytes, bytes]]


class PlainRequest(NamedTuple):
    """A whole request of a usual form."""

    method: str
    target: bytes
    headers: Headers
    body: bytes


def read_plain_request(received: bytes) -> PlainRequest | None:
    """Return the only request in some bytes, or None if it is not whole, not alone or of another form."""
    head = _HEAD.match(received)
    if head is None:
        return None
    headers: Headers = []
    hosts, length = 0, None
    for line in head[3].split(b"\r\n")[:-1]:
        name, _, value = line.partition(b":")
        name, value = name.lower(), value.strip(b" \t")
        if name == b"host":
            hosts += 1
        elif name == b"content-length":
            if length is not None or not value.isdigit() or len(value) > _LONGEST_NUMBER:
                return None
            length = int(value)
        elif name in _OTHER_FRAMING or (name == b"connection" and value.lower() != b"keep-alive"):
            return None
        headers.append((name, value))
    body = received[head.end() :]
    if hosts != 1 or len(body) != (length or 0):
        return None
    return PlainRequest(head[1].decode(), head[2], headers, body)


def plain_head(status: int, headers: Iterable[tuple[bytes, bytes]]) -> tuple[bytes, int] | None:
    """Return the head of a response as bytes, and the length of its body.

    Return None if h11 must write it: it has no length or closes the connection, or another form.
    """
    if not 200 <= status < 600 or status in (204, 304):
        return None
    length = None
    fields: list[bytes] = []
    for name, value in headers:
        if name == b"content-length":
            if length is not None or not value.isdigit() or len(value) > _LONGEST_NUMBER:
                return None
            length = int(value)
        elif name in (b"connection", b"transfer-encoding", b"host"):
            return None
        fields.append(b"%b: %b\r\n" % (name, value))
    lines = b"".join(fields)
    if length is None or lines.count(b"\n") != len(fields) or not _PLAIN_FIELDS.fullmatch(lines):
        return None
    return b"HTTP/1.1 %d %b\r\n%b\r\n" % (status, STATUS_PHRASES[status], lines), length


class DirectCycle(RequestResponseCycle):
    """A plain request and its response. If the response is not plain, h11 gets the request and writes it."""

    def __init__(self, body: bytes, replay: Callable[[], None], **named: Any) -> None:
        """Begin with the whole body. `replay` gives the request to h11."""
        super().__init__(**named)
        self.body += body
        self.more_body = False
        self.message_event.set()
        self.is_direct = True
        self._replay = replay
        self._start: ASGISendEvent | None = None
        self._head, self._length = b"", 0

    async def send(self, message: ASGISendEvent) -> None:
        if not self.is_direct:
            await super().send(message)
        elif self._start is None and message["type"] == "http.response.start":
            plain = plain_head(message["status"], [*self.default_headers, *message.get("headers", ())])
            if plain is None:
                await self._send_by_h11(message)
            else:
                self._start, (self._head, self._length) = message, plain
                self.response_started = True
        elif (
            self._start is not None
            and message["type"] == "http.response.body"
            and not message.get("more_body", False)
            and len(message.get("body", b"")) == self._length
            and not self.response_complete
        ):
            await self._end(message.get("body", b""))
        else:
            await self._send_by_h11(message)

    async def _end(self, body: bytes) -> None:
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        self.transport.writelines((self._head, body))
        self.response_complete = True
        self.message_event.set()
        del self._replay  # so that no connection refers to itself
        if not self.keep_alive:
            self.conn.send(h11.ConnectionClosed())
            self.transport.close()
        self.on_response()

    async def _send_by_h11(self, message: ASGISendEvent) -> None:
        """Send the response so far and a message by h11."""
        if not self.response_complete:
            self.is_direct = self.response_started = False
            self._replay()
            if self._start is not None:
                await super().send(self._start)
        await super().send(message)
