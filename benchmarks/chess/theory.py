"""Whether the theory of chess is ever wrong, and how much of what is true after a move it derives.

In the published perft positions, the legal moves that the theory derives are counted line by line. In positions of
random games, all that it says of attacks, checks and legal moves of either side is compared with the program
`chess`, and so is what it derives after some moves of each. Exit code 1 where anything is false.

    python benchmarks/chess/theory.py [--positions 5000] [--moves 3] [--seed 1] [--jobs 1]
        [--output benchmarks/results/chess-theory.txt]
"""

from __future__ import annotations

import argparse
import platform
import sys
import time
from collections import Counter
from functools import cache
from multiprocessing import Pool
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import chess

import hornbook
from oracles.chess.theory_run import PERFT, RELATIONS, Bases, Tally, bases, lines, run

PART = 20
"""Positions that one process tries before it reports."""


@cache
def theory() -> Bases:
    return bases("chess")


def part(job: tuple[int, int, int, int]) -> Tally:
    seed, number, positions, moves = job
    return run(theory(), f"{seed}.{number}", positions, moves)


def count(name: str) -> tuple[str, tuple[int, ...], tuple[int, ...], list[str]]:
    """The lines of one published position: derived, published, and where the legal moves differ."""
    fen, published = PERFT[name]
    wrong: list[str] = []
    board = chess.Board(fen)
    derived = tuple(lines(theory(), board, depth, wrong) for depth in range(1, len(published) + 1))
    return name, derived, published, wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--positions", type=int, default=5_000)
    parser.add_argument("--moves", type=int, default=3, help="legal moves that are tried in each position")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    began = time.monotonic()
    starts = range(0, arguments.positions, PART)
    jobs = [
        (arguments.seed, number, min(PART, arguments.positions - start), arguments.moves)
        for number, start in enumerate(starts)
    ]
    total = Tally()
    with Pool(arguments.jobs) as pool:
        counted = pool.map(count, PERFT, chunksize=1)
        for tally in pool.imap(part, jobs):
            total.add(tally)
    command = (
        f"python benchmarks/chess/theory.py --positions {arguments.positions}"
        f" --moves {arguments.moves} --seed {arguments.seed}"
    )
    text = (
        f"command: {command}\n"
        f"hornbook {hornbook.__version__}, chess {chess.__version__}, Python {platform.python_version()};"
        f" {time.monotonic() - began:.0f} seconds with {arguments.jobs} processes\n\n"
        f"{report_of_lines(counted)}\n{report(total)}"
    )
    print(text)
    wrong = [*total.false, *total.wrong, *total.not_framed, *(fen for *_, where in counted for fen in where)]
    for case in wrong[:3]:
        print(case)
    if arguments.output:
        arguments.output.write_text(text, encoding="utf-8")
    return 1 if wrong or any(derived != published for _, derived, published, _ in counted) else 0


def report_of_lines(counted: list[tuple[str, tuple[int, ...], tuple[int, ...], list[str]]]) -> str:
    rows = [f"{'lines of legal moves':<22}{'derived':>22}{'published':>22}"]
    for name, derived, published, _ in counted:
        rows.append(f"{name:<22}{spaced(derived):>22}{spaced(published):>22}")
    return "\n".join(rows) + "\n"


def spaced(numbers: tuple[int, ...]) -> str:
    return " ".join(map(str, numbers))


def report(total: Tally) -> str:
    missing = Counter[str]()
    for (relation, _), number in total.missing.items():
        missing[relation] += number
    whole = total.true.total()
    rows = [
        f"{total.positions} positions, {total.kinds.total()} moves, {total.concluded} facts derived after them",
        f"said of a position and not so, or so and not said: {len(total.wrong)}",
        f"derived after a move and false: {len(total.false)}",
        f"changes that a frame does not allow: {len(total.not_framed)}",
        f"true after a move and derived: {share(whole - missing.total(), whole)}",
        spent(total),
        "",
        f"{'after-facts':<14}{'true':>12}{'derived':>12}",
    ]
    for relation in RELATIONS:
        true = total.true[relation]
        rows.append(f"{relation:<14}{true:>12}{share(true - missing[relation], true):>12}")
    rows += ["", f"{'kind of move':<24}{'moves':>9}{'not derived':>13}"]
    for kind, number in sorted(total.kinds.items()):
        gaps = sum(n for (_, of), n in total.missing.items() if of == kind)
        rows.append(f"{kind:<24}{number:>9}{gaps:>13}")
    return "\n".join(rows) + "\n"


def spent(total: Tally) -> str:
    position, move = total.before / total.positions, total.after / max(1, total.kinds.total())
    return f"processor: {1000 * position:.2f} ms a position, {1000 * move:.2f} ms a move"


def share(part_of: int, whole: int) -> str:
    """In percent; 100% only where nothing is missing."""
    if part_of == whole:
        return "100%"
    return f"{min(99.99, 100 * part_of / whole):.2f}%"


if __name__ == "__main__":
    sys.exit(main())
