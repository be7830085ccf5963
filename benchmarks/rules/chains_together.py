"""Processor time of chains of learned rules of Go: one problem after another, and many problems together.

The problems are shipped ones, in a random order. Each part of `--part` problems is solved in both ways, which
take turns to begin. Returns 1 if a conclusion differs.

Usage:

    python -m benchmarks.rules.chains_together --rules RULES.horn [--levels 2] [--number 390] [--part 130]
        [--seed 1] [--output FILE]
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from random import Random
from time import process_time

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.theories.go.problems import read_problems, shipped

WARM = 20
"""The number of problems before the measurement."""


def main() -> int:
    parser = options(__doc__, levels=2, number=390, part=130, seed=1)
    parser.add_argument("--rules", type=Path, required=True)
    given = parser.parse_args()
    run = Study(__file__, given)
    theory = load("go")
    rules = [entry.rule for entry in rulebase.read(given.rules, theory) if entry.is_certified]
    problems = read_problems(shipped("train"))
    Random(given.seed).shuffle(problems)
    solver = ProblemSolver(theory, rules, threads=1)
    for problem in problems[-WARM:]:
        solver.solve(problem, given.levels)
    seconds, wrong, matched = {"alone": 0.0, "together": 0.0}, [], 0
    chosen = problems[: given.number]
    for number, first in enumerate(range(0, len(chosen), given.part)):
        part = chosen[first : first + given.part]
        found = {}
        for way in sorted(seconds, reverse=bool(number % 2)):
            began = process_time()
            if way == "together":
                found[way] = list(solver.solve_each(part, given.levels))
            else:
                found[way] = [solver.solve(problem, given.levels) for problem in part]
            seconds[way] += process_time() - began
        for problem, one, other in zip(part, *found.values(), strict=True):
            matched += one.matched
            if (one.value, one.matched) != (other.value, other.matched):
                wrong.append(f"{problem.id}: {one.value} and {other.value}")
    alone, together = (1000 * seconds[way] / len(chosen) for way in ("alone", "together"))
    text = (
        f"chains of at most {given.levels} levels, {len(rules)} rules, {len(chosen)} problems, {matched}"
        f" matches; load of the machine at the end {os.getloadavg()[0]:.1f}\n"
        f"milliseconds of processor time a problem: one after another {alone:.1f}, together {together:.1f}:"
        f" {together / alone:.2f} times\n"
    )
    return run.finish(text, wrong)


if __name__ == "__main__":
    sys.exit(main())
