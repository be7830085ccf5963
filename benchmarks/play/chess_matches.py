"""Matches in chess of our search against Stockfish at its lowest skill, with equal processor time.

Stockfish has `--nodes` for a move, independent of other work on the machine. Our search gets per move the
mean processor seconds of Stockfish's moves so far (in the first games, `--seconds`). Openings of `--opening`
random moves are played twice, with sides swapped. Games are stored in `--into`, and the same command
continues with them.
"""

from __future__ import annotations

import shutil
import sys
import time
from collections import Counter
from pathlib import Path

from benchmarks.study import Study, options
from hornbook.commands.games.whole.game import whole_game
from hornbook.play.tournament.process import PlayerProcess
from hornbook.play.tournament.recorded_games import (
    GameRecord,
    append_game,
    openings,
    pairs,
    play_recorded_game,
    read_games,
)
from hornbook.play.tournament.sides import Ours, Uci
from hornbook.play.tournament.strength import elo, strength
from hornbook.play.whole.played import PlayedGame

STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin") or "stockfish"
PLIES = 400
ENOUGH = 4
"""Number of games after which Stockfish's moves are timed by games."""


def moves_of(games: list[GameRecord], side: int) -> int:
    """Return the number of moves that A or B has made itself in some games."""
    total = 0
    for game in games:
        own = len(game.moves) - len(game.opening)
        begins = (len(game.opening) % 2 == 0) == game.a_begins
        total += (own + (begins == (side == 0))) // 2
    return total


def seconds_for(done: list[GameRecord], first: float) -> float:
    """Return the time for our moves, so that both have used equal processor time after the next game."""
    if len(done) < ENOUGH:
        return first
    ours, theirs = (sum(game.processor[side] or 0.0 for game in done) for side in (0, 1))
    own, other = (moves_of(done, side) for side in (0, 1))
    behind = (theirs - ours) / (own / len(done))
    return max(0.2, min(2.0, 1 + behind * other / theirs)) * theirs / other


def main() -> int:
    parser = options(__doc__, games=500, nodes=4_000, seconds=0.005, opening=4, seed=1)
    parser.add_argument("--into", type=Path, required=True)
    study = Study(__file__, parser.parse_args())
    given = study.given
    known = whole_game("chess")
    start = PlayedGame.start(known.native, known.domain)
    played = openings(start, given.games // 2, given.opening, given.seed)
    names = ("nodes", "opening", "seed")
    done = read_games(given.into, {name: getattr(given, name) for name in names})
    ours = Ours("Hornbook", known.player, {})
    other = Uci(
        "Stockfish",
        PlayerProcess(STOCKFISH),
        (("Skill Level", "0"), ("Threads", "1")),
        f"nodes {given.nodes}",
        None,
    )
    began = time.process_time()
    try:
        for number in range(len(done), given.games):
            ours.budget = {"seconds": seconds_for(done, given.seconds)}
            game = play_recorded_game(start, (ours, other), played[number // 2], number, PLIES)
            append_game(given.into, game)
            done.append(game)
            if game.fault:
                raise RuntimeError(game.fault + game.why)
            if len(done) % 20 == 0:
                print(
                    f"{len(done)}: {sum(each.points for each in done):g}, {time.process_time() - began:.0f} "
                    "s",
                    flush=True,
                )
    finally:
        other.close()
    return study.finish(report(done), libraries=("Stockfish 15.1",))


def report(done: list[GameRecord]) -> str:
    found = strength(pairs(done))
    points = Counter(game.points for game in done)
    seconds = [sum(game.processor[side] or 0.0 for game in done) for side in (0, 1)]
    moves = [moves_of(done, side) for side in (0, 1)]
    draws = Counter(game.why for game in done if game.points == 0.5)
    reasons = ", ".join(f"{why} {number}" for why, number in draws.most_common()) or "none"
    return (
        f"{len(done)} games: won {points[1.0]}, drawn {points[0.5]}, lost {points[0.0]}\n"
        f"{found.score:.1%} of the points, with 95 % between {found.low:.1%} and {found.high:.1%} (by pairs "
        "of games);"
        f" Elo {elo(found.score):+.0f}, between {elo(found.low):+.0f} and {elo(found.high):+.0f}\n"
        f"processor: Hornbook {seconds[0]:.1f} s, {1000 * seconds[0] / moves[0]:.2f} ms a move;"
        f" Stockfish {seconds[1]:.1f} s, {1000 * seconds[1] / moves[1]:.2f} ms a move\n"
        f"draws: {reasons}\n"
        f"faults: {sum(bool(game.fault) for game in done)}\n"
    )


if __name__ == "__main__":
    sys.exit(main())
