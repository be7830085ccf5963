"""Whether the theory of Go is ever wrong about a move, and how much of what is true after it the theory derives.

Positions come from random games on 5×5 to 19×19; from each, a legal move of either player, an illegal one and now
and then a pass are tried, and what is derived after it is compared with a simulator. Exit code 1 where something
false is derived, a frame is too small, or the two simulators differ.

    python benchmarks/go/theory.py [--positions 20000] [--seed 1] [--jobs 1] [--output benchmarks/results/go-theory.txt]
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
from oracles.go.transition_run import RELATIONS, Tally, run

PART = 20
"""Positions that one process tries before it reports."""
CLAIMED = ("colour", "same_block", "stones", "liberty", "liberties")
"""Relations of which at least 95% were asked for: colours, blocks and liberties with their counts."""


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase("go", derivations="none")


def part(job: tuple[int, int, int]) -> Tally:
    seed, number, positions = job
    return run(theory(), f"{seed}.{number}", positions)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=20_000)
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
    command = f"python benchmarks/go/theory.py --positions {arguments.positions} --seed {arguments.seed}"
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n{report(total)}"
    )
    print(text)
    wrong = [*total.false, *total.not_framed, *total.disputed]
    for case in wrong[:3]:
        print(case)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if wrong else 0


def report(total: Tally) -> str:
    missing = Counter[str]()
    for (relation, _), number in total.missing.items():
        missing[relation] += number
    claimed = sum(total.true[relation] for relation in CLAIMED)
    covered = claimed - sum(missing[relation] for relation in CLAIMED)
    lines = [
        f"{total.positions} positions, {total.kinds.total()} actions, {total.concluded} facts derived after them",
        f"false: {len(total.false)}",
        f"changes that a frame does not allow: {len(total.not_framed)}",
        f"actions on which the two simulators differ: {len(total.disputed)}",
        f"colours, blocks and liberties derived: {share(covered, claimed)}",
        "",
        f"{'after-facts':<14}{'true':>12}{'derived':>12}",
    ]
    for relation in RELATIONS:
        true = total.true[relation]
        lines.append(f"{relation:<14}{true:>12}{share(true - missing[relation], true):>12}")
    lines += ["", f"{'own blocks joined, blocks taken':<34}{'actions':>9}{'not derived':>13}"]
    for kind, number in sorted(total.kinds.items()):
        gaps = sum(n for (_, of), n in total.missing.items() if of == kind)
        lines.append(f"{kind:<34}{number:>9}{gaps:>13}")
    gaps = [
        f"not derived: {relation}, {kind}: {n}" for (relation, kind), n in sorted(total.missing.items()) if n
    ]
    lines += [*gaps, "", f"{'longer side':<14}{'positions':>10}{'ms a position':>16}{'ms an action':>14}"]
    for side, cost in sorted(total.cost.items()):
        before, after = 1000 * cost.before / cost.positions, 1000 * cost.after / max(1, cost.actions)
        lines.append(f"{side:<14}{cost.positions:>10}{before:>16.1f}{after:>14.2f}")
    return "\n".join(lines) + "\n"


def share(part_of: int, whole: int) -> str:
    """In percent; 100% only where nothing is missing."""
    if part_of == whole:
        return "100%"
    return f"{min(99.99, 100 * part_of / whole):.2f}%"


if __name__ == "__main__":
    sys.exit(main())
