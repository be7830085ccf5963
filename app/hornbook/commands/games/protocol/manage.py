"""The command `hornbook game manage`: a match between players over HTTP."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from random import Random
from typing import Annotated

from hornbook.commands.games.sheet.positions import Sheet
from hornbook.commands.options import argument, flag, option
from hornbook.kb.sources.files import read_text, shown
from hornbook.kb.text.counts import counted
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.protocol.manager import ManagedMatch, ManagedStep, steps_of_match
from hornbook.planner.protocol.requests import is_name
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line
from hornbook.terminal.screen import show_report
from hornbook.web.requesting import player_at

_FAULTS = {"late": "no reply in time", "unreachable": "not reachable", "illegal": "no legal move"}


def manage(
    sheet: Sheet,
    players: Annotated[
        list[str],
        argument("PLAYER", "The address of each role's player, in the order of the roles: http://HOST:PORT."),
    ],
    start_clock: Annotated[
        int, option("--start-clock", "S", "Give players S seconds to prepare.", min=1)
    ] = 10,
    play_clock: Annotated[
        int, option("--play-clock", "S", "Give players S seconds for each move.", min=1)
    ] = 10,
    match: Annotated[str, option("--match", "NAME", "The name of the match, a word of KIF.")] = "match",
    seed: Annotated[int, option("--seed", "N", "Replace missing moves at random, by this seed.")] = 1,
    plies: Annotated[int, option("--plies", "N", "Stop after N steps.", min=0)] = 1000,
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
) -> None:
    """Run a match between players over HTTP, by the protocol of general game playing.

    A player that sends no legal move in time gets a random legal move, and the fault is printed and counted.
    """
    if not is_name(match):
        raise ArgumentError("a name of a match has no blanks, parentheses or quotes", "--match")
    path = sheet_called(sheet)
    game, rules = Game.read_kif(path), read_text(path, shown(path))
    if len(players) != len(game.roles):
        raise ArgumentError(
            f"the game has {counted(len(game.roles), 'role')}, {', '.join(game.roles)}, and needs as many"
            f" players, not {len(players)}",
            "PLAYER",
        )
    clients = [player_at(url) for url in players]
    managed = ManagedMatch(match, start_clock, play_clock, plies)
    steps: list[ManagedStep] = []
    for step in steps_of_match(game, rules, clients, managed, Random(seed)):  # noqa: S311 - no secret
        steps.append(step)
        if not json_output:
            _print_step(len(steps) - 1, step)
    if json_output:
        print_json(_as_json(game, match, players, steps))
    else:
        _print_end(game, steps)


def _print_step(number: int, step: ManagedStep) -> None:
    for fault in step.faults:
        print_line(f"  {fault.role}: {_FAULTS[fault.kind]}" + (f": {fault.reply}" if fault.reply else ""))
    if step.moves:
        show_report(f"{number}: {', '.join(f'{role} {text_of(move)}' for role, move in step.moves.items())}")


def _print_end(game: Game, steps: Sequence[ManagedStep]) -> None:
    state = steps[-1].state
    worth = ", ".join(
        f"{role} {' and '.join(map(str, found)) if found else 'without a goal'}"
        for role, found in game.goal(state).items()
    )
    print_line(f"{'over' if game.terminal(state) else 'not over'}: {worth}")
    faults = [fault for step in steps for fault in step.faults]
    for role, number in Counter(fault.role for fault in faults).items():
        print_line(f"{role}: {counted(number, 'fault')}")


def _as_json(
    game: Game, match: str, players: Sequence[str], steps: Sequence[ManagedStep]
) -> dict[str, object]:
    state = steps[-1].state
    return {
        "match": match,
        "players": dict(zip(game.roles, players, strict=True)),
        "steps": [{role: text_of(move) for role, move in step.moves.items()} for step in steps[1:]],
        "faults": [asdict(fault) for step in steps for fault in step.faults],
        "terminal": game.terminal(state),
        "goal": {role: list(found) for role, found in game.goal(state).items()},
        "state": sorted(map(text_of, state)),
    }
