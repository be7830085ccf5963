"""Limits on the requests of one client: the number in progress, and the number that start in a second.

A client is identified by its token, or without one by its address; for IPv6, by its network with a prefix of
64 bits.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING

from starlette.responses import Response

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.networks import network_of
from hornbook.web.service.messages import RefusedRequest

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(slots=True)
class RequestRate:
    """A limit on the requests of each client in a second, by a sliding window.

    The requests of the previous second of the clock count in proportion to its part of the last second. Only
    the clients of these two seconds are stored.
    """

    most: int
    now: Callable[[], float] = time.monotonic
    _second: int = 0
    _started: Counter[str] = field(default_factory=Counter)
    """The requests of each client since the current second of the clock began."""
    _before: Counter[str] = field(default_factory=Counter)
    """The requests of each client in the second before."""

    def admit(self, client: str) -> bool:
        """Count a request that starts now, and return True; return False if it would exceed the limit."""
        moment = self.now()
        second = int(moment)
        if second != self._second:
            self._before = self._started if second == self._second + 1 else Counter()
            self._second, self._started = second, Counter()
        part = 1.0 - (moment - second)
        if int(self._before[client] * part + self._started[client]) >= self.most:
            return False
        self._started[client] += 1
        return True


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """An ASGI application that limits the requests of each client to another one."""

    app: ASGIApp
    most: int
    """The number of requests in progress."""
    rate: RequestRate
    _running: Counter[str] = field(default_factory=Counter)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        if self._running[client] >= self.most:
            message = f"the client has {self.most:,} requests in progress already; wait for a response"
            await _refuse(RefusedRequest(429, "requests", message), scope, receive, send)
        elif not self.rate.admit(client):
            message = f"the client has sent {self.rate.most:,} requests in a second; send fewer"
            await _refuse(RefusedRequest(429, "rate", message), scope, receive, send)
        else:
            self._running[client] += 1
            try:
                await self.app(scope, receive, send)
            finally:
                self._running[client] -= 1
                if not self._running[client]:
                    del self._running[client]


def client_of(scope: Scope) -> str:
    """Return the name of the client of a request, or its address without a token."""
    name = scope.get("state", {}).get("client")
    if name is not None:
        return f"token {name}"
    address = scope.get("client")
    return f"address {network_of(address[0])}" if address else "address"


async def _refuse(message: RefusedRequest, scope: Scope, receive: Receive, send: Send) -> None:
    headers = {"retry-after": "1"}
    await Response(message.body, message.status, headers, "application/json")(scope, receive, send)
