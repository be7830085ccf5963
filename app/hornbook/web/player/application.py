"""The ASGI application of a player: the body of each POST is a request, whatever its path.

The headers of replies are those of GGP Base, so that pages of every origin may be game managers.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.protocol.dialogue import Reply
from hornbook.web.bodies import BodyRefusedError, whole_body
from hornbook.web.guarding import Guard, refusal
from hornbook.web.player.service import PlayerService
from hornbook.web.service.recording import JsonLog

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

_SHORT = 300
"""The number of characters of a message in the log."""
_HEADERS = {
    "access-control-allow-origin": "*",
    "access-control-allow-methods": "POST, OPTIONS",
    "access-control-allow-headers": "Content-Type",
    "access-control-max-age": "86400",
    "cross-origin-resource-policy": "cross-origin",
}


@dataclass(frozen=True, slots=True)
class PlayerApplication:
    """The application, with the limits of a body in bytes and seconds."""

    service: PlayerService
    lines: JsonLog
    most_bytes: int
    body_seconds: float

    def guarded(self, header_bytes: int) -> ASGIApp:
        """Return the application behind the checks of headers."""
        return Guard(self, frozenset(), header_bytes=header_bytes, is_public=True)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        began = time.perf_counter()
        request = Request(scope, receive, send)
        try:
            response = await self._response(request)
        except Exception as problem:  # noqa: BLE001 - the match in progress goes on
            self.lines.event("error", f"{type(problem).__name__}: {problem}")
            response = _refused(500, "internal", "the player failed; its log has the details")
        reported = {
            "client": request.client.host if request.client else None,
            "method": request.method,
            "status": response.status_code,
            "seconds": round(time.perf_counter() - began, 6),
        }
        self.lines.line("info", reported)
        await response(scope, receive, send)

    async def _response(self, request: Request) -> Response:
        """Return the response to a request."""
        if request.method == "OPTIONS":
            return _replied("")
        if request.method != "POST":
            return _refused(
                405, "method", "send a request of the protocol by POST", {"allow": "POST, OPTIONS"}
            )
        try:
            text = (await whole_body(request, self.most_bytes, self.body_seconds)).decode()
        except BodyRefusedError as problem:
            # The rest of a slow body is not read, so the connection is closed.
            headers = {"connection": "close"} if problem.status == 408 else {}
            return _refused(problem.status, problem.kind, str(problem), headers)
        except UnicodeDecodeError:
            return _refused(400, "body", "the body is not UTF-8")
        found = await self.service.reply_to(text)
        if isinstance(found, Reply):
            return _replied(found.text)
        self.lines.event("warning", f"refused a request: {found.message[:_SHORT]}")
        return _refused(400, "request", found.message)

    def refused(self, kind: str, status: int) -> None:
        """Record a connection that was refused before it reached the application."""
        self.lines.line("info", {"event": "refused a connection", "error": kind, "status": status})


def _replied(text: str) -> Response:
    return Response(text, headers={"content-type": "text/acl", **_HEADERS})


def _refused(status: int, kind: str, message: str, headers: dict[str, str] | None = None) -> Response:
    return Response(
        refusal(kind, message),
        status,
        {"content-type": "application/json", **_HEADERS, **(headers or {})},
    )
