"""Value of each part of sampled trees: matches with the part against without it, in equal time.

Each opening is played twice, with sides swapped. Both sides have `--seconds` of processor time for a move.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass

from benchmarks.study import Study, options
from hornbook.commands.games.whole.game import whole_game
from hornbook.play.native import Native
from hornbook.play.tournament.recorded_games import openings, pairs, play_recorded_game
from hornbook.play.tournament.sides import Ours
from hornbook.play.tournament.strength import strength
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.thinking import SearchPlayer

LONGEST = 400
"""Number of moves after which a game is abandoned."""
PLIES = {"go": 4, "othello": 8}
"""Number of random moves of an opening."""
PLAIN = {"local": False, "shapes": False}
"""Options of random games without preferred moves."""


@dataclass(frozen=True, slots=True)
class SearchVariant:
    """Search by name, with its changed options."""

    name: str
    changed: Mapping[str, object]

    def side(self, native: Native, seconds: float) -> Ours:
        return Ours(
            self.name,
            lambda: SearchPlayer(native, native.search(self.name, self.changed)),
            {"seconds": seconds},
        )


@dataclass(frozen=True, slots=True)
class SampledRow:
    game: str
    what: str
    one: SearchVariant
    other: SearchVariant


UCT = SearchVariant("uct", PLAIN)
ROWS = (
    SampledRow("go", "UCT, and local replies, against UCT", SearchVariant("uct", {"shapes": False}), UCT),
    SampledRow(
        "go", "and shapes, against that", SearchVariant("uct", {}), SearchVariant("uct", {"shapes": False})
    ),
    SampledRow("go", "UCT, and RAVE, against UCT", SearchVariant("uct-rave", PLAIN), UCT),
    SampledRow(
        "go",
        "all, against deepening",
        SearchVariant("uct-rave", {}),
        SearchVariant("deepening", {}),
    ),
    SampledRow(
        "othello", "UCT, and RAVE, against UCT", SearchVariant("uct-rave", {}), SearchVariant("uct", {})
    ),
)


def match(row: SampledRow, games: int, seconds: float, seed: int) -> str:
    """Return a line with the score of the first side in percent, its 95 % interval, and the
    processor time of both.
    """
    whole = whole_game(row.game)
    start = PlayedGame.start(whole.native, whole.domain)
    sides = (row.one.side(whole.native, seconds), row.other.side(whole.native, seconds))
    beginnings = openings(start, games // 2, PLIES[row.game], seed)
    done = [
        play_recorded_game(start, sides, beginnings[number // 2], number, LONGEST) for number in range(games)
    ]
    found = strength(pairs(done))
    one, other = (sum(each.processor[side] or 0.0 for each in done) for side in (0, 1))
    return (
        f"{row.game:<8} {row.what:<56}{100 * found.score:>6.1f}"
        f"{100 * found.low:>7.1f} to {100 * found.high:>5.1f}{one:>7.0f}{other:>5.0f}"
    )


def main() -> int:
    study = Study(__file__, options(__doc__, games=40, seconds=0.015, seed=1).parse_args())
    given = study.given
    lines = [f"{'':<65}{'score':>6}{'with 95 %':>16}{'CPU seconds':>12}"]
    for row in ROWS:
        lines.append(match(row, given.games, given.seconds, given.seed))
        print(lines[-1], flush=True)
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
