"""`hornbook import-pydatalog`: a program for pyDatalog as a theory."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from hornbook.kb.pydatalog.importing import import_pydatalog as imported
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.writing import write_text
from hornbook.terminal.screen import print_exactly


def import_pydatalog(
    program: Annotated[
        Path, typer.Argument(metavar="FILE", help="The text that is given to `pyDatalog.load`.")
    ],
    into: Annotated[
        Path | None, typer.Option("--into", metavar="FILE.horn", help="Write the theory to a file.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file.")] = False,
) -> None:
    """Turn a pyDatalog program into a theory.

    Sorts are inferred and every predicate is declared. What the language cannot express (aggregates,
    lists, Python) is reported with its line, and then nothing is written.
    """
    name = re.sub(r"\W", "_", (into or program).stem)
    theory = imported(read_text(program), name if name[:1].isalpha() else f"t{name}", str(program))
    if into is None:
        print_exactly(theory)
    elif into.exists() and not force:
        typer.echo(f"error: {into} exists; --force replaces it", err=True)
        raise typer.Exit(1)
    else:
        write_text(into, theory)
        typer.echo(f"{into} written; `hornbook check {into}` finds no mistakes in it")
