"""Reading the body of a request, within limits of its size and its time."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from starlette.requests import Request


BodyFault = Literal["body", "length", "body-time"]


class BodyRefusedError(Exception):
    """A body that is too long, too slow or incomplete, with the status and the kind of the refusal."""

    def __init__(self, status: int, kind: BodyFault, message: str) -> None:
        super().__init__(message)
        self.status, self.kind = status, kind


async def whole_body(request: Request, most_bytes: int, seconds: float) -> bytes:
    """Return the body of a request. Raises BodyRefusedError."""
    length = request.headers.get("content-length", "")
    if length.isascii() and length.isdigit() and (len(length) > 18 or int(length) > most_bytes):
        raise _too_long(most_bytes)
    found = bytearray()
    try:
        async with asyncio.timeout(seconds):
            is_whole = False
            while not is_whole:
                event = await request.receive()
                if event["type"] == "http.disconnect":
                    message = "the connection was closed before the body was complete"
                    raise BodyRefusedError(400, "body", message)
                found += event.get("body", b"")
                if len(found) > most_bytes:
                    raise _too_long(most_bytes)
                is_whole = not event.get("more_body", False)
    except TimeoutError:
        message = f"the body was not complete after {seconds:g} seconds"
        raise BodyRefusedError(408, "body-time", message) from None
    return bytes(found)


def _too_long(most_bytes: int) -> BodyRefusedError:
    message = (
        f"the body is longer than {most_bytes:,} bytes; send less, or ask the operator for a higher limit"
    )
    return BodyRefusedError(413, "length", message)
