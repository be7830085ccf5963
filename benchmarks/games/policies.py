"""Learned policies of deep searches in checkers, compared with static rows of deep searches.

The policies are learned from the results of games. In `--teach` games a player searches six moves deep
instead of four at randomly chosen moves. At a `price` of a node, in millionths of a score, a policy searches
deeply where that gained more than its nodes cost (`play/core/allocation/policy.hpp`). No leaf has fewer than
`--least` decisions. A row has `--games` games with other seeds against a player that never searches deeper,
in ten parts with separate seeds. A policy's features depend only on the board, so that deciding takes no
node; the column `us` is the processor time of decisions. The column `static` is the score of static rows at
the same nodes, by linear interpolation. The column `sigma` is the difference in standard errors of both. With
`--pictures` the scores are drawn against the nodes there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from benchmarks import svg
from benchmarks.study import Study, options
from hornbook.play.allocation.native import AllocationTally, allocation_of
from hornbook.play.allocation.native import Row as Node
from hornbook.theories.checkers.domain import DOMAIN

PARTS = 10
STATIC = ((14, 25), (10, 25), (10, 31), (8, 37))
"""First and last move of a row."""
PRICES = (10, 6, 15, 3)
MOST = 40
"""Limit of searches, which is not reached because of their price."""


@dataclass(frozen=True, slots=True)
class PolicyRow:
    name: str
    quality: float
    error: float
    deep: float
    nodes: float
    us: float

    @property
    def text(self) -> str:
        return (
            f"{self.name:<34}{self.quality:>7.4f}{self.error:>8.4f}{self.deep:>7.2f}{self.nodes:>9,.0f}"
            f"{self.us:>6.0f}"
        )


def main() -> int:
    parser = options(__doc__, games=10_000, teach=40_000, least=10_000, seed=1)
    parser.add_argument("--pictures", type=Path)
    study = Study(__file__, parser.parse_args())
    given = study.given
    head = f"{'strategy':<34}{'score':>7}{'error':>8}{'deep':>7}{'nodes':>9}{'us':>6}"
    print(head, flush=True)
    static, learned = list[PolicyRow](), list[PolicyRow]()
    lines = [head]
    for name, play in rows(given.teach, given.least, given.seed):
        tallies = [play(given.games // PARTS, given.seed * 1000 + part) for part in range(PARTS)]
        row = row_of(name, tallies)
        (learned if name.startswith("price") else static).append(row)
        text = (
            row.text if name not in {each.name for each in learned} else row.text + interpolated(row, static)
        )
        lines.append(text)
        print(text, flush=True)
    if given.pictures is not None:
        draw(static, learned, given.pictures / "allocation.svg")
    return study.finish("\n".join(lines) + "\n")


def rows(teach: int, least: int, seed: int) -> Iterator[tuple[str, Callable[[int, int], AllocationTally]]]:
    """Yield each row's name, and the function that plays its games."""
    native = allocation_of(DOMAIN)
    start = DOMAIN.write(DOMAIN.starts()[0])
    setting = native.Setting(searches=MOST)
    yield "never", lambda games, seed: native.play(start, setting, "never", 0.0, games, seed)
    for first, last in STATIC:
        window = native.Policy(between(native.BY_HAND, first, last))
        yield (
            f"moves {first} to {last}",
            lambda games, seed, window=window: native.play(start, setting, window, games, seed),
        )
    explored = native.explore(start, setting, None, teach, seed)
    for price in PRICES:
        policy = explored.policy(price / 1e6, least)
        leaves = sum(row[0] < 0 for row in policy.rows)
        yield (
            f"price {price}, {leaves} leaves",
            lambda games, seed, policy=policy: native.play(start, setting, policy, games, seed),
        )


def between(feature: int, first: int, last: int) -> list[Node]:
    """Return the policy that searches deeply at these moves on any board, as a tree on the
    number of the move.
    """
    leaf = (-1, 0, 0, 0, 1.0)
    return [
        (feature, first - 1, 1, 2, 1.0, 0.0),
        (*leaf, -1.0),
        (feature, last, 3, 4, 1.0, 0.0),
        (*leaf, 1.0),
        (*leaf, -1.0),
    ]


def row_of(name: str, tallies: Sequence[AllocationTally]) -> PolicyRow:
    won, lost, drawn, deep = (
        sum(getattr(t, each) for t in tallies) for each in ("won", "lost", "drawn", "deep")
    )
    games = won + lost + drawn
    quality = (won + drawn / 2) / games
    error = (((won + drawn / 4) / games - quality**2) / games) ** 0.5
    nodes = sum(t.shallow_nodes + t.deep_nodes + t.deciding_nodes for t in tallies) / games
    return PolicyRow(
        name, quality, error, deep / games, nodes, 1e6 * sum(t.deciding_seconds for t in tallies) / games
    )


def interpolated(row: PolicyRow, static: Sequence[PolicyRow]) -> str:
    """Return the interpolated score of static rows at the same nodes, and the lead of a row over it."""
    known = sorted(static, key=lambda each: each.nodes)
    for less, more in pairwise(known):
        if less.nodes <= row.nodes <= more.nodes:
            part = (row.nodes - less.nodes) / (more.nodes - less.nodes)
            quality = less.quality + part * (more.quality - less.quality)
            error = (((1 - part) * less.error) ** 2 + (part * more.error) ** 2 + row.error**2) ** 0.5
            return (
                f"   static {quality:.4f}  {row.quality - quality:+.4f}  "
                f"{(row.quality - quality) / error:.1f} sigma"
            )
    return "   beyond all static rows"


def draw(static: Sequence[PolicyRow], learned: Sequence[PolicyRow], path: Path) -> None:
    drawn = svg.figure(5.6, 3.6)
    axes = drawn.subplots()
    for name, kind, marker in (
        ("rows that look at no board", static, "s--"),
        ("learned from how games end", learned, "o-"),
    ):
        points = sorted(kind, key=lambda each: each.nodes)
        errors = [2 * each.error for each in points]
        axes.errorbar(
            [p.nodes for p in points], [p.quality for p in points], errors, fmt=marker, capsize=2, label=name
        )
    axes.set_xlabel("nodes a game")
    axes.set_ylabel("score")
    axes.set_xlim(left=0)
    axes.legend(loc="lower right", frameon=False)
    svg.save(drawn, path)


if __name__ == "__main__":
    sys.exit(main())
