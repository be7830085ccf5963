"""The command `hornbook explore`: pages about a theory and its answers, for a browser on this machine."""

from __future__ import annotations

import webbrowser
from typing import Annotated
from urllib.parse import urlencode

from hornbook.commands import options
from hornbook.commands.option_groups import FactOptions
from hornbook.commands.options import flag, option
from hornbook.inputs.opening import limits_of
from hornbook.kb.sources.extras import extra_module
from hornbook.terminal.messages import print_line

SECONDS = 20.0
"""The default limit of seconds for the search for one answer."""


def explore(
    theory: options.Theory,
    *,
    given: FactOptions,
    port: Annotated[
        int, option("--port", "N", "Listen at this port; 0 selects a free port.", min=0, max=65535)
    ] = 0,
    browser: Annotated[bool, flag("--browser/--no-browser", "Open the page in a browser.")] = True,
    seconds: options.SearchSeconds = SECONDS,
    memory: options.Memory = options.SEARCH_MEGABYTES,
    most_facts: options.MaxFacts = None,
) -> None:
    """Browse a theory and its answers: rules, proofs, boards, learned rules and games.

    The pages are served on this machine only, until Ctrl-C, and opening them requires the printed link. They
    need no network. A state can also be entered on the pages, and a link to a page contains everything that
    it shows.
    """
    for module in ("jinja2", "starlette", "uvicorn"):
        extra_module(module, "web")
    from hornbook.web.connections import HEADER_BYTES  # noqa: PLC0415
    from hornbook.web.explore.app import application  # noqa: PLC0415 - an extra
    from hornbook.web.explore.explored import ExploredTheory  # noqa: PLC0415
    from hornbook.web.guarding import Guard, names_of  # noqa: PLC0415
    from hornbook.web.serving import address, listen, serve  # noqa: PLC0415
    from hornbook.web.tokens import Tokens, made_token  # noqa: PLC0415

    explored = ExploredTheory(
        theory,
        given.rules,
        given.state or (),
        given.facts or (),
        given.add or (),
        reading=given.reading,
        limits=limits_of(seconds, memory, most_facts),
    )
    token, host = made_token(), "127.0.0.1"
    listening = listen(host, port)
    initial = {"state": explored.begins.state} if explored.begins.state else {}
    link = f"{address(listening)}/?{urlencode({'token': token, **initial})}"

    def announce() -> None:
        print_line(f"{link}\nCtrl-C ends it")
        if browser:
            webbrowser.open(link)

    app = Guard(
        application(explored),
        names_of(host),
        Tokens.of({"browser": token}),
        in_link=True,
        header_bytes=HEADER_BYTES,
    )
    serve(app, listening, ready=announce)
