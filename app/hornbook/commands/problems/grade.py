"""The command `hornbook problems grade`: answers compared with solutions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.inputs.domains import domain_of_problems
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_line


def grade(
    problems: Annotated[Path, argument("PROBLEMS", "Problems with their solutions.")],
    answers: Annotated[Path, argument("ANSWERS", "Answers, one JSON object a line.")],
    theory: Annotated[
        str | None,
        option("--theory", "THEORY", "The theory that the problems are for; not needed for Go and chess."),
    ] = None,
    json_output: options.Json = False,
) -> None:
    """Compare answers with the solutions of problems, by value and depth; for chess, by motif and depth.

    An answer is a line `{"id": …, "value": "GG|GP|GI|PP|unknown", "move": "cd" or null, "rule": …}`, as
    written by `hornbook problems solve`. For Go, a move that is not in the solution is judged by search. The
    exit code is 1 if an answer is wrong.
    """
    found = domain_of_problems(problems, theory).score(problems, answers)
    if json_output:
        print_line(json.dumps({"rows": found.rows, "wrong": found.wrong}))
    else:
        print_line(found.table, end="")
        for each in found.messages:
            print_line(f"wrong: {each}")
    if found.wrong:
        raise ReportedError(1)
