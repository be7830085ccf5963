"""Blocks that cannot be captured within five moves: rules learned from the shipped problems, on new problems.

Rules are learned from the shipped problems without a capture. New problems without a capture are made
from a seed, without those that ship, and matched once. All shipped captures are matched too: `PP` for one of
them is wrong. `PP` is also wrong if the exhaustive reader captures the block within five moves. GNU Go, whose
reading has no bound, judges too.

Usage:

    python benchmarks/go/outlasting.py [--number 120] [--seed 77] [--output FILE]
"""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.go.capture_search import gnugo, set_up
from benchmarks.study import Study, options, timed
from hornbook import cli
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver, SolvedProblem
from hornbook.inputs.theories import load
from hornbook.theories.go.play.question import OUTLASTED
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.making.canonical import canonical
from hornbook.theories.go.problems.making.generator import GenerationPlan, generate
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.reader import captured_within
from oracles.go.gnugo_client import GnuGo


def main() -> int:
    given = options(__doc__, number=120, seed=77).parse_args()
    study = Study(__file__, given)
    solver, learning = timed_learning()
    known = list(read_problems(shipped("train")))
    forms = {canonical(problem) for problem in known}
    plan = GenerationPlan(given.number, given.seed, depths=(None,))
    new = [problem for problem in generate(plan) if canonical(problem) not in forms]
    sets = {
        "shipped, without a capture (learned from)": [p for p in known if p.value == "PP"],
        "shipped, with a capture": [p for p in known if p.value != "PP"],
        "new, without a capture": new,
    }
    lines = [learning, ""]
    lines.append(f"{'problems':44}{'of':>5}{'PP':>6}{'GP':>6}{'wrong':>7}{'GNU Go captures':>17}{'ms':>7}")
    wrong: list[str] = []
    with GnuGo() as engine:
        for name, problems in sets.items():
            seconds, found = timed(solved, solver, problems)
            answers = Counter(each.value for each in found)
            pairs = [(p, s) for p, s in zip(problems, found, strict=True) if s.value == "PP"]
            faults = [
                p.id for p, _ in pairs if p.winning_moves or captured_within(p.board, p.target, OUTLASTED)
            ]
            taken = sum(by_gnugo(engine, problem) for problem, _ in pairs)
            wrong += faults
            lines.append(
                f"{name:44}{len(problems):>5}{answers['PP']:>6}{answers['GP']:>6}{len(faults):>7}{taken:>17}"
                f"{1000 * seconds / max(len(problems), 1):>7.1f}"
            )
    return study.finish("\n".join(lines) + "\n", wrong)


def timed_learning() -> tuple[ProblemSolver, str]:
    """Return a solver with learned rules, and a line about learning."""
    theory = load("outlasting")
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "learned.horn"
        learn = ["learn", "outlasting", "--problems", str(shipped("train")), "--into", str(file)]
        seconds, code = timed(cli.main, learn)
        if code:
            raise SystemExit(code)
        base = rulebase.read(file, theory)
        rules = [entry.answering for entry in base if entry.is_certified]
        return ProblemSolver(theory, rules), f"{len(rules)} rules, learned in {seconds:.1f} s"


def solved(solver: ProblemSolver, problems: Sequence[CaptureProblem]) -> list[SolvedProblem]:
    """Return the answers to problems in one match, each for the first time."""
    return [solver.solve(problem) for problem in problems]


def by_gnugo(engine: GnuGo, problem: CaptureProblem) -> bool:
    """Return whether GNU Go captures the block of a problem."""
    set_up(engine, problem)
    return gnugo(engine)(problem)[0] is not None


if __name__ == "__main__":
    sys.exit(main())
