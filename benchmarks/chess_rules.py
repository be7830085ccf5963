"""Whether learned rules of chess are ever wrong: all that they conclude of random positions against exhaustive search.

Positions are those of random games and games with few men. Every game of a position is asked about, and every conclusion
is judged to the depth of the rule's own proof, with the library `chess`. Exit code 1 where one is wrong.

    python benchmarks/chess_rules.py RULES.horn [--positions 5000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/chess-rules.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from functools import cache
from multiprocessing import Pool
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "tests"))

import chess
from chess_rules_run import Auditor, Tally, positions

import hornbook
from compiler import rulebase
from kb.loader import load

PART = 50
"""Positions that one process judges before it reports."""


@cache
def auditor(rules: Path) -> Auditor:
    theory = load("chess")
    return Auditor(theory, rulebase.read(rules, theory))


def part(job: tuple[Path, int, int, int]) -> Tally:
    rules, seed, number, wanted = job
    tally = Tally()
    for board in positions(Random(f"{seed}.{number} chess rules"), wanted):
        auditor(rules).judge(board, tally)
    return tally


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("rules", type=Path)
    parser.add_argument("--positions", type=int, default=5_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    began = time.monotonic()
    starts = range(0, given.positions, PART)
    jobs = [
        (given.rules, given.seed, number, min(PART, given.positions - start))
        for number, start in enumerate(starts)
    ]
    total = Tally()
    with Pool(given.jobs) as pool:
        for tally in pool.imap(part, jobs):
            total.add(tally)
    command = f"python benchmarks/chess_rules.py {given.rules.name} --positions {given.positions} --seed {given.seed}"
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, chess {chess.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {given.jobs} processes\n\n{report(total)}"
    )
    print(text)
    for case in total.wrong[:5]:
        print(case)
    if given.output:
        given.output.write_text(text, encoding="utf-8")
    return 1 if total.wrong else 0


def report(total: Tally) -> str:
    """The conclusions by game and depth, and by rule."""
    lines = [f"{total.positions} positions, {len(total.wrong)} conclusions wrong", "game    plies     right"]
    lines += [f"{game:8}{plies:>5}{number:>10}" for (game, plies), number in sorted(total.right.items())]
    lines += ["", f"{'rule':32}conclusions"]
    lines += [f"{rule:32}{number:>11}" for rule, number in sorted(total.fired.items())]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    raise SystemExit(main())
