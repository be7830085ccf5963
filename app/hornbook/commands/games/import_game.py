"""The command `hornbook game import`: conversion of a game in GDL or a domain in PDDL to a theory."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

from hornbook.commands.options import argument, flag, option
from hornbook.kb.load.verdict import verdict
from hornbook.kb.sources.files import shown
from hornbook.kb.sources.shadowing import must_not_shadow
from hornbook.kb.text.counts import counted
from hornbook.kb.text.escaping import on_one_line
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.pddl.examples import is_pddl, pddl_called
from hornbook.planner.pddl_theories.folder import DomainFolder, domain_folder
from hornbook.planner.translation.folder import folder_files, theory_name, write_files
from hornbook.planner.translation.sheet_theory import ONE_BY_ONE
from hornbook.spread.timed import CallTimeoutError, within
from hornbook.terminal.failure import ArgumentError, ReportedError
from hornbook.terminal.messages import print_line, warn

SECONDS = 300.0


def import_game(
    game: Annotated[
        Path, argument("GAME", "A sheet, a file in KIF, a domain in PDDL, or the name of one that ships.")
    ],
    problem: Annotated[
        Path | None, argument("[PROBLEM]", "A problem of the domain in PDDL, or the name of one that ships.")
    ] = None,
    *,
    into: Annotated[
        Path, option("--into", "DIR", "The folder to write; its name becomes the name of the theory.")
    ],
    plan: Annotated[
        Path | None,
        option("--plan", "FILE", "A plan of the problem, which becomes an example for `learn`."),
    ] = None,
    force: Annotated[bool, flag("--force", "Replace these files of a folder that exists.")] = False,
    seconds: Annotated[
        float, option("--seconds", "S", "Give up after S seconds, and write nothing.", min=0.001)
    ] = SECONDS,
) -> None:
    """Convert a game in GDL or a domain in PDDL to a theory.

    For a game, the folder gets the theory, the sheet, and a short adapter and domain, so that the commands
    `learn --problems`, `problems`, `rules match` and `problems audit` work with it. Negative conditions of
    the sheet are expressed by positive ones. If it could not be proved that the players take turns, they
    choose one after another, and all moves are made after the last choice. A sheet that no theory can express
    is refused with the clause and the reason.

    For a domain, the folder gets the theory. For a problem it also gets a theory with the goal, and the facts
    of the first state, so that `query`, `why`, `what-if` and `learn` work with it. With --plan, the theory of
    the problem has the plan as an example, and `learn` learns macro-operators from it.

    The exit code is 1 and nothing is written if the game is refused, or if the conversion takes longer than
    --seconds.
    """
    must_not_shadow(into / f"{into.resolve().name}.horn")
    place = on_one_line(shown(into))
    if into.exists() and not into.is_dir():
        warn(f"error: {place} is not a folder")
        raise ReportedError(1)
    if into.exists() and not force:
        warn(f"error: {place} exists; --force replaces its files")
        raise ReportedError(1)
    path = pddl_called(game)
    in_pddl = is_pddl(path)
    if not in_pddl and problem is not None:
        raise ArgumentError("only a domain in PDDL has problems; a game in GDL is one file", "PROBLEM")
    if plan is not None and problem is None:
        raise ArgumentError("a plan belongs to a problem; give the problem after its domain", "--plan")
    name = theory_name(into)
    try:
        with TemporaryDirectory(prefix="hornbook-") as folder:
            if in_pddl:
                given = None if problem is None else pddl_called(problem)
                made = within(seconds, _domain, path, given, plan, name, Path(folder))
                files, summary = made[0].files, made[1]
            else:
                files, summary = within(seconds, _sheet, sheet_called(game), name, Path(folder))
    except CallTimeoutError:
        warn(
            f"error: not done within {seconds:g} seconds, and nothing is written; allow more by"
            " --seconds, or make the "
            "game smaller"
        )
        raise ReportedError(1) from None
    write_files(files, into)
    theory = files[f"{name}.horn"]
    if ONE_BY_ONE in theory:
        print_line(
            "moves at the same time: the players choose one after"
            " another, and later players see the earlier choices"
        )
    rules = counted(theory.count(":-"), "rule")
    written = on_one_line(shown(into / f"{name}.horn"))
    print_line(f"{written} written: {rules}; `hornbook check {place}` finds {summary} in it")
    if not in_pddl:
        print_line(f"next: hornbook problems generate {place} -n 20 --into problems.jsonl")
    elif made[0].problem:
        of_problem, state = (on_one_line(shown(into / each)) for each in (made[0].problem, made[0].state))
        print_line(f"{of_problem} written: the goal; {state}: the facts of the first state")
        print_line(f"next: hornbook what-if {of_problem} --add {state} 'after goal' --steps 10")
    else:
        print_line(f"next: hornbook game import {game} PROBLEM --into {place} --force")


def _domain(
    domain: Path, problem: Path | None, plan: Path | None, name: str, folder: Path
) -> tuple[DomainFolder, str]:
    """Write the theories of a domain and a problem to an empty folder. Return their files, and the summary of
    `check` of the domain's theory. Raises TheoryError.
    """
    made = domain_folder(domain, problem, plan, name)
    write_files(made.files, folder)
    return made, verdict(folder / f"{name}.horn", cached=False).summary


def _sheet(sheet: Path, name: str, folder: Path) -> tuple[dict[str, str], str]:
    """Write a theory to an empty folder, and return its files with the summary of `check`. Raises
    TheoryError.
    """
    files = folder_files(sheet, name)
    write_files(files, folder)
    return files, verdict(folder / f"{name}.horn", cached=False).summary
