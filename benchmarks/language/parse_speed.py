"""Speed of reading a large rule base: parsing, checking, formatting, and taking its verdict from the cache.

The script makes a rule base like learned rules of Go: six to ten conditions over an imported vocabulary,
printed as the learner prints them. It takes the median over the runs of each step, and writes the table to
`benchmarks/results/parse_speed.txt`. Times are seconds of processor time, to reduce disturbances by other
work; the last two rows are whole commands with the start of Python, in wall-clock time.

Usage:

    python benchmarks/language/parse_speed.py [--lines 50000] [--runs 5] [--seed 1]
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, Constant, GameStatement, Rule, Variable  # noqa: E402
from hornbook.kb.check.theory_checks import check  # noqa: E402 - the checkout comes before what is installed
from hornbook.kb.format.formatter import format_text  # noqa: E402
from hornbook.kb.format.printer import print_rule  # noqa: E402
from hornbook.kb.load.loader import read  # noqa: E402
from hornbook.kb.parse.syntax import parse  # noqa: E402

VOCABULARY = """\
theory stones.

sort point.
sort colour = black | white | empty.
static neighbour(point, point).
static player(colour).
static opponent(colour, colour).
fluent colour(point -> colour).
fluent liberty(point, point).
fluent liberties(point -> int) counts liberty.
action move(colour, point).
derived legal(colour, point).
game take(point).

legal_beside_an_empty_point:
  legal(?c, ?p) :- player(?c), colour(?p, empty), neighbour(?p, ?q), colour(?q, empty).
"""
B, C, D, P = (Variable(name) for name in "bcdp")


def learned_rule(numbers: random.Random, name: str) -> Rule:
    """Return a rule with six to ten conditions: the block, its last liberties, and points around them."""
    body: list[Condition] = [
        Atom("colour", (B, D)),
        Atom("opponent", (C, D)),
        Atom("liberties", (B, Constant(numbers.randint(1, 4)))),
        Atom("liberty", (B, P)),
        Atom("legal", (C, P)),
    ]
    around = P
    length = numbers.randint(6, 10)
    while len(body) < length:
        point, count = Variable(f"q{len(body)}"), Variable(f"n{len(body)}")
        body.append(Atom("neighbour", (around, point)))
        match numbers.randrange(4):
            case 0:
                body.append(Atom("colour", (point, Constant(numbers.choice(("black", "white", "empty"))))))
            case 1:
                body.append(Comparison("!=", point, B))
            case 2:
                body += [
                    Atom("liberties", (point, count)),
                    Comparison(">", count, Constant(numbers.randint(1, 3))),
                ]
            case 3:
                member = Variable(f"x{len(body)}")
                condition = Atom("neighbour", (member, P))
                body.append(All((member,), Atom("liberty", (point, member)), (condition,)))
        around = point
    value = Constant(numbers.choice(("GI", "GG", "GP")))
    return Rule(GameStatement(Atom("take", (B,)), Atom("move", (C, P)), value), tuple(body), name)


def rule_base(lines: int, seed: int) -> str:
    numbers = random.Random(seed)
    rows = ["import stones.", ""]
    while len(rows) < lines:
        name = f"learned_{len(rows)}"
        rows.append(f"% from example {numbers.randrange(10_000)}, proof of {numbers.randint(4, 40)} steps")
        rows += [*print_rule(learned_rule(numbers, name)).split("\n"), ""]
    return "\n".join(rows[:-1]) + "\n"


def median(runs: int, work: Callable[[], object], clock: Callable[[], float] = time.process_time) -> float:
    times = []
    for _ in range(runs):
        started = clock()
        work()
        times.append(clock() - started)
    return statistics.median(times)


def command(file: Path, cache: Path) -> Callable[[], object]:
    """Return a function that runs `hornbook check` in a separate process."""
    environment = {**os.environ, "HORNBOOK_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    line = [sys.executable, "-m", "hornbook", "check", str(file)]
    return lambda: subprocess.run(line, env=environment, check=True, capture_output=True)


def measure(folder: Path, lines: int, runs: int, seed: int) -> list[tuple[str, float]]:
    """Return each step with its median time."""
    text = rule_base(lines, seed)
    (folder / "stones.horn").write_text(VOCABULARY, encoding="utf-8")
    file = folder / "learned.horn"
    file.write_text(text, encoding="utf-8")
    imported, parsed = parse(VOCABULARY, "stones.horn"), parse(text, "learned.horn")
    found = check([imported, parsed])
    assert not found, f"{len(found)} diagnostics, such as {found[0]}"
    # Only the first run of the command has no cached verdict; the verdict is removed before
    # each of the others.
    cold, warm = folder / "cold", folder / "warm"

    def first_time() -> object:
        for entry in cold.glob("*"):
            entry.unlink()
        return command(file, cold)()

    command(file, warm)()
    return [
        ("parse", median(runs, lambda: parse(text, "learned.horn"))),
        ("check the parsed file", median(runs, lambda: check([imported, parsed]))),
        ("read, parse and check with imports", median(runs, lambda: read(file))),
        ("format", median(1, lambda: format_text(text))),
        ("`hornbook check`, first time", median(max(1, runs // 2), first_time, time.perf_counter)),
        ("`hornbook check`, nothing changed", median(runs, command(file, warm), time.perf_counter)),
    ]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--lines", type=int, default=50_000)
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    text = rule_base(chosen.lines, chosen.seed)
    lines = text.count("\n")
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(Path(folder), chosen.lines, chosen.runs, chosen.seed)
    report = [
        (
            f"python benchmarks/language/parse_speed.py --lines {chosen.lines} --runs {chosen.runs} --seed "
            f"{chosen.seed}"
        ),
        f"Python {platform.python_version()}, {platform.machine()}",
        f"{os.cpu_count()} cores, which others use too: load {os.getloadavg()[0]:.1f}",
        f"{lines:,} lines, {len(text) / 1e6:.1f} MB, {text.count('learned_'):,} rules; medians",
        "",
        f"{'step':<36} {'seconds':>8} {'lines/s':>10}",
        *(f"{name:<36} {seconds:>8.2f} {lines / seconds:>10,.0f}" for name, seconds in rows),
    ]
    print("\n".join(report))
    results = ROOT / "benchmarks" / "results"
    results.mkdir(exist_ok=True)
    (results / "parse_speed.txt").write_text("\n".join(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
