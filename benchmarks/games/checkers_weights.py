"""Fit of the evaluation of checkers (theories/checkers/native/weights.hpp) to the results of games.

Games begin with `--opening` random moves and go on by the move after which the opponent expects least, with
one random move in ten. After `--longest` moves a game ends with a quarter of a win for each extra piece of a
side, up to a win. For each phase of the game, by the number of remaining pieces, the features of the
positions are fitted by least squares, with a small penalty. The target is the final score of the player to
move (from -1 to 1). The first of `--rounds` rounds is played by piece counts only, each further one by the
weights of the previous round. The fit is tested on `--held` more games of the last round: by the root of the
mean squared error, and by that of the constant mean. The weights are rounded to thousandths.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.study import Study, options
from hornbook.play.native import NativeState, native_of
from hornbook.theories.checkers.domain import DOMAIN

PHASES = 4
PENALTY = 10.0
NOISE = 0.1
PIECES = [[100, 150, 0, 0, 1, 0, 0, 0]] * PHASES
"""Weights of the first round: men, kings, and a small weight for advancing."""


def main() -> int:
    parser = options(__doc__, games=2000, held=500, opening=8, longest=120, rounds=3, seed=1)
    parser.add_argument(
        "--into", type=Path, help="a header to write, such as theories/checkers/native/weights.hpp"
    )
    study = Study(__file__, parser.parse_args())
    given = study.given
    weights = PIECES
    for number in range(given.rounds):
        played = weights
        taught = sampled(given.games, given, Random(f"{given.seed} {number}"), played)
        weights = [fitted(*taught[phase]) for phase in range(PHASES)]
    test_games = sampled(given.held, given, Random(f"{given.seed} held"), played)
    names = [*native_of(DOMAIN).FEATURES, "always"]
    lines = [
        f"{'phase':<6}{'positions':>10}{'error':>8}{'of mean':>9}  weights in thousandths of a score of 1"
    ]
    for phase in range(PHASES):
        features, ends = test_games[phase]
        errors = [ends - features @ np.array(weights[phase]) / 1000, ends - taught[phase][1].mean()]
        shown = "".join(
            f"{np.sqrt((error**2).mean()):>{width}.2f}" for error, width in zip(errors, (8, 9), strict=True)
        )
        names_and_weights = ", ".join(
            f"{name} {weight}" for name, weight in zip(names, weights[phase], strict=True)
        )
        lines.append(f"{phase:<6}{len(taught[phase][1]):>10,}{shown}  {names_and_weights}")
    if given.into is not None:
        given.into.write_text(header(study.command, weights), encoding="utf-8")
    return study.finish("\n".join(lines) + "\n", libraries=[f"NumPy {np.__version__}"])


def fitted(features: Any, ends: Any) -> list[int]:
    """Return the weights of one phase."""
    scale = PENALTY * np.eye(features.shape[1])
    found: list[int] = (
        np.rint(1000 * np.linalg.solve(features.T @ features + scale, features.T @ ends)).astype(int).tolist()
    )
    return found


def sampled(games: int, given: Any, random: Random, weights: list[list[int]]) -> dict[int, tuple[Any, Any]]:
    """Return, by phase, the features of positions of games, each followed by a one, and the final scores."""
    beginning = native_of(DOMAIN).State(DOMAIN.write(DOMAIN.starts()[0]))
    rows: dict[int, list[list[int]]] = defaultdict(list)
    ends: dict[int, list[float]] = defaultdict(list)
    for _ in range(games):
        state = beginning
        for _ in range(given.opening):
            state = state.after(random.choice(state.moves()))
        states = []
        while not state.is_over and len(states) < given.longest:
            states.append(state)
            state = state.after(chosen(state, random, weights))
        score = state.outcome if state.is_over else judged(state)
        for each in states:
            phase = phase_of(each)
            rows[phase].append([*each.features, 1])
            ends[phase].append(-score if each.to_move else score)
    return {phase: (np.array(rows[phase], float), np.array(ends[phase], float)) for phase in rows}


def judged(state: NativeState) -> float:
    """Return the score of black by the lead in pieces."""
    men, kings, *_ = state.features
    score = max(-1.0, min(1.0, (men + kings) / 4))
    return -score if state.to_move else score


def phase_of(state: NativeState) -> int:
    """Return the phase by the number of missing pieces."""
    squares = str(state).replace(":W", ",").replace(":B", ",").split(",")[1:]
    return min(PHASES - 1, (24 - sum(map(bool, squares))) // 6)


def chosen(state: NativeState, random: Random, weights: list[list[int]]) -> str:
    """Return the move after which the opponent expects least, or a random one."""
    moves = state.moves()
    if len(moves) == 1:
        return moves[0]
    if random.random() < NOISE:
        return random.choice(moves)
    return min(moves, key=lambda move: (expected(state.after(move), weights), random.random()))


def expected(state: NativeState, weights: list[list[int]]) -> int:
    """Return the expected score of the player to move."""
    return -1000 if state.is_over else sum(map(mul, weights[phase_of(state)], [*state.features, 1]))


def header(command: str, rows: list[list[int]]) -> str:
    shown = "\n".join(f"    {{{', '.join(map(str, row))}}}," for row in rows)
    return f"""\
// Weights of the evaluation of checkers, in thousandths of a score of 1. There is a row for each phase of the
// game, with a weight for each feature and a constant. Written by
//     {command}
#pragma once

#include <array>

namespace checkers {{

constexpr std::array<std::array<int, 8>, 4> WEIGHTS = {{{{
{shown}
}}}};

}}  // namespace checkers
"""


if __name__ == "__main__":
    sys.exit(main())
