"""Correctness, frequency and time of advice to a firm.

On random firms each piece of advice is executed in the simulator for amounts at both ends and in the middle
of each of its intervals. Each rule is queried about these amounts and those right outside. Then the simulator
itself searches for decisions: the report gives the share of goals with such a decision that also have advice.
The exit code is 1 if anything is wrong.

Usage:

    python benchmarks/firm/advice.py [--firms 10000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/firm-advice.txt]
"""

from __future__ import annotations

import sys
from collections import Counter
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.compiler.rules import rulebase
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Rule
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.firm.advice_run import AdviceTally, run

PART = 20
"""Number of firms that one process tries before it reports."""


@cache
def prepared() -> tuple[KnowledgeBase, list[Rule]]:
    theory = load("firm")
    assert theory.path is not None
    rules = [entry.rule for entry in rulebase.read(theory.path.with_name("rules.horn"), theory)]
    return KnowledgeBase(theory, derivations="none"), rules


def part(job: tuple[int, int, int]) -> AdviceTally:
    seed, number, firms = job
    base, rules = prepared()
    return run(base, rules, f"{seed}.{number}", firms)


def main() -> int:
    given = study.options(__doc__, firms=10_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.firms, PART), AdviceTally())
    return this.finish(report(total), total.wrong)


def report(total: AdviceTally) -> str:
    pieces = total.pieces.total()
    lines = [
        f"firms: {total.firms}",
        f"pieces of advice: {pieces}, with {total.intervals} intervals",
        f"carried out in the simulator, at both ends and in the middle: {total.executed}",
        f"rules asked about amounts in their intervals: {total.inside}, and outside: {total.outside}",
        f"wrong: {len(total.wrong)}",
        f"milliseconds for all advice to a firm: {1000 * total.seconds / total.firms:.1f}",
        f"milliseconds for a piece of advice: {1000 * total.seconds / pieces:.2f}",
        f"conflicts: {total.conflicts.total()}, in {total.with_conflict} firms",
        "",
        (
            "Goals for which the simulator finds a decision that reaches them, and those that there "
            "is advice for:"
        ),
        *_shares(total.found, total.advised),
        "",
        "Of these, goals that are not reached as things stand:",
        *_shares(total.lacking, total.advised_lacking),
    ]
    for title, counted in (("goal, value", total.pieces), ("conflict", total.conflicts)):
        lines += ["", f"{title:<24}{'pieces' if counted is total.pieces else 'times':>10}"]
        lines += [f"{name:<24}{number:>10}" for name, number in sorted(counted.items())]
    return "\n".join(lines) + "\n"


def _shares(found: Counter[str], advised: Counter[str]) -> list[str]:
    lines = [f"{'goal':<24}{'found':>10}{'advised':>10}{'share':>10}"]
    for game in (*sorted(found), None):
        one, other = (c.total() if game is None else c[game] for c in (found, advised))
        lines.append(f"{game or 'all':<24}{one:>10}{other:>10}{other / max(one, 1):>10.1%}")
    return lines


if __name__ == "__main__":
    sys.exit(main())
