"""Reproduction of Table 2 of Markovitch and Sella (1996): strategies that allocate deep searches in checkers.

Each strategy plays against a player without one. Each row has `--games` games, in ten parts with separate
seeds. Players search four moves deep; the strategy's side may search six moves deep 8 times within its 40
moves. Classifiers are learned from `--boards` boards, their leaves filled again from `--refill` others; no
leaf has fewer than `--least` boards. Rows in brackets are not in the paper. The last four columns are costs
of the strategy's side per game. They are deep searches, nodes (moves listed and positions evaluated) of all
its searches, nodes of the decisions, and microseconds of processor time for deciding. The column `spread` is
the standard deviation of the ten parts, divided by the root of ten: another standard error.
"""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from statistics import stdev

from benchmarks.study import Study, options
from hornbook.play.allocation.learning import (
    RECIPES,
    TrainingBoards,
    learn_classifier,
    score,
    training_boards,
)
from hornbook.play.allocation.native import Allocation, AllocationSetting, AllocationTally, allocation_of
from hornbook.theories.checkers.domain import DOMAIN

PARTS = 10
PAPER = {
    "never": 0.499,
    "random": 0.547,
    "id3": 0.555,
    "relief": 0.582,
    "context": 0.587,
    "found": 0.599,
    "oracle": 0.683,
    "always": 0.700,
}


def main() -> int:
    parser = options(__doc__, games=10_000, boards=60_000, refill=100_000, least=100, sample=10_000, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    native = allocation_of(DOMAIN)
    start = DOMAIN.write(DOMAIN.starts()[0])
    numbers = "".join(f"{name:>6}" for name in ("won", "lost", "drawn"))
    shares = "".join(f"{name:>7}" for name in ("Q", "error", "spread", "paper", "deep"))
    lines = [f"{'strategy':<34}{numbers}{shares}{'nodes':>9}{'deciding':>10}{'us':>8}"]
    print(lines[0], flush=True)
    for name, play in rows(native, start, given, lines):
        tallies = [play(given.games // PARTS, given.seed * 1000 + part) for part in range(PARTS)]
        lines.append(row(name, tallies))
        print(lines[-1], flush=True)
    return study.finish("\n".join(lines) + "\n")


def rows(
    native: Allocation, start: str, given: Namespace, lines: list[str]
) -> Iterator[tuple[str, Callable[[int, int], AllocationTally]]]:
    """Yield each row's name, and the function that plays its games."""
    setting = native.Setting()

    def plain(
        strategy: str, number: float = 0, searches: int | None = None
    ) -> Callable[[int, int], AllocationTally]:
        used = setting if searches is None else native.Setting(searches=searches)
        return lambda games, seed: native.play(start, used, strategy, number, games, seed)

    yield "never", plain("never")
    yield "random", plain("random")
    yield "always", plain("always")
    yield "(8 in a row from move 15)", plain("row", 15)
    yield "(16 in a row from move 12)", plain("row", 12, 16)
    yield "(24 in a row from move 10)", plain("row", 10, 24)
    yield "oracle", plain("oracle", 0)
    yield "(oracle, more than 1/4 man)", plain("oracle", 0.25)
    taught = training_boards(native, start, setting, given.boards, given.refill, given.seed)
    worth = taught.boards.worth()
    lines.append(
        f"% {len(worth):,} boards, {sum(positive for positive, _ in worth) / len(worth):.1%} positive"
    )
    for name in RECIPES:
        yield name if name in PAPER else f"({name})", classified(native, start, setting, taught, name, given)


def classified(
    native: Allocation,
    start: str,
    setting: AllocationSetting,
    taught: TrainingBoards,
    name: str,
    given: Namespace,
) -> Callable[[int, int], AllocationTally]:
    sizes = {"least": given.least, "sample": given.sample, "seed": given.seed}
    classifier = learn_classifier(native, RECIPES[name], taught, setting, **sizes)
    return lambda games, seed: native.play(start, setting, classifier, games, seed)


def row(name: str, tallies: list[AllocationTally]) -> str:
    sums = {
        each: sum(getattr(tally, each) for tally in tallies)
        for each in ("won", "lost", "drawn", "deep", "shallow_nodes", "deep_nodes", "deciding_nodes")
    }
    games = sums["won"] + sums["lost"] + sums["drawn"]
    parts = [score(tally).quality for tally in tallies]
    quality = (sums["won"] + sums["drawn"] / 2) / games
    error = (((sums["won"] + sums["drawn"] / 4) / games - quality**2) / games) ** 0.5
    nodes = (sums["shallow_nodes"] + sums["deep_nodes"] + sums["deciding_nodes"]) / games
    micro = 1e6 * sum(tally.deciding_seconds for tally in tallies) / games
    paper = f"{PAPER[name]:.3f}" if name in PAPER else ""
    return (
        f"{name:<34}{sums['won']:>6}{sums['lost']:>6}{sums['drawn']:>6}{quality:>7.3f}{error:>7.4f}"
        f"{stdev(parts) / PARTS**0.5:>7.4f}{paper:>7}{sums['deep'] / games:>7.2f}{nodes:>9,.0f}"
        f"{sums['deciding_nodes'] / games:>10,.0f}{micro:>8,.0f}"
    )


if __name__ == "__main__":
    sys.exit(main())
