"""The command `hornbook search gtp`: a player for other programs by the Go Text Protocol."""

from __future__ import annotations

import sys
from typing import Annotated

from hornbook import __version__
from hornbook.commands.games.whole.game import GAME, PlayerOptions
from hornbook.commands.games.whole.protocol_input import input_lines
from hornbook.commands.options import argument
from hornbook.play.whole.gtp_server import GtpServer, answers


def gtp(
    game: Annotated[str, argument("[GAME]", GAME)] = "go",
    *,
    player: PlayerOptions,
) -> None:
    """Play by the Go Text Protocol, version 2, for programs such as GoGui.

    Commands are read line by line until `quit` or the end of the input. The time of a move follows the clock
    that the other program sets, or else --seconds. Any game of two players with a native step can be played,
    not only Go.
    """
    known = player.game(game)
    server = GtpServer(known.player(player.search), known.domain, __version__, player.budget())
    for answer in answers(server, input_lines()):
        sys.stdout.write(f"{answer}\n\n")
        sys.stdout.flush()
