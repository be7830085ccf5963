"""Games between deepening that stops by its own progress, and deepening that spends its nodes evenly.

Both sides have `--clock` nodes for a game, and an equal share of the rest for each move. The even side stops
when the share is spent. The other side decides after each completed depth whether to continue, up to
`MOST` shares. These are dynamic strategies (Markovitch and Sella 1996, section 2.2). Their rules are:

- `agreement`: it continues up to `CHANGED` shares, or up to `AGREED` if the last two depths have the same
  best move.
- `values`: it continues while the learned net value of continuing is positive (adaptive feedback estimation,
  Russell and Wefald 1988, section 4, equations 15 to 21). The values are learned from `--teach` decisions of
  the even side, continued to `MOST` shares. Each move that was best at some depth is valued by the last
  depth. The net value of continuing is the best value at a later depth, minus the price of the nodes until
  then, minus the value of the current move. Similar decisions form a group, which has its mean. The price is
  set in `--practice` games so that both sides spend as many nodes.
- `values, again`: they are learned again for a player that stops by them, twice.

Games of checkers and chess that are too long are decided by a lead. A row has `--games` games, two from each
opening of random moves; its error is that of the mean of the pairs. The last columns are the nodes of a game
of each side, and processor seconds.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from random import Random
from statistics import fmean, stdev

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.games.clock import judged
from benchmarks.study import Study, options
from hornbook.play.native import Native, NativeState, Report, SearchStop, native_of
from hornbook.play.thinking.groups import grouped
from hornbook.theories.checkers.domain import DOMAIN as CHECKERS
from hornbook.theories.chess.domain import DOMAIN as CHESS
from hornbook.theories.othello.domain import DOMAIN as OTHELLO

MOST = 4.0
"""Largest number of shares of a move."""
AGREED, CHANGED = 0.3, 1.2
"""Shares that are enough if the last two depths agree, and if they differ."""
TRIES = 7
"""Bisections for the price."""
PRICES = (0.0003, 3.0)
"""The least and the greatest price of a share, in units of evaluations."""
LEAST, GROUPS = 400, 24
LEAD = 200
"""Lead in hundredths of a pawn with which a side of chess has won a long game."""


@dataclass(frozen=True, slots=True)
class StoppingGame:
    native: Native
    start: str
    opening: int
    """Random moves at the beginning."""

    moves: int
    """Moves of each side with a share."""

    longest: int
    """Moves of both sides after which the judge decides."""

    judge: Callable[[NativeState], int]


def by_two_pawns(state: NativeState) -> int:
    value = state.evaluation if state.to_move == 0 else -state.evaluation
    return (value >= LEAD) - (value <= -LEAD)


GAMES: Mapping[str, StoppingGame] = {
    "checkers": StoppingGame(native_of(CHECKERS), CHECKERS.write(CHECKERS.starts()[0]), 6, 40, 80, judged),
    "chess": StoppingGame(native_of(CHESS), CHESS.write_line(CHESS.starts()[0]), 6, 40, 160, by_two_pawns),
    "othello": StoppingGame(
        native_of(OTHELLO), OTHELLO.write_line(OTHELLO.starts()[0]), 8, 28, 130, lambda state: state.outcome
    ),
}


@dataclass(frozen=True, slots=True)
class DepthProgress:
    """A search after a completed depth: the best move and its value at each depth, the nodes spent until
    then, the share of the move, and the number of moves.
    """

    depths: Sequence[tuple[str, int, int]]
    share: float
    choices: int

    @property
    def spent(self) -> float:
        return self.depths[-1][2] / self.share

    @property
    def features(self) -> tuple[int, ...]:
        moves = [move for move, _, _ in self.depths]
        same = next((back for back, move in enumerate(reversed(moves)) if move != moves[-1]), len(moves))
        values = [value for _, value, _ in self.depths]
        nodes = [spent for _, _, spent in self.depths]
        growth = nodes[-1] / nodes[-2] if len(nodes) > 1 else 0
        changes = sum(one != other for one, other in pairwise(moves))
        return (
            len(moves),
            same,
            changes,
            values[-1] - values[-2] if len(values) > 1 else 0,
            abs(values[-1] - values[-3]) if len(values) > 2 else 0,
            self.choices,
            int(100 * self.spent),
            int(100 * growth),
        )


Lines = Sequence[tuple[int, list[str]]]
Rule = Callable[[DepthProgress], bool]
"""Whether a search continues after a completed depth."""


def by_agreement(now: DepthProgress) -> bool:
    moves = [move for move, _, _ in now.depths[-2:]]
    return now.spent < (AGREED if len(moves) == 2 and moves[0] == moves[1] else CHANGED)


@dataclass(frozen=True, slots=True)
class StoppingValues:
    """Mean net values of continuing, by groups."""

    splits: Sequence[tuple[int, int, int, int]]
    means: Sequence[float]

    def rule(self, now: DepthProgress) -> bool:
        return self.of(now.features) > 0

    def of(self, features: Sequence[int]) -> float:
        if not self.splits:
            return self.means[0]
        at = 0
        while at >= 0:
            feature, threshold, low, high = self.splits[at]
            at = low if features[feature] <= threshold else high
        return self.means[~at]


@dataclass(frozen=True, slots=True)
class GatheredDecision:
    """A decision to learn from: features, spent shares and the value of the move, after each depth."""

    features: Sequence[Sequence[int]]
    spent: Sequence[float]
    values: Sequence[float]


def decided(game: StoppingGame, state: NativeState, share: float) -> GatheredDecision | None:
    """Search up to `MOST` shares, and value each move that was best at some depth by the last depth."""
    depths: list[tuple[str, int, int]] = []
    progress: list[DepthProgress] = []
    choices = len(state.moves())

    def report(_: int, nodes: int, lines: Lines) -> None:
        depths.append((lines[0][1][0], lines[0][0], nodes))
        progress.append(DepthProgress(tuple(depths), share, choices))

    game.native.search("deepening", {})(state, nodes=int(MOST * share), report=report)
    if len(depths) < 2:
        return None
    worth = {depths[-1][0]: depths[-1][1]}
    for move, _, _ in depths:
        if move not in worth:
            after = state.after(move)
            found = game.native.search("deepening", {})(after, depth=len(depths) - 1)
            worth[move] = found["value"] if after.to_move == state.to_move else -found["value"]
    unit = game.native.EVALUATION_UNIT
    return GatheredDecision(
        [each.features for each in progress],
        [each.spent for each in progress],
        [worth[move] / unit for move, _, _ in depths],
    )


def gathered(game: StoppingGame, number: int, clock: float, seed: int) -> list[GatheredDecision]:
    """Return decisions from games of the even side against itself."""
    found: list[GatheredDecision] = []
    share = clock / game.moves
    for place in range(number):
        random = Random(f"{seed} teach {place}")
        state = opened(game, random)
        search = game.native.search("deepening", {})
        later = random.randrange(2 * game.moves)
        for _ in range(later):
            if state.is_over:
                break
            state = state.after(search(state, nodes=max(1, int(share)))["move"] or state.moves()[0])
        if not state.is_over and len(state.moves()) > 1:
            decision = decided(game, state, share)
            if decision is not None:
                found.append(decision)
    return found


def learned(decisions: Sequence[GatheredDecision], price: float, again: int) -> StoppingValues:
    """Learn the net values of continuing."""
    rule: StoppingValues | None = None
    for _ in range(1 + again):
        features: list[Sequence[int]] = []
        values: list[float] = []
        for one in decisions:
            last = len(one.values) - 1
            # the value of having continued to each depth
            best = one.values[last] - price * one.spent[last]
            for depth in range(last - 1, -1, -1):
                features.append(one.features[depth])
                values.append(best - (one.values[depth] - price * one.spent[depth]))
                stopped = one.values[depth] - price * one.spent[depth]
                if rule is None:
                    best = max(best, stopped)
                elif rule.of(one.features[depth]) <= 0:
                    best = stopped
        groups = grouped(features, values, least=LEAST, most=GROUPS)
        rule = StoppingValues(
            groups.splits, [fmean(values[m] for m in members) for members in groups.members]
        )
    assert rule is not None
    return rule


def opened(game: StoppingGame, random: Random) -> NativeState:
    while True:
        state = game.native.State(game.start)
        for _ in range(game.opening):
            if not state.is_over:
                state = state.after(random.choice(state.moves()))
        if not state.is_over:
            return state


def stopping(rule: Rule, share: float, choices: int, stop: SearchStop) -> Report:
    """Return a report that ends a search by a rule."""
    depths: list[tuple[str, int, int]] = []

    def report(_: int, nodes: int, lines: Lines) -> None:
        depths.append((lines[0][1][0], lines[0][0], nodes))
        if not rule(DepthProgress(depths, share, choices)):
            stop.set()

    return report


def play(
    game: StoppingGame, state: NativeState, rules: tuple[Rule | None, Rule | None], clock: float
) -> tuple[int, list[int]]:
    """Play a game, and return 1, 0 or -1 for player 0, and the nodes of both. A forced move costs nothing."""
    searches = [game.native.search("deepening", {}) for _ in rules]
    spent, made = [0, 0], [0, 0]
    while not state.is_over and sum(made) < game.longest:
        side = state.to_move
        made[side] += 1
        moves = state.moves()
        chosen = moves[0]
        if len(moves) > 1:
            left = max(1.0, clock - spent[side])
            share = left / max(1, game.moves - made[side] + 1)
            rule = rules[side]
            if rule is None:
                found = searches[side](state, nodes=max(1, int(share)))
            else:
                most = max(1, int(min(MOST * share, left)))
                stop = game.native.Stop()
                report = stopping(rule, share, len(moves), stop)
                found = searches[side](state, nodes=most, stop=stop, report=report)
            spent[side] += found["expansions"] + found["evaluations"]
            chosen = found["move"] or chosen
        state = state.after(chosen)
    outcome = state.outcome if state.is_over else game.judge(state)
    return (outcome > 0) - (outcome < 0), spent


@dataclass(frozen=True, slots=True)
class StoppingRow:
    score: float
    error: float
    nodes: tuple[float, float]


def match(game: StoppingGame, rule: Rule, clock: float, games: int, seed: str) -> StoppingRow:
    """Return the row of a match against the even player."""
    scores: list[float] = []
    ours = others = 0
    for pair in range(games // 2):
        state = opened(game, Random(f"{seed} {pair}"))
        first, one = play(game, state, (rule, None), clock)
        second, two = play(game, state, (None, rule), clock)
        scores.append((2 + first - second) / 4)
        ours += one[0] + two[1]
        others += one[1] + two[0]
    return StoppingRow(fmean(scores), stdev(scores) / len(scores) ** 0.5, (ours / games, others / games))


def balanced(
    game: StoppingGame, decisions: Sequence[GatheredDecision], again: int, clock: float, games: int, seed: int
) -> tuple[float, StoppingValues]:
    """Return the price with which learned values spend as many nodes as the even side, and these values."""
    low, high = PRICES
    for _ in range(TRIES):
        price = (low * high) ** 0.5
        row = match(game, learned(decisions, price, again).rule, clock, games, f"{seed} practice")
        low, high = (low, price) if row.nodes[0] < row.nodes[1] else (price, high)
    price = (low * high) ** 0.5
    return price, learned(decisions, price, again)


def main() -> int:
    parser = options(__doc__, games=2_000, clock=30_000.0, teach=4_000, practice=60, seed=1)
    parser.add_argument("--game", choices=sorted(GAMES), default="checkers")
    study = Study(__file__, parser.parse_args())
    given, game = study.given, GAMES[study.given.game]
    lines = [f"{'rule':<18}{'price':>9}{'score':>8}{'error':>8}{'nodes':>9}{'even':>9}{'seconds':>9}"]

    def row(name: str, rule: Rule, price: str = "") -> None:
        found = match(game, rule, given.clock, given.games, f"{given.seed}")
        lines.append(
            f"{name:<18}{price:>9}{found.score:>8.4f}{found.error:>8.4f}{found.nodes[0]:>9,.0f}"
            f"{found.nodes[1]:>9,.0f}{time.process_time():>9.0f}"
        )
        print(lines[-1], flush=True)

    row("agreement", by_agreement)
    if given.teach:
        decisions = gathered(game, given.teach, given.clock, given.seed)
        for again, name in ((0, "values"), (2, "values, again")):
            price, values = balanced(game, decisions, again, given.clock, given.practice, given.seed)
            row(name, values.rule, f"{price:.4f}")
        lines.append(f"{len(decisions):,} decisions to learn from")
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
