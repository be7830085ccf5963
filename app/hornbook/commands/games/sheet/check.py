"""The command `hornbook game check`: mistakes in GDL sheets and in random games."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Annotated

from hornbook.commands.options import argument, flag, option
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, in_order, render
from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.trial import MOST_PLIES, Fault, first_faults, random_game
from hornbook.terminal.coloured import progress, show, spinner
from hornbook.terminal.failure import ReportedError
from hornbook.terminal.messages import print_line

SHOWN = 20
"""The maximum number of moves of a role to list."""


@dataclass(frozen=True, slots=True)
class _Sheet:
    """A sheet without errors. `faults` has the faults of the random games, each with the number of its game.

    If no games are played, it has the faults of the first state, and the number is None.
    """

    file: str
    game: Game
    rules: int
    facts: int
    longest: int
    faults: tuple[tuple[int | None, Fault], ...]


def check(
    sheets: Annotated[list[Path], argument("GAME…", "Sheets, files in KIF, or names of those that ship.")],
    games: Annotated[int, option("--games", "N", "Also play N random games of each.", min=0)] = 0,
    seed: Annotated[int, option("--seed", "N", "The seed of the random games.")] = 1,
    plies: Annotated[
        int, option("--plies", "N", "The number of moves after which a game counts as endless.", min=1)
    ] = MOST_PLIES,
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
) -> None:
    """Find the mistakes in games written in GDL.

    For a sheet without errors, it prints the roles, the numbers of rules and facts, and the first legal moves
    of each role. A role without a legal move in the first state is a fault, and so is a goal that is not an
    integer from 0 to 100. With --games, it plays random games and also reports the following faults: a
    terminal state in which a role has no goal or several, and a game that is not over after --plies. The exit
    code is 1 if there is an error or a fault, and 0 if there are only warnings.
    """
    diagnostics: list[Diagnostic] = []
    sources: dict[str, str] = {}
    found: list[_Sheet] = []
    for given in dict.fromkeys(sheets):
        try:
            place = sheet_called(given)
            text, file = read_text(place, shown(place)), shown(place)
            sources[file] = text
            with contextlib.ExitStack() as waiting:
                if sys.stderr.isatty():
                    waiting.enter_context(spinner(f"checking {file}"))
                game = Game(text, file)
            diagnostics += game.validated_sheet.diagnostics
        except TheoryError as problem:
            diagnostics += problem.diagnostics
            sources.update(problem.sources)
            continue
        with progress("playing", games, enabled=games > 0) as update_progress:
            found.append(_played(file, game, Random(seed), games, plies, update_progress))  # noqa: S311 - a game
    diagnostics = in_order(diagnostics)
    if json_output:
        report = {
            "diagnostics": [diagnostic.to_dict() for diagnostic in diagnostics],
            "games": list(map(_as_json, found)),
        }
        print_line(json.dumps(report, ensure_ascii=False, indent=1))
    else:
        for diagnostic in diagnostics:
            show(f"{render(diagnostic, sources)}\n", sys.stdout)
        for sheet in found:
            _say(sheet, games)
        print_line(_summary(diagnostics, found))
    if any(each.severity == "error" for each in diagnostics) or any(sheet.faults for sheet in found):
        raise ReportedError(1)


def _played(
    file: str,
    game: Game,
    random: Random,
    games: int,
    plies: int,
    update_progress: Callable[..., None],
) -> _Sheet:
    rules = sum(bool(clause.body) for clause in game.validated_sheet.clauses)
    faults: list[tuple[int | None, Fault]] = []
    longest = 0
    if games == 0:
        faults += [(None, fault) for fault in first_faults(game)]
    for number in range(1, games + 1):
        length, wrong = random_game(game, random, plies)
        longest = max(longest, length)
        faults += [(number, fault) for fault in wrong]
        update_progress(advance=1, remark=f"{counted(len(faults), 'fault')}")
    return _Sheet(file, game, rules, len(game.validated_sheet.clauses) - rules, longest, tuple(faults))


def _say(sheet: _Sheet, games: int) -> None:
    game = sheet.game
    roles = ", ".join(game.roles)
    print_line(
        f"{sheet.file}: {counted(sheet.rules, 'rule')}, {counted(sheet.facts, 'fact')}; roles: {roles}"
    )
    for role, moves in game.legal(game.initial).items():
        more = f" and {len(moves) - SHOWN:,} more" if len(moves) > SHOWN else ""
        print_line(f"  first moves of {role}: {', '.join(map(text_of, moves[:SHOWN])) or 'none'}{more}")
    cases_by_message: dict[str, list[tuple[int | None, Fault]]] = {}
    for number, fault in sheet.faults:
        cases_by_message.setdefault(fault.message, []).append((number, fault))
    for message, cases in cases_by_message.items():
        number, fault = min(cases, key=lambda case: (case[1].plies, case[0] or 0))
        if number is None:
            print_line(
                f"  wrong in the first state: {message}{'' if fault.state else '; the state is empty'}"
            )
        else:
            state = "in the state" if fault.state else "in the empty state"
            where = f"after {counted(fault.plies, 'move')} of game {number}"
            print_line(f"  wrong in {len(cases)} of {counted(games, 'game')}: {message}, {where}, {state}")
        for term in sorted(map(text_of, fault.state)):
            print_line(f"    {term}")
    if games and not sheet.faults:
        print_line(
            f"  {counted(games, 'random game')}, the longest of"
            f" {counted(sheet.longest, 'move')}: nothing is wrong"
        )


def _as_json(sheet: _Sheet) -> dict[str, object]:
    legal = sheet.game.legal(sheet.game.initial)
    return {
        "file": sheet.file,
        "roles": list(sheet.game.roles),
        "rules": sheet.rules,
        "facts": sheet.facts,
        "moves": {role: list(map(text_of, moves)) for role, moves in legal.items()},
        "faults": [
            {
                "game": number,
                "plies": fault.plies,
                "message": fault.message,
                "state": sorted(map(text_of, fault.state)),
            }
            for number, fault in sheet.faults
        ],
    }


def _summary(diagnostics: list[Diagnostic], found: list[_Sheet]) -> str:
    """Return a text such as `2 errors, 1 warning, 3 faults`, or `no mistakes`."""
    severities = [diagnostic.severity for diagnostic in diagnostics]
    counts = (
        (severities.count("error"), "error"),
        (severities.count("warning"), "warning"),
        (sum(len(sheet.faults) for sheet in found), "fault"),
    )
    return ", ".join(counted(number, word) for number, word in counts if number) or "no mistakes"
