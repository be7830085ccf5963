"""Options that select a state of a game, and the output format of states."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

from hornbook.commands.options import argument, option
from hornbook.kb.sources.files import read_text, shown
from hornbook.planner.gdl.game import Game, Moves, State
from hornbook.planner.gdl.user_input import moves_made, state
from hornbook.terminal.failure import ArgumentError

Sheet = Annotated[
    Path,
    argument("GAME", "The sheet, a file in KIF, or one that ships: `nim`, `lights`, `noughts_and_crosses`."),
]
From = Annotated[
    Path | None,
    option("--state", "FILE", "Begin in this state, `(cell 1 1 b) …`, instead of the initial state."),
]
Played = Annotated[
    str | None,
    option(
        "--moves",
        "MOVES",
        "Moves to make first, `;` after each step: '(put 1 1); (put 2 2)'. A role with a single"
        " legal move may be omitted.",
    ),
]
Done = Annotated[
    str | None, option("--do", "MOVES", "The moves in this state, for queries about `next` and `does`.")
]


def start(game: Game, file: Path | None) -> State:
    return game.initial if file is None else state(read_text(file, shown(file)), shown(file), game)


def reached(game: Game, file: Path | None, moves: str | None) -> State:
    """Return the state after the given moves."""
    now = start(game, file)
    for before, done in moves_made(moves or "", game, now):
        now = game.next(before, done)
    return now


def done_now(game: Game, now: State, moves: str | None) -> Moves | None:
    """Return the moves of the option `--do`."""
    if moves is None:
        return None
    steps = list(moves_made(moves, game, now))
    if len(steps) != 1:
        raise ArgumentError(f"`--do` takes one step, not {len(steps)}", "--do")
    return steps[0][1]
