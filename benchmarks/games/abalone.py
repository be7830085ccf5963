"""Agreement of the theory of Abalone, its plain implementation and its native step, and their speed.

The implementations are compared in `--positions` positions of random games after every move; pushing moves
are preferred in every second move. The theory is compared in the first `--theory` of them, after one move
each. Then lines of play are counted from the usual start, to `--depth`.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from itertools import chain, count, islice
from random import Random

from benchmarks.games.steps import COUNTED, HEAD, by_theory, compared, lines_of_play
from benchmarks.study import Study, options
from hornbook.theories.abalone.domain import DOMAIN
from oracles.abalone.games import THEORY, game
from oracles.games.steps import ComparedTheory, compare_native


def main() -> int:
    parser = options(__doc__, positions=100_000, theory=100_000, depth=5, seed=1)
    study = Study(__file__, parser.parse_args())
    given = study.given
    lines, wrong = [HEAD], list[str]()

    def states(number: int) -> Iterator:
        games = (game(Random(f"{given.seed} {each}")) for each in count())
        return islice(chain.from_iterable(games), number)

    for name, compare in (
        ("native step", partial(compare_native, DOMAIN, states(given.positions))),
        ("theory", by_theory(ComparedTheory(*THEORY), states(given.theory), given.seed)),
    ):
        lines.append(compared(name, compare, wrong))
    lines += ["", *lines_of_play(DOMAIN, given.depth), "", COUNTED]
    return study.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
