"""Whether learned rules are ever wrong: rules learned on random theories, held against saturation elsewhere.

Every conclusion that a learned rule draws on a state other than its own example is looked for in what the
theory concludes there. Exit code 1 where one is missing, with the rule, the state and the theory.

    python benchmarks/rules/soundness.py [--theories 1000] [--seed 1] [--jobs 1] [--output benchmarks/results/soundness.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from oracles.proofs.soundness_run import Tally, run

PART = 10
"""Theories that one process tries before it reports."""


def part(job: tuple[int, int, int]) -> Tally:
    seed, number, most_proofs = job
    return run(seed * 1_000_000 + number, PART, examples=2, others=6, most_proofs=most_proofs)


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--theories", type=int, default=1_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    # In every fifth part, rules are learned from several proofs of each conclusion.
    jobs = [(arguments.seed, n, 1 if n % 5 else 4) for n in range(arguments.theories // PART)]
    total = Tally()
    with Pool(arguments.jobs) as pool:
        for tally in pool.imap(part, jobs):
            total.add(tally)
    command = f"python benchmarks/rules/soundness.py --theories {arguments.theories} --seed {arguments.seed}"
    concluded = ", ".join(f"{name} {count}" for name, count in total.relations.most_common())
    report = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n"
        f"{total}\n"
        f"rules that do not conclude their own example again: {total.silent}\n"
        f"rules whose conclusions on a state were not found within the engine's limits: {total.unfinished}\n"
        f"learned conclusions: {concluded}\n"
    )
    print(report)
    for wrong in total.wrong[:3]:
        print(wrong)
    if arguments.output:
        arguments.output.write_text(report, encoding="utf-8")
    return 1 if total.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
