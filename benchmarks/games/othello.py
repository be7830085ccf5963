"""Agreement of the theory of Othello, its plain implementation and its native step, and their speed.

The native step is compared with the plain implementation after every move. The positions are `--positions`
of random games on 8 × 8 squares, and every position of 4 × 4. The theory is compared with the plain
implementation in every position of 4 × 4 and in `--theory` of 8 × 8, after one move each. In every
hundredth position, all conclusions of its rules are compared. Then lines of play are counted from the
start, to `--depth`.
"""

from __future__ import annotations

import sys
from functools import partial
from itertools import chain, count, islice
from random import Random

from benchmarks.games.steps import COUNTED, HEAD, by_theory, compared, lines_of_play
from benchmarks.study import Study, options
from hornbook.theories.othello.domain import DOMAIN
from oracles.othello.steps import compare_native, positions, reachable, theory

WHOLE = 100
"""Interval of the positions whose conclusions are all compared."""


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=20_000, depth=10, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines, wrong = [HEAD], list[str]()

    def games() -> chain:
        return chain.from_iterable(positions(8, Random(f"{given.seed} {game}")) for game in count())

    for name, compare in (
        ("native step, all of 4 × 4", partial(compare_native, reachable(4))),
        ("native step, 8 × 8", partial(compare_native, islice(games(), given.positions))),
        ("theory, all of 4 × 4", by_theory(theory(4), reachable(4), given.seed, WHOLE)),
        ("theory, 8 × 8", by_theory(theory(8), islice(games(), given.theory), given.seed, WHOLE)),
    ):
        lines.append(compared(name, compare, wrong))
    lines += ["", *lines_of_play(DOMAIN, given.depth), "", COUNTED]
    return study.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
