"""Requests to players of the protocol of general game playing."""

from __future__ import annotations

import http.client
from functools import partial
from urllib.parse import SplitResult, urlsplit

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.protocol.manager import Ask

MAX_REPLY = 100_000
"""The largest number of bytes of a reply."""
_DEFAULT_PORTS = {"http": 80, "https": 443}


class PlayerAddressError(HornbookError):
    """A text that is no address of a player."""


def player_at(url: str) -> Ask:
    """Return the function that asks a player at a URL, or at HOST:PORT. Raises PlayerAddressError."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port or _DEFAULT_PORTS[parts.scheme]
        if not parts.hostname:
            raise ValueError
    except (ValueError, KeyError):
        raise PlayerAddressError(
            f"`{url}` is no address of a player, such as http://127.0.0.1:9147"
        ) from None
    return partial(_ask, parts, parts.hostname, port)


def _ask(parts: SplitResult, host: str, port: int, request: str, seconds: float) -> str:
    """Send a request, and return the reply. Raises OSError, also for a response that is no reply."""
    kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
    connection = kind(host, port, timeout=max(0.1, seconds))
    try:
        connection.request(
            "POST", parts.path or "/", request.encode(), {"Content-Type": "text/acl", "Accept": "text/delim"}
        )
        response = connection.getresponse()
        text = response.read(MAX_REPLY).decode("utf-8", "replace")
    except http.client.HTTPException as problem:
        raise ConnectionError(f"no HTTP: {type(problem).__name__}") from None
    finally:
        connection.close()
    return text
