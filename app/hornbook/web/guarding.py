"""Access control for HTTP requests, by host name, origin and, if required, token.

Invariants: A request reaches the application only if it uses an allowed host name, is not cross-origin, and
has a valid token if tokens are required. A public service allows every host name and origin. Every response
has headers that forbid browsers to load foreign content, to show it in other sites' frames, and to cache it.

`TrustedHostMiddleware` of Starlette does not suffice: it answers with the status 400 and plain text, may
redirect to another host, and knows an address of IPv6 in one spelling only.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from hornbook.matcher.program.dataclass import dataclass
from hornbook.web.tokens import Client, Tokens

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK = ("127.0.0.1", "::1", "localhost")
"""The names and addresses of this machine."""
EVERY = ("0.0.0.0", "::")  # noqa: S104 - names, to be recognised
"""Wildcard addresses."""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src"
        " 'self'; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""The default headers of every response."""
_RAW_HEADERS = tuple((name.encode(), value.encode()) for name, value in HEADERS.items())
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
"""The methods that change nothing."""
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_NAME = "token"
"""The query parameter with the token."""


def names_of(host: str, others: Collection[str] = ()) -> frozenset[str]:
    """Return the names of a server that listens at a host.

    These are the host and `others`, and all loopback names if the host is one of them or a wildcard.
    """
    own = LOOPBACK if host in (*LOOPBACK, *EVERY) else ()
    return frozenset(_one_spelling(name.lower().strip("[]")) for name in (host, *own, *others))


@dataclass(frozen=True, slots=True)
class Guard:
    """An ASGI application that controls the access to another one.

    Attributes:
        app: The application.
        names: The allowed names and addresses in the Host header, without port.
        tokens: The valid tokens, sent as `Authorization: Bearer TOKEN`; None if no token is required.
        in_link: Whether the first page also accepts `?token=TOKEN`. It then sets a cookie and redirects to
          the same page without the token.
        open_paths: The paths that need no token.
        header_bytes: The largest size of a header.
        is_public: Whether requests may name any host, and come from pages of any origin.

    The request's state contains the client's name as `client`, and its roles as `roles`.
    """

    app: ASGIApp
    names: frozenset[str]
    tokens: Tokens | None = None
    in_link: bool = False
    open_paths: frozenset[str] = frozenset()
    header_bytes: int | None = None
    is_public: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
        else:
            response = self._without_access(Request(scope))
            await (self.app if response is None else response)(scope, receive, _with_headers(send))

    def _without_access(self, request: Request) -> Response | None:
        """Return the response to a request that does not reach the application, or None."""
        headers, scope = request.headers, request.scope
        if self.header_bytes is not None and _header_size(scope) > self.header_bytes:
            return _refused(431, "header", f"the header is longer than {self.header_bytes:,} bytes")
        if "content-length" in headers and "transfer-encoding" in headers:
            message = (
                "the request has both headers Content-Length and Transfer-Encoding, so that its end"
                " is not certain"
            )
            return _refused(400, "http", message, {"connection": "close"})
        host = headers.get("host", "")
        if not self.is_public and _name_of(host) not in self.names:
            message = "the request names another host in its header Host; `--allow-host NAME` allows it"
            return _refused(421, "host", message)
        if not self.is_public and _is_cross_origin(request, host):
            message = (
                "the request comes from a page of another origin, as its header Origin or Sec-Fetch-Site says"
            )
            return _refused(403, "origin", message)
        if self.tokens is None or scope["path"] in self.open_paths:
            return None
        client = self._client(request, self.tokens)
        if client is None and self.in_link and request.method == "GET":
            token = request.query_params.get(_NAME)
            if token is not None and self.tokens.client_of(token) is not None:
                return _redirect_with_cookie(request, token)
        if client is None:
            way = (
                "open the link that the command printed"
                if self.in_link
                else "send the header `Authorization: Bearer TOKEN`"
            )
            message = f"the token is missing or not valid: {way}"
            return _refused(401, "token", message, {"www-authenticate": "Bearer"})
        scope.setdefault("state", {}).update(client=client.name, roles=client.roles)
        return None

    def _client(self, request: Request, tokens: Tokens) -> Client | None:
        """Return the client whose token is in the headers."""
        authorizations = request.headers.getlist("authorization")
        if len(authorizations) > 1:
            # A proxy may have read another one of the headers.
            return None
        kind, _, token = "".join(authorizations).partition(" ")
        if kind.lower() == "bearer":
            return tokens.client_of(token.strip())
        cookie = request.cookies.get(_cookie_name(request)) if self.in_link else None
        return None if cookie is None else tokens.client_of(cookie)


