"""Values of searches of Othello in paired games: MGSS* as published, with each addition, and others.

Statistics are gathered first, from `--positions` positions. Every match has both sides of openings of eight
random moves; a search with a budget has it for a whole game, in nodes, and divides it itself. The search
plays `--games` games against alpha-beta of depths 3 and 4, three tenths as many against depth 5 and a tenth
against depth 6. At depths 5 and 6 alpha-beta deepens and keeps a table.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice

from benchmarks.play.match import MatchPlayer, MatchScore, openings, play_match
from benchmarks.study import Study, options
from hornbook.play.native import native_of
from hornbook.play.thinking.gathering import gather
from hornbook.play.thinking.statistics import Statistics
from hornbook.theories.othello.domain import DOMAIN

NATIVE = native_of(DOMAIN)
START = DOMAIN.write_line(DOMAIN.starts()[0])
PLIES = 8
PAPER: Mapping[str, object] = {"tails": "normal", "symmetric": False, "sets": False}
"""Options as in Russell and Wefald (1988)."""


@dataclass(frozen=True, slots=True)
class MatchRow:
    """Match of a search with a budget of nodes for a game, and its use of the statistics."""

    name: str
    search: str
    nodes: int
    how: Mapping[str, object]


def mgss(name: str, nodes: int, price: float, **how: object) -> MatchRow:
    return MatchRow(f"{name}, price {price:g}", "mgss", nodes, {**PAPER, "price": price, **how})


@dataclass(frozen=True, slots=True)
class MatchTable:
    """Matches against one opponent, which searches to a fixed depth."""

    opponent: str
    depth: int
    part: float
    """Share of `--games`."""

    rows: tuple[MatchRow, ...]


TABLES = (
    MatchTable(
        "ordered-alpha-beta",
        3,
        1,
        (
            mgss("MGSS*", 6_400, 0.3),
            mgss("empirical tails", 6_400, 0.3, tails="empirical"),
            mgss("Laplace's tails", 6_400, 0.3, tails="laplace"),
            mgss("empirical tails", 6_400, 0.6, tails="empirical"),
            mgss("Laplace's tails", 6_400, 1, tails="laplace"),
            mgss("Laplace's tails", 6_400, 1.5, tails="laplace"),
            mgss("sets", 6_400, 4, sets=True),
            mgss("sets, Laplace's tails", 6_400, 4, tails="laplace", sets=True),
            mgss("sets, 4-ply errors", 6_400, 4, tails="empirical", sets=True, plies=4),
            mgss("sets, 4-ply errors", 6_400, 8, tails="empirical", sets=True, plies=4),
            mgss("sets, 4-ply errors", 6_400, 16, tails="empirical", sets=True, plies=4),
        ),
    ),
    MatchTable(
        "ordered-alpha-beta",
        4,
        1,
        (
            mgss("MGSS*", 20_000, 0.1),
            mgss("empirical tails", 20_000, 0.1, tails="empirical"),
            mgss("Laplace's tails", 20_000, 0.1, tails="laplace"),
            mgss("sets", 20_000, 2, sets=True),
            mgss("sets, empirical tails", 20_000, 1, tails="empirical", sets=True),
            mgss("sets, empirical tails", 20_000, 2, tails="empirical", sets=True),
            mgss("sets, 4-ply errors", 20_000, 2, tails="empirical", sets=True, plies=4),
            mgss("sets, 4-ply errors", 20_000, 4, tails="empirical", sets=True, plies=4),
            mgss("sets, 4-ply errors", 20_000, 8, tails="empirical", sets=True, plies=4),
            mgss("4-ply errors alone", 20_000, 0.3, tails="empirical", plies=4),
        ),
    ),
    MatchTable(
        "deepening",
        5,
        0.3,
        (
            mgss("MGSS*", 60_000, 0.03),
            mgss("sets", 60_000, 1, sets=True),
            mgss("sets, empirical tails", 60_000, 1, tails="empirical", sets=True),
            mgss("sets, empirical tails", 60_000, 0.6, tails="empirical", sets=True),
            mgss("sets, 4-ply errors", 60_000, 1, tails="empirical", sets=True, plies=4),
            mgss("sets, 4-ply errors", 60_000, 2, tails="empirical", sets=True, plies=4),
            MatchRow("Multi-ProbCut", "multi-prob-cut", 70_000, {}),
            MatchRow("best-first minimax", "best-first", 107_000, {}),
        ),
    ),
    MatchTable(
        "deepening",
        6,
        0.1,
        (
            mgss("MGSS*", 185_000, 0.03),
            mgss("sets, empirical tails", 185_000, 0.3, tails="empirical", sets=True),
            mgss("sets, empirical tails", 185_000, 0.6, tails="empirical", sets=True),
            mgss("sets, 4-ply errors", 185_000, 1, tails="empirical", sets=True, plies=4),
            MatchRow("Multi-ProbCut", "multi-prob-cut", 235_000, {}),
            MatchRow("best-first minimax", "best-first", 350_000, {}),
        ),
    ),
)


def main() -> int:
    parser = options(__doc__, positions=35_000, depth=6, games=1_000, seed=2)
    parser.add_argument(
        "--only", metavar="WORD", help="the rows alone that have this in the name or are of this search"
    )
    study = Study(__file__, parser.parse_args())
    given = study.given
    began = time.process_time()
    statistics = gather(NATIVE, START, "othello", given.positions, given.seed, depth=given.depth)
    lines = [
        f"statistics of {given.positions:,} positions: {time.process_time() - began:.0f} s of the processor"
    ]
    lines += [
        f"  after {each.plies}: {len(each.groups)} groups explain {each.explained:.0%} of the variance; "
        "kurtosis"
        f" {each.kurtosis:g}"
        for each in statistics.errors
    ]
    lines.append(f"  mean gain of an expansion: {statistics.gain:.1f} hundredths of a disc")
    print("\n".join(lines), flush=True)
    for table in TABLES:
        rows = [row for row in table.rows if (given.only or "") in f"{row.search} {row.name}"]
        if not rows:
            continue
        games = max(2, int(given.games * table.part))
        title = f"against {table.opponent} of depth {table.depth}, {games:,} games"
        head = f"{title:<58}{'score':>15}{'won':>6}{'expan.':>8}{'eval.':>7}{'CPU':>7}{'nodes a game':>19}"
        lines += ["", head]
        print(f"\n{head}", flush=True)
        starts = list(islice(openings(NATIVE, START, PLIES, given.seed), games // 2))
        other = MatchPlayer(partial(NATIVE.search, table.opponent, {}), depth=table.depth)
        for row in rows:
            lines.append(shown(row.name, play_match(player(row, statistics), other, starts)))
            print(lines[-1], flush=True)
    lines += [
        "",
        (
            "Score: of the points, with half of its 95 % interval. Expansions, evaluations and "
            "processor time: the search's by its"
        ),
        (
            "opponent's, over whole games. Nodes, expansions and evaluations together: of both. A price of 1 "
            "is the mean gain."
        ),
    ]
    return study.finish("\n".join(lines) + "\n")


def player(row: MatchRow, statistics: Statistics) -> MatchPlayer:
    given = statistics.as_given(**row.how)  # type: ignore[arg-type]  # rows give what it takes
    return MatchPlayer(partial(NATIVE.search, row.search, given), nodes=row.nodes, statistics=statistics)


def shown(name: str, score: MatchScore) -> str:
    one, other = score.spent
    return (
        f"{name:<58}{score.share:>8.3f} ±{score.within:.3f}{score.won / score.games:>6.0%}"
        f"{one.expansions / other.expansions - 1:>+8.0%}{one.evaluations / other.evaluations - 1:>+7.0%}"
        f"{one.seconds / other.seconds:>6.2f}×{one.nodes / score.games:>9,.0f}"
        f"{other.nodes / score.games:>10,.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
