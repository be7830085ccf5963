"""Whether rules learned from single months of a firm are ever wrong of another firm.

Rules are learned from the theory's own examples, moments of two made-up years. On random firms, each conclusion of each
rule is carried out in the simulator: the decision must be allowed, and the goal reached (GI) or missed (PI) for every
demand that is tried. Exit code 1 where one is wrong.

    python benchmarks/firm/rules.py [--firms 10000] [--seed 1] [--jobs 1] [--output benchmarks/results/firm-rules.txt]
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
from oracles.firm.rules_run import Tally, learned, run

PART = 50
"""Firms that one process tries before it reports."""


@cache
def prepared() -> tuple[KnowledgeBase, list[Rule]]:
    return KnowledgeBase("firm", derivations="none"), learned(load("firm"))


def part(job: tuple[int, int, int]) -> Tally:
    seed, number, firms = job
    base, rules = prepared()
    return run(base, rules, f"{seed}.{number}", firms)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--firms", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    starts = range(0, arguments.firms, PART)
    jobs = [(arguments.seed, n, min(PART, arguments.firms - start)) for n, start in enumerate(starts)]
    total = Tally()
    with Pool(arguments.jobs) as pool:
        for tally in pool.imap(part, jobs):
            total.add(tally)
    command = f"python benchmarks/firm/rules.py --firms {arguments.firms} --seed {arguments.seed}"
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n{report(total)}"
    )
    print(text)
    for case in total.wrong[:3]:
        print(case)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.wrong else 0


def report(total: Tally) -> str:
    lines = [
        f"{len(total.conclusions)} rules concluded something of {total.answered} of {total.firms} firms",
        f"conclusions carried out in the simulator: {total.conclusions.total()}",
        f"wrong: {len(total.wrong)}",
        f"of {total.derived} values that the theory derives of one decision, rules tell {total.told}",
        "",
        f"{'rule':<36}{'conclusions':>12}",
    ]
    lines += [f"{rule:<36}{number:>12}" for rule, number in sorted(total.conclusions.items())]
    lines += ["", f"{'goal, value':<36}{'conclusions':>12}"]
    lines += [f"{value:<36}{number:>12}" for value, number in sorted(total.values.items())]
    lines += ["", f"{'derived, and told by no rule':<36}{'times':>12}"]
    lines += [f"{value:<36}{number:>12}" for value, number in sorted(total.untold.items()) if number]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
