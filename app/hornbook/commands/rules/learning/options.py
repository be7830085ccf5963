"""Options of the commands that learn."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Into = Annotated[
    Path | None,
    typer.Option(
        "--into",
        metavar="RULES",
        help=("The file or store for the rules; existing rules stay. Default: the store given as THEORY."),
    ),
]
Problems = Annotated[
    list[Path] | None,
    typer.Option(
        "--problems",
        metavar="FILE",
        help=(
            "Files with examples or problems (Go: .jsonl or"
            " .sgf, chess: .jsonl). Default: the theory's examples."
        ),
    ),
]
MoreFiles = Annotated[
    list[Path] | None,
    typer.Argument(metavar="FILE", help="Further files for --problems.", show_default=False),
]
Proofs = Annotated[
    int,
    typer.Option(metavar="N", help="Proofs to try for each goal; the most general rule is kept.", min=1),
]
Explain = Annotated[bool, typer.Option("--explain", help="Print every rule with the proof it generalises.")]
