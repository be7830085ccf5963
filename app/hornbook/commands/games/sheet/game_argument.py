"""The argument of commands for a game written in GDL."""

from __future__ import annotations

from typing import Annotated

from hornbook.commands.options import argument
from hornbook.kb.sources.locate import is_theory
from hornbook.terminal.failure import ArgumentError

GameArgument = Annotated[str, argument("GAME", "A file in KIF, or the name of a game in GDL that ships.")]


def must_be_game(name: str, command: str) -> None:
    """Raise BadParameter if the argument names a theory, which `hornbook search COMMAND` supports."""
    if is_theory(name):
        raise ArgumentError(
            f"`{name}` is a theory, and no game in GDL; use `hornbook search {command}`", "GAME"
        )
