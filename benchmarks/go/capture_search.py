"""Cost of finding captures by search, by depth: positions searched and time per problem.

Three searches decide whether the attacker, who begins, captures. The search `exhaustive` is the reader, whose
answers are proofs. The search `alpha-beta` is a fast search of likely moves, which misses some captures. With
--gnugo the third is the reading of GNU Go (`attack` by GTP), whose positions are not comparable and are left
out. An answer agrees if it finds a capture exactly when the solution has one, with a move of the solution.

With --check the reader solves each problem again, and every difference from its solution is printed. The exit
code is 1 if there is one. If the reader finds more saving moves than are listed, this is counted separately:
the listed moves resist more than five moves.

Usage:

    python -m benchmarks.go.capture_search [FILE] [--repeat 5] [--gnugo]
        [--output benchmarks/results/capture_search.txt]
    python -m benchmarks.go.capture_search [FILE] --check
"""

from __future__ import annotations

import os
import platform
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import hornbook  # noqa: E402
from benchmarks import study  # noqa: E402
from hornbook.theories.go.problems import CaptureProblem, read_problems, shipped  # noqa: E402
from hornbook.theories.go.reader import CaptureSearch, alpha_beta  # noqa: E402
from oracles.go.gnugo_client import PROGRAM, GnuGo  # noqa: E402 - found by the line above

MOVES = 5
"""Maximal number of the attacker's moves of a capture."""
Found = tuple[int | None, int | None]
"""Capturing move, or None, and the number of positions searched, if counted."""


def exhaustive(problem: CaptureProblem) -> Found:
    reading = CaptureSearch(problem.board, problem.target)
    return reading.best_move(MOVES), reading.nodes_read


def selective(problem: CaptureProblem) -> Found:
    found = alpha_beta(problem.board, problem.target, MOVES)
    return found.move, found.nodes


def gnugo(engine: GnuGo) -> Callable[[CaptureProblem], Found]:
    def ask(problem: CaptureProblem) -> Found:
        words = engine.ask(f"attack {problem.board.name(problem.target)}").lower().split()
        captures = words[0] != "0" and len(words) > 1
        return problem.board.point(words[1]) if captures else None, None

    return ask


def set_up(engine: GnuGo, problem: CaptureProblem) -> None:
    board = problem.board
    engine.clear(problem.size)
    for point in board.points():
        if board.colours[point] != "empty":
            engine.play(board.colours[point], board.name(point))


def agrees(problem: CaptureProblem, move: int | None) -> bool:
    return move is None if problem.value == "PP" else move in problem.winning_moves


def measure(
    name: str, search: Callable[[CaptureProblem], Found], problems: list[CaptureProblem], repeat: int, engine
) -> str:
    """Return a table of one search, with a row for each depth."""
    rows = defaultdict(list)
    for problem in problems:
        if engine is not None:
            set_up(engine, problem)
        times = []
        for _ in range(repeat):
            started = time.perf_counter()
            move, nodes = search(problem)
            times.append((time.perf_counter() - started) * 1e6)
        rows[problem.depth].append((agrees(problem, move), nodes, median(times)))
    lines = [
        (
            f"{name:12}{'problems':>9}{'agree':>7}{'nodes: mean':>13}{'median':>8}{'most':>9}{'us: mean':>11}"
            f"{'median':>9}"
        )
    ]
    for depth in sorted(rows, key=lambda depth: depth or 99):
        found = rows[depth]
        nodes = [n for _, n, _ in found if n is not None]
        counted = f"{mean(nodes):>13.1f}{median(nodes):>8.0f}{max(nodes):>9}" if nodes else " " * 30
        times = [t for _, _, t in found]
        label = "none" if depth is None else str(depth)
        agree = sum(a for a, _, _ in found)
        lines.append(
            f"{label:>12}{len(found):>9}{agree:>7}{counted}{mean(times):>11.0f}{median(times):>9.0f}"
        )
    return "\n".join(lines) + "\n"


def differences(problem: CaptureProblem) -> list[str]:
    """Return the parts of a solution for which the reader's result differs."""
    reading = CaptureSearch(problem.board, problem.target)
    strict = CaptureSearch(problem.board, problem.target, ko="defender ignores")
    first, second = reading.moves_needed(MOVES), reading.moves_needed(MOVES, problem.defender)
    found = []
    if (2 * first - 1 if first else None) != problem.depth:
        found.append("depth")
    if (2 * second if second else None) != problem.depth_defender_first:
        found.append("depth_defender_first")
    # Only the moves that need no ko are listed.
    if strict.winning_moves(MOVES) != set(problem.winning_moves):
        found.append("winning_moves")
    if first and strict.winning_moves(first) != set(problem.best_moves):
        found.append("best_moves")
    if problem.saving_moves is not None:
        saving = reading.saving_moves(MOVES)
        if saving != set(problem.saving_moves):
            found.append("more saving_moves" if saving > set(problem.saving_moves) else "saving_moves")
    return found


def check(problems: list[CaptureProblem]) -> int:
    started = time.perf_counter()
    counts: Counter[str] = Counter()
    for problem in problems:
        found = differences(problem)
        counts.update(found)
        if found and found != ["more saving_moves"]:
            print(f"{problem.id}: {', '.join(found)}")
    more = counts.pop("more saving_moves", 0)
    print(
        f"{len(problems)} problems, {counts.total()} differences, {more} with more saving moves;"
        f" {time.perf_counter() - started:.1f} s"
    )
    return 1 if counts else 0


def main() -> int:
    parser = study.options(__doc__, repeat=5)
    parser.add_argument("file", nargs="?", type=Path, default=shipped("train"))
    parser.add_argument("--gnugo", action="store_true")
    parser.add_argument("--check", action="store_true")
    options = parser.parse_args()
    problems = read_problems(options.file)
    if options.check:
        return check(problems)
    head = f"hornbook {hornbook.__version__}, Python {platform.python_version()}, {platform.machine()}"
    command = f"python -m benchmarks.go.capture_search {' '.join(sys.argv[1:])}".rstrip()
    load = ", ".join(f"{average:.1f}" for average in os.getloadavg())
    head += (
        f", {os.cpu_count()} cores; other work at the same time: load {load} in the last 1, 5 and 15 minutes"
    )
    about = f"{len(problems)} problems, at most {MOVES} moves of the attacker"
    times = f"microseconds: the median of {options.repeat} for each problem"
    tables = [f"command: {command}\n{head}\n{about}; {times}\n"]
    tables.append(measure("exhaustive", exhaustive, problems, options.repeat, None))
    tables.append(measure("alpha-beta", selective, problems, options.repeat, None))
    if options.gnugo:
        assert PROGRAM is not None, "GNU Go is not installed"
        with GnuGo() as engine:
            # GNU Go caches its results, so only the first answer counts.
            about = f"GNU Go {engine.ask('version')}, by GTP, each problem asked once\n"
            tables.append(about + measure("gnugo", gnugo(engine), problems, 1, engine))
    text = "\n".join(tables)
    print(text, end="")
    if options.output:
        options.output.write_text(text, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
