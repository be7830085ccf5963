"""Forger of rules and certificates on random theories, to test whether the checker accepts false rules.

Small theories with every construct of the language are generated at random. Rules are learned from
them, invented, and mutated together with their certificates. Accepted rules are tested by brute force
on small states. The exit code is 1 if something was found; each finding is written with everything
needed to reproduce it.

Theory number n of a seed is always the same: a run is continued with `--first` (its own output accumulates).

Usage:

    python benchmarks/fuzz/forger.py [--theories 1000] [--seconds 0] [--seed 1] [--first 0] [--shape N]
        [--made-up 12] [--mutants 40] [--complete] [--values] [--second] [--stop-false 0]
        [--output benchmarks/results/forger.txt] [--findings FILE]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import hornbook
from oracles.forger.run import ForgerBudget, ForgerTally, one


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--theories", type=int, default=1_000)
    parser.add_argument("--seconds", type=float, default=0.0, help="stop after this many seconds (0: never)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--shape", type=int)
    parser.add_argument("--mutants", type=int, default=ForgerBudget().mutants, help="of each theory")
    parser.add_argument("--made-up", type=int, default=ForgerBudget().made_up, help="rounds of rules made up")
    parser.add_argument(
        "--stop-false", type=int, default=0, help="stop after this many false rules and answers (0: never)"
    )
    parser.add_argument("--second", action="store_true", help="use the second reader of certificates too")
    parser.add_argument(
        "--complete", action="store_true", help="theories with complete relations, absences and sums of them"
    )
    parser.add_argument(
        "--values", action="store_true", help="theories that calculate with dates, decimal numbers and words"
    )
    parser.add_argument("--findings", type=Path)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    budget = ForgerBudget(
        made_up=arguments.made_up,
        mutants=arguments.mutants,
        second=arguments.second,
        complete=arguments.complete,
        values=arguments.values,
    )
    total, number = ForgerTally(), arguments.first
    for number in range(arguments.first, arguments.first + arguments.theories):
        if arguments.seconds and time.monotonic() - began > arguments.seconds:
            break
        tally = one(f"{arguments.seed}.{arguments.shape or 0}.{number}", budget, arguments.shape)
        for finding in tally.findings:
            if arguments.findings:
                with arguments.findings.open("a", encoding="utf-8") as file:
                    file.write(f"{finding}\n\n")
            elif len(total.findings) < 3:
                print(finding)
        total.add(tally)
        if arguments.output and number % 50 == 49:
            arguments.output.write_text(report(total, arguments, number, began), encoding="utf-8")
        false = sum(count for kind, count in total.wrong.items() if kind.startswith("a false"))
        if arguments.stop_false and false >= arguments.stop_false:
            break
    text = report(total, arguments, number, began)
    print(text)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if total.findings else 0


def report(total: ForgerTally, arguments: argparse.Namespace, last: int, began: float) -> str:
    shape = "" if arguments.shape is None else f" --shape {arguments.shape}"
    second = " --second" if arguments.second else ""
    complete = " --complete" if arguments.complete else ""
    complete += " --values" if arguments.values else ""
    command = (
        f"python benchmarks/fuzz/forger.py --seed {arguments.seed} --first {arguments.first}"
        f" --theories {arguments.theories} --made-up {arguments.made_up} --mutants {arguments.mutants}"
        f"{shape}{second}{complete}"
    )
    tried, accepted = sum(total.tried.values()), sum(total.accepted.values())
    lines = [
        f"command: {command}",
        (
            f"hornbook {hornbook.__version__}, Python {platform.python_version()}; "
            f"{time.monotonic() - began:.0f} seconds; theories to number {last}"
        ),
        "",
        (
            f"{total.counts['theories']} theories; {tried} rules and mutants, {accepted} accepted; "
            f"{len(total.findings)} findings"
        ),
        "",
        "findings: " + ("none" if not total.wrong else ""),
        *(f"  {count:>9,}  {name}" for name, count in total.wrong.most_common()),
        "",
        "rules and mutants by kind: tried, accepted",
        *(f"  {count:>9,} {total.accepted[name]:>9,}  {name}" for name, count in total.tried.most_common()),
        "",
        "counts",
        *(f"  {count:>9,}  {name}" for name, count in sorted(total.counts.items())),
        "",
        "theories that have",
        *(f"  {count:>9,}  {name}" for name, count in total.made_of.most_common()),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
