"""Coverage by learned rules alone, of the table of states that they were learned from and of another one.

Rules are learned from the examples of a theory and from random states of the first table. The second table
has another seed. The domains are a ward of a hospital, a warehouse, and a workshop and a depot, whose actions
change sets (`oracles/ward`, `oracles/warehouse`, `oracles/workshop`, `oracles/depot`). Another theory can be
given with its own table. Returns 1 if a learned rule has a wrong conclusion.

Usage:

    python -m benchmarks.rules.coverage [--states 10000] [--seed 7] [--held 8] [--output FILE]
        [--theory T.horn --table FILE]
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from time import process_time
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options, share
from hornbook import Limits, learn, read_theory
from hornbook.compiler.learn.covering.goals import coverage_goals
from hornbook.compiler.learn.covering.measure import CoverageMeasure, LearnedKnowledge, WrongConclusionError
from hornbook.spread.coverage.covered_table import CoveredTable
from oracles import depot, ward, warehouse, workshop
from oracles.depot.states import depot_states
from oracles.ward.states import ward_states
from oracles.warehouse.states import warehouse_states
from oracles.workshop.states import workshop_states

DOMAINS = (
    (ward, ward_states),
    (warehouse, warehouse_states),
    (workshop, workshop_states),
    (depot, depot_states),
)
FEW = 10
"""The number of examples after which the coverage is reported."""


def coverage(theory: Path, table: Any, held: list[str] | None) -> Iterator[str]:
    """Yield the lines about the rules learned from a table, and about another table."""
    known = read_theory(theory)
    began = process_time()
    learned = learn(known, states=table)
    report = learned.coverage
    assert report is not None
    yield f"{known.name}: {report}"
    few = [each.covered for each in report.examples[:FEW]]
    yield f"after {len(few)} examples: {share(few[-1], report.conclusions)} covered"
    if held is not None:
        other = CoveredTable(known, held, Limits(), skip_bad=False)
        measure = CoverageMeasure(known, other, coverage_goals(known), Limits())
        found = int(measure.covered(LearnedKnowledge(known, learned.rules.base)).sum())
        total = len(measure.conclusions) - int(measure.direct.sum())
        yield f"other states: {found:,} of {total:,} conclusions covered"
    yield "wrong conclusions: 0"
    lengths = sorted(len(entry.rule.body) for entry in learned.rules.base)
    yield f"conditions of a rule: {lengths[len(lengths) // 2]} (median), {lengths[-1]} at most"
    yield f"processor seconds of learning: {process_time() - began:.1f}"
    yield ""
    yield f"{'example':<28}{'before':>9}{'covered':>9}{'tried':>9}  rules"
    for each in report.examples:
        yield f"{each.name:<28}{each.before:>9,}{each.covered:>9,}{each.tried:>9.1f}  {', '.join(each.rules)}"
    yield ""


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
            lines += coverage(given.theory, given.table, None)
        else:
            for domain, made in DOMAINS:
                texts, others = (list(made(given.states, seed)) for seed in (given.seed, given.held))
                name = domain.__name__.rpartition(".")[2]
                lines += coverage(Path(str(domain.__file__)).with_name(f"{name}.horn"), texts, others)
    except WrongConclusionError as problem:
        wrong.append(str(problem))
    return this.finish("\n".join(lines) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
