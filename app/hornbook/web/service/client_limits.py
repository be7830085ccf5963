"""Limits on the requests of one client: the number in progress, and the number that start in a second.

A client is identified by its token, or without one by its address; for IPv6, by its network with a prefix of
64 bits.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from limits import RateLimitItemPerSecond
from limits.storage import MemoryStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from starlette.responses import Response

from hornbook.web.networks import network_of
from hornbook.web.service.messages import RefusedRequest

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


@dataclass(frozen=True, slots=True)
class ClientLimits:
    """An ASGI application that limits the requests of each client to another one."""

    app: ASGIApp
    most: int
    """The number of requests in progress."""
    rate: RateLimitItemPerSecond
    _running: Counter[str] = field(default_factory=Counter)
    _limiter: SlidingWindowCounterRateLimiter = field(
        default_factory=lambda: SlidingWindowCounterRateLimiter(MemoryStorage())
    )

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = client_of(scope)
        if self._running[client] >= self.most:
            message = f"the client has {self.most:,} requests in progress already; wait for a response"
            await _refuse(RefusedRequest(429, "requests", message), scope, receive, send)
        elif not self._limiter.hit(self.rate, client):
            message = f"the client has sent {self.rate.amount:,} requests in a second; send fewer"
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
