"""The command `hornbook serve`: an HTTP service for a theory or a store."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import flag, option
from hornbook.inputs.store_names import store_named
from hornbook.inputs.table_reading import TableReading
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.sources.files import texts_of_streams
from hornbook.matcher.compiled.processors import processors
from hornbook.matcher.program.coded import MOST_FACTS, Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.failure import ArgumentError


class NotServedError(HornbookError):
    """Nothing can be served. The message says why."""

    diagnostics = ()
    """A marker that the message is already rendered, with file, line and caret if it has them."""


def serve(
    theory: options.Theory,
    rules: options.Rules = None,
    facts: options.Tables = None,
    table_format: options.TableFormat = None,
    skip_bad: options.SkipBad = False,
    write: Annotated[
        bool,
        flag(
            "--write",
            "Let requests change the facts of the store; no other process may write to it meanwhile.",
        ),
    ] = False,
    host: options.Host = "127.0.0.1",
    port: options.Port = 8000,
    allow_host: Annotated[
        list[str] | None,
        option("--allow-host", "NAME", "Another name of the server in the header Host, such as a proxy's."),
    ] = None,
    tokens: Annotated[
        Path | None,
        option(
            "--tokens",
            "FILE",
            "Answer only requests with a token in this file. Each line has a client, its token and"
            " its roles (query, update, reload).",
        ),
    ] = None,
    workers: options.Workers = None,
    seconds: Annotated[
        float, option("--seconds", "S", "End a request that takes more than S seconds.", min=0.001)
    ] = 10.0,
    memory: options.Memory = 1000,
    most_facts: options.MaxFacts = None,
    most: Annotated[int, option("--max-answers", "N", "Refuse more than N answers.", min=0)] = 10_000,
    answer_bytes: Annotated[
        int, option("--answer-bytes", "N", "Refuse an answer of more than N bytes.", min=1)
    ] = 10_000_000,
    most_bytes: Annotated[
        int, option("--max-bytes", "N", "Refuse a request of more than N bytes.", min=1)
    ] = 1_000_000,
    sessions: Annotated[int, option("--sessions", "N", "Refuse more than N sessions.", min=0)] = 1000,
    client_sessions: Annotated[
        int, option("--client-sessions", "N", "Refuse more than N sessions of one client.", min=1)
    ] = 100,
    session_seconds: Annotated[
        float, option("--session-seconds", "S", "End a session that is not used for S seconds.", min=0.1)
    ] = 900.0,
    session_facts: Annotated[
        int, option("--session-facts", "N", "Refuse more than N facts of a session.", min=0)
    ] = 10_000,
    client_requests: Annotated[
        int,
        option("--client-requests", "N", "Refuse more than N simultaneous requests of one client.", min=1),
    ] = 100,
    client_rate: Annotated[
        int, option("--client-rate", "N", "Refuse more than N requests of one client in a second.", min=1)
    ] = 1000,
    waiting: Annotated[
        int, option("--waiting", "N", "Refuse requests while N requests wait for an answer.", min=1)
    ] = 1000,
    reloads: Annotated[
        int, option("--reloads", "N", "Refuse a reload while N reloads wait for the one in progress.", min=0)
    ] = 1,
    connections: Annotated[int, option("--connections", "N", "Keep at most N connections.", min=1)] = 500,
    client_connections: Annotated[
        int, option("--client-connections", "N", "Keep at most N connections from one address.", min=1)
    ] = 100,
    header_bytes: Annotated[
        int, option("--header-bytes", "N", "Refuse a header of more than N bytes.", min=1)
    ] = 65_536,
    header_seconds: Annotated[
        float, option("--header-seconds", "S", "Refuse a header that takes more than S seconds.", min=0.1)
    ] = 10.0,
    body_seconds: Annotated[
        float, option("--body-seconds", "S", "Refuse a body that takes more than S seconds.", min=0.1)
    ] = 30.0,
    idle_seconds: Annotated[
        float, option("--idle-seconds", "S", "Close a connection without a request for S seconds.", min=0.1)
    ] = 5.0,
    response_seconds: Annotated[
        float,
        option(
            "--response-seconds",
            "S",
            "Close a connection if its client reads nothing of a response for S seconds.",
            min=0.1,
        ),
    ] = 30.0,
    drain: Annotated[
        float, option("--grace", "S", "After a request to end, accept requests for S more seconds.", min=0)
    ] = 1.0,
) -> None:
    """Answer queries over HTTP.

    The service has the theory or the store with its facts and learned rules, and facts from tables (--facts).
    It listens on this machine only, unless --host has another address, which requires --tokens. --workers
    processes answer the requests. `/openapi.json` describes them. The error stream gets a line of JSON for
    each request. SIGHUP reloads the theory or store. Ctrl-C or SIGTERM ends the service after the pending
    requests are answered.
    """
    for module in ("uvicorn", "starlette", "jinja2", "msgspec", "prometheus_client"):
        extra_module(module, "web")
    import signal  # noqa: PLC0415 - with what needs the extra

    from hornbook.web import serving  # noqa: PLC0415
    from hornbook.web.captured_output import captured_logging, captured_output  # noqa: PLC0415
    from hornbook.web.connections import ConnectionLimits  # noqa: PLC0415
    from hornbook.web.guarding import LOOPBACK, names_of  # noqa: PLC0415
    from hornbook.web.service.application import Application  # noqa: PLC0415
    from hornbook.web.service.messages import Setup  # noqa: PLC0415
    from hornbook.web.service.recording import JsonLog  # noqa: PLC0415
    from hornbook.web.service.service import ServiceSettings  # noqa: PLC0415
    from hornbook.web.service.worker_pool import WorkerPoolError, settle  # noqa: PLC0415
    from hornbook.web.tokens import read_tokens  # noqa: PLC0415

    if write and store_named(theory) is None:
        raise ArgumentError("it is for a store; make one with `hornbook store new`", "--write")
    if write and facts:
        raise ArgumentError(
            "a store that is changed has all facts itself; `hornbook store add` adds those of tables",
            "--facts",
        )
    if tokens is None and host not in LOOPBACK:
        raise ArgumentError("a service for other machines needs tokens (--tokens FILE)", "--host")
    accepted = None if tokens is None else read_tokens(tokens)
    limits = Limits(MOST_FACTS if most_facts is None else most_facts, seconds, memory * 2**20)
    setup = Setup(
        theory,
        rules,
        limits,
        most,
        session_facts,
        memory * 2**20,
        tuple(facts or ()),
        reading=TableReading(skip_bad, tuple(table_format or ())),
        most_answer_bytes=answer_bytes,
        streams=texts_of_streams([Path(theory), *([] if rules is None else [rules])]),
    )
    settings = ServiceSettings(
        workers or processors(),
        keeps=write,
        most_bytes=most_bytes,
        most_sessions=sessions,
        client_sessions=client_sessions,
        session_seconds=session_seconds,
        most_waiting=waiting,
        client_requests=client_requests,
        client_rate=client_rate,
        most_reloads=reloads,
    )
    bounds = ConnectionLimits(
        connections,
        client_connections,
        header_bytes,
        header_seconds,
        body_seconds,
        idle_seconds,
        response_seconds,
    )
    listening = serving.listen(host, port)
    with ExitStack() as log:
        to_log = log.enter_context(captured_output(lambda line: lines.event("warning", f"output: {line}")))
        lines = JsonLog(to_log)
        log.enter_context(captured_logging(lines.event))
        application = Application(setup, settings, names_of(host, allow_host or ()), accepted, lines, bounds)
        service = application.service

        def ready() -> None:
            settle()
            # The program that starts the service may wait for this line.
            lines.event("info", f"serving {service.served['theory']} at {serving.address(listening)}")

        def ending() -> None:
            service.status = "ending"
            lines.event("info", "ending: pending requests are answered")

        on_signals = {signal.SIGHUP: service.reload_soon} if hasattr(signal, "SIGHUP") else {}
        try:
            serving.serve(
                application.asgi,
                listening,
                ready=ready,
                life=service.life(),
                on_signals=on_signals,
                ending=ending,
                drain=drain,
                longest=int(seconds) + 2,
                limits=bounds,
                record=application.refused,
            )
        except WorkerPoolError as problem:
            raise NotServedError(str(problem)) from None
