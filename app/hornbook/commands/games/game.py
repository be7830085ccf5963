"""`hornbook game`: check and play a game written in GDL, and ask about it."""

from __future__ import annotations

import typer

from hornbook.commands.games.sheet.check import check
from hornbook.commands.games.sheet.play import play
from hornbook.commands.games.sheet.query import query
from hornbook.commands.games.sheet.why import why

game = typer.Typer(
    no_args_is_help=True,
    help="Check and play a game written in GDL, and ask about it.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (check, play, query, why):
    game.command()(command)
