"""Agreement of the theory of sliding tiles, its plain implementation and its native step.

They are compared in all positions of 3 × 3 squares (or in every `--every`-th), and in `--positions` of random
games on 3 × 3 and 4 × 4. The theory is queried about one move of each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import islice
from random import Random

from benchmarks.games.steps import HEAD, SECONDS, by_theory, compared
from benchmarks.study import Study, options
from hornbook.theories.tiles.domain import DOMAIN
from hornbook.theories.tiles.states.position import TilesPosition
from oracles.games.steps import ComparedTheory, compare_native, named
from oracles.tiles.layers import layers


def games(seed: int) -> Iterator[TilesPosition]:
    """Yield positions of random walks from the initial positions."""
    random = Random(seed)
    while True:
        state = random.choice(DOMAIN.starts())
        for _ in range(200):
            yield state
            actions = list(DOMAIN.actions(state))
            if not actions:
                break
            state = DOMAIN.after(state, random.choice(actions))


def main() -> int:
    parser = options(__doc__, positions=100_000, every=1, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    small = list(layers(3, 3))
    every = [position for layer in small for position in layer]
    lines = [
        (
            f"3 × 3: {len(every):,} positions, the deepest {len(small) - 1} slides from the end "
            f"({len(small[-1])} of them)"
        ),
        f"4 × 4, layers: {', '.join(str(len(layer)) for layer in islice(layers(4, 4), 9))}",
        "",
        HEAD,
    ]
    wrong: list[str] = []
    theory = ComparedTheory("tiles", DOMAIN, named(slide="legal"), "over")
    for name, states in (("all of 3 × 3", every[:: given.every]), ("random games", None)):
        found = list(islice(games(given.seed), given.positions)) if states is None else states
        lines.append(compared(f"native step, {name}", partial(compare_native, DOMAIN, found), wrong))
        lines.append(compared(f"theory, {name}", by_theory(theory, found, given.seed), wrong))
    lines += ["", SECONDS]
    return study.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
