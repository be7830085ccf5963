"""Recursive searches of Othello (Russell and Wefald 1988, section 5.3.8) against MGSS*.

Both sides have equal processor time. Levels are depths, or limits of nodes. Statistics are gathered first,
from `--positions` positions. A side has `--seconds` for a whole game, and each search skips computations that
are not worth their price.
"""

from __future__ import annotations

import sys
import time
from functools import partial
from itertools import islice

from benchmarks.play.thinking import NATIVE, PAPER, PLIES, START, shown
from benchmarks.study import Study, options
from hornbook.play.thinking.gathering import gather
from hornbook.play.thinking.match import MatchPlayer, openings, play_match

PRICE = 0.1
"""Price of MGSS*, with empirical tails, as used against alpha-beta of depth 4."""
ROWS = (("recursive", 0.1), ("recursive", 0.3), ("iterative-expansion", 0.1), ("iterative-expansion", 0.3))


def main() -> int:
    study = Study(__file__, options(__doc__, positions=10_000, games=300, seconds=0.004, seed=2).parse_args())
    given, began = study.given, time.process_time()
    statistics = gather(NATIVE, START, "othello", given.positions, given.seed, depth=4)
    starts = list(islice(openings(NATIVE, START, PLIES, given.seed), given.games // 2))
    how = {**PAPER, "tails": "empirical", "price": PRICE}
    mgss = partial(NATIVE.search, "mgss", statistics.as_given(**how))  # type: ignore[arg-type]
    other = MatchPlayer(mgss, seconds=given.seconds, statistics=statistics)
    title = f"against MGSS*, price {PRICE:g}, {given.games:,} games"
    lines = [f"{title:<58}{'score':>15}{'won':>6}{'expan.':>8}{'eval.':>7}{'CPU':>7}{'nodes a game':>19}"]
    for name, price in ROWS:
        search = partial(NATIVE.search, name, statistics.as_given(price=price))
        player = MatchPlayer(search, seconds=given.seconds, statistics=statistics)
        lines.append(shown(f"{name}, price {price:g}", play_match(player, other, starts)))
    lines += [
        "",
        (
            f"{time.process_time() - began:.0f} s of the processor. Both have {given.seconds:g} s of "
            "it for a game."
        ),
        "Columns are those of mgss-othello.txt.",
    ]
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
