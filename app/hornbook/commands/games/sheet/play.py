"""The command `hornbook game play`: a game printed state by state."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Annotated

from hornbook.commands.games.sheet.positions import From, Played, Sheet, start
from hornbook.commands.options import flag, option
from hornbook.planner.gdl.examples import sheet_called
from hornbook.planner.gdl.game import Game, Moves, State
from hornbook.planner.gdl.ground import text_of
from hornbook.planner.gdl.user_input import moves_made
from hornbook.play.machines.pictures import term_lines
from hornbook.terminal.messages import print_json, print_line
from hornbook.terminal.screen import show_report


def play(
    sheet: Sheet,
    state: From = None,
    moves: Played = None,
    seed: Annotated[int | None, option("--seed", "N", "Choose moves at random, by this seed (1).")] = None,
    plies: Annotated[int, option("--plies", "N", "Stop after N steps.", min=0)] = 1000,
    json_output: Annotated[bool, flag("--json", "Print JSON.")] = False,
) -> None:
    """Play a game and print each state.

    Without --moves, moves are chosen at random until the game is over. With --moves, these are played,
    followed by random ones if there is a --seed.
    """
    game = Game.read_kif(sheet_called(sheet))
    steps = _steps(game, start(game, state), moves, seed, plies)
    if json_output:
        print_json([_as_json(game, *step) for step in steps])
        return
    for number, (now, done) in enumerate(steps):
        print_line(f"{number}:")
        for line in term_lines(now):
            print_line(line)
        if done is not None:
            show_report(f"→ {', '.join(f'{role} {text_of(move)}' for role, move in done.items())}")
        else:
            print_line(_end(game, now))


def _steps(
    game: Game, now: State, moves: str | None, seed: int | None, plies: int
) -> Iterator[tuple[State, Moves | None]]:
    """Yield each state with the moves in it, and None for the last state."""
    number = 0
    for before, done in list(moves_made(moves or "", game, now)):
        yield before, done
        now = game.next(before, done)
        number += 1
    at_random = moves is None or seed is not None
    random = Random(1 if seed is None else seed)  # noqa: S311 - a game is no secret
    while at_random and number < plies and not game.terminal(now):
        legal = game.legal(now)
        if not all(legal.values()):
            break
        chosen = {role: random.choice(found) for role, found in legal.items()}
        yield now, chosen
        now = game.next(now, chosen)
        number += 1
    yield now, None


def _end(game: Game, now: State) -> str:
    worth = ", ".join(
        f"{role} {' and '.join(map(str, found)) if found else 'without a goal'}"
        for role, found in game.goal(now).items()
    )
    if game.terminal(now):
        return f"over: {worth}"
    legal = game.legal(now)
    stuck = [role for role, found in legal.items() if not found]
    if stuck:
        return f"stuck: {', '.join(stuck)} can do nothing; {worth}"
    return "not over: " + "; ".join(
        f"{role} may do {', '.join(map(text_of, found))}" for role, found in legal.items()
    )


def _as_json(game: Game, now: State, done: Moves | None) -> dict[str, object]:
    return {
        "state": sorted(map(text_of, now)),
        "moves": None if done is None else {role: text_of(move) for role, move in done.items()},
        "legal": {role: list(map(text_of, found)) for role, found in game.legal(now).items()},
        "terminal": game.terminal(now),
        "goal": {role: list(found) for role, found in game.goal(now).items()},
    }
