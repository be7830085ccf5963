"""Whether the theory of the firm is ever wrong, and how much of what is true after a decision or a month it derives.

Random firms take a random decision, allowed or not, and close a month. All that is derived after it (facts, bounds of
cash and profit, values of goals) is held against a simulator with a double-entry ledger. Exit code 1 where something
false is derived.

    python benchmarks/firm/theory.py [--firms 10000] [--seed 1] [--jobs 1] [--output benchmarks/results/firm-theory.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from functools import cache
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.firm.theory_run import FLUENTS, Tally, run

PART = 50
"""Firms that one process tries before it reports."""
RELATIONS = (*FLUENTS, "balance", "gain")


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase("firm", derivations="none")


def part(job: tuple[int, int, int]) -> Tally:
    seed, number, firms = job
    return run(theory(), f"{seed}.{number}", firms)


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
    command = f"python benchmarks/firm/theory.py --firms {arguments.firms} --seed {arguments.seed}"
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n{report(total)}"
    )
    print(text)
    for case in total.false[:3]:
        print(case)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.false else 0


def report(total: Tally) -> str:
    missing = Counter[str]()
    for (relation, _), number in total.missing.items():
        missing[relation] += number
    lines = [
        f"{total.firms} firms, {total.actions.total()} decisions and months, {total.refused} of them not allowed",
        f"statements derived after them: {total.concluded}",
        f"false: {len(total.false)}",
        f"after a month, facts that rest on demand that is not known: {total.not_known} (not counted below)",
        f"bounds of what can be spared: {total.bounds}, of which exact {share(total.exact, total.bounds)}",
        "",
        f"{'after-facts':<14}{'true':>12}{'derived':>12}",
    ]
    for relation in RELATIONS:
        true = total.true[relation]
        lines.append(f"{relation:<14}{true:>12}{share(true - missing[relation], true):>12}")
    lines += ["", f"{'decision':<14}{'tried':>12}{'not derived':>12}"]
    for kind, number in sorted(total.actions.items()):
        gaps = sum(n for (_, of), n in total.missing.items() if of == kind)
        lines.append(f"{kind:<14}{number:>12}{gaps:>12}")
    lines += ["", f"{'goal, value':<14}{'derived':>12}"]
    lines += [f"{value:<14}{number:>12}" for value, number in sorted(total.values.items())]
    return "\n".join(lines) + "\n"


def share(part_of: int, whole: int) -> str:
    """In percent; 100% only where nothing is missing."""
    if part_of == whole:
        return "100%"
    return f"{min(99.99, 100 * part_of / whole):.2f}%"


if __name__ == "__main__":
    sys.exit(main())
