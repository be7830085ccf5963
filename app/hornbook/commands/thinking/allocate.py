"""`hornbook allocate`: learn before which moves of a game a deeper search is worth it, and play by that."""

from __future__ import annotations

import typer

from hornbook.commands.thinking.allocation.learn import learn
from hornbook.commands.thinking.allocation.play import play, table

allocate = typer.Typer(
    no_args_is_help=True,
    help="Learn where a deeper search is worth it, and play by that.",
    context_settings={"help_option_names": ["-h", "--help"]},
)
for command in (learn, play, table):
    allocate.command()(command)
