"""What commands share that are about a game in GDL, or about a theory that says how to plan in its game."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

ONLY_A_SHEET_HAS_IT = "only a game in GDL has it"
GameOrTheory = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A sheet in KIF, one that ships, or a theory that says how to plan in its game, such as `chess`.",
    ),
]


def refuse(context: typer.Context, names: Iterable[str], why: str) -> None:
    """Raises BadParameter where one of these parameters was given."""
    for name in names:
        source = context.get_parameter_source(name)
        if source is not None and source.name != "DEFAULT":
            raise typer.BadParameter(why, param_hint=f"--{name.replace('_', '-')}")
