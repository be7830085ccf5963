"""HTTP connections with limits on their number and on the time for which each may wait for its client.

A connection waits for its client while a header or a body is incomplete, between two requests, and while the
client does not read a response. When all connections are in use, a new one replaces the one that has waited
longest. A connection whose request is being answered is never closed for another one.
"""

from __future__ import annotations

import asyncio
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import field
from enum import Enum
from functools import partial
from http import HTTPStatus
from typing import Any
from urllib.parse import unquote

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.direct_requests import DirectCycle, PlainRequest, read_plain_request
from hornbook.web.guarding import refusal
from hornbook.web.networks import network_of

HEADER_BYTES = 65_536
"""The default limit of the size of a request's header."""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Limits of the connections of a server. Times are in seconds."""

    connections: int = 500
    client_connections: int = 100
    """Connections from one address; for IPv6, from one network with a prefix of 64 bits."""
    header_bytes: int = HEADER_BYTES
    header_seconds: float = 10.0
    body_seconds: float = 30.0
    idle_seconds: float = 5.0
    """The time between two requests on one connection."""
    response_seconds: float = 30.0
    """The time for which a client may stop reading a response."""


class _Phase(Enum):
    """The event that a connection waits for; the value is the kind under which its refusal is counted."""

    HEADER = "header-time"
    BODY = "body-time"
    IDLE = "idle-time"
    RESPONSE = "response-time"
    CLOSING = "closing-time"


Refuse = Callable[[str, int], None]
"""A function that records a refusal: its kind, and the status sent to the client, or 0 if none is sent."""


@dataclass(slots=True)
class Connections:
    """The open connections of a server."""

    limits: ConnectionLimits
    record: Refuse
    _open: dict[ClientConnection, str] = field(default_factory=dict)
    """Each connection with the network of its client."""
    _of_client: Counter[str] = field(default_factory=Counter)

    def admit(self, new: ClientConnection) -> None:
        """Add a new connection, or refuse it. At the limit it replaces one that waits for its client."""
        client, limits = new.network, self.limits
        if self._of_client[client] >= limits.client_connections:
            message = (
                f"{limits.client_connections:,} connections from one address are open; close some of them"
            )
            is_free = self._close_one(client, "client-connections")
            kind, status = "client-connections", HTTPStatus.TOO_MANY_REQUESTS
        else:
            message = f"{limits.connections:,} connections are open; try again later"
            is_free = len(self._open) < limits.connections or self._close_one(None, "connections")
            kind, status = "connections", HTTPStatus.SERVICE_UNAVAILABLE
        if is_free:
            self._open[new] = client
            self._of_client[client] += 1
        else:
            new.refuse(status, kind, message)

    def forget(self, connection: ClientConnection) -> None:
        """Remove a connection, if it was admitted."""
        client = self._open.pop(connection, None)
        if client is not None:
            self._of_client[client] -= 1
            if not self._of_client[client]:
                del self._of_client[client]

    def _close_one(self, client: str | None, kind: str) -> bool:
        """Close the connection that has waited longest, preferably of the client with the most connections.

        Return False if none waits.
        """
        waiting = [
            (self._of_client[of], -each.waits_since, each)
            for each, of in self._open.items()
            if each.is_waiting and client in (None, of)
        ]
        if not waiting:
            return False
        oldest = max(waiting, key=lambda found: found[:2])[2]
        self.forget(oldest)
        oldest.give_way(kind)
        return True


class ClientConnection(H11Protocol):
    """A connection of uvicorn that closes itself when its client takes too long."""

    def __init__(self, connections: Connections, **named: Any) -> None:
        super().__init__(**named)
        self._connections = connections
        self._phase: _Phase | None = None
        self._timer: asyncio.TimerHandle | None = None
        self.waits_since = 0.0
        self._has_begun = False
        self._has_ended = False
        """Whether the client has closed its sending side."""
        self._later = b""
        """The data received while a plain request is being answered."""

    @property
    def network(self) -> str:
        """The address of the client; for IPv6 its network, which usually belongs to one client."""
        return network_of(self.client[0]) if self.client else ""

    @property
    def is_waiting(self) -> bool:
        """Whether the connection waits for its client, as opposed to the server."""
        return self._phase is not None

    @property
    def _is_answering(self) -> bool:
        """Whether a request has no complete response yet."""
        return self.cycle is not None and not self.cycle.response_complete  # type: ignore[redundant-expr] # None at first

    @property
    def _is_direct(self) -> bool:
        """Whether the latest request is answered without h11."""
        return isinstance(self.cycle, DirectCycle) and self.cycle.is_direct

    @property
    def _is_between_requests(self) -> bool:
        """Whether the last request is answered, and nothing of the next one has come."""
        return (
            not self._is_answering
            and self.conn.our_state is h11.IDLE
            and self.conn.their_state is h11.IDLE
            and not self.conn.trailing_data[0]
            and not self.transport.is_closing()
        )

    # Events of the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._look()
        self._connections.admit(self)

    def connection_lost(self, exc: Exception | None) -> None:
        self._connections.forget(self)
        self._stop_timer()
        self._phase = None
        super().connection_lost(exc)
        self._unset_keepalive_if_required()

    def data_received(self, data: bytes) -> None:
        self._has_begun = True
        if self._is_answering and self._is_direct:
            self._later += data
            self.flow.pause_reading()
            return
        if self._is_between_requests and (plain := read_plain_request(data)) is not None:
            self._answer(plain, data)
        else:
            self._read_by_h11(data)
        self._look()

    def _read_by_h11(self, data: bytes) -> None:
        was_body = self.conn.their_state is h11.SEND_BODY
        super().data_received(data)
        if was_body and self.conn.their_state is h11.IDLE:
            # The rest of a body that was refused has come, and no other request need have begun.
            self._has_begun = bool(self.conn.trailing_data[0])

    def _answer(self, plain: PlainRequest, data: bytes) -> None:
        """Begin to answer a plain request, as `handle_events` does for others."""
        self._unset_keepalive_if_required()
        path, _, query_string = plain.target.partition(b"?")
        self.headers = plain.headers
        self.scope = {
            "type": "http",
            "asgi": {"version": self.asgi_version, "spec_version": "2.3"},
            "http_version": "1.1",
            "server": self.server,
            "client": self.client,
            "scheme": self.scheme,  # type: ignore[typeddict-item] # as in uvicorn
            "method": plain.method,
            "root_path": self.root_path,
            "path": self.root_path + unquote(path.decode("ascii")),
            "raw_path": self.root_path.encode("ascii") + path,
            "query_string": query_string,
            "headers": self.headers,
            "state": self.app_state.copy(),
        }
        self.cycle = DirectCycle(
            plain.body,
            partial(self._replay, data),
            scope=self.scope,
            conn=self.conn,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            on_response=self.on_response_complete,
        )
        task = self.loop.create_task(self.cycle.run_asgi(self.app))
        task.add_done_callback(self.tasks.discard)
        self.tasks.add(task)

    def _replay(self, data: bytes) -> None:
        """Let h11 read a plain request again, since it is to write the response."""
        self.conn.receive_data(data)
        while self.conn.next_event() not in (h11.NEED_DATA, h11.PAUSED):
            pass
        if self._later:
            self.conn.receive_data(self._later)
            self._later = b""

    def eof_received(self) -> bool:  # type: ignore[override]
        """Answer what the client has sent before it closed its sending side; return whether the connection
        stays open.
        """
        self._has_ended = True
        self._finish()
        return not self.transport.is_closing()

    def on_response_complete(self) -> None:
        if self._is_direct:
            later, self._later = self._later, b""
            self._has_begun = bool(later)
            self.server_state.total_requests += 1
            if not self.transport.is_closing():
                self.flow.resume_reading()
                if later:
                    self.data_received(later)
        else:
            self._has_begun = bool(self.conn.trailing_data[0])
            super().on_response_complete()
        if self._has_ended:
            self._finish()
        self._look()

    def pause_writing(self) -> None:
        super().pause_writing()
        self._look()

    def resume_writing(self) -> None:
        super().resume_writing()
        self._look()

    def shutdown(self) -> None:
        super().shutdown()
        self._look()

    # Waiting times

    def _look(self) -> None:
        """Start the timer for the current phase, unless it runs already."""
        phase = self._current_phase()
        if phase is self._phase:
            return
        self._stop_timer()
        self._phase = phase
        if phase is not None:
            self.waits_since = self.loop.time()
            self._timer = self.loop.call_later(self._seconds(phase), self._expired, phase)

    def _current_phase(self) -> _Phase | None:
        if self.transport.is_closing():
            return _Phase.CLOSING
        if self.flow.write_paused:
            return _Phase.RESPONSE
        if self.conn.their_state is h11.SEND_BODY:
            return _Phase.BODY
        if self._is_answering:
            return None
        return _Phase.HEADER if self._has_begun or self.cycle is None else _Phase.IDLE

    def _seconds(self, phase: _Phase) -> float:
        limits = self._connections.limits
        match phase:
            case _Phase.HEADER:
                return limits.header_seconds
            case _Phase.BODY:
                # The application refuses a slow body earlier.
                return limits.body_seconds + 1.0
            case _Phase.IDLE:
                return limits.idle_seconds
            case _Phase.RESPONSE | _Phase.CLOSING:
                return limits.response_seconds

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    # Ways to end a connection

    def _expired(self, phase: _Phase) -> None:
        seconds = self._seconds(phase)
        match phase:
            case _Phase.HEADER if self._has_begun:
                message = f"the header was not complete after {seconds:g} seconds"
                self.refuse(HTTPStatus.REQUEST_TIMEOUT, phase.value, message)
            case _Phase.HEADER | _Phase.IDLE:
                self.transport.close()
            case _Phase.BODY | _Phase.RESPONSE | _Phase.CLOSING:
                self._connections.record(phase.value, 0)
                self.transport.abort()
        self._look()

    def _finish(self) -> None:
        """Close the connection of a client that sends no more, unless a whole request still waits for its
        response.
        """
        if self.transport.is_closing():
            return
        is_answering = self._is_answering
        if self.conn.their_state is h11.SEND_BODY:
            if is_answering and not self.cycle.response_started:
                # The application learns of it from the cycle, and records the refusal.
                self._send_refusal(
                    HTTPStatus.BAD_REQUEST, "body", "the connection was closed before the body was complete"
                )
            self.transport.close()
        elif not is_answering:
            if self._has_begun:
                self.refuse(
                    HTTPStatus.BAD_REQUEST, "http", "the connection was closed before the header was complete"
                )
            self.transport.close()
        self._look()

    def give_way(self, kind: str) -> None:
        """Close a waiting connection because another one replaces it."""
        self._connections.record(kind, 0)
        self.transport.abort()

    def refuse(self, status: HTTPStatus, kind: str, message: str) -> None:
        """Record a refusal, send it instead of a response, and close the connection."""
        self._connections.record(kind, status)
        self._send_refusal(status, kind, message)

    def _send_refusal(self, status: HTTPStatus, kind: str, message: str) -> None:
        body = refusal(kind, message)
        head = (
            f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: application/json\r\n"
            f"content-length: {len(body)}\r\nconnection: close\r\n\r\n"
        )
        self.transport.write(head.encode() + body)
        self.transport.close()
        self._look()

    def send_400_response(self, msg: str) -> None:
        """Refuse a request that h11 cannot parse. This is called in the handler of h11's exception."""
        problem = sys.exc_info()[1]
        if getattr(problem, "error_status_hint", 0) == HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE:
            most = self._connections.limits.header_bytes
            message = f"the header is longer than {most:,} bytes"
            self.refuse(HTTPStatus.REQUEST_HEADER_FIELDS_TOO_LARGE, "header", message)
        else:
            # h11 quotes the invalid bytes as a Python object.
            reason = str(problem).partition(": bytearray(")[0]
            self.refuse(HTTPStatus.BAD_REQUEST, "http", f"the request is not valid HTTP: {reason}")
