"""Soundness of rules that are proved reply by reply, with arithmetic, on random theories.

The exit code is 1 if an accepted rule is wrong; each is printed with its theory and the state.

Usage:

    python benchmarks/fuzz/replies.py [--theories 10000] [--seconds 0] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.forger.replies import ReplyFindings, one


def main() -> int:
    given = study.options(__doc__, theories=10_000, seconds=0.0, seed=1).parse_args()
    this, total = study.Study(__file__, given), ReplyFindings()
    for found in this.tried(one, total):
        if found.wrong:
            print(found.wrong[0], flush=True)
    text = (
        f"{total.theories:,} theories; {total.tried:,} rules, {total.accepted:,} accepted, of "
        f"{total.split:,} of which"
        f" replies are told apart\n{total.right:,} conclusions right, {len(total.wrong)} wrong\n"
    )
    return this.finish(text, total.wrong)


if __name__ == "__main__":
    sys.exit(main())
