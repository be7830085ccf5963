"""The command `hornbook theory import-pydatalog`: conversion of pyDatalog programs."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

from hornbook.commands.options import argument, flag, option
from hornbook.kb.load.verdict import verdict
from hornbook.kb.pydatalog.engine import SECONDS
from hornbook.kb.pydatalog.importing import LEFT_OUT
from hornbook.kb.pydatalog.importing import import_pydatalog as imported
from hornbook.kb.pydatalog.python_files import notebook_source
from hornbook.kb.pydatalog.running import final_program
from hornbook.kb.sources.files import read_text
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_text
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_line, warn
from hornbook.terminal.screen import print_exactly


def import_pydatalog(
    program: Annotated[
        Path, argument("FILE", "A .py, an .ipynb, or the text that is given to `pyDatalog.load`.")
    ],
    into: Annotated[Path | None, option("--into", "FILE.horn", "Write the theory to a file.")] = None,
    partial: Annotated[
        bool, flag("--partial", "Replace statements that cannot be imported by comments with the reason.")
    ] = False,
    run: Annotated[
        bool,
        flag("--run", "Run FILE, which may do anything, and import the clauses in pyDatalog at its end."),
    ] = False,
    seconds: Annotated[
        float, option("--seconds", "S", "With --run, end the program after S seconds.", min=0)
    ] = SECONDS,
    force: Annotated[bool, flag("--force", "Replace the file.")] = False,
) -> None:
    """Convert a pyDatalog program to a theory.

    Sorts are inferred and every predicate is declared. Statements that the language cannot express
    (aggregates, lists, Python) are reported with their lines, and nothing is written. With --partial, the
    other statements are written. The file is only parsed, except with --run: then it runs in a separate
    process with your permissions.
    """
    if into is not None:
        must_not_shadow(into, [str(program)])
    name = re.sub(r"\W", "_", (into or program).stem)
    name = name if name[:1].isalpha() else f"t{name}"
    text = read_text(program)
    if program.suffix == ".ipynb":
        text = notebook_source(text, str(program))
    file = str(program)
    if run:
        text = final_program(text, file, partial=partial, seconds=seconds)
        file = f"the clauses of {program}"
    theory = imported(text, name, file, partial=partial)
    if into is None:
        print_exactly(theory)
    elif into.exists() and not force:
        warn(f"error: {into} exists; --force replaces it")
        raise ReportedError(1)
    else:
        write_text(into, theory)
        print_line(f"{into} written; `hornbook check {into}` finds {verdict(into).summary} in it")
    if left_out := theory.count(f"\n{LEFT_OUT}"):
        what = counted(left_out, "statement is", "statements are")
        warn(f"{what} left out, with the reason in a comment")
