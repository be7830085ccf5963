"""Cost of a Go position with all rules, and without the rules of no use; and what each set answers.

The rules of no use are those that `learn` does not use (RULES.forgotten.json), and those that `rules prune
--problems MEASURED` forgets. Each set of rules is matched on the same new positions, in turns. The first
evaluation of a position counts, in processor time. All rules are measured twice, which shows the error.

Usage:

    python -m benchmarks.rules.utility RULES.horn MEASURED.jsonl HELD_OUT.jsonl [--positions 400] [--seed 1]
        [--output FILE.txt]
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from random import Random
from statistics import mean, median

from benchmarks.study import Study, timed
from hornbook.compiler.maintain.forgotten import read_forgotten
from hornbook.compiler.rules import rulebase
from hornbook.games.rule_worth import rule_worths
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.collector import collector_paused
from hornbook.theories.go.domain import DOMAIN
from hornbook.theories.go.problems import read_problems
from hornbook.theories.go.problems.problem import CaptureProblem

WARMING = 20
"""The positions of each set that are not counted."""
DEPTHS = (1, 3, 5, 7)


def main(arguments: list[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    for name in ("rules", "measured", "held"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--positions", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args(arguments))
    given, theory = this.given, load("go")
    base = rulebase.read(given.rules, theory)
    forgotten = read_forgotten(given.rules, base)
    rules = [entry.answering for entry in base if entry.is_certified]
    measured, held = read_problems(given.measured), read_problems(given.held)
    found = rule_worths(theory, rules, measured)
    used = [rule for rule in rules if rule.name not in forgotten]
    pruned = [rule for rule in rules if rule.name not in found.useless]
    sets = {"all": rules, "used after learning": used, "pruned": pruned, "all, again": rules}
    print(f"{this.seconds:.0f} s: {[len(some) for some in sets.values()]} rules", file=sys.stderr)
    costs = _costs(theory, sets, Random(given.seed).sample(held, min(given.positions + WARMING, len(held))))
    first = costs["all"]
    title = f"{'rules':<22}{'number':>7}{'µs median':>11}{'µs mean':>9}{'of all':>8}"
    lines = [
        f"{len(measured)} problems to measure, {len(found.given)} answers; {len(held)} others\n",
        title + "".join(f"{f'depth {depth}':>9}" for depth in DEPTHS),
    ]
    for name, some in sets.items():
        ratio = median(one / other for one, other in zip(costs[name], first, strict=True))
        answered = _answered(theory, some, held)
        times = f"{1e6 * median(costs[name]):>11.0f}{1e6 * mean(costs[name]):>9.0f}{ratio:>8.3f}"
        counts = "".join(f"{answered[depth]:>9}" for depth in DEPTHS)
        lines.append(f"{name:<22}{len(some):>7}{times}{counts}")
    lines.append(
        "\nOf all: the median of the times divided by those of all rules. Depth: the problems answered."
    )
    return this.finish("\n".join(lines) + "\n")


def _costs(
    theory: Theory, sets: dict[str, list[Rule]], problems: Sequence[CaptureProblem]
) -> dict[str, list[float]]:
    """Return the seconds of each position with each set of rules, which take turns."""
    solvers = {name: ProblemSolver(theory, some) for name, some in sets.items()}
    costs: dict[str, list[float]] = {name: [] for name in sets}
    names = list(sets)
    with collector_paused():  # a collection would count for one of the sets
        for number, problem in enumerate(problems):
            query = DOMAIN.query_of(problem)
            parts = DOMAIN.question(query.state, query.game).parts
            for part in parts:
                part.rows()
            turn = number % len(names)
            for name in (*names[turn:], *names[:turn]):
                seconds, _ = timed(solvers[name].matcher.first, parts, query.game)
                if number >= WARMING:
                    costs[name].append(seconds)
    return costs


def _answered(
    theory: Theory, rules: Sequence[Rule], problems: Sequence[CaptureProblem]
) -> Counter[int | None]:
    """Return the number of problems of each depth that rules answer in one match."""
    solver = ProblemSolver(theory, rules)
    return Counter(each.depth for each in problems if solver.solve(each).first is not None)


if __name__ == "__main__":
    sys.exit(main())
