"""The command `hornbook theory template`: an empty state of a theory to fill in."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument
from hornbook.inputs.opening_store import open_theory
from hornbook.kb.load.adapters import adapter_of
from hornbook.kb.text.writing import write_text
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_line


def template(
    theory: options.Theory,
    file: Annotated[Path, argument("FILE", "The file to write.")],
) -> None:
    """Write an empty state of a theory.

    The theory's adapter reads this file: `hornbook theory template firm month.csv` writes the table of a
    small firm. If FILE already exists, nothing is written.
    """
    known = open_theory(theory, unchanged=True)
    reader = adapter_of(known)
    write = getattr(reader, "template", None)
    if write is None:
        raise ArgumentError(f"the theory `{known.name}` has no template", "THEORY")
    if file.exists():
        raise FileExistsError(f"{file} already exists; nothing was written")
    write_text(file, write())
    print_line(f"wrote {file}")
