"""Correctness on other firms of rules learned from single months of a firm.

Rules are learned from the theory's own examples, moments of two invented years. On random firms, each
conclusion of each rule is executed in the simulator: the decision must be allowed, and the goal reached (GI)
or missed (PI) for every tried demand. The exit code is 1 if one is wrong.

Usage:

    python benchmarks/firm/rules.py [--firms 10000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/firm-rules.txt]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.firm.rules_run import FirmRulesTally, learned, run

PART = 50
"""Number of firms that one process tries before it reports."""


@cache
def prepared() -> tuple[KnowledgeBase, list[Rule]]:
    return KnowledgeBase("firm", derivations="none"), learned(load("firm"))


def part(job: tuple[int, int, int]) -> FirmRulesTally:
    seed, number, firms = job
    base, rules = prepared()
    return run(base, rules, f"{seed}.{number}", firms)


def main() -> int:
    given = study.options(__doc__, firms=10_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.firms, PART), FirmRulesTally())
    return this.finish(report(total), total.wrong)


def report(total: FirmRulesTally) -> str:
    lines = [
        f"{len(total.conclusions)} rules concluded something of {total.answered} of {total.firms} firms",
        f"conclusions carried out in the simulator: {total.conclusions.total()}",
        f"wrong: {len(total.wrong)}",
        f"of {total.derived} values that the theory derives of one decision, rules tell {total.concluded}",
        "",
        *study.table(total.conclusions, ("rule", "conclusions"), (36, 12)),
        "",
        *study.table(total.values, ("goal, value", "conclusions"), (36, 12)),
        "",
        *study.table(total.not_concluded, ("derived, and told by no rule", "times"), (36, 12)),
    ]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