def _name_of(host: str) -> str:
    """Return the name in a Host header, without the port."""
    name, colon, port = host.rpartition(":")
    if not colon or (host.startswith("[") and host.endswith("]")):
        name, port = host, ""
    if port and not (port.isascii() and port.isdigit()):
        return ""
    if not name.startswith("["):
        return name.lower()
    inner = name[1:-1] if name.endswith("]") else ""
    return _one_spelling(inner.lower()) if ":" in inner else ""


def _one_spelling(name: str) -> str:
    """Return an address of IPv6 as it is usually written; other names stay as they are."""
    try:
        return str(ipaddress.IPv6Address(name))
    except ValueError:
        return name


def _header_size(scope: Scope) -> int:
    """Return the size in bytes of the request line and the header fields, without separators."""
    fields = sum(len(name) + len(value) for name, value in scope["headers"])
    return fields + len(scope["raw_path"]) + len(scope["query_string"])


def _is_cross_origin(request: Request, host: str) -> bool:
    """Return whether the request comes from a page of another origin, according to the browser.

    A page may link to the server, so `Sec-Fetch-Site` counts only for methods that change something.
    """
    origins, sites = (request.headers.getlist(name) for name in ("origin", "sec-fetch-site"))
    return any(not _is_origin_of(each.strip().lower(), host) for each in origins) or (
        request.method not in _SAFE
        and any(each.strip().lower() not in ("same-origin", "none") for each in sites)
    )


def _is_origin_of(origin: str, host: str) -> bool:
    """Return whether an Origin header names the server of a Host header.

    Both schemes match, since a proxy may add TLS.
    """
    scheme, _, place = origin.partition("://")
    port = _DEFAULT_PORTS.get(scheme)
    if port is None:
        return False
    host = host.lower()
    return place.removesuffix(port) == host.removesuffix(port)


def _cookie_name(request: Request) -> str:
    """Return a cookie name that is unique to the port.

    Browsers share the cookies of all ports of a host.
    """
    server = request.scope.get("server") or ("", 0)
    return f"hornbook-{server[1]}"


def _redirect_with_cookie(request: Request, token: str) -> Response:
    """Return a response that sets the token as a cookie, and redirects to the same page without it."""
    rest = [each for each in request.query_params.multi_items() if each[0] != _NAME]
    # A single leading slash cannot lead to another host.
    place = "/" + request.scope["raw_path"].decode("latin-1").lstrip("/")
    response = RedirectResponse(place + (f"?{urlencode(rest)}" if rest else ""), 303)
    response.set_cookie(_cookie_name(request), token, httponly=True, samesite="strict")
    return response


def _refused(status: int, kind: str, message: str, headers: Mapping[str, str] | None = None) -> Response:
    return Response(refusal(kind, message), status, headers, "application/json")


def refusal(kind: str, message: str) -> bytes:
    """Return the JSON body of a refused request."""
    return json.dumps({"error": kind, "message": message, "diagnostics": []}, ensure_ascii=False).encode()


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds the default headers that a response lacks."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = message.get("headers", ())
            names = {name.lower() for name, _ in headers}
            message["headers"] = [*headers, *(each for each in _RAW_HEADERS if each[0] not in names)]
        await send(message)

    return sent
