"""Who is answered over HTTP: requests that call the server by its name, come from no page of another site and, where tokens are
asked for, show one.

Always true: no other request reaches the application, and every answer has headers by which a browser loads nothing from
elsewhere, shows it in no other page's frame, and keeps it nowhere.
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
"""What this machine is called by itself."""
EVERY = ("0.0.0.0", "::")  # noqa: S104 - names, to be recognised
"""All addresses of this machine at once."""
HEADERS = {
    "cache-control": "no-store",
    "content-security-policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self';"
        " form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""The headers of every answer; the application may say otherwise."""
_HEADERS = [(name.encode(), said.encode()) for name, said in HEADERS.items()]
_SAFE = frozenset(("GET", "HEAD", "OPTIONS"))
"""The methods that change nothing."""
_DEFAULT_PORTS = {"http": ":80", "https": ":443"}
_NAME = "token"
"""The parameter of a link that has the token."""


def names_of(host: str, others: Collection[str] = ()) -> frozenset[str]:
    """By what names a server that listens at a host is called: all of this machine's own where it is one, or every address, and
    others.
    """
    own = LOOPBACK if host in (*LOOPBACK, *EVERY) else ()
    return frozenset(_one_spelling(name.lower().strip("[]")) for name in (host, *own, *others))


@dataclass(frozen=True, slots=True)
class Guard:
    """An application before which stands who may ask it: an ASGI application itself.

    `names` are the names and addresses in the Host header, without port, that are meant. With `tokens`, a request shows one as
    `Authorization: Bearer TOKEN`; with `in_link`, also as `?token=TOKEN` of the first page, which leaves it in a cookie and leads to
    the same page without it. `open_paths` are asked without token. The client's name is in the request's state as `client`, and its
    roles as `roles`. A header of more than `header_bytes` is refused.
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
            said = f"the header is longer than {self.header_bytes:,} bytes"
            await _refuse(guarded, 431, "header", said)
            return
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if b"content-length" in headers and b"transfer-encoding" in headers:
            said = "the request has both headers Content-Length and Transfer-Encoding, so that its end is not certain"
            await _refuse(guarded, 400, "http", said, (b"connection", b"close"))
            return
        host = headers.get(b"host", b"").decode("latin-1")
        if _name_of(host) not in self.names:
            said = "the request names another host in its header Host; `--allow-host NAME` allows it"
            await _refuse(guarded, 421, "host", said)
            return
        if _is_cross_origin(scope, host):
            said = (
                "the request comes from a page of another origin, as its header Origin or Sec-Fetch-Site says"
            )
            await _refuse(guarded, 403, "origin", said)
            return
        if self.tokens is not None and scope["path"] not in self.open_paths:
            client = self._client(headers, scope)
            token = _in_query(scope) if client is None and self.in_link and scope["method"] == "GET" else None
            if token is not None and self.tokens.client_of(token) is not None:
                await _lead_on(guarded, scope, token)
                return
            if client is None:
                way = (
                    "open the link that the command printed"
                    if self.in_link
                    else "send the header `Authorization: Bearer TOKEN`"
                )
                said = f"a token is missing or nobody's: {way}"
                await _refuse(guarded, 401, "token", said, (b"www-authenticate", b"Bearer"))
                return
            scope.setdefault("state", {}).update(client=client.name, roles=client.roles)
        await self.app(scope, receive, guarded)

    def _client(self, headers: dict[bytes, bytes], scope: Scope) -> Client | None:
        """The client whose token the headers show."""
        assert self.tokens is not None
        if sum(name == b"authorization" for name, _ in scope["headers"]) > 1:
            # A proxy may have read another of them.
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
    """The name in a Host header, without the port."""
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
    """The bytes of the request line and the header fields, without the marks between them."""
    fields = sum(len(name) + len(value) for name, value in scope["headers"])
    return fields + len(scope["raw_path"]) + len(scope["query_string"])


def _is_cross_origin(scope: Scope, host: str) -> bool:
    """Whether a browser says that a page of another origin sends the request.

    A page may lead to an address of the server by a link, so that `Sec-Fetch-Site` counts only where a method changes something.
    """
    for name, value in scope["headers"]:
        said = value.decode("latin-1").strip().lower()
        if name == b"origin" and not _is_origin_of(said, host):
            return True
        if name == b"sec-fetch-site" and scope["method"] not in _SAFE and said not in ("same-origin", "none"):
            return True
    return False


def _is_origin_of(origin: str, host: str) -> bool:
    """Whether an Origin header names the server of a Host header. TLS may end at a proxy, so that either scheme is right."""
    scheme, _, place = origin.partition("://")
    port = _DEFAULT_PORTS.get(scheme)
    if port is None:
        return False
    host = host.lower()
    return place.removesuffix(port) == host.removesuffix(port)


def _in_query(scope: Scope) -> str | None:
    return dict(parse_qsl(scope["query_string"].decode("latin-1"))).get(_NAME)


def _cookie_name(scope: Scope) -> str:
    """Cookies are of a host whatever its port, so that each server of a machine needs another."""
    server = scope.get("server") or ("", 0)
    return f"hornbook-{server[1]}"


async def _lead_on(send: Send, scope: Scope, token: str) -> None:
    """Leaves the token in a cookie, and leads to the same page without it."""
    rest = [
        each
        for each in parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if each[0] != _NAME
    ]
    # Beginning with one stroke, it cannot lead to another host.
    place = "/" + scope["raw_path"].decode("latin-1").lstrip("/") + (f"?{urlencode(rest)}" if rest else "")
    cookie = f"{_cookie_name(scope)}={token}; Path=/; HttpOnly; SameSite=Strict"
    headers = [
        (b"location", place.encode("latin-1")),
        (b"set-cookie", cookie.encode()),
        (b"content-length", b"0"),
    ]
    await send({"type": "http.response.start", "status": 303, "headers": headers})
    await send({"type": "http.response.body", "body": b""})


async def _refuse(send: Send, status: int, kind: str, said: str, *headers: tuple[bytes, bytes]) -> None:
    body = refusal(kind, said)
    length = (b"content-length", str(len(body)).encode())
    start = [(b"content-type", b"application/json"), length, *headers]
    await send({"type": "http.response.start", "status": status, "headers": start})
    await send({"type": "http.response.body", "body": body})


def refusal(kind: str, said: str) -> bytes:
    """What is answered where a request is refused, as JSON."""
    return json.dumps({"error": kind, "message": said, "diagnostics": []}, ensure_ascii=False).encode()


def _with_headers(send: Send) -> Send:
    """What sends an answer with the headers that it does not have itself."""

    async def sent(message: Message) -> None:
        if message["type"] == "http.response.start":
            own = list(message.get("headers", ()))
            there = {name.lower() for name, _ in own}
            message["headers"] = own + [each for each in _HEADERS if each[0] not in there]
        await send(message)

    return sent
