"""Searches of Othello with equal processor time: MGSS*, as published and improved, against other searches.

The opponents are deepening and Multi-ProbCut. Statistics are gathered first, from `--positions` positions.
Both sides have equal processor seconds for a game, and each move gets a share of the rest, by the number of
choices. The limits are initially about the times of deepening to depths 5 and 6. Every match has both sides
of openings of eight random moves.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

from benchmarks.play.match import MatchPlayer, MatchScore, openings, play_match
from benchmarks.play.thinking import NATIVE, PAPER, PLIES, START, shown
from benchmarks.study import Study, options
from hornbook.play.native import NativeState
from hornbook.play.thinking.gathering import gather
from hornbook.play.thinking.statistics import Statistics

SECONDS = (0.01, 0.03)
"""Seconds of each side for a game."""
OPPONENTS = ("deepening", "multi-prob-cut")
SETS: Mapping[str, object] = {**PAPER, "tails": "empirical", "sets": True}


@dataclass(frozen=True, slots=True)
class ClockMatchRow:
    """Search with its use of the statistics."""

    name: str
    search: str
    how: Mapping[str, object]

    def player(self, statistics: Statistics, seconds: float) -> MatchPlayer:
        given = statistics.as_given(**self.how)  # type: ignore[arg-type]  # rows give what it takes
        return MatchPlayer(partial(NATIVE.search, self.search, given), seconds=seconds, statistics=statistics)


ROWS = (
    ClockMatchRow("MGSS*, price 0.03", "mgss", {**PAPER, "price": 0.03}),
    ClockMatchRow("sets, empirical tails, price 0.1", "mgss", {**SETS, "price": 0.1}),
    ClockMatchRow("sets, empirical tails, price 0.3", "mgss", {**SETS, "price": 0.3}),
    ClockMatchRow("sets, 4-ply errors, price 1", "mgss", {**SETS, "plies": 4, "price": 1}),
    ClockMatchRow("Multi-ProbCut", "multi-prob-cut", {}),
)


def match(
    row: ClockMatchRow, opponent: str, seconds: float, statistics: Statistics, starts: list[NativeState]
) -> MatchScore:
    """Return the score of a row with equal processor time."""
    other = ClockMatchRow(opponent, opponent, {}).player(statistics, seconds)
    return play_match(row.player(statistics, seconds), other, starts)


def main() -> int:
    parser = options(__doc__, positions=35_000, depth=6, games=600, seed=2)
    parser.add_argument("--only", metavar="WORD", help="the rows alone that have this in the name")
    study = Study(__file__, parser.parse_args())
    given, began = study.given, time.process_time()
    statistics = gather(NATIVE, START, "othello", given.positions, given.seed, depth=given.depth)
    starts = list(islice(openings(NATIVE, START, PLIES, given.seed), given.games // 2))
    lines: list[str] = []
    for seconds in SECONDS:
        for opponent in OPPONENTS:
            title = f"against {opponent}, {seconds:g} s a game, {given.games:,} games"
            head = (
                f"{title:<58}{'score':>15}{'won':>6}{'expan.':>8}{'eval.':>7}{'CPU':>7}{'nodes a game':>19}"
            )
            lines += ["", head]
            print(f"\n{head}", flush=True)
            for row in ROWS:
                if row.search != opponent and (given.only or "") in row.name:
                    lines.append(shown(row.name, match(row, opponent, seconds, statistics, starts)))
                    print(lines[-1], flush=True)
    lines += [
        "",
        f"{time.process_time() - began:.0f} s of the processor. Columns are those of mgss-othello.txt.",
    ]
    return study.finish("\n".join(lines[1:]) + "\n")


if __name__ == "__main__":
    sys.exit(main())
