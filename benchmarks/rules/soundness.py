"""Soundness of learned rules: rules learned on random theories, compared with saturation on other states.

Every conclusion of a learned rule on a state other than its own example must be a conclusion of the theory
there. The exit code is 1 if one is missing; it is printed with the rule, the state and the theory.

Usage:

    python benchmarks/rules/soundness.py [--theories 1000] [--seed 1] [--jobs 1]
        [--output benchmarks/results/soundness.txt]
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.proofs.soundness_run import SoundnessTally, run

PART = 10
"""Number of theories that one process tries before it reports."""


def part(job: tuple[int, int, int]) -> SoundnessTally:
    seed, number, most_proofs = job
    return run(seed * 1_000_000 + number, PART, examples=2, others=6, most_proofs=most_proofs)


def main() -> int:
    given = study.options(__doc__, theories=1_000, seed=1, jobs=1).parse_args()
    this = study.Study(__file__, given)
    # In every fifth part, rules are learned from several proofs of each conclusion.
    jobs = [(given.seed, n, 1 if n % 5 else 4) for n in range(given.theories // PART)]
    total = this.shared(part, jobs, SoundnessTally())
    concluded = ", ".join(f"{name} {count}" for name, count in total.relations.most_common())
    text = (
        f"{total}\n"
        f"rules that do not conclude their own example again: {total.silent}\n"
        f"rules whose conclusions on a state were not found within the engine's limits: {total.unfinished}\n"
        f"learned conclusions: {concluded}\n"
    )
    return this.finish(text, total.wrong)


if __name__ == "__main__":
    sys.exit(main())
