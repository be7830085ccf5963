"""Whether the theory of Abalone, its plain play and its native step agree, and how fast the native step is: in `--positions` of
random games, where those that push are preferred every second time, after every move; by the theory in the first `--theory` of
them, after one move each. Then lines of play are counted from the standard start, to `--depth`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from itertools import chain, count, islice
from random import Random

from benchmarks.study import Study, options
from hornbook.play.native import native_of
from hornbook.theories.abalone.domain import DOMAIN
from oracles.abalone.games import THEORY, game
from oracles.games.steps import Tally, Theory, compare_native


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=100_000, depth=5, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines = [f"{'':<14}{'positions':>10}{'moves':>12}{'ends':>6}{'wrong':>7}{'seconds':>9}"]
    wrong: list[str] = []

    def states(number: int) -> Iterator:
        games = (game(Random(f"{given.seed} {each}")) for each in count())
        return islice(chain.from_iterable(games), number)

    def told(name: str, tally: Tally, began: float) -> None:
        wrong.extend(tally.wrong)
        lines.append(
            f"{name:<14}{tally.positions:>10,}{tally.moves:>12,}{tally.ends:>6,}{len(tally.wrong):>7}"
            f"{time.process_time() - began:>9.0f}"
        )
        print(lines[-1], flush=True)

    began, tally = time.process_time(), Tally()
    compare_native(DOMAIN, states(given.positions), tally)
    told("native step", tally, began)
    began, tally, theory, random = time.process_time(), Tally(), Theory(*THEORY), Random(given.seed)
    for state in states(given.theory):
        theory.compare(state, random, tally)
    told("theory", tally, began)

    beginning = native_of(DOMAIN).State(DOMAIN.write(DOMAIN.starts()[0]))
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
