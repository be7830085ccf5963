"""Games of checkers on a clock: a player that spends time by a policy against one that spends it evenly.

Each side has `--clock` nodes for its first `--moves` moves, or with `--unit seconds` seconds of processor
time. It may spend any part of the remaining amount on a move (Markovitch and Sella 1996, section 7). Both
search by the same iterative deepening, each with its own table.

A move has a weight, and gets the share of the rest that corresponds to its weight among the expected weights
of the remaining moves. For the even player all weights are 1. For the other player, a policy is learned from
`--teach` games (`play/core/allocation/policy.hpp`). Its price is `--price` millionths of a score per node,
and no leaf has fewer than `--least` decisions. If it predicts a gain of a deep search, the weight is the
row's number, else 1. The expected weight of a move is its mean in `--practice` games of self-play. The row
`by number` uses this mean as weight and ignores the board.

A row has `--games` games, two with each of its openings of `--opening` random moves, so that each side begins
once; the error is computed over the pairs. After the last move the judge of `benchmarks/games/allocation.py`
decides. The columns `nodes` and `ms` (processor time including decisions) are those of one side in a game,
first the policy's, then the even player's.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from statistics import fmean, stdev
from typing import Literal

from benchmarks.study import Study, options
from hornbook.play.allocation.native import Policy, allocation_of
from hornbook.play.native import NativeState, native_of
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states.text import parse

RATIOS = (2.0, 4.0)
MOST = 40
WORTH = {"b": 1, "B": 3, "w": -1, "W": -3}
LEAD = 4
"""Lead in men with which a player has won for the judge."""
Unit = Literal["nodes", "seconds"]
Weight = Callable[[NativeState, int, bool], float]
"""Weight of a move, from the board, the number of the side's move from 1, and whether the previous move
weighed more than 1.
"""


@dataclass(frozen=True, slots=True)
class NodeClock:
    whole: float
    moves: int
    unit: Unit = "nodes"


@dataclass(frozen=True, slots=True)
class WeightedPlayer:
    """Player with a weight function; `expected` is the mean weight of each move, from the first."""

    weight: Weight
    expected: Sequence[float]


@dataclass(slots=True)
class SideCost:
    """Nodes and seconds spent by one side in a game."""

    nodes: int = 0
    seconds: float = 0.0
    weights: list[tuple[int, float]] = field(default_factory=list)
    """Weighed moves, each with its weight."""

    def of(self, unit: Unit) -> float:
        return self.nodes if unit == "nodes" else self.seconds


@dataclass(frozen=True, slots=True)
class ClockRow:
    name: str
    score: float
    error: float
    sides: tuple[Sequence[SideCost], Sequence[SideCost]]

    @property
    def text(self) -> str:
        nodes, ms = (
            [fmean(getattr(spent, each) for spent in side) * unit for side in self.sides]
            for each, unit in (("nodes", 1), ("seconds", 1000))
        )
        return (
            f"{self.name:<18}{self.score:>7.4f}{self.error:>8.4f}{nodes[0]:>9,.0f}{nodes[1]:>9,.0f}"
            f"{ms[0]:>8.1f}{ms[1]:>8.1f}"
        )


HEAD = f"{'weights':<18}{'score':>7}{'error':>8}{'nodes':>9}{'even':>9}{'ms':>8}{'even':>8}"


def main() -> int:
    parser = options(
        __doc__,
        games=2_800,
        clock=30_000.0,
        moves=40,
        opening=6,
        teach=20_000,
        price=6,
        least=8_000,
        practice=200,
        seed=1,
    )
    parser.add_argument("--unit", choices=("nodes", "seconds"), default="nodes")
    study = Study(__file__, parser.parse_args())
    given = study.given
    clock = NodeClock(given.clock, given.moves, given.unit)
    policy = taught(given.teach, given.price / 1e6, given.least, given.seed)
    lines = [HEAD]
    for ratio in RATIOS:
        learned = practised(by_policy(policy, ratio), clock, given.practice, given.opening, given.seed)
        number = WeightedPlayer(lambda _, move, __, means=learned.expected: means[move - 1], learned.expected)
        for name, player in ((f"policy, {ratio:g}", learned), (f"by number, {ratio:g}", number)):
            lines.append(match(name, player, clock, given.games, given.opening, given.seed).text)
            print(lines[-1], flush=True)
    lines += ["", f"{time.process_time():.0f} seconds of the processor"]
    return study.finish("\n".join(lines) + "\n")


def taught(games: int, price: float, least: int, seed: int) -> Policy:
    native = allocation_of(DOMAIN)
    start = DOMAIN.write(DOMAIN.starts()[0])
    return native.explore(start, native.Setting(searches=MOST), None, games, seed).policy(price, least)


def even(moves: int) -> WeightedPlayer:
    return WeightedPlayer(lambda _, __, ___: 1.0, [1.0] * moves)


def by_policy(policy: Policy, ratio: float) -> Weight:
    return lambda state, move, before: ratio if policy.decides(str(state), move, deep_before=before) else 1.0


def practised(weight: Weight, clock: NodeClock, games: int, opening: int, seed: int) -> WeightedPlayer:
    """Return the player whose expected weights are those in games with itself."""
    player = WeightedPlayer(weight, [1.0] * clock.moves)
    found: list[list[float]] = [[] for _ in range(clock.moves)]
    for game in range(games):
        state = opened(Random(f"{seed} practice {game}"), opening)
        for spent in play(state, (player, player), clock)[1]:
            for move, each in spent.weights:
                found[move - 1].append(each)
    return WeightedPlayer(weight, [fmean(each or [1.0]) for each in found])


def match(
    name: str, player: WeightedPlayer, clock: NodeClock, games: int, opening: int, seed: int
) -> ClockRow:
    """Return the row of a match against the even player."""
    scores, ours, others = list[float](), list[SideCost](), list[SideCost]()
    other = even(clock.moves)
    for pair in range(games // 2):
        state = opened(Random(f"{seed} {pair}"), opening)
        first, (one, two) = play(state, (player, other), clock)
        second, (three, four) = play(state, (other, player), clock)
        scores.append((2 + first - second) / 4)
        ours += [one, four]
        others += [two, three]
    return ClockRow(name, fmean(scores), stdev(scores) / len(scores) ** 0.5, (ours, others))


def opened(random: Random, moves: int) -> NativeState:
    """Return a position after random moves from the start."""
    state = native_of(DOMAIN).State(DOMAIN.write(DOMAIN.starts()[0]))
    for _ in range(moves):
        state = state.after(random.choice(state.moves()))
    return state


def play(
    state: NativeState, players: tuple[WeightedPlayer, WeightedPlayer], clock: NodeClock
) -> tuple[int, tuple[SideCost, SideCost]]:
    """Play a game, and return 1, 0 or -1 for player 0, and the time spent. A forced move costs nothing."""
    searches = [native_of(DOMAIN).search("deepening", {}) for _ in players]
    sides = (SideCost(), SideCost())
    made = [0, 0]
    before = [False, False]
    while not state.is_over and made[state.to_move] < clock.moves:
        side = state.to_move
        made[side] += 1
        moves = state.moves()
        chosen = moves[0]
        if len(moves) > 1:
            spent, began = sides[side], time.process_time()
            weight = players[side].weight(state, made[side], before[side])
            before[side] = weight > 1
            spent.weights.append((made[side], weight))
            left = clock.whole - spent.of(clock.unit)
            budget = part(left, weight, players[side].expected[made[side] :])
            found = (
                searches[side](state, nodes=max(1, int(budget)))
                if clock.unit == "nodes"
                else searches[side](state, seconds=max(1e-6, budget))
            )
            chosen = found["move"] or chosen
            spent.nodes += found["expansions"] + found["evaluations"]
            spent.seconds += time.process_time() - began
        state = state.after(chosen)
    return (state.outcome if state.is_over else judged(state)), sides


def part(left: float, weight: float, later: Sequence[float]) -> float:
    """Return the share of a move of the rest, given the expected weights of the later moves."""
    return left * weight / (weight + sum(later))


def judged(state: NativeState) -> int:
    lead = sum(WORTH.get(cell, 0) for cell in parse(str(state)).cells)
    return (lead >= LEAD) - (lead <= -LEAD)


if __name__ == "__main__":
    sys.exit(main())
