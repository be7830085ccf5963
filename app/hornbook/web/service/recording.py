"""Records of requests: a JSON line for each in the log, and metrics for Prometheus.

Invariants: Neither contains any part of a question or an answer: no facts, texts or tokens.
"""

from __future__ import annotations

import json
import secrets
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prometheus_client import Metric
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Write = Callable[[bytes], object]
"""A function that writes a line."""
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""The bounds of the histogram of request times, in seconds."""
_OTHER = "other"
"""The label of all unknown paths in the metrics."""
_JSON = msgspec.json.Encoder()
_ID = b"x-request-id"
_LONGEST_ID = 64


@dataclass(frozen=True, slots=True)
class JsonLog:
    """The log, with one JSON object per line."""

    write: Write

    def line(self, level: str, reported: dict[str, Any]) -> None:
        moment = datetime.now(UTC).isoformat(timespec="milliseconds").removesuffix("+00:00")
        record = {"time": f"{moment}Z", "level": level, **reported}
        text = _JSON.encode(record)
        if not text.isascii():
            # ASCII contains no terminal control characters after escaping, and can always be written.
            text = json.dumps(record, separators=(",", ":")).encode("ascii")
        self.write(text + b"\n")

    def event(self, level: str, message: str) -> None:
        """Write a line about an event of the service."""
        self.line(level, {"event": message})


class Numbers:
    """The metrics for Prometheus."""

    def __init__(self, service: Service) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "hornbook_requests", "Requests that were answered.", ["route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "hornbook_request_seconds",
            "Duration of requests in seconds.",
            ["route"],
            registry=self.registry,
            buckets=BUCKETS,
        )
        self.refusals = Counter(
            "hornbook_refusals",
            "Requests and connections that were refused, by the kind of the refusal.",
            ["error"],
            registry=self.registry,
        )
        self.registry.register(_OfService(service))
        ProcessCollector(registry=self.registry)
        # The look-up of a labelled metric takes longer than its increment.
        self._requests = cache(lambda route, status: self.requests.labels(route, str(status)))
        self._seconds = cache(self.seconds.labels)

    def count(self, route: str, status: int, seconds: float) -> None:
        """Count a request that was answered."""
        self._requests(route, status).inc()
        self._seconds(route).observe(seconds)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class _OfService(Collector):
    """The current state of the service as metrics."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        service = self._service
        if service.status == "starting":
            return
        yield GaugeMetricFamily("hornbook_workers", "Processes that answer.", value=len(service.pool.workers))
        yield GaugeMetricFamily(
            "hornbook_workers_busy",
            "Processes that are answering a request.",
            value=service.pool.answering,
        )
        yield GaugeMetricFamily(
            "hornbook_waiting", "Requests that wait for a process.", value=service.pool.waiting
        )
        yield GaugeMetricFamily("hornbook_sessions", "Sessions.", value=len(service.sessions))
        yield GaugeMetricFamily(
            "hornbook_learned_rules", "Active learned rules.", value=service.served["rules"]
        )
        yield CounterMetricFamily(
            "hornbook_workers_replaced",
            "Processes that were lost or ended, and replaced.",
            value=service.replaced,
        )
        reloads = CounterMetricFamily("hornbook_reloads", "Reloads of what is served.", labels=["result"])
        for result, number in service.reloads.items():
            reloads.add_metric([result], number)
        yield reloads


@dataclass(frozen=True, slots=True)
class Recorded:
    """An application whose requests are logged and counted."""

    app: ASGIApp
    lines: JsonLog
    numbers: Numbers
    route_of: Callable[[str], str | None]
    """A function that returns the route of a path, for any client and method; None if there is none."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        state: dict[str, Any] = scope.setdefault("state", {})
        name, status, size, error = _id(scope), 0, 0, None

        async def sent(message: Message) -> None:
            nonlocal status, size, error
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (_ID, name)]
            else:
                size += len(message.get("body", b""))
                if status >= 400:
                    error = _error(message.get("body", b"")) or error
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            seconds, route = time.perf_counter() - began, self.route_of(scope["path"]) or _OTHER
            self.numbers.count(route, status, seconds)
            if error is not None:
                self.numbers.refusals.labels(error).inc()
            reported = {
                "id": name.decode(),
                "client": state.get("client"),
                "method": scope["method"],
                "route": route,
                "status": status,
                "seconds": round(seconds, 6),
                "bytes": size,
                **({} if error is None else {"error": error}),
                **state.get("log", {}),
            }
            self.lines.line("error" if status >= 500 else "info", reported)


class _Error(msgspec.Struct):
    """The kind of a refusal, the only part that is recorded."""

    error: str


_REFUSAL = msgspec.json.Decoder(_Error)


def _error(body: bytes) -> str | None:
    """Return the kind of a refusal in a body; None if the body is no refusal."""
    try:
        return _REFUSAL.decode(body).error
    except msgspec.DecodeError:
        return None


def _id(scope: Scope) -> bytes:
    """Return the identifier of a request, from a proxy's header or random."""
    for name, reported in scope["headers"]:
        if (
            name == _ID
            and 0 < len(reported) <= _LONGEST_ID
            and reported.isascii()
            and reported.replace(b"-", b"").isalnum()
        ):
            return bytes(reported)
    return secrets.token_hex(8).encode()
