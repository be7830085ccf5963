"""The command `hornbook search gtp`: a player for other programs by the Go Text Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from hornbook import __version__
from hornbook.commands import options
from hornbook.commands.games.whole.game import (
    SEARCH,
    Depth,
    Nodes,
    SearchName,
    Seconds,
    StatisticsFile,
    budget_of,
    whole_game,
)
from hornbook.commands.games.whole.protocol_input import input_lines
from hornbook.play.whole.gtp_server import GtpServer, answers


def gtp(
    game: Annotated[
        str, typer.Argument(metavar="[GAME]", help="A game that ships, or the theory of one.")
    ] = "go",
    rules: options.Rules = None,
    search: SearchName = SEARCH,
    statistics: StatisticsFile = None,
    seconds: Seconds = 1.0,
    nodes: Nodes = None,
    depth: Depth = None,
) -> None:
    """Play by the Go Text Protocol, version 2, for programs such as GoGui.

    Commands are read line by line until `quit` or the end of the input. The time of a move follows the clock
    that the other program sets, or else --seconds. Any game of two players with a native step can be played,
    not only Go.
    """
    known = whole_game(game, rules, statistics=statistics)
    server = GtpServer(
        known.player(search), known.domain, __version__, budget_of(search, seconds, nodes, depth)
    )
    for answer in answers(server, input_lines()):
        sys.stdout.write(f"{answer}\n\n")
        sys.stdout.flush()
