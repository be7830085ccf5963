"""Correctness of the theory of captures for positions and moves.

Positions come from random games on 5×5 to 9×9 and from problems. Each has a random focus set, and moves and
passes of both colours are tried. All derived facts, before and after, are compared with the board. The exit
code is 1 if something false is derived.

Usage:

    python benchmarks/go/capture.py [--positions 10000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/go-capture.txt]
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
from oracles.go.capture_run import CAPTURE, CaptureTally, run

PART = 20
"""Number of positions that one process tries before it reports."""


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase(load(CAPTURE), derivations="one")


def part(job: tuple[int, int, int]) -> CaptureTally:
    seed, number, positions = job
    return run(theory(), f"{seed}.{number}", positions)


def main() -> int:
    given = study.options(__doc__, positions=10_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.positions, PART), CaptureTally())
    return this.finish(report(total, theory().rules), total.false)


def report(total: CaptureTally, rules: tuple[Rule, ...] | list[Rule]) -> str:
    actions = ", ".join(f"{kind} {number}" for kind, number in sorted(total.actions.items()))
    lines = [
        f"{total.positions} positions, {total.actions.total()} actions ({actions})",
        f"statements derived and held against the board: {total.derived.total()}",
        f"false: {len(total.false)}",
        "",
        f"{'statements':<16}{'before':>10}{'after':>10}",
    ]
    for relation in sorted({relation for relation, _ in total.derived}):
        before, after = total.derived[relation, "before"], total.derived[relation, "after"]
        lines.append(f"{relation:<16}{before:>10}{after:>10}")
    silent = [rule.name for rule in rules if not total.firings[rule.name]]
    lines += ["", f"rules that were never the recorded reason of anything: {', '.join(silent) or 'none'}"]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
