"""Searches of Othello by node limits (Russell and Wefald 1988, section 5.3.8) at the root, in paired games.

A computation is a search of one move by deepening with a table and a limit of nodes; the next one of the same
move has `factor` times as many. Its value is its expected gain for the choice, per node, estimated from the
changes of values between successive limits in `--positions` positions. For comparison, deepening of the whole
position gets the same nodes for a game.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from random import Random
from statistics import fmean

from benchmarks.play.match import MatchPlayer, openings, play_match
from benchmarks.play.thinking import NATIVE, PLIES, START, shown
from benchmarks.study import Study, options
from hornbook.play.native import NativeState, Search
from hornbook.play.thinking.gathering import gather

LEVELS = 5
"""Number of limits with separate errors; later ones count as the last."""
POINTS = 64
"""Number of evenly spaced points that represent the errors of one limit."""


@dataclass(frozen=True, slots=True)
class NodeLimits:
    first: int
    factor: int

    def at(self, level: int) -> int:
        return int(self.first * self.factor**level)


Errors = Sequence[Sequence[int]]
"""For each limit, the values minus those with the previous limit, for the player to move.

All points are equally likely.
"""


def expected_gain(values: Sequence[int], move: int, errors: Sequence[int]) -> float:
    """Return the gain of a search of one of several moves with these errors: the new best value minus that of
    the old best move.
    """
    best = max(range(len(values)), key=values.__getitem__)
    if move == best:
        second = max(value for place, value in enumerate(values) if place != best)
        return fmean(max(second - values[move] - error, 0) for error in errors)
    return fmean(max(values[move] + error - values[best], 0) for error in errors)


@dataclass(slots=True)
class ByLimits:
    """Search within its share of nodes, which stops when no search of a move gains anything."""

    limits: NodeLimits
    errors: Errors
    search: Search = field(default_factory=lambda: NATIVE.search("deepening", {}))

    def __call__(self, state: NativeState, *, nodes: int, share: float, **_: object) -> Mapping[str, object]:
        began = time.process_time()
        moves = state.moves()
        after = [state.after(move) for move in moves]
        signs = [1 if each.to_move == state.to_move else -1 for each in after]
        values = [sign * each.evaluation for sign, each in zip(signs, after, strict=True)]
        levels = [0] * len(moves)
        settled = {place for place, each in enumerate(after) if each.is_over}
        expansions, evaluations = 1, len(moves)
        while expansions + evaluations < nodes * share:
            gains = {
                place: expected_gain(
                    values, place, [signs[place] * error for error in self.errors[min(level, LEVELS - 1)]]
                )
                / self.limits.at(level)
                for place, level in enumerate(levels)
                if place not in settled
            }
            place = max(gains, key=gains.__getitem__, default=0)
            if gains.get(place, 0) <= 0:
                break
            found = self.search(after[place], nodes=self.limits.at(levels[place]))
            expansions += found["expansions"]
            evaluations += found["evaluations"]
            levels[place] += 1
            if found["depth"] > 0:
                values[place] = signs[place] * found["value"]
            if found["why"] == "solved":
                settled.add(place)
        best = max(range(len(moves)), key=values.__getitem__)
        return {
            "move": moves[best],
            "expansions": expansions,
            "evaluations": evaluations,
            "seconds": time.process_time() - began,
        }


def errors_of(limits: NodeLimits, states: Sequence[NativeState]) -> Errors:
    errors: list[list[int]] = [[] for _ in range(LEVELS)]
    for state in states:
        search, before = NATIVE.search("deepening", {}), state.evaluation
        for level in range(LEVELS):
            found = search(state, nodes=limits.at(level))
            value = found["value"] if found["depth"] > 0 else before
            errors[level].append(value - before)
            before = value
    return [
        [ordered[(2 * point + 1) * len(ordered) // (2 * POINTS)] for point in range(POINTS)]
        for ordered in map(sorted, errors)
    ]


def positions(number: int, seed: int) -> list[NativeState]:
    """Return positions after 5 to 50 random moves."""
    random = Random(seed)
    found: list[NativeState] = []
    while len(found) < number:
        state = NATIVE.State(START)
        for _ in range(random.randrange(5, 51)):
            if not state.is_over:
                state = state.after(random.choice(state.moves()))
        if not state.is_over:
            found.append(state)
    return found


def main() -> int:
    study = Study(__file__, options(__doc__, positions=800, games=200, seed=3).parse_args())
    given = study.given
    statistics = gather(NATIVE, START, "othello", 2_000, given.seed, depth=4)
    states = positions(given.positions, given.seed)
    starts = list(islice(openings(NATIVE, START, PLIES, given.seed), given.games // 2))
    began, lines = time.process_time(), []
    for opponent, depth, nodes in (("ordered-alpha-beta", 4, 20_000), ("deepening", 5, 62_000)):
        other = MatchPlayer(partial(NATIVE.search, opponent, {}), depth=depth)
        title = f"against {opponent} of depth {depth}, {given.games:,} games"
        lines.append(
            f"{title:<58}{'score':>15}{'won':>6}{'expan.':>8}{'eval.':>7}{'CPU':>7}{'nodes a game':>19}"
        )
        rows = {
            "deepening": MatchPlayer(
                partial(NATIVE.search, "deepening", {}), nodes=nodes, statistics=statistics
            )
        }
        for limits in (NodeLimits(40, 2), NodeLimits(100, 2), NodeLimits(100, 4)):
            errors = errors_of(limits, states)
            rows[f"by limits of {limits.first} nodes, times {limits.factor}"] = MatchPlayer(
                partial(ByLimits, limits, errors),  # type: ignore[arg-type]  # returns what a match reads
                nodes=nodes,
                statistics=statistics,
            )
        lines += [shown(name, play_match(player, other, starts)) for name, player in rows.items()]
        lines.append("")
    lines += [
        (
            f"{time.process_time() - began:.0f} s of the processor. Columns are those of "
            "mgss-othello.txt; the choice of searches is made in Python,"
        ),
        "and its time is counted.",
    ]
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
