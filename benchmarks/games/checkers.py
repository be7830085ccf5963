"""Whether the theory of checkers, its plain play and its native step agree, and how fast the native step is.

The native step is held against plain play, and both against captures by the book of rules, in `--positions` positions of random
games, in as many with pieces strewn at random, and in every ending of one piece against one and of two against one. The theory is
held against plain play in `--theory` positions of games and as many strewn ones, after one action each, and in every ending of one
against one; in every hundredth with all that its rules conclude. Then lines of play are counted from the start, to `--depth`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from itertools import chain, count, islice
from random import Random

from benchmarks.study import Study, options
from hornbook.play.native import native_of
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states.position import Position
from oracles.checkers.steps import Tally, Theory, compare_native, endings, played, strewn

WHOLE = 100
"""In one of so many positions all that rules conclude is compared."""


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=50_000, depth=10, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines = [f"{'':<34}{'positions':>10}{'moves':>11}{'captures':>10}{'ends':>7}{'wrong':>7}{'seconds':>9}"]
    wrong: list[str] = []

    def told(name: str, tally: Tally, began: float) -> None:
        wrong.extend(tally.wrong)
        lines.append(
            f"{name:<34}{tally.positions:>10,}{tally.moves:>11,}{tally.captures:>10,}{tally.ends:>7,}"
            f"{len(tally.wrong):>7}{time.process_time() - began:>9.0f}"
        )
        print(lines[-1], flush=True)

    def games(number: int) -> Iterable[Position]:
        return islice(chain.from_iterable(played(Random(f"{given.seed} {game}")) for game in count()), number)

    def at_random(number: int) -> Iterable[Position]:
        return (strewn(Random(f"{given.seed} strewn {n}")) for n in range(number))

    for name, states in (
        ("native step, games", games(given.positions)),
        ("native step, strewn", at_random(given.positions)),
        ("native step, all of 1 against 1", endings(1, 1)),
        ("native step, all of 2 against 1", endings(2, 1)),
    ):
        began, tally = time.process_time(), Tally()
        compare_native(states, tally)
        told(name, tally, began)
    for name, states in (
        ("theory, games", games(given.theory)),
        ("theory, strewn", at_random(given.theory)),
        ("theory, all of 1 against 1", endings(1, 1)),
    ):
        began, tally, theory, random = time.process_time(), Tally(), Theory(), Random(given.seed)
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
