"""The command `hornbook rules compile`: learned rules as a C++ program, for applications without Python."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.api.learned_rules import LearnedRules
from hornbook.commands import options
from hornbook.commands.options import flag, option
from hornbook.games.rules_as_code import build, compiled, write
from hornbook.inputs.opening_store import rules_of
from hornbook.kb.text.counts import counted
from hornbook.terminal.messages import print_json, print_line


def compile(  # noqa: A001 - the name of the command
    rules: options.RulesOrStore,
    into: Annotated[Path, option("--into", "DIR", "Write the program into this folder.", file_okay=False)],
    theory: options.TheoryOfRules = None,
    problems: Annotated[
        Path | None,
        option(
            "--problems",
            "FILE",
            "Order conditions for positions like these; by default like the problems that ship.",
        ),
    ] = None,
    building: Annotated[
        bool, flag("--build", "Compile it too, by the C++ compiler that CXX names, else `c++`.")
    ] = False,
    json_output: options.Json = False,
) -> None:
    """Write rules as a C++ program with a C header.

    The program contains the rules that `match` queries and every clause of the theory that they depend on. It
    finds the same answers faster, and needs neither Python nor Hornbook. The folder also gets an example in
    C, with the facts of a position, and a Makefile. Writing the program needs no compiler. In Python,
    `rules.matcher(compiled=DIR)` uses the built program.
    """
    learned = rules_of(rules, theory)
    active_rules = LearnedRules(learned.theory, learned.base, names=learned.active).certified
    program, example = compiled(learned.theory, active_rules, problems)
    written = write(into, program, example)
    library = build(into) if building else None
    if json_output:
        report = {"rules": len(program.answering), "definitions": len(program.defining), "written": written}
        print_json(report | {"library": None if library is None else str(library)})
        return
    print_line(
        f"{counted(len(program.answering), 'rule')}, and {counted(len(program.defining), 'definition')}"
        " that they depend on"
    )
    print_line(f"wrote {', '.join(written)} into {into}")
    print_line(f"built {library}" if library else f"`make -C {into}` builds it")
