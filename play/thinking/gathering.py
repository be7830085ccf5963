"""Gathering the statistics of a game: typical positions of searches, searched to all depths.

The positions come from games of a shallow search against itself with some random moves. Up to two random
moves are added to each, because searches evaluate other positions than those of good play.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from statistics import fmean

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.native import Native, NativeState
from hornbook.play.thinking.groups import grouped
from hornbook.play.thinking.statistics import Cut, Distribution, Errors, Statistics, shape_found

PLIES = 4
"""Errors are gathered after 1 to this many plies."""
PARTS = 5
"""The number of equal parts of a game's progress, for Multi-ProbCut."""
DEEP_PART = 10
"""One in this many positions is searched deeper than for errors, and one in ten of these by MGSS*, for its
gains.
"""
CUTS = ((3, 1), (4, 2), (5, 1), (6, 2), (7, 3), (8, 4), (9, 5), (10, 6))
"""Deep and shallow depths of the same parity, because their evaluations are comparable."""
_PLAYING_DEPTH, _RANDOM_SHARE, _TAKEN_SHARE = 2, 0.2, 0.3
"""The search depth of the games, the share of random moves, and the share of positions that are used."""
_NODES = 3_000
"""The number of nodes of each search by MGSS*."""


@dataclass(frozen=True, slots=True)
class _Game:
    """The positions of a game after the first two.

    For each position, `left` has the number of later moves with a choice for its player, this one included.
    """

    states: list[NativeState]
    left: list[int]


def gather(
    native: Native,
    start: str,
    game: str,
    number: int,
    seed: int,
    *,
    depth: int = 6,
    command: str = "",
    version: str = "",
    update_progress: Callable[[], object] = lambda: None,
) -> Statistics:
    """Return the statistics of `number` positions from games. It calls `update_progress` after each one."""
    random = Random(seed)  # noqa: S311 - play is no secret
    progress: list[int] = []
    choices: list[int] = []
    states: list[NativeState] = []
    conditions: list[list[int]] = []
    values: list[list[int]] = []
    exact = native.search("deepening", {})
    for played in _games(native, start, random):
        for state, left in zip(played.states, played.left, strict=True):
            progress.append(state.conditions[0])
            choices.append(left)
        for state in played.states:
            if len(states) < number and random.random() < _TAKEN_SHARE:
                met = _with_random_moves(state, random)
                if met.is_over:
                    continue
                states.append(met)
                conditions.append(met.conditions)
                deepest = max(depth, PLIES) if len(states) % DEEP_PART == 0 else PLIES
                values.append(
                    [met.evaluation, *(exact(met, depth=plies)["value"] for plies in range(1, deepest + 1))]
                )
                update_progress()
        if len(states) == number:
            break
    errors = tuple(
        Errors(*_distribution(conditions, [each[plies] - each[0] for each in values]), plies)
        for plies in range(1, PLIES + 1)
    )
    statistics = Statistics(
        game=game,
        command=command,
        version=version,
        seed=seed,
        positions=number,
        unit=native.EVALUATION_UNIT,
        conditions=native.CONDITIONS,
        errors=errors,
        cuts=tuple(_cuts(conditions, values, depth)),
        gain=1.0,
        moves_left=_by_progress(progress, choices),
    )
    return replace(statistics, gain=_gain(native, statistics, states))


def _games(native: Native, start: str, random: Random) -> Iterator[_Game]:
    search = native.search("ordered-alpha-beta", {})
    while True:
        state, states = native.State(start), []
        opening = random.randrange(2, 11)
        while not state.is_over:
            states.append(state)
            moves = state.moves()
            at_random = len(states) <= opening or random.random() < _RANDOM_SHARE
            move = random.choice(moves) if at_random else search(state, depth=_PLAYING_DEPTH)["move"]
            assert move is not None
            state = state.after(move)
        left, choices = [], {0: 0, 1: 0}
        for each in reversed(states):
            choices[each.to_move] += len(each.moves()) > 1
            left.append(choices[each.to_move])
        yield _Game(states[2:], left[::-1][2:])


def _with_random_moves(state: NativeState, random: Random) -> NativeState:
    for _ in range(random.randrange(3)):
        if state.is_over:
            break
        state = state.after(random.choice(state.moves()))
    return state


def _distribution(conditions: Sequence[Sequence[int]], errors: Sequence[float]) -> Distribution:
    groups = grouped(conditions, errors)
    rows, rest = [], []
    for members in groups.members:
        mean = fmean(errors[m] for m in members)
        deviation = math.sqrt(fmean((errors[m] - mean) ** 2 for m in members)) or 1e-6
        rows.append((mean, deviation))
        rest += [((errors[m] - mean) / deviation, deviation) for m in members]
    whole = fmean(errors)
    variance = fmean((error - whole) ** 2 for error in errors) or 1.0
    left = fmean((z * deviation) ** 2 for z, deviation in rest)
    return (
        groups.splits,
        tuple((round(mean, 4), round(deviation, 4)) for mean, deviation in rows),
        tuple(round(value, 9) for value in shape_found([z for z, _ in rest])),
        round(1 - left / variance, 4),
        round(fmean(z**4 for z, _ in rest), 2),
    )


def _cuts(conditions: Sequence[Sequence[int]], values: Sequence[Sequence[int]], depth: int) -> Iterator[Cut]:
    """Yield the regressions of deep values on shallow ones.

    Each one uses a part of the game and its neighbours.
    """
    for deep, shallow in CUTS:
        if deep > depth:
            continue
        pairs = [
            (conditions[n][0] * PARTS // 100, each[shallow], each[deep])
            for n, each in enumerate(values)
            if len(each) > deep
        ]
        rows = [_regression([(x, y) for at, x, y in pairs if abs(at - part) <= 1]) for part in range(PARTS)]
        if all(row is not None for row in rows):
            yield Cut(deep, shallow, tuple(row for row in rows if row is not None))


def _regression(pairs: Sequence[tuple[int, int]]) -> tuple[float, float, float] | None:
    """Return slope, offset and deviation, or None if there are too few values."""
    if len(pairs) < 30:
        return None
    x, y = fmean(x for x, _ in pairs), fmean(y for _, y in pairs)
    across = sum((a - x) ** 2 for a, _ in pairs)
    if across == 0:
        return None
    slope = sum((a - x) * (b - y) for a, b in pairs) / across
    offset = y - slope * x
    deviation = math.sqrt(sum((b - slope * a - offset) ** 2 for a, b in pairs) / (len(pairs) - 2))
    return (round(slope, 5), round(offset, 3), round(deviation, 3)) if slope > 0 else None


def _by_progress(progress: Sequence[int], choices: Sequence[int], parts: int = 20) -> tuple[float, ...]:
    """Return the mean number of choices left in each of `parts` equal parts of a game's progress.

    A part without positions takes the value of the next one.
    """
    found: list[float] = []
    last = 1.0
    for part in reversed(range(parts)):
        some = [left for at, left in zip(progress, choices, strict=True) if at * parts // 100 == part]
        last = round(fmean(some), 3) if some else last
        found.append(last)
    return tuple(reversed(found))


def _gain(native: Native, statistics: Statistics, states: Sequence[NativeState]) -> float:
    """Return the mean expected gain of an expansion by MGSS* at price 0."""
    search = native.search("mgss", statistics.as_given(price=0.0, sets=False))
    some = states[:: DEEP_PART * 10] or states[:1]
    gains = [gain for state in some for _, _, _, gain, _ in search(state, nodes=_NODES, trace=True)["steps"]]
    return round(fmean(gains), 6) if gains else 1.0
