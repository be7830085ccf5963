"""Agreement of the theory of checkers, its plain implementation and its native step, and their speed.

The native step is compared with the plain implementation, and both with captures by the rule book. The
comparison covers `--positions` positions of random games, as many with pieces placed at random, and every
ending of one piece against one and of two against one. The theory is compared with the plain implementation
in `--theory` positions of games and as many random ones, after one action each, and in every ending of one
against one. In every hundredth position, all conclusions of its rules are compared. Then lines of play are
counted from the start, to `--depth`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from functools import partial
from itertools import chain, count, islice
from random import Random

from benchmarks.games.steps import COUNTED, HEAD, by_theory, compared, lines_of_play
from benchmarks.study import Study, options
from hornbook.theories.checkers.domain import DOMAIN
from hornbook.theories.checkers.states.position import CheckersPosition
from oracles.checkers.steps import compare_native, endings, played, strewn, theory

WHOLE = 100
"""Interval of the positions whose conclusions are all compared."""


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=50_000, depth=10, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines, wrong, known = [HEAD], list[str](), theory()

    def games(number: int) -> Iterable[CheckersPosition]:
        return islice(chain.from_iterable(played(Random(f"{given.seed} {game}")) for game in count()), number)

    def at_random(number: int) -> Iterable[CheckersPosition]:
        return (strewn(Random(f"{given.seed} strewn {n}")) for n in range(number))

    for name, states in (
        ("native step, games", games(given.positions)),
        ("native step, strewn", at_random(given.positions)),
        ("native step, all of 1 against 1", endings(1, 1)),
        ("native step, all of 2 against 1", endings(2, 1)),
    ):
        lines.append(compared(name, partial(compare_native, states), wrong))
    for name, states in (
        ("theory, games", games(given.theory)),
        ("theory, strewn", at_random(given.theory)),
        ("theory, all of 1 against 1", endings(1, 1)),
    ):
        lines.append(compared(name, by_theory(known, states, given.seed, WHOLE), wrong))
    lines += ["", *lines_of_play(DOMAIN, given.depth), "", COUNTED]
    return study.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
