"""Correctness of the theory of chess, and the share of true facts after a move that it derives.

In the published perft positions, the legal moves that the theory derives are counted line by line. In
positions of random games, all its facts about attacks, checks and legal moves of either side are compared
with the library `chess`. The facts derived after some moves of each are compared too. The exit code is 1 if
any fact is false.

Usage:

    python benchmarks/chess/theory.py [--positions 5000] [--moves 3] [--seed 1] [--jobs 1]
        [--output benchmarks/results/chess-theory.txt]
"""

from __future__ import annotations

import sys
from functools import cache
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

from benchmarks import study
from oracles.chess.theory_run import PERFT, RELATIONS, Bases, ChessTheoryTally, bases, lines, run

PART = 20
"""Number of positions that one process tries before it reports."""


@cache
def theory() -> Bases:
    return bases("chess")


def part(job: tuple[int, int, int, int]) -> ChessTheoryTally:
    seed, number, positions, moves = job
    return run(theory(), f"{seed}.{number}", positions, moves)


def count(name: str) -> tuple[str, tuple[int, ...], tuple[int, ...], list[str]]:
    """Return the counts of one published position: derived, published, and the differences in legal moves."""
    fen, published = PERFT[name]
    wrong: list[str] = []
    board = chess.Board(fen)
    derived = tuple(lines(theory(), board, depth, wrong) for depth in range(1, len(published) + 1))
    return name, derived, published, wrong


def main() -> int:
    parser = study.options(__doc__, positions=5_000, moves=3, seed=1, jobs=1)
    given = parser.parse_args()
    this = study.Study(__file__, given)
    with Pool(given.jobs) as pool:
        counted = pool.map(count, PERFT, chunksize=1)
    jobs = ((*job, given.moves) for job in this.parts(given.positions, PART))
    total = this.shared(part, jobs, ChessTheoryTally())
    wrong = [*total.false, *total.wrong, *total.not_framed, *(fen for *_, where in counted for fen in where)]
    wrong += [f"{name}: {derived}" for name, derived, published, _ in counted if derived != published]
    text = f"{report_of_lines(counted)}\n{report(total)}"
    return this.finish(text, wrong, [f"chess {chess.__version__}"])


def report_of_lines(counted: list[tuple[str, tuple[int, ...], tuple[int, ...], list[str]]]) -> str:
    rows = [f"{'lines of legal moves':<22}{'derived':>22}{'published':>22}"]
    for name, derived, published, _ in counted:
        rows.append(f"{name:<22}{spaced(derived):>22}{spaced(published):>22}")
    return "\n".join(rows) + "\n"


def spaced(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def report(total: ChessTheoryTally) -> str:
    whole = total.true.total()
    rows = [
        (
            f"{total.positions} positions, {total.kinds.total()} moves, {total.concluded} facts "
            "derived after them"
        ),
        f"said of a position and not so, or so and not said: {len(total.wrong)}",
        f"derived after a move and false: {len(total.false)}",
        f"changes that a frame does not allow: {len(total.not_framed)}",
        f"true after a move and derived: {study.share(whole - total.missing.total(), whole)}",
        spent(total),
        "",
        *study.by_relation(RELATIONS, total.true, total.missing),
        "",
        *study.by_kind(total.kinds, total.missing, ("kind of move", "moves"), (24, 9, 13)),
    ]
    return "\n".join(rows) + "\n"


def spent(total: ChessTheoryTally) -> str:
    position, move = total.before / total.positions, total.after / max(1, total.kinds.total())
    return f"processor: {1000 * position:.2f} ms a position, {1000 * move:.2f} ms a move"


if __name__ == "__main__":
    sys.exit(main())
