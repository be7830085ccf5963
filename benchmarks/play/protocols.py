"""Whole games through UCI and GTP, with a few milliseconds for a move, with external clients and referees.

In chess, the engine client of python-chess drives the programs, and its board checks legality and the end of
a game. In Go, the client is like gogui-twogtp; GNU Go rejects illegal moves, and the board of sgfmill scores.
Most games are between two processes of Hornbook, some against Stockfish of skill 0, or GNU Go of level 0. A
program that exceeds its remaining time by ten milliseconds loses on time. One `--protocol` is used for
`--games`; `--busy` processes that only compute run at the same time, and no game begins after `--seconds`.
"""

from __future__ import annotations

import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import inf
from os import getloadavg
from pathlib import Path

import chess

from benchmarks.play import gtp_games, uci_games
from benchmarks.play.tally import GameTally
from benchmarks.study import Study, options
from oracles.go.gnugo_client import PROGRAM as GNUGO

Command = Sequence[str]
Playing = Callable[[tuple[Command, Command], int, str, float], GameTally]
STOCKFISH = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
RULES = ("--chinese-rules", "--forbid-suicide", "--simple-ko")
CLOCKS = {
    "uci": f"UCI: {uci_games.SECONDS:g} seconds for a game, and {uci_games.MORE:g} more after each move.",
    "gtp": (
        f"GTP: {gtp_games.MAIN:g} seconds for a game, then {gtp_games.PERIOD:g} for {gtp_games.STONES} "
        "stones, again and again."
    ),
}
LIMITS = {"uci": ("--nodes", "500"), "gtp": ()}
"""Limits of Hornbook for a move, regardless of the clock, so that a thousand games of chess take minutes."""
OTHERS = 40
"""Interval of the games against another program."""


def hornbook(command: str) -> Command:
    return (sys.executable, "-m", "hornbook", command, *LIMITS[command])


@contextmanager
def busy(number: int) -> Iterator[None]:
    """Run processes that only compute."""
    running = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(number)]
    try:
        yield
    finally:
        for each in running:
            each.kill()
            each.wait()


def shown(name: str, tally: GameTally, processor: float) -> str:
    faults = ", ".join(f"{fault} ({number})" for fault, number in sorted(tally.faults.items())) or "none"
    endings = ", ".join(f"{ending} {number}" for ending, number in tally.endings.most_common())
    return "\n".join(
        [
            f"{name}: {tally.games:,} games, {tally.plies:,} moves on the clock; faults: {faults}",
            f"  {endings}",
            (
                f"  longest move {1000 * tally.longest:.0f} ms, least left after a move "
                f"{1000 * tally.least:.0f} ms;"
                f" {processor:.0f} seconds of the processor"
            ),
        ]
    )


def processor() -> float:
    """Return the processor seconds of this process and its finished children."""
    found = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in found)


def rows(protocol: str, games: int) -> Iterator[tuple[str, Playing, tuple[Command, Command], int]]:
    """Yield the matches: a name, the client, the programs, and the number of games."""
    playing, other = {
        "uci": (uci_games.play_uci, STOCKFISH and (STOCKFISH,)),
        "gtp": (gtp_games.play_gtp, GNUGO and (GNUGO, "--mode", "gtp", "--level", "0", *RULES)),
    }[protocol]
    own = hornbook(protocol)
    against = games // OTHERS if other else 0
    if other and against:
        yield f"Hornbook against {Path(other[0]).name}", playing, (own, other), against
    yield "Hornbook against itself", playing, (own, own), games - against


def main() -> int:
    parser = options(__doc__, games=1_000, busy=0, seconds=0, seed=1)
    parser.add_argument("--protocol", choices=("uci", "gtp"), required=True)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines = [
        CLOCKS[given.protocol],
        f"Hornbook is started with {' '.join(LIMITS[given.protocol]) or 'no options'}.",
        f"{given.busy} busy processes beside the games; load of the machine before {getloadavg()[0]:.1f}.",
        "",
    ]
    until = time.monotonic() + (given.seconds or inf)
    ours: list[str] = []
    for name, playing, commands, games in rows(given.protocol, given.games):
        began = processor()
        with busy(given.busy):
            tally = playing(commands, games, f"{given.seed} {name}", until)
            took = processor() - began
        lines.append(shown(name, tally, took))
        print(lines[-1], flush=True)
        ours += [fault for fault in tally.faults if fault.startswith("Hornbook")]
    return study.finish("\n".join(lines) + "\n", ours, (f"python-chess {chess.__version__}",))


if __name__ == "__main__":
    sys.exit(main())
