"""Server on this machine: its socket, its event loop, and a shutdown that loses no request.

Invariants: Every accepted request is answered before `serve` returns, unless this takes longer than `longest`
seconds.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext, suppress
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from hornbook.kb.sources.extras import MissingExtraError, extra_module
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from hornbook.web.connections import ConnectionLimits

_BACKLOG = 2048
"""The number of connections that may wait to be accepted."""
_OTHER_FILES = 200
"""The number of files besides connections: sockets of worker processes, libraries, the log."""
_ENDS = (signal.SIGINT, signal.SIGTERM)
"""The signals that end a server."""


class ServingError(HornbookError):
    """The server cannot listen at an address."""


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 means any free port. Raises ServingError."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
    except (OSError, ValueError, OverflowError, TypeError) as problem:
        made.close()
        why = getattr(problem, "strerror", None) or str(problem)
        raise ServingError(
            f"the server cannot listen at {host}, port {port}: {why}; choose another port with `--port`"
        ) from None
    return made


def address(listening: socket.socket) -> str:
    """Return the URL of a listening socket, such as `http://127.0.0.1:8000`."""
    host, port, *_ = listening.getsockname()
    return f"http://[{host}]:{port}" if ":" in host else f"http://{host}:{port}"


def serve(
    app: ASGIApp,
    listening: socket.socket,
    *,
    ready: Callable[[], None] = lambda: None,
    life: AbstractAsyncContextManager[object] | None = None,
    on_signals: Mapping[signal.Signals, Callable[[], None]] | None = None,
    ending: Callable[[], None] = lambda: None,
    drain: float = 0.0,
    longest: int = 30,
    limits: ConnectionLimits | None = None,
    record: Callable[[str, int], None] | None = None,
) -> None:
    """Serve an ASGI application until Ctrl-C or SIGTERM (extra `web`).

    After the signal, `ending` is called. For `drain` seconds more, requests are accepted and answered with
    `Connection: close`, so that clients with open connections go elsewhere. Then accepted requests are
    answered for at most `longest` seconds, and the socket is closed.

    Args:
        app: The application.
        listening: The socket.
        ready: Called when the socket is served.
        life: A context that is entered before the first request and left after the last response.
        on_signals: Functions for signals, called in the server's event loop.
        ending: Called after the request to end.
        drain: The seconds before new requests are refused.
        longest: The longest time in seconds to answer accepted requests.
        limits: The limits of connections.
        record: Called with the kind and the status of each request or connection that `limits` refuse.

    Raises:
        MissingExtraError: If the extra `web` is not installed. Exceptions of `life` are passed on.
    """
    uvicorn = extra_module("uvicorn", "web")
    from hornbook.web.connections import ClientConnection, ConnectionLimits, Connections  # noqa: PLC0415 - needs uvicorn

    closing, limits = _Closing(app), limits or ConnectionLimits()
    _open_as_many_files(limits.connections)
    config = uvicorn.Config(
        closing,
        http=partial(ClientConnection, Connections(limits, record or _not_recorded)),
        h11_max_incomplete_event_size=limits.header_bytes,
        # The timer of the connection closes it earlier.
        timeout_keep_alive=ceil(limits.idle_seconds) + 1,
        backlog=_BACKLOG,
        log_config=None,
        # `record` is called for errors of clients.
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=longest,
    )
    server = uvicorn.Server(config)
    # Signals are handled below.
    server.capture_signals = nullcontext

    async def run() -> None:
        stop_requested = asyncio.Event()
        with _signals({**dict.fromkeys(_ENDS, stop_requested.set), **(on_signals or {})}):
            async with life or nullcontext():
                serving = asyncio.create_task(server.serve(sockets=[listening]))
                waiting = asyncio.create_task(stop_requested.wait())
                while not server.started and not serving.done():  # noqa: ASYNC110 - uvicorn has no event for it
                    await asyncio.sleep(0.01)
                ready()
                await asyncio.wait({serving, waiting}, return_when=asyncio.FIRST_COMPLETED)
                waiting.cancel()
                closing.is_ending = True
                ending()
                await asyncio.sleep(drain)
                server.should_exit = True
                await serving

    with listening, asyncio.Runner(loop_factory=_loop_factory()) as runner:
        runner.run(run())


def _not_recorded(kind: str, status: int) -> None:
    """Ignore a refusal."""


def _open_as_many_files(connections: int) -> None:
    """Raise the limit of open files to one per connection. Raise ServingError if the system forbids it."""
    try:
        import resource  # noqa: PLC0415 - missing on Windows
    except ImportError:
        return
    needed = connections + _OTHER_FILES
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if least == resource.RLIM_INFINITY or least >= needed:
        return
    if most != resource.RLIM_INFINITY and most < needed:
        raise ServingError(
            f"{connections:,} connections need {needed:,} open files, but the system allows {most:,};"
            " lower `--connections`, or raise the limit (`ulimit -n`)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


@dataclass(slots=True)
class _Closing:
    """An application whose responses close their connections during shutdown."""

    app: ASGIApp
    is_ending: bool = False

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async def sent(message: Message) -> None:
            if self.is_ending and message["type"] == "http.response.start":
                message["headers"] = [*message.get("headers", ()), (b"connection", b"close")]
            await send(message)

        await self.app(scope, receive, sent)


@contextmanager
def _signals(called: Mapping[signal.Signals, Callable[[], None]]) -> Iterator[None]:
    """Handle signals in the running event loop, within the context.

    Outside the main thread, none is handled.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    for number, function in called.items():
        try:
            loop.add_signal_handler(number, function)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_, function=function: loop.call_soon_threadsafe(function))
    try:
        yield
    finally:
        for number in called:
            with suppress(NotImplementedError):
                loop.remove_signal_handler(number)


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """Return the factory of the faster event loop if it is installed."""
    try:
        uvloop = extra_module("uvloop", "web")
    except MissingExtraError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
