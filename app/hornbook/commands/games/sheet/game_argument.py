"""The argument of commands that take a game written in GDL."""

from __future__ import annotations

from typing import Annotated

import typer

from hornbook.kb.sources.locate import is_theory

GameArgument = Annotated[
    str, typer.Argument(metavar="GAME", help="A file in KIF, or the name of a game in GDL that ships.")
]


def must_be_game(name: str, command: str) -> None:
    """Raise BadParameter if the argument names a theory, for which there is `hornbook search COMMAND`."""
    if is_theory(name):
        raise typer.BadParameter(
            f"`{name}` is a theory, and no game in GDL; use `hornbook search {command}`", param_hint="GAME"
        )
