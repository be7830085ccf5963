"""The command `hornbook search uci`: a player for other programs by the Universal Chess Interface."""

from __future__ import annotations

import sys
from contextlib import suppress
from typing import Annotated

from hornbook import __version__
from hornbook.commands.games.whole.game import GAME, PlayerOptions
from hornbook.commands.games.whole.protocol_input import input_lines
from hornbook.commands.options import argument
from hornbook.play.whole.uci_server import UciServer


def uci(
    game: Annotated[str, argument("[GAME]", GAME)] = "chess",
    *,
    player: PlayerOptions,
) -> None:
    """Play by the Universal Chess Interface, for programs such as cutechess and electronic boards.

    Commands are read line by line until `quit` or the end of the input. `go` sets the time of a move; if it
    sets nothing, --seconds, --nodes and --depth apply.
    """
    known = player.game(game)

    def say(line: str) -> None:
        with suppress(BrokenPipeError):  # the client has gone; the end of the input follows
            sys.stdout.write(f"{line}\n")
            sys.stdout.flush()

    server = UciServer(
        lambda megabytes: known.player(player.search, megabytes=megabytes),
        known.domain,
        __version__,
        player.budget(),
        say,
    )
    server.serve(input_lines())
