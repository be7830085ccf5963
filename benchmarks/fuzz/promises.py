"""Keys and counts that are said to be proved, on theories at random: whether what follows of a state ever breaks one.

Exit code 1 where one was broken; each is printed with its theory, the state and the actions.

    python benchmarks/fuzz/promises.py [--theories 10000] [--seconds 0] [--states 25] [--seed 1] [--output FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from oracles.forger.promises import Found, one


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--theories", type=int, default=10_000)
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after so long (0: never)")
    parser.add_argument("--states", type=int, default=25)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began, total = time.monotonic(), Found()
    for number in range(arguments.theories):
        if arguments.seconds and time.monotonic() - began > arguments.seconds:
            break
        tried = one(f"{arguments.seed}.{number}", arguments.states)
        total.add(tried)
        if tried.broken:
            print(tried.broken[0], flush=True)
    text = (
        f"command: python benchmarks/fuzz/promises.py --theories {arguments.theories} --seconds {arguments.seconds:.0f}"
        f" --states {arguments.states} --seed {arguments.seed}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; {time.monotonic() - began:.0f} seconds\n\n"
        f"{total.theories:,} theories, of {total.proved:,} of which keys or counts are proved\n"
        f"{total.states:,} states with an action, and another one after it; {len(total.broken)} promises broken\n"
    )
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.broken else 0


if __name__ == "__main__":
    sys.exit(main())
