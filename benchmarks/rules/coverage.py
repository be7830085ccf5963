"""Coverage of tables of states by learned rules alone, on the table that they were learned from and on
another one.

The states of the ward of a hospital are random (`oracles/ward`). Rules are learned from the examples of its
theory and from states of the first table. The second table has another seed. Another theory can be given with
a table. Returns 1 if a learned rule concludes something that the theory does not conclude.

Usage:

    python -m benchmarks.rules.coverage [--states 10000] [--seed 7] [--held 8] [--theory T.horn --table FILE]
        [--output FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook import Limits, learn, read_theory
from hornbook.compiler.learn.covering.goals import coverage_goals
from hornbook.compiler.learn.covering.measure import (
    CoverageMeasure,
    LearnedKnowledge,
    WrongConclusionError,
)
from hornbook.spread.coverage.covered_table import CoveredTable
from oracles.ward.states import THEORY, ward_states


def coverage(theory: Any, table: Any, held: list[str] | None) -> Iterator[str]:
    """Yield the lines about the rules learned from a table, and about another table."""
    began = process_time()
    learned = learn(theory, states=table)
    report = learned.coverage
    assert report is not None
    yield f"{report}"
    yield f"processor seconds: {process_time() - began:.1f}"
    lengths = sorted(len(entry.rule.body) for entry in learned.rules.base)
    yield f"conditions of a rule: {lengths[len(lengths) // 2]} (median), {lengths[-1]} at most"
    for each in report.examples:
        yield f"{each.name:<34}{each.before:>9,}{each.covered:>9,}{each.tried:>9.1f}  {', '.join(each.rules)}"
    if held is not None:
        other = CoveredTable(theory, held, Limits(), skip_bad=False)
        measure = CoverageMeasure(theory, other, coverage_goals(theory), Limits())
        found = int(measure.covered(LearnedKnowledge(theory, learned.rules.base)).sum())
        total = len(measure.conclusions) - int(measure.direct.sum())
        yield f"other states: {found:,} of {total:,} conclusions covered, none of them wrong"


def main() -> int:
    parser = options(__doc__, states=10_000, seed=7, held=8)
    parser.add_argument("--theory", type=Path)
    parser.add_argument("--table", type=Path)
    this = Study(__file__, parser.parse_args())
    given = this.given
    wrong: list[str] = []
    lines: list[str] = []
    try:
        if given.table is not None:
            lines += coverage(read_theory(given.theory), given.table, None)
        else:
            texts, others = (list(ward_states(given.states, seed)) for seed in (given.seed, given.held))
            lines += coverage(read_theory(THEORY), texts, others)
    except WrongConclusionError as problem:
        wrong.append(str(problem))
    return this.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
