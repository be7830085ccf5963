"""The command `hornbook game import`: conversion of a GDL game to a theory."""

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
from hornbook.planner.translation.folder import folder_files, theory_name, write_files
from hornbook.planner.translation.sheet_theory import ONE_BY_ONE
from hornbook.spread.timed import CallTimeoutError, within
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_line, warn

SECONDS = 300.0


def import_gdl(
    sheet: Annotated[Path, argument("GAME", "A sheet, a file in KIF, or the name of one that ships.")],
    into: Annotated[
        Path, option("--into", "DIR", "The folder to write; its name becomes the name of the theory.")
    ],
    force: Annotated[bool, flag("--force", "Replace these files of a folder that exists.")] = False,
    seconds: Annotated[
        float, option("--seconds", "S", "Give up after S seconds, and write nothing.", min=0.001)
    ] = SECONDS,
) -> None:
    """Convert a game written in GDL to a theory.

    The folder gets the theory, the sheet, and a short adapter and domain, so that the commands `learn
    --problems`, `problems`, `rules match` and `problems audit` work with it. Negative conditions of the sheet
    are expressed by positive ones. If it could not be proved that the players take turns, they choose one
    after another, and all moves are made after the last choice. A sheet that no theory can express is refused
    with the clause and the reason. The exit code is then 1 and nothing is written, as also if the conversion
    takes longer than --seconds.
    """
    must_not_shadow(into / f"{into.resolve().name}.horn")
    place = on_one_line(shown(into))
    if into.exists() and not into.is_dir():
        warn(f"error: {place} is not a folder")
        raise ReportedError(1)
    if into.exists() and not force:
        warn(f"error: {place} exists; --force replaces its files")
        raise ReportedError(1)
    name = theory_name(into)
    try:
        with TemporaryDirectory(prefix="hornbook-") as folder:
            files, summary = within(seconds, _made, sheet_called(sheet), name, Path(folder))
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
    path = on_one_line(shown(into / f"{name}.horn"))
    print_line(f"{path} written: {rules}; `hornbook check {place}` finds {summary} in it")
    print_line(f"next: hornbook problems generate {place} -n 20 --into problems.jsonl")


def _made(sheet: Path, name: str, folder: Path) -> tuple[dict[str, str], str]:
    """Write a theory to an empty folder, and return its files with the summary of `check`. Raises
    TheoryError.
    """
    files = folder_files(sheet, name)
    write_files(files, folder)
    return files, verdict(folder / f"{name}.horn", cached=False).summary
