"""`hornbook theory template`: a state of a theory, as a file to fill in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from hornbook.inputs import options
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.load.adapters import adapter_of
from hornbook.kb.text.writing import write_text


def template(
    theory: options.Theory,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
) -> None:
    """Write an empty state of a theory.

    The file is one that the theory's adapter reads: `hornbook theory template firm month.csv` writes the table of
    a small firm. If FILE exists already, nothing is written.
    """
    known = open_theory(theory, unchanged=True)
    reader = adapter_of(known)
    write = getattr(reader, "template", None)
    if write is None:
        raise typer.BadParameter(f"the theory `{known.name}` has no template", param_hint="THEORY")
    if file.exists():
        raise FileExistsError(f"{file} is there already; nothing was written")
    write_text(file, write())
    typer.echo(f"wrote {file}")
