"""Correctness of the theory of Go for moves, and the share of true facts after them that it derives.

Positions come from random games on 5×5 to 19×19. From each, a legal move of either player, an illegal one and
sometimes a pass are tried, and the derived facts after it are compared with a simulator. The exit code is 1
if something false is derived, a frame is too small, or the two simulators differ.

Usage:

    python benchmarks/go/theory.py [--positions 20000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/go-theory.txt]
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from hornbook.kb.base.knowledge_base import KnowledgeBase
from oracles.go.transition_run import RELATIONS, TransitionTally, run

PART = 20
"""Number of positions that one process tries before it reports."""
CLAIMED = ("colour", "same_block", "stones", "liberty", "liberties")
"""Relations with a required coverage of at least 95%: colours, blocks and liberties with their counts."""


@cache
def theory() -> KnowledgeBase:
    return KnowledgeBase("go", derivations="none")


def part(job: tuple[int, int, int]) -> TransitionTally:
    seed, number, positions = job
    return run(theory(), f"{seed}.{number}", positions)


def main() -> int:
    given = study.options(__doc__, positions=20_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    total = this.shared(part, this.parts(given.positions, PART), TransitionTally())
    return this.finish(report(total), [*total.false, *total.not_framed, *total.disputed])


def report(total: TransitionTally) -> str:
    claimed = sum(total.true[relation] for relation in CLAIMED)
    covered = claimed - sum(number for (of, _), number in total.missing.items() if of in CLAIMED)
    lines = [
        (
            f"{total.positions} positions, {total.kinds.total()} actions, {total.concluded} facts "
            "derived after them"
        ),
        f"false: {len(total.false)}",
        f"changes that a frame does not allow: {len(total.not_framed)}",
        f"actions on which the two simulators differ: {len(total.disputed)}",
        f"colours, blocks and liberties derived: {study.share(covered, claimed)}",
        "",
        *study.by_relation(RELATIONS, total.true, total.missing),
        "",
        *study.by_kind(
            total.kinds, total.missing, ("own blocks joined, blocks taken", "actions"), (34, 9, 13)
        ),
    ]
    gaps = [
        f"not derived: {relation}, {kind}: {n}" for (relation, kind), n in sorted(total.missing.items()) if n
    ]
    lines += [*gaps, "", f"{'longer side':<14}{'positions':>10}{'ms a position':>16}{'ms an action':>14}"]
    for side, cost in sorted(total.cost.items()):
        before, after = 1000 * cost.before / cost.positions, 1000 * cost.after / max(1, cost.actions)
        lines.append(f"{side:<14}{cost.positions:>10}{before:>16.1f}{after:>14.2f}")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    sys.exit(main())
