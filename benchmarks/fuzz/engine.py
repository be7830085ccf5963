"""Hostile calls of the compiled engine (`oracles/engine/fuzz.py`).

Each call is rejected by a named error without effect, or executed. At the end of an episode of 20 calls the
engine has the same state as the plain engine with its facts and rules. If the core is built with sanitizers,
a memory or arithmetic error ends the process with a report. This command starts a run with sanitizers:

    HORNBOOK_SANITIZED=/some/folder .ci/sanitize --run benchmarks/fuzz/engine.py --inputs 1000000 \\
        --output benchmarks/results/engine_fuzz.txt

The output is written after every part, and an interrupted run continues from there. The exit code is 1 if
something was wrong.

Usage:

    python benchmarks/fuzz/engine.py [--inputs 1000000] [--seed 1] [--seconds 3600] [--output FILE]
"""

from __future__ import annotations

import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks import study
from oracles.engine.fuzz import run
from oracles.language.fuzz_parts import FuzzOutcome, read_outcome, run_parts

EPISODES = 100_000_000
"""Number of seeds of a run; those of another run begin after them."""


def sanitizers() -> str:
    """Return whether the core has sanitizers, whose report would have ended the process."""
    maps = Path("/proc/self/maps")
    loaded = maps.exists() and all(name in maps.read_text() for name in ("libasan", "libubsan"))
    return (
        "AddressSanitizer and UndefinedBehaviourSanitizer: "
        f"{'watching, no report' if loaded else 'not built in'}"
    )


def main() -> int:
    arguments = study.options(__doc__, inputs=1_000_000, seed=1, seconds=math.inf).parse_args()
    command = f"python benchmarks/fuzz/engine.py --inputs {arguments.inputs} --seed {arguments.seed}"

    def keep(outcome: FuzzOutcome) -> None:
        if arguments.output:
            arguments.output.write_text(outcome.text(command, [sanitizers()]), encoding="utf-8")
        print(f"{outcome.tally['inputs']:,} inputs, {len(outcome.wrong)} wrong", file=sys.stderr, flush=True)

    outcome = read_outcome(arguments.output, arguments.seed * EPISODES)
    run_parts(outcome, arguments.inputs, run, keep, seconds=arguments.seconds)
    print(outcome.text(command, [sanitizers()]))
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
