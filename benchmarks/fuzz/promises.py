"""Proved keys and counts on random theories: whether the consequences of a state ever violate one.

The exit code is 1 if one was violated; each is printed with its theory, the state and the actions.

Usage:

    python benchmarks/fuzz/promises.py [--theories 10000] [--seconds 0] [--states 25] [--seed 1]
        [--output FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.forger.promises import ConstraintFindings, one


def main() -> int:
    given = study.options(__doc__, theories=10_000, seconds=0.0, states=25, seed=1).parse_args()
    this, total = study.Study(__file__, given), ConstraintFindings()
    for found in this.tried(lambda seed: one(seed, given.states), total):
        if found.broken:
            print(found.broken[0], flush=True)
    text = (
        f"{total.theories:,} theories, of {total.proved:,} of which keys or counts are proved\n"
        f"{total.states:,} states with an action, and another one after it; {len(total.broken)} promises "
        "broken\n"
    )
    return this.finish(text, total.broken)


if __name__ == "__main__":
    sys.exit(main())
