"""Whether the theory of captures is ever wrong about a position or a move.

Positions come from random games on 5×5 to 9×9 and from problems; of each a random set of points is spoken of, and
moves and passes of both colours are tried. All that is derived, before and after, is held against the board. Exit
code 1 where something false is derived.

    python benchmarks/go/capture.py [--positions 10000] [--seed 1] [--jobs 1] [--output benchmarks/results/go-capture.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from functools import cache
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load
from oracles.go.capture_run import CAPTURE, Tally, run

PART = 20
"""Positions that one process tries before it reports."""


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase(load(CAPTURE), derivations="one")


def part(job: tuple[int, int, int]) -> Tally:
    seed, number, positions = job
    return run(theory(), f"{seed}.{number}", positions)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    starts = range(0, arguments.positions, PART)
    jobs = [(arguments.seed, n, min(PART, arguments.positions - start)) for n, start in enumerate(starts)]
    total = Tally()
    with Pool(arguments.jobs) as pool:
        for tally in pool.imap(part, jobs):
            total.add(tally)
    command = f"python benchmarks/go/capture.py --positions {arguments.positions} --seed {arguments.seed}"
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n"
        f"{report(total, theory().rules)}"
    )
    print(text)
    for case in total.false[:3]:
        print(case)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.false else 0


def report(total: Tally, rules: tuple[Rule, ...] | list[Rule]) -> str:
    actions = ", ".join(f"{kind} {number}" for kind, number in sorted(total.actions.items()))
    lines = [
        f"{total.positions} positions, {total.actions.total()} actions ({actions})",
        f"statements derived and held against the board: {total.derived.total()}",
        f"false: {len(total.false)}",
        "",
        f"{'statements':<16}{'before':>10}{'after':>10}",
    ]
    for relation in sorted({relation for relation, _ in total.derived}):
        before, after = total.derived[relation, "before"], total.derived[relation, "after"]
        lines.append(f"{relation:<16}{before:>10}{after:>10}")
    silent = [rule.name for rule in rules if not total.firings[rule.name]]
    lines += ["", f"rules that were never the recorded reason of anything: {', '.join(silent) or 'none'}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
