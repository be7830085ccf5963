"""Costs of matching and their growth: the tables and pictures of docs/explanation/what-matching-costs.md.

RULES.horn contains certified rules of Go, for example those of `hornbook learn go --problems hundred.jsonl`.
Times are medians of processor time if not stated otherwise. The tables of `--page` are rewritten, and
`--pictures` is the folder for its plots, which need matplotlib (the extra `bench`). With `--quick`, sizes are
too small for meaningful figures.

Usage:

    python -m benchmarks.costs RULES.horn [--seed 1] [--quick] [--page PAGE.md] [--pictures FOLDER]
        [--output FILE.txt]
"""

from __future__ import annotations

import platform
import sys
from argparse import ArgumentParser, RawDescriptionHelpFormatter
from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path
from random import Random

import hornbook
from benchmarks.costs import learned, patterns, without
from benchmarks.costs.figures import CostTable, Measurement, draw, with_tables
from benchmarks.study import Study
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.text.writing import write_text
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.problem import CaptureProblem

LEARNED_SIZES = learned.Sizes(rules=(10, 30, 100, 1000, 3000, 10_000), positions=120, boards=20, problems=12)
PATTERNS = (10, 100, 1000, 10_000, 100_000)


def main(arguments: list[str] | None = None) -> int:
    parser = ArgumentParser(description=__doc__, formatter_class=RawDescriptionHelpFormatter)
    parser.add_argument("rules", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--page", type=Path)
    parser.add_argument("--pictures", type=Path)
    parser.add_argument("--output", type=Path)
    this = Study(__file__, parser.parse_args(arguments))
    given = this.given
    theory = load("go")
    rules = [entry.answering for entry in rulebase.read(given.rules, theory) if entry.is_certified]
    if not rules:
        sys.exit(
            f"{given.rules}: no rule has a certificate that holds; `hornbook rules verify --renew`"
            " gives new ones"
        )
    problems = read_problems(shipped("train"))
    measured = []
    for name, part in _parts(theory, rules, problems, given.seed, quick=given.quick):
        print(f"{this.seconds:5.0f} s: {name}", file=sys.stderr, flush=True)
        measured.append(part())
    made = (
        ("on", f"{datetime.now(UTC):%d %B %Y}"),
        ("by", f"Hornbook {hornbook.__version__}, Python {platform.python_version()}"),
        ("in", f"{this.seconds:.0f} seconds"),
        ("learned rules", str(len(rules))),
    )
    tables = [
        CostTable("made", ("measured", ""), made),
        *(table for each in measured for table in each.tables),
    ]
    if given.page is not None:
        write_text(given.page, with_tables(given.page.read_text(encoding="utf-8"), tables))
    if given.pictures is not None:
        for each in measured:
            for name, panels in each.pictures:
                draw(name, panels, given.pictures)
    body = "\n\n".join(f"table: {table.name}\n{table}" for table in tables)
    return this.finish(f"{body}\n")


def _parts(
    theory: Theory, rules: list[Rule], problems: list[CaptureProblem], seed: int, *, quick: bool
) -> Iterator[tuple[str, Callable[[], Measurement]]]:
    """Yield the parts of the measurement, by name."""
    sizes = learned.Sizes((4, 2 * len(rules)), 24, 2, 2) if quick else LEARNED_SIZES
    counts = (10, 100) if quick else PATTERNS
    few = 20 if quick else 1000
    some = Random(seed).sample(problems, sizes.positions)
    yield "learned rules", lambda: learned.by_rules(theory, rules, some, sizes.rules, Random(seed))
    solver = ProblemSolver(theory, rules)
    for each in some[: learned.WARMING]:
        solver.solve(each)
    yield "boards of Go", lambda: learned.by_facts(solver, sizes.boards, Random(seed))
    yield "chains", lambda: learned.by_depth(solver, problems, sizes.problems)
    yield "positions while something is asked", lambda: without.asking(solver, some)
    chosen = problems[: sizes.positions] if quick else problems
    yield "worth", lambda: learned.by_worth(theory, rules, chosen)
    yield "patterns", lambda: patterns.by_rules(counts, seed)
    copies = patterns.COPIES[:2] if quick else patterns.COPIES
    yield "many boards", lambda: patterns.by_facts(copies, few, seed)
    yield "sharing", lambda: without.sharing(few, seed)
    yield "unlinking", lambda: without.unlinking(few, seed)
    yield "laziness", lambda: without.laziness(10 * few, seed)


if __name__ == "__main__":
    sys.exit(main())
