"""What is recorded of requests: a line of JSON each in the log, and numbers for Prometheus.

Always true: neither has anything of what was asked or answered: no facts, no texts, no tokens.
"""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import msgspec
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.process_collector import ProcessCollector
from prometheus_client.registry import Collector

from hornbook.web.service.service import Service

if TYPE_CHECKING:
    from collections.abc import Iterable

    from prometheus_client import Metric
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

Write = Callable[[bytes], object]
"""Writes a line."""
BUCKETS = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 30.0)
"""Seconds of a request, as the histogram counts them."""
_OTHER = "other"
"""What the numbers call all addresses at which there is nothing."""
_ID = b"x-request-id"
_LONGEST_ID = 64


@dataclass(frozen=True, slots=True)
class Lines:
    """The log: an object on a line."""

    write: Write

    def line(self, level: str, said: dict[str, Any]) -> None:
        moment = datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        self.write(msgspec.json.encode({"time": moment, "level": level, **said}) + b"\n")

    def event(self, level: str, message: str) -> None:
        """What happened to the service itself."""
        self.line(level, {"event": message})


class Numbers:
    """What Prometheus is told."""

    def __init__(self, service: Service) -> None:
        self.registry = CollectorRegistry()
        self.requests = Counter(
            "hornbook_requests", "Requests that were answered.", ["route", "status"], registry=self.registry
        )
        self.seconds = Histogram(
            "hornbook_request_seconds",
            "Seconds of a request.",
            ["route"],
            registry=self.registry,
            buckets=BUCKETS,
        )
        self.registry.register(_OfService(service))
        ProcessCollector(registry=self.registry)

    def text(self) -> bytes:
        return generate_latest(self.registry)


class _OfService(Collector):
    """Numbers of the service as it is now."""

    def __init__(self, service: Service) -> None:
        self._service = service

    def collect(self) -> Iterable[Metric]:
        service = self._service
        if service.status == "starting":
            return
        yield GaugeMetricFamily("hornbook_workers", "Processes that answer.", value=len(service.crew.workers))
        yield GaugeMetricFamily(
            "hornbook_workers_busy",
            "Processes that have begun a request and not yet answered.",
            value=service.crew.answering,
        )
        yield GaugeMetricFamily(
            "hornbook_waiting", "Requests that no process has begun.", value=service.crew.waiting
        )
        yield GaugeMetricFamily("hornbook_sessions", "Sessions.", value=len(service.sessions))
        yield GaugeMetricFamily(
            "hornbook_learned_rules", "Learned rules that are asked.", value=service.served["rules"]
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
    """An application of whose every request the log has a line, and the numbers count one."""

    app: ASGIApp
    lines: Lines
    numbers: Numbers
    route_of: Callable[[str], str | None]
    """What an address is called, whoever asks there and however; None where there is nothing."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began = time.perf_counter()
        state: dict[str, Any] = scope.setdefault("state", {})
        name, status, size = _id(scope), 0, 0

        async def sent(message: Message) -> None:
            nonlocal status, size
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message.get("headers", ()), (_ID, name)]
            else:
                size += len(message.get("body", b""))
            await send(message)

        try:
            await self.app(scope, receive, sent)
        finally:
            seconds, route = time.perf_counter() - began, self.route_of(scope["path"]) or _OTHER
            self.numbers.requests.labels(route, str(status)).inc()
            self.numbers.seconds.labels(route).observe(seconds)
            said = {
                "id": name.decode(),
                "client": state.get("client"),
                "method": scope["method"],
                "route": route,
                "status": status,
                "seconds": round(seconds, 6),
                "bytes": size,
                **state.get("log", {}),
            }
            self.lines.line("error" if status >= 500 else "info", said)


def _id(scope: Scope) -> bytes:
    """What a request is called: as a proxy says, or by chance."""
    for name, said in scope["headers"]:
        if (
            name == _ID
            and 0 < len(said) <= _LONGEST_ID
            and said.isascii()
            and said.replace(b"-", b"").isalnum()
        ):
            return bytes(said)
    return secrets.token_hex(8).encode()
