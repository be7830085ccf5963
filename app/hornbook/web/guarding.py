"""Access control for HTTP requests, by host name, origin and, if required, token.

Invariants: A request reaches the application only if it uses an allowed host name, is not cross-origin, and
has a valid token if tokens are required. Every response has headers that forbid browsers to load foreign
content, to show it in other sites' frames, and to cache it.
"""

from __future__ import annotations

import ipaddress
import json
from collections.abc import Collection
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlencode

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
_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
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

    The request's state contains the client's name as `client`, and its roles as `roles`.
    """

    app: ASGIApp
    names: frozenset[str]
    tokens: Tokens | None = None
    in_link: bool = False
    open_paths: frozenset[str] = frozenset()
    header_bytes: int | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close", "code": 1008})
            return
        guarded = _with_headers(send)
        if self.header_bytes is not None and _header_size(scope) > self.header_bytes:
            message = f"the header is longer than {self.header_bytes:,} bytes"
            await _refuse(guarded, 431, "header", message)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if b"content-length" in headers and b"transfer-encoding" in headers:
            message = (
                "the request has both headers Content-Length and Transfer-Encoding, so that its end"
                " is not certain"
            )
            await _refuse(guarded, 400, "http", message, (b"connection", b"close"))
            return
        host = headers.get(b"host", b"").decode("latin-1")
        if _name_of(host) not in self.names:
            message = "the request names another host in its header Host; `--allow-host NAME` allows it"
            await _refuse(guarded, 421, "host", message)
            return
        if _is_cross_origin(scope, host):
            message = (
                "the request comes from a page of another origin, as its header Origin or Sec-Fetch-Site says"
            )
            await _refuse(guarded, 403, "origin", message)
            return
        if self.tokens is not None and scope["path"] not in self.open_paths:
            client = self._client(headers, scope)
            token = _in_query(scope) if client is None and self.in_link and scope["method"] == "GET" else None
            if token is not None and self.tokens.client_of(token) is not None:
                await _redirect_with_cookie(guarded, scope, token)
                return
            if client is None:
                way = (
                    "open the link that the command printed"
                    if self.in_link
                    else "send the header `Authorization: Bearer TOKEN`"
                )
                message = f"a token is missing or nobody's: {way}"
                await _refuse(guarded, 401, "token", message, (b"www-authenticate", b"Bearer"))
                return
            scope.setdefault("state", {}).update(client=client.name, roles=client.roles)
        await self.app(scope, receive, guarded)

    def _client(self, headers: dict[bytes, bytes], scope: Scope) -> Client | None:
        """Return the client whose token is in the headers."""
        assert self.tokens is not None
        if sum(name == b"authorization" for name, _ in scope["headers"]) > 1:
            # A proxy may have read another one of the headers.
            return None
        kind, _, token = headers.get(b"authorization", b"").decode("latin-1").partition(" ")
        if kind.lower() == "bearer":
            return self.tokens.client_of(token.strip())
        if self.in_link and b"cookie" in headers:
            try:
                cookie = SimpleCookie(headers[b"cookie"].decode("latin-1")).get(_cookie_name(scope))
            except CookieError:
                return None
            return None if cookie is None else self.tokens.client_of(cookie.value)
        return None


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


def _is_cross_origin(scope: Scope, host: str) -> bool:
    """Return whether the request comes from a page of another origin, according to the browser.

    A page may link to the server, so `Sec-Fetch-Site` counts only for methods that change something.
    """
    for name, value in scope["headers"]:
        field_value = value.decode("latin-1").strip().lower()
        if name == b"origin" and not _is_origin_of(field_value, host):
            return True
        if (
            name == b"sec-fetch-site"
            and scope["method"] not in _SAFE
            and field_value not in ("same-origin", "none")
        ):
            return True
    return False


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


def _in_query(scope: Scope) -> str | None:
    return dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(_NAME)


def _cookie_name(scope: Scope) -> str:
    """Return a cookie name that is unique to the port.

    Browsers share the cookies of all ports of a host.
    """
    server = scope.get("server") or ("", 0)
    return f"hornbook-{server[1]}"


async def _redirect_with_cookie(send: Send, scope: Scope, token: str) -> None:
    """Set the token as a cookie, and redirect to the same page without it."""
    rest = [
        each
        for each in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if each[0] != _NAME
    ]
    # A single leading slash cannot lead to another host.
    place = "/" + scope["raw_path"].decode("latin-1").lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
    cookie = f"{_cookie_name(scope)}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [
        (b"location", place.encode("latin-1")),
        (b"set-cookie", cookie.encode()),
        (b"content-length", b"0"),
    ]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, status: int, kind: str, message: str, *headers: tuple[bytes, bytes]) -> None:
    body = refusal(kind, message)
    length = (b"content-length", str(len(body)).encode())
    start = [(b"content-type", b"application/json"), length, *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})


def refusal(kind: str, message: str) -> bytes:
    """Return the JSON body of a refused request."""
    return json.dumps({"error": kind, "message": message, "diagnostics": []}, ensure_ascii=False).encode()


def _with_headers(send: Send) -> Send:
    """Return a `send` that adds the default headers that a response lacks."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            there = {name.lower() for name, _ in own}
            message["headers"] = own + [each for each in _HEADERS if each[0] not in there]
        await send(message)

    return sent
