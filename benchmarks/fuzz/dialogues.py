"""Mutated dialogues of game managers with a player.

No dialogue may end with a crash. Each request has one reply in time, and a right match follows each dialogue.
The dialogues run in simulated time (`oracles/matches/`), with slow, failing and lost processes. The exit code
is 1 if one was wrong; each is printed with its seed.

Usage:

    python benchmarks/fuzz/dialogues.py [--dialogues 100000] [--seed 1] [--jobs 2]
        [--output benchmarks/results/protocol-dialogues.txt]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.matches.mutated_dialogues import DialogueCounts, check_dialogues

SIZE = 500
"""The number of dialogues of one part."""


def part(job: tuple[int, int, int]) -> DialogueCounts:
    """Check the dialogues of a part: its seed, its number and its size."""
    return check_dialogues(*job)


def main() -> int:
    given = study.options(__doc__, dialogues=100_000, seed=1, jobs=2).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.dialogues, SIZE), DialogueCounts())
    replies = "\n".join(f"{kind:<10}{number:>10,}" for kind, number in sorted(total.replies.items()))
    text = (
        f"{total.dialogues:,} mutated dialogues with {total.requests:,} requests; a match follows each\n"
        f"{len(total.wrong)} wrong\n\nreplies\n{replies}\n"
    )
    return this.finish(text, total.wrong)


if __name__ == "__main__":
    sys.exit(main())
