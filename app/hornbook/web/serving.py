"""A server on this machine: where it listens, and how it ends without losing a request.

Always true: what was accepted is answered before `serve` returns, unless it takes longer than `longest`.
"""

from __future__ import annotations

import asyncio
import signal
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractAsyncContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass
from functools import partial
from math import ceil
from typing import TYPE_CHECKING

from hornbook.kb.sources.extras import MissingExtraError, extra_module
from hornbook.matcher.program.hornbook_error import HornbookError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from hornbook.web.connections import ConnectionLimits

_BACKLOG = 2048
"""Connections that wait to be accepted."""
_OTHER_FILES = 200
"""Files of the server besides its connections: sockets of its processes, libraries, the log."""
_ENDS = (signal.SIGINT, signal.SIGTERM)
"""What asks a server to end."""


class ServingError(HornbookError):
    """An address at which nothing can be served."""


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any free one. Raises ServingError where that cannot be."""
    made = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET, socket.SOCK_STREAM)
    try:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        made.bind((host, port))
        made.listen(_BACKLOG)
    except (OSError, UnicodeError, OverflowError) as problem:
        made.close()
        why = getattr(problem, "strerror", None) or str(problem)
        raise ServingError(
            f"nothing can be served at {host}, port {port}: {why}; `--port` names another"
        ) from None
    return made


def address(listening: socket.socket) -> str:
    """Where a socket listens: `http://127.0.0.1:8000`."""
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
    """Serves an ASGI application at a socket until the process is asked to end (Ctrl-C, SIGTERM); extra `web`.

    `life` is entered before anything is answered, and left after everything is. `ready` is called when the socket is served.
    After the request to end, `ending` is called; for `drain` seconds more, requests are accepted and answered with
    `Connection: close`, so that who keeps connections open goes elsewhere; then what was accepted is answered, for no more
    than `longest` seconds, and the socket is closed. `on_signals` are called in the server's event loop. `record` is called with the
    kind and the status of each request or connection that `limits` refuse. Raises what `life` does, and MissingExtraError.
    """
    uvicorn = extra_module("uvicorn", "web")
    from hornbook.web.connections import Connection, ConnectionLimits, Connections  # noqa: PLC0415 - needs uvicorn

    closing, limits = _Closing(app), limits or ConnectionLimits()
    _open_as_many_files(limits.connections)
    config = uvicorn.Config(
        closing,
        http=partial(Connection, Connections(limits, record or _not_recorded)),
        h11_max_incomplete_event_size=limits.header_bytes,
        # A timer of each connection closes it earlier.
        timeout_keep_alive=ceil(limits.idle_seconds) + 1,
        backlog=_BACKLOG,
        log_config=None,
        # `record` is called for the mistakes of clients.
        log_level="error",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        lifespan="off",
        ws="none",
        timeout_graceful_shutdown=longest,
    )
    server = uvicorn.Server(config)
    # The signals are taken here.
    server.capture_signals = nullcontext

    async def run() -> None:
        asked = asyncio.Event()
        with _signals({**dict.fromkeys(_ENDS, asked.set), **(on_signals or {})}):
            async with life or nullcontext():
                serving = asyncio.create_task(server.serve(sockets=[listening]))
                waiting = asyncio.create_task(asked.wait())
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
    """Record nothing of a refusal."""


def _open_as_many_files(connections: int) -> None:
    """Let the process have a file for each connection. Raise ServingError where the system does not allow so many."""
    try:
        import resource  # noqa: PLC0415 - Windows has none
    except ImportError:
        return
    needed = connections + _OTHER_FILES
    least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if least == resource.RLIM_INFINITY or least >= needed:
        return
    if most != resource.RLIM_INFINITY and most < needed:
        raise ServingError(
            f"{connections:,} connections need {needed:,} open files, and the system allows {most:,}; serve fewer"
            " (`--connections`), or raise the limit (`ulimit -n`)"
        )
    resource.setrlimit(resource.RLIMIT_NOFILE, (needed, most))


@dataclass(slots=True)
class _Closing:
    """An application whose answers close their connections once the server is ending."""

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
    """While it lasts, signals are answered in the running event loop; in another thread than the main one, none is."""
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
    """The faster event loop where it is installed."""
    try:
        uvloop = extra_module("uvloop", "web")
    except MissingExtraError:
        return None
    factory: Callable[[], asyncio.AbstractEventLoop] = uvloop.new_event_loop
    return factory
