"""Fit of the evaluation of Othello (theories/othello/native/weights.hpp) to the results of games.

Games begin with `--opening` random moves, on 8 × 8 squares, and go on by the move that leaves the opponent
the fewest moves, with one random move in ten. For each phase of the game, the features of the positions are
fitted by least squares, with a small penalty. The target is the final lead in discs of the player to move. In
each further round of `--rounds`, games are played by the weights of the previous round, looking one move
ahead. The fit is tested on `--held` more games of the last round: by the mean error in discs, that of the
current lead, and that of the constant mean. The weights are rounded to hundredths of a disc.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from operator import mul
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

from benchmarks.study import ROOT, Study, options
from hornbook.play.native import NativeState, native_of
from hornbook.theories.othello.domain import DOMAIN

NATIVE = ROOT / "theories" / "othello" / "native"
PHASES = 4
PENALTY = 10.0
NOISE = 0.1


def main() -> int:
    parser = options(__doc__, games=3000, held=1000, opening=8, rounds=3, seed=1)
    parser.add_argument(
        "--into", type=Path, help="a header to write, such as theories/othello/native/weights.hpp"
    )
    study = Study(__file__, parser.parse_args())
    given = study.given
    weights = None
    for number in range(given.rounds):
        played = weights
        taught = sampled(given.games, given.opening, Random(f"{given.seed} {number}"), played)
        weights = [fitted(*taught[phase]) for phase in range(PHASES)]
    assert weights is not None
    test_games = sampled(given.held, given.opening, Random(f"{given.seed} held"), played)
    names = [*native_of(DOMAIN).FEATURES, "always"]
    lines = [
        (
            f"{'phase':<6}{'positions':>10}{'error':>8}{'of lead':>9}{'of mean':>9}  weights in "
            "hundredths of a disc"
        )
    ]
    for phase in range(PHASES):
        features, ends = test_games[phase]
        errors = [
            ends - features @ np.array(weights[phase]) / 100,
            ends - features[:, 0],
            ends - taught[phase][1].mean(),
        ]
        shown = "".join(
            f"{np.abs(error).mean():>{width}.2f}" for error, width in zip(errors, (8, 9, 9), strict=True)
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
    return (
        np.rint(100 * np.linalg.solve(features.T @ features + scale, features.T @ ends)).astype(int).tolist()
    )


def sampled(
    games: int, opening: int, random: Random, weights: list[list[int]] | None
) -> dict[int, tuple[Any, Any]]:
    """Return, by phase, the features of positions of games, each followed by a one, and the final leads."""
    native = native_of(DOMAIN)
    rows: dict[int, list[list[int]]] = defaultdict(list)
    ends: dict[int, list[int]] = defaultdict(list)
    for _ in range(games):
        state: NativeState = native.State(DOMAIN.write(DOMAIN.starts()[0]))
        for _ in range(opening):
            state = state.after(random.choice(state.moves()))
        states = []
        while not state.is_over:
            states.append(state)
            state = state.after(chosen(state, random, weights))
        for each in states:
            phase = phase_of(each)
            rows[phase].append([*each.features, 1])
            ends[phase].append(-state.outcome if each.to_move else state.outcome)
    return {phase: (np.array(rows[phase], float), np.array(ends[phase], float)) for phase in rows}


def phase_of(state: NativeState) -> int:
    return (63 - str(state).count("-")) * PHASES // 64


def chosen(state: NativeState, random: Random, weights: list[list[int]] | None) -> str:
    """Return the move after which the opponent expects least, by weights or by number of
    moves, or a random one.
    """
    moves = state.moves()
    if random.random() < NOISE:
        return random.choice(moves)
    return min(moves, key=lambda move: (expected(state.after(move), weights), random.random()))


def expected(state: NativeState, weights: list[list[int]] | None) -> int:
    """Return the expected result of the player to move."""
    if weights is None:
        return len(state.moves())
    if state.is_over:
        return 100 * (-state.outcome if state.to_move else state.outcome)
    return sum(map(mul, weights[phase_of(state)], [*state.features, 1]))


def header(command: str, rows: list[list[int]]) -> str:
    shown = "\n".join(f"    {{{', '.join(map(str, row))}}}," for row in rows)
    return f"""\
// Weights of the evaluation of Othello, in hundredths of a disc. There is a row for each phase of the game,
// with a weight for each feature and a constant. Written by
//     {command}
#pragma once

#include <array>

namespace othello {{

constexpr std::array<std::array<int, 8>, 4> WEIGHTS = {{{{
{shown}
}}}};

}}  // namespace othello
"""


if __name__ == "__main__":
    sys.exit(main())
