"""Damaged and hostile stores (`oracles/language/store_fuzz.py`).

Each is read in every way and written to. Impossible operations fail with a message and lose nothing. The
stores are in a temporary folder (see `TMPDIR`). The output is written after every part, and an interrupted
run continues from there. The exit code is 1 if something was wrong.

Usage:

    python benchmarks/fuzz/stores.py [--inputs 1000000] [--seed 1] [--seconds 3600] [--output FILE]
"""

from __future__ import annotations

import argparse
import math
import sqlite3
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from oracles.language.fuzz_parts import FuzzOutcome, read_outcome, run_parts
from oracles.language.store_fuzz import made, run

STORES = 100_000_000
"""Number of seeds of a run; those of another run begin after them."""


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--inputs", type=int, default=1_000_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=math.inf)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    command = f"python benchmarks/fuzz/stores.py --inputs {arguments.inputs} --seed {arguments.seed}"
    lines = [f"SQLite {sqlite3.sqlite_version}"]

    def keep(outcome: FuzzOutcome) -> None:
        if arguments.output:
            arguments.output.write_text(outcome.text(command, lines), encoding="utf-8")
        print(f"{outcome.tally['inputs']:,} inputs, {len(outcome.wrong)} wrong", file=sys.stderr, flush=True)

    outcome = read_outcome(arguments.output, arguments.seed * STORES)
    with tempfile.TemporaryDirectory() as folder:
        for name in ("whole", "kb"):
            (Path(folder) / name).mkdir()
        whole = made(Path(folder) / "whole")
        run_parts(
            outcome,
            arguments.inputs,
            lambda seed: run(seed, Path(folder) / "kb", whole),
            keep,
            seconds=arguments.seconds,
        )
    print(outcome.text(command, lines))
    return 1 if outcome.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
