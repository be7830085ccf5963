"""Rules that are proved reply by reply, with arithmetic, on theories at random: whether one that is accepted is ever wrong.

Exit code 1 where one was; each is printed with its theory and the state.

    python benchmarks/fuzz/replies.py [--theories 10000] [--seconds 0] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from oracles.forger.replies import Found, one


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--theories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after so long (0: never)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began, total = time.monotonic(), Found()
    for number in range(arguments.theories):
        if arguments.seconds and time.monotonic() - began > arguments.seconds:
            break
        tried = one(f"{arguments.seed}.{number}")
        total.add(tried)
        if tried.wrong:
            print(tried.wrong[0], flush=True)
    text = (
        f"command: python benchmarks/fuzz/replies.py --theories {arguments.theories} --seconds {arguments.seconds:.0f}"
        f" --seed {arguments.seed}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; {time.monotonic() - began:.0f} seconds\n\n"
        f"{total.theories:,} theories; {total.tried:,} rules, {total.accepted:,} accepted, of {total.told_apart:,} of which replies are"
        f" told apart\n{total.right:,} conclusions right, {len(total.wrong)} wrong\n"
    )
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
