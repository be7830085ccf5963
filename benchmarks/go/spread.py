"""Positions of Go with `hornbook rules match --states`: two Dask processes compared with a single process.

Each position is a shipped problem after two to twelve moves of noisy play; none occurs twice. Both runs are
the command itself, one after the other, each from its start to the file of answers. Times are wall-clock
seconds, with the processor seconds, and the share of each position. The files must be identical.

Usage:

    python benchmarks/go/spread.py RULES.horn [--positions 100000] [--workers 2] [--seed 1]
        [--output benchmarks/results/go-spread.txt]
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import pyarrow
import pyarrow.parquet

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.theories.go.problems import read_problems, shipped
from hornbook.theories.go.problems.making.games import noisy_move
from hornbook.theories.go.reader import legal_moves, opponent, play
from hornbook.theories.go.states.diagram import print_diagram

SETS = ("hundred", "train")
"""Problems whose boards are played on."""
PLACES = {"one process": (), "Dask, {} processes": ("--on", "dask", "--workers", "{}")}


def main() -> int:
    parser = options(__doc__, positions=100_000, workers=2, seed=1)
    parser.add_argument("rules", type=Path)
    this = Study(__file__, parser.parse_args())
    given = this.given
    with TemporaryDirectory() as place:
        folder = Path(place)
        states = pyarrow.table({"state": list(positions(Random(given.seed), given.positions))})
        pyarrow.parquet.write_table(states, folder / "states.parquet")
        took, digests = {}, set()
        for name, words in PLACES.items():
            into = folder / "answers.parquet"
            command = [
                "rules",
                "match",
                "go",
                "--rules",
                str(given.rules),
                "--states",
                str(folder / "states.parquet"),
            ]
            command += ["--into", str(into), *(word.format(given.workers) for word in words)]
            began, spent = time.monotonic(), processor()
            subprocess.run(
                [sys.executable, "-m", "hornbook", *command], check=True, stdout=subprocess.DEVNULL
            )
            took[name.format(given.workers)] = time.monotonic() - began, processor() - spent
            digests.add(hashlib.sha256(into.read_bytes()).hexdigest())
        answered = pyarrow.parquet.read_table(folder / "answers.parquet")["answers"].to_pylist()
    single, _ = took["one process"]
    lines = [f"{'':<24}{'seconds':>10}{'× one process':>16}{'of the processors':>20}{'ms a position':>16}"]
    lines += [
        f"{name:<24}{wall:>10.1f}{wall / single:>16.2f}{spent:>20.1f}{1e3 * spent / given.positions:>16.2f}"
        for name, (wall, spent) in took.items()
    ]
    lines.append(
        f"\n{sum(map(bool, answered)):,} of {len(answered):,} positions have answers, "
        f"{sum(map(len, answered)):,} in all"
    )
    wrong = [] if len(digests) == 1 else ["the answers differ"]
    return this.finish("\n".join(lines) + "\n", wrong, [f"pyarrow {pyarrow.__version__}"])


def processor() -> float:
    """Return the processor seconds of the finished child processes."""
    spent = os.times()
    return spent.children_user + spent.children_system


def positions(random: Random, number: int) -> Iterator[str]:
    """Yield `number` distinct positions as diagrams."""
    boards = [problem.board for name in SETS for problem in read_problems(shipped(name))]
    seen: set[str] = set()
    while len(seen) < number:
        board = random.choice(boards)
        player, last = board.to_play or "black", None
        for _ in range(random.randint(2, 12)):
            legal = legal_moves(board, player)
            last = noisy_move(board, player, legal, last, random) if legal else None
            board, player = play(board, player, last), opponent(player)
        text = print_diagram(board)
        if text not in seen:
            seen.add(text)
            yield text


if __name__ == "__main__":
    sys.exit(main())
