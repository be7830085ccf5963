"""Correctness of the theory of the firm, and its share of the true facts after a decision or a month.

Random firms take a random decision, allowed or not, and close a month. All derived facts after it (facts,
bounds of cash and profit, values of goals) are compared with a simulator with a double-entry ledger. The exit
code is 1 if something false is derived.

Usage:

    python benchmarks/firm/theory.py [--firms 10000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/firm-theory.txt]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.firm.theory_run import FLUENTS, FirmTheoryTally, run

PART = 50
"""Number of firms that one process tries before it reports."""
RELATIONS = (*FLUENTS, "balance", "gain")


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase("firm", derivations="none")


def part(job: tuple[int, int, int]) -> FirmTheoryTally:
    seed, number, firms = job
    return run(theory(), f"{seed}.{number}", firms)


def main() -> int:
    given = study.options(__doc__, firms=10_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.firms, PART), FirmTheoryTally())
    return this.finish(report(total), total.false)


def report(total: FirmTheoryTally) -> str:
    lines = [
        (
            f"{total.firms} firms, {total.actions.total()} decisions and months, {total.refused} of them not "
            "allowed"
        ),
        f"statements derived after them: {total.concluded}",
        f"false: {len(total.false)}",
        f"after a month, facts that rest on demand that is not known: {total.not_known} (not counted below)",
        (
            f"bounds of what can be spared: {total.bounds}, of which exact "
            f"{study.share(total.exact, total.bounds)}"
        ),
        "",
        *study.by_relation(RELATIONS, total.true, total.missing),
        "",
        *study.by_kind(total.actions, total.missing, ("decision", "tried"), (14, 12, 12)),
        "",
        *study.table(total.values, ("goal, value", "derived"), (14, 12)),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
