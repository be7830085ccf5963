"""The command `hornbook game serve`: a player for game managers over HTTP."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import option
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.compiled.processors import processors
from hornbook.planner.players.table import PLAYERS
from hornbook.planner.protocol.dialogue import DialogueSettings
from hornbook.planner.protocol.requests import is_name
from hornbook.terminal.failure import ArgumentError


def serve(
    player: Annotated[str, option("--player", "NAME", f"The player: {', '.join(sorted(PLAYERS))}.")] = "mcts",
    host: options.Host = "127.0.0.1",
    port: options.Port = 9147,
    name: Annotated[str, option("--name", "NAME", "The name for game managers, a word of KIF.")] = "hornbook",
    margin: Annotated[
        float,
        option(
            "--margin",
            "S",
            "Think S seconds less than the clock allows, or half of the clock if that is less.",
            min=0.0,
        ),
    ] = 1.0,
    patience: Annotated[
        float,
        option(
            "--patience",
            "S",
            "Give up a match if S seconds after its clocks no request has come for it.",
            min=0.0,
        ),
    ] = 600.0,
    threads: Annotated[
        int | None,
        option("--threads", "N", "Let the player use N threads; one for each processor if not given.", min=1),
    ] = None,
    memory: Annotated[
        int, option("--memory", "MB", "Let the player, and the rules, take MB megabytes each.", min=1)
    ] = 2000,
    most_bytes: Annotated[
        int, option("--max-bytes", "N", "Refuse a request of more than N bytes.", min=1)
    ] = 1_000_000,
    body_seconds: Annotated[
        float, option("--body-seconds", "S", "Refuse a body that takes more than S seconds.", min=0.1)
    ] = 30.0,
) -> None:
    """Play for a game manager over HTTP, by the protocol of general game playing.

    The requests INFO, PREVIEW, START, PLAY, STOP and ABORT are answered, for one match at a time. If the
    player is late or fails, another legal move is sent. The error stream gets a line of JSON for each
    request. Ctrl-C or SIGTERM ends the player.
    """
    for module in ("uvicorn", "starlette", "msgspec", "prometheus_client"):
        extra_module(module, "web")
    from hornbook.web import serving  # noqa: PLC0415 - an extra
    from hornbook.web.captured_output import captured_logging, captured_output  # noqa: PLC0415
    from hornbook.web.connections import ConnectionLimits  # noqa: PLC0415
    from hornbook.web.player.application import PlayerApplication  # noqa: PLC0415
    from hornbook.web.player.processes import PlayerProgram  # noqa: PLC0415
    from hornbook.web.player.service import PlayerService  # noqa: PLC0415
    from hornbook.web.service.recording import JsonLog  # noqa: PLC0415

    if player not in PLAYERS:
        hint = did_you_mean(player, PLAYERS) or f"there are {', '.join(sorted(PLAYERS))}"
        raise ArgumentError(f"there is no player `{player}`; {hint}", "--player")
    if not is_name(name):
        raise ArgumentError("a name for managers has no blanks, parentheses or quotes", "--name")
    program = PlayerProgram(player, threads or processors(), memory * 2**20)
    limits = ConnectionLimits(body_seconds=body_seconds)
    listening = serving.listen(host, port)
    with ExitStack() as log:
        to_log = log.enter_context(captured_output(lambda line: lines.event("warning", f"output: {line}")))
        lines = JsonLog(to_log)
        log.enter_context(captured_logging(lines.event))
        service = PlayerService(DialogueSettings(name, margin, patience), program, lines.event)
        application = PlayerApplication(service, lines, most_bytes, body_seconds)
        serving.serve(
            application.guarded(limits.header_bytes),
            listening,
            # The program that starts the player may wait for this line.
            ready=lambda: lines.event("info", f"{name} plays at {serving.address(listening)}"),
            life=service.life(),
            ending=service.end,
            limits=limits,
            record=application.refused,
        )
