"""Playing tournaments: each opening is played twice with sides swapped, and games are stored in a file.

The file has a line of JSON for the tournament, and one for each game. A tournament continues at the end of
its file. If the last line is incomplete, its game is played again.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any

from hornbook.kb.text.lines import lines_of
from hornbook.kb.text.writing import append_text, write_text
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.play.tournament.process import PlayerProgramError, PlayerTimeoutError
from hornbook.play.tournament.sides import Clocks, ResignedError, TournamentPlayer
from hornbook.play.whole.clock import Control
from hornbook.play.whole.played import Ending, PlayedGame, given_up

MARGIN = 0.01
"""The maximal overrun of the clock in seconds without a loss, to allow for delays between a program and its
referee.
"""


class TournamentError(HornbookError):
    """A file contains another tournament, or none; the message says which."""


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game that was played.

    `points` are those of A; `processor` has the seconds of A and B, or None if unknown.
    """

    number: int
    a_begins: bool
    opening: tuple[str, ...]
    moves: tuple[str, ...]
    points: float
    result: str
    why: str
    fault: str
    """A fault: `crash`, `illegal move`, `late` (on the clock, or without any answer) or nothing, preceded by
    the player's letter.
    """
    processor: tuple[float | None, float | None]
    seconds: float


Making = Callable[[], tuple[TournamentPlayer, TournamentPlayer]]
"""A function that makes both players, A first."""


def openings(start: PlayedGame, count: int, plies: int, seed: int) -> list[tuple[str, ...]]:
    """Return random openings of at most `plies` moves, distinct if there are enough.

    An opening is shorter if the next move could end the game. No opening ends it.
    """
    random = Random(seed)  # noqa: S311 - a game is no secret
    found: dict[tuple[str, ...], None] = {}
    for _ in range(20 * count):
        if len(found) == count:
            break
        game = start
        for _ in range(plies):
            moves = [move for move in game.state.moves() if move != "pass"]
            if not moves or game.state.after(moves[0]).is_over:
                break
            game = game.after(random.choice(moves))
        if game.ending is None:
            found[game.moves] = None
    known = list(found) or [()]
    return [known[place % len(known)] for place in range(count)]


def play_recorded_game(
    start: PlayedGame,
    sides: tuple[TournamentPlayer, TournamentPlayer],
    opening: Sequence[str],
    number: int,
    plies: int,
    control: Control | None = None,
) -> GameRecord:
    """Play one game of A and B; A begins games with even numbers. After `plies` plies it is a draw.

    With a time control, both clocks run after the opening. A player who exceeds the clock by more than the
    margin loses.
    """
    game = start
    for move in opening:
        game = game.after(move)
    a_begins = number % 2 == 0
    seats = sides if a_begins == (game.states[0].to_move == 0) else sides[::-1]
    clocks = None if control is None else (control.initial_clock(), control.initial_clock())
    before = [side.processor_seconds for side in sides]
    began = time.monotonic()
    fault = ""
    ending: Ending | None = None
    at_fault: int | None = None
    for place in (0, 1):
        try:
            seats[place].begin(game)
        except PlayerProgramError as problem:
            ending, fault, at_fault = given_up(place, str(problem)), "crash", place
    while ending is None:
        ending = game.ending
        if ending is None and len(game.moves) >= plies:
            ending = Ending(0.5, f"{plies} moves")
        if ending is not None:
            break
        mover = game.mover
        try:
            move, took = seats[mover].move(game, clocks)
            if clocks is not None:
                clocks = _after(clocks, mover, took)
            game = game.after(move)
        except ResignedError:
            ending = given_up(mover, "resigned")
        except PlayerTimeoutError as problem:
            ending, fault, at_fault = given_up(mover, str(problem)), "late", mover
        except PlayerProgramError as problem:
            ending, fault, at_fault = given_up(mover, str(problem)), "crash", mover
        except ValueError as problem:
            ending, fault, at_fault = given_up(mover, str(problem)), "illegal move", mover
    a_first = seats[0] is sides[0]
    points = ending.points if a_first else 1 - ending.points
    after = [side.processor_seconds for side in sides]
    processor = tuple(
        None if a is None or b is None else round(b - a, 3) for a, b in zip(before, after, strict=True)
    )
    if at_fault is not None:
        fault = f"{'A' if (at_fault == 0) == a_first else 'B'}: {fault}"
    return GameRecord(
        number, a_begins, tuple(opening), game.moves, points, ending.result, ending.why, fault,
        (processor[0], processor[1]), round(time.monotonic() - began, 3),
    )  # fmt: skip


def _after(clocks: Clocks, mover: int, took: float) -> Clocks:
    """Return the clocks after a move. Raises PlayerTimeoutError."""
    clock = clocks[mover]
    if took > clock.allowed + MARGIN:
        raise PlayerTimeoutError(f"lost on time: {took:.3f} seconds, of {clock.allowed:.3f} that were left")
    spent = clock.spent(took)
    return (spent, clocks[1]) if mover == 0 else (clocks[0], spent)


def pairs(games: Sequence[GameRecord]) -> list[float]:
    """Return the mean points of A in each complete pair of games."""
    by_number = {game.number: game.points for game in games}
    return [
        (points + by_number[number + 1]) / 2
        for number, points in sorted(by_number.items())
        if number % 2 == 0 and number + 1 in by_number
    ]


def read_games(path: Path, what: dict[str, Any]) -> list[GameRecord]:
    """Return the games of a tournament in a file; a new file is started if there is none.

    Raises TournamentError, OSError.
    """
    if not path.exists() or not path.read_bytes():
        write_text(path, f"{json.dumps({'tournament': what}, ensure_ascii=False)}\n")
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    try:
        head, *lines = [json.loads(line) for line in lines_of(whole.decode("utf-8"))]
        found = [_read(line) for line in lines]
        stored = dict(head["tournament"])
    except (ValueError, KeyError, TypeError):
        raise TournamentError(f"{path} has no tournament; name another file") from None
    changed = sorted(key for key in stored.keys() | what.keys() if stored.get(key) != what.get(key))
    if changed:
        raise TournamentError(
            f"{path} has another tournament ({', '.join(changed)} differ); name another file"
        )
    if whole != data:
        write_text(path, whole.decode("utf-8"))
    return found


def append_game(path: Path, game: GameRecord) -> None:
    """Append a game to a file."""
    line = {name: getattr(game, name) for name in GameRecord.__slots__}
    append_text(path, f"{json.dumps(line, ensure_ascii=False)}\n")


def _read(line: dict[str, Any]) -> GameRecord:
    sequences = {name: tuple(line[name]) for name in ("opening", "moves", "processor")}
    return GameRecord(**{**line, **sequences})


def play_remaining_games(
    start: PlayedGame,
    make: Making,
    played: Sequence[tuple[str, ...]],
    games: int,
    plies: int,
    done: Sequence[GameRecord],
    control: Control | None = None,
) -> Iterator[GameRecord]:
    """Play the remaining games and yield each; after a fault both players are made again."""
    numbers = {game.number for game in done}
    sides: tuple[TournamentPlayer, TournamentPlayer] | None = None
    try:
        for number in range(games):
            if number in numbers:
                continue
            sides = sides or make()
            game = play_recorded_game(start, sides, played[number // 2], number, plies, control)
            yield game
            if game.fault:
                _close(sides)
                sides = None
    finally:
        if sides is not None:
            _close(sides)


def _close(sides: tuple[TournamentPlayer, TournamentPlayer]) -> None:
    for side in sides:
        side.close()
