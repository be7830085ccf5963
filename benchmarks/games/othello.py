"""Whether the theory of Othello, its plain play and its native step agree, and how fast the native step is.

The native step is held against plain play in `--positions` positions of random games on 8 × 8 squares and in every position of
4 × 4, after every move. The theory is held against plain play in every position of 4 × 4 and in `--theory` of 8 × 8, after one
move each; in every hundredth with all that its rules conclude. Then lines of play are counted from the start, to `--depth`.
"""

from __future__ import annotations

import sys
import time
from itertools import chain, count, islice
from random import Random

from benchmarks.study import Study, options
from hornbook.play.native import native_of
from hornbook.theories.othello.domain import DOMAIN
from oracles.othello.steps import Tally, Theory, compare_native, positions, reachable

WHOLE = 100
"""In one of so many positions all that rules conclude is compared."""


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=20_000, depth=10, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines, wrong = (
        [f"{'':<28}{'positions':>10}{'moves':>11}{'passes':>8}{'ends':>7}{'wrong':>7}{'seconds':>9}"],
        [],
    )

    def told(name: str, tally: Tally, began: float) -> None:
        wrong.extend(tally.wrong)
        lines.append(
            f"{name:<28}{tally.positions:>10,}{tally.moves:>11,}{tally.passes:>8,}{tally.ends:>7,}"
            f"{len(tally.wrong):>7}{time.process_time() - began:>9.0f}"
        )
        print(lines[-1], flush=True)

    def games() -> chain:
        return chain.from_iterable(positions(8, Random(f"{given.seed} {game}")) for game in count())

    began, tally = time.process_time(), Tally()
    compare_native(reachable(4), tally)
    told("native step, all of 4 × 4", tally, began)
    began, tally = time.process_time(), Tally()
    compare_native(islice(games(), given.positions), tally)
    told("native step, 8 × 8", tally, began)
    for name, size, states in (
        ("theory, all of 4 × 4", 4, reachable(4)),
        ("theory, 8 × 8", 8, islice(games(), given.theory)),
    ):
        began, tally, theory, random = time.process_time(), Tally(), Theory(size), Random(given.seed)
        for number, state in enumerate(states):
            theory.compare(state, random, tally, whole=number % WHOLE == 0)
        told(name, tally, began)

    native = native_of(DOMAIN)
    beginning = native.State(DOMAIN.write(DOMAIN.starts()[0]))
    lines += ["", f"{'depth':>5}{'lines of play':>16}{'seconds':>9}{'M a second':>12}"]
    for depth in range(1, given.depth + 1):
        began = time.process_time()
        found = beginning.perft(depth)
        took = time.process_time() - began
        lines.append(f"{depth:>5}{found:>16,}{took:>9.3f}{found / max(took, 1e-9) / 1e6:>12.0f}")
    lines += ["", "Seconds are of the processor. The last move of a line is counted and not made."]
    return study.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
