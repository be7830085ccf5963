"""Starlette application of the service: the routes, the parsing of requests, and the responses.

Invariants: A body is read only up to its largest size. Every response is JSON, except the description's pages
and the metrics.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import cached_property
from importlib.resources import files
from typing import TYPE_CHECKING

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware.errors import ServerErrorMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.bodies import BodyRefusedError, whole_body
from hornbook.web.connections import ConnectionLimits
from hornbook.web.guarding import Guard
from hornbook.web.service.client_limits import ClientLimits, RequestRate, client_of
from hornbook.web.service.description import OPEN, description, page
from hornbook.web.service.messages import Done, RefusedRequest, Setup
from hornbook.web.service.recording import JsonLog, Numbers, Recorded
from hornbook.web.service.service import Service, ServiceSettings, refusal
from hornbook.web.service.sessions import ServiceSession
from hornbook.web.tokens import ROLES, Role, Tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send


_JSON = "application/json"


@dataclass(frozen=True)
class Application:
    """A service with its routes, its log and its metrics."""

    setup: Setup
    settings: ServiceSettings
    names: frozenset[str]
    tokens: Tokens | None
    lines: JsonLog
    connections: ConnectionLimits = ConnectionLimits()

    @cached_property
    def service(self) -> Service:
        return Service(self.setup, self.settings, self.lines.event)

    @cached_property
    def numbers(self) -> Numbers:
        return Numbers(self.service)

    @cached_property
    def asgi(self) -> ASGIApp:
        """The ASGI application for a server."""
        addresses = _Addresses(
            self.service, self.settings.most_bytes, self.connections.body_seconds, self.numbers
        )
        starlette = addresses.starlette()
        routes = [each for each in starlette.routes if isinstance(each, Route)]
        rate = RequestRate(self.settings.client_rate)
        limited = ClientLimits(_routed(starlette, routes), self.settings.client_requests, rate)
        guard = Guard(
            limited, self.names, self.tokens, open_paths=OPEN, header_bytes=self.connections.header_bytes
        )
        return Recorded(guard, self.lines, self.numbers, _named(routes))

    def refused(self, kind: str, status: int) -> None:
        """Record a request or a connection that was refused before it reached the application."""
        self.numbers.refusals.labels(kind).inc()
        self.lines.line("info", {"event": "refused a connection", "error": kind, "status": status})


class _Refusal(Exception):
    """A request that is refused before it is sent to a worker."""

    def __init__(self, message: RefusedRequest) -> None:
        self.message = message


Answer = Callable[[Request], Awaitable[Done]]


class _Addresses:
    """The endpoints of the routes."""

    def __init__(self, service: Service, most_bytes: int, body_seconds: float, numbers: Numbers) -> None:
        self._service, self._numbers = service, numbers
        self._most_bytes, self._body_seconds = most_bytes, body_seconds
        self._description = description()
        self._page = page(self._description).encode()
        self._style_sheet = files("hornbook.web.service").joinpath("templates", "style.css").read_bytes()

    def starlette(self) -> Starlette:
        routes = [
            *(
                self._route(f"/{kind}", ["POST"], self._question(kind))
                for kind in ("query", "query-states", "match", "match-states", "why", "why-not", "advise")
            ),
            self._route("/facts", ["POST"], self._change, "update"),
            self._route("/sessions", ["POST"], self._begin_session),
            self._route("/sessions/{session}", ["GET", "DELETE"], self._session),
            *(
                self._route(f"/sessions/{{session}}/{kind}", ["POST"], self._session_question(kind))
                for kind in ("query", "query-states", "why", "why-not")
            ),
            self._route("/sessions/{session}/facts", ["POST"], self._change_session),
            self._route("/reload", ["POST"], self._reload, "reload"),
            self._route("/theory", ["GET"], self._served),
            self._route("/healthz", ["GET"], self._alive, None),
            self._route("/readyz", ["GET"], self._ready, None),
            Route("/metrics", self._metrics),
            Route("/openapi.json", self._openapi),
            Route("/style.css", self._style),
            Route("/", self._shown),
        ]
        found = Starlette(routes=routes, exception_handlers={HTTPException: _not_there, Exception: _failed})
        found.router.redirect_slashes = False
        return found

    def _route(self, path: str, methods: list[str], answer: Answer, role: Role | None = "query") -> Route:
        """Return a route to an endpoint, which only clients with the role may use."""

        async def endpoint(request: Request) -> Response:
            try:
                if role is not None:
                    _must_have(request, role)
                done = await answer(request)
            except _Refusal as problem:
                done = refusal(problem.message)
            if done.log is not None:
                request.scope["state"]["log"] = {"detail": done.log}
            # The rest of a slow body is not read, so the connection is closed.
            headers = {"connection": "close"} if done.status == 408 else None
            return Response(done.body, done.status, headers, _JSON if done.body else None)

        return Route(path, endpoint, methods=methods)

    # Questions

    def _question(self, kind: str) -> Answer:
        async def answer(request: Request) -> Done:
            return await self._service.ask(kind, await self._body(request), client_of(request.scope))

        return answer

    def _session_question(self, kind: str) -> Answer:
        async def answer(request: Request) -> Done:
            session = self._session_of(request)
            return await self._service.ask(kind, await self._body(request), client_of(request.scope), session)

        return answer

    # Facts and sessions

    async def _change(self, request: Request) -> Done:
        return await self._service.change(await self._body(request))

    async def _begin_session(self, request: Request) -> Done:
        return await self._service.begin_session(
            await self._body(request), client_of(request.scope), _client(request)
        )

    async def _session(self, request: Request) -> Done:
        session = self._session_of(request)
        if request.method != "DELETE":
            return Done(200, self._service.described(session))
        self._service.sessions.end(session)
        return Done(204, b"")

    async def _change_session(self, request: Request) -> Done:
        session = self._session_of(request)
        return await self._service.change_session(
            session, await self._body(request), client_of(request.scope)
        )

    def _session_of(self, request: Request) -> ServiceSession:
        found = self._service.sessions.used(request.path_params["session"], _client(request))
        if found is None:
            message = "the session does not exist or has ended; `POST /sessions` starts a new one"
            raise _Refusal(RefusedRequest(404, "session", message))
        return found

    # The service itself

    async def _reload(self, request: Request) -> Done:
        return await self._service.reload()

    async def _served(self, request: Request) -> Done:
        return Done(200, msgspec.json.encode(self._service.served))

    async def _alive(self, request: Request) -> Done:
        return Done(200, b'{"status":"alive"}')

    async def _ready(self, request: Request) -> Done:
        status = self._service.status
        return Done(200 if status == "ready" else 503, msgspec.json.encode({"status": status}))

    async def _metrics(self, request: Request) -> Response:
        return Response(self._numbers.text(), media_type="text/plain; version=0.0.4")

    async def _openapi(self, request: Request) -> Response:
        return Response(msgspec.json.encode(self._description), media_type=_JSON)

    async def _style(self, request: Request) -> Response:
        return Response(self._style_sheet, media_type="text/css")

    async def _shown(self, request: Request) -> Response:
        return Response(self._page, media_type="text/html")

    async def _body(self, request: Request) -> bytes:
        """Return the body of a request. Raises _Refusal if it is too long or its type is not JSON."""
        kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
        if kind != _JSON:
            raise _Refusal(
                RefusedRequest(415, "type", "send JSON, with the header `Content-Type: application/json`")
            )
        try:
            return await whole_body(request, self._most_bytes, self._body_seconds)
        except BodyRefusedError as problem:
            raise _Refusal(RefusedRequest(problem.status, problem.kind, str(problem))) from None


def _routed(starlette: Starlette, routes: Iterable[Route]) -> ASGIApp:
    """Return the application with direct ways to the endpoints of plain paths.

    The general look-up of Starlette takes longer than the answer to a small query. It remains for sessions
    and for unknown paths and methods.
    """
    plain = {
        (method, each.path): each.endpoint
        for each in routes
        if not each.param_convertors
        for method in each.methods or ()
        if method != "HEAD"
    }

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        endpoint = plain.get((scope["method"], scope["path"])) if scope["type"] == "http" else None
        if endpoint is None:
            await starlette(scope, receive, send)
        else:
            response = await endpoint(Request(scope, receive, send))
            await response(scope, receive, send)

    return ServerErrorMiddleware(app, _failed)


def _named(routes: Sequence[Route]) -> Callable[[str], str | None]:
    """Return a function that maps a path to its route's pattern, for the log and the metrics.

    It returns None for an unknown path.
    """
    plain = {each.path: each.path for each in routes if not each.param_convertors}
    others = [each for each in routes if each.param_convertors]

    def name(path: str) -> str | None:
        return plain.get(path) or next((each.path for each in others if each.path_regex.match(path)), None)

    return name


def _must_have(request: Request, role: Role) -> None:
    """Raise _Refusal if the client of a request lacks a role. Without tokens, everyone has all roles."""
    state = request.scope["state"]
    if role not in state.get("roles", ROLES):
        message = (
            f"the token of `{state['client']}` lacks the role `{role}`; its line in the token file can add it"
        )
        raise _Refusal(RefusedRequest(403, "role", message))


def _client(request: Request) -> str | None:
    found: str | None = request.scope["state"].get("client")
    return found


async def _not_there(request: Request, problem: Exception) -> Response:
    """Return the response for an unknown path or method."""
    assert isinstance(problem, HTTPException)
    if problem.status_code == 405:
        message = RefusedRequest(405, "method", f"this address does not support {request.method}")
    else:
        message = RefusedRequest(
            problem.status_code,
            "address",
            "there is no such address; `GET /openapi.json` lists all of them",
        )
    return Response(message.body, message.status, headers=problem.headers, media_type=_JSON)


async def _failed(request: Request, problem: Exception) -> Response:
    """Return the response to an internal error, which is written to the log."""
    request.scope["state"]["log"] = {"detail": f"{type(problem).__name__}: {problem}"}
    return Response(
        RefusedRequest(500, "internal", "the service failed; its log has the details").body,
        500,
        media_type=_JSON,
    )
