"""Latency of diagnostics in an editor: from a keystroke to the new diagnostics.

The script opens each file of the theory in a session with `hornbook theory lsp`, with all others closed. It
types a rule with a comment in the middle, character by character. Most of the intermediate states cannot be
parsed.
For each file, it writes the median, the 99th percentile and the maximum of the time from sending a change to
receiving the diagnostics. Times are server processor time, and wall-clock time, which other work on the
machine disturbs. At the end of each rule, the diagnostics are compared with those of a full check of the same
text. The table goes to `benchmarks/results/editing.txt`.

Usage:

    python benchmarks/language/editing.py [--theory theories/chess] [--runs 1] [--seed 1]
"""

from __future__ import annotations

import argparse
import os
import platform
import random
import statistics
import sys
import time
from importlib.metadata import version
from pathlib import Path

from lsprotocol import types as lsp

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from hornbook.kb.check.theory_checks import check  # noqa: E402 - the checkout comes before what is installed
from hornbook.kb.load.import_reader import ImportReader  # noqa: E402
from oracles.editing.editor import Editor  # noqa: E402


class _Typed(ImportReader):
    """Reader that returns one file as typed, and the others from the disk."""

    def __init__(self, path: Path, typed: str) -> None:
        super().__init__()
        self.path, self.typed = path, typed

    def text(self, path: Path) -> str:
        return self.typed if path == self.path else super().text(path)


def rules_of(text: str, numbers: random.Random, count: int) -> list[str]:
    """Return rules of a file, each with a new label and a comment."""
    blocks = [block for block in text.split("\n\n") if ":-" in block]
    clauses = [line for block in blocks for line in block.split(".\n") if ":-" in line and ":\n" in line]
    chosen = numbers.sample(clauses, min(count, len(clauses)))
    return [f"\n% written anew\nagain_{number}_{clause.strip()}.\n" for number, clause in enumerate(chosen)]


def processor(editor: Editor) -> float:
    """Return the processor milliseconds of the server, in all its threads."""
    tasks = Path(f"/proc/{editor.process}/task").glob("*/schedstat")
    return sum(int(task.read_text().split()[0]) for task in tasks) / 1e6


def type_into(editor: Editor, path: Path, uri: str, rules: list[str]) -> tuple[list[float], list[float], int]:
    """Return the wall-clock and processor milliseconds of each keystroke, and how often there
    was no diagnostic.
    """
    text = path.read_text(encoding="utf-8")
    lines = text.split("\n")
    starts = [n for n, line in enumerate(lines) if not line]
    line = min(starts, key=lambda n: abs(n - len(lines) // 2))
    before = text[: sum(len(each) + 1 for each in lines[:line])]
    clock, used, right = [], [], 0
    for rule in rules:
        at, column = line, 0
        for char in rule:
            here = lsp.Position(at, column)
            taken, started = processor(editor), time.perf_counter()
            editor.change(uri, lsp.TextDocumentContentChangePartial(lsp.Range(here, here), char))
            clock.append((time.perf_counter() - started) * 1000)
            used.append(processor(editor) - taken)
            right += not editor.diagnostics(uri)
            at, column = (at + 1, 0) if char == "\n" else (at, column + 1)
        expected = _Typed(path, before + rule + text[len(before) :]).read(path, check).diagnostics
        assert editor.codes(uri) == [(each.span.line, each.code) for each in expected], rule
        editor.replace(uri, text)
    return clock, used, right


def shown(times: list[float]) -> str:
    """Return the median, the 99th percentile and the maximum of some times."""
    late = sorted(times)[min(len(times) - 1, int(0.99 * len(times)))]
    return " ".join(f"{each:>8.1f}" for each in (statistics.median(times), late, max(times)))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--theory", default="theories/chess")
    arguments.add_argument("--runs", type=int, default=1)
    arguments.add_argument("--seed", type=int, default=1)
    chosen = arguments.parse_args()
    numbers = random.Random(chosen.seed)
    folder = (ROOT / chosen.theory).resolve()
    files = [
        path for path in sorted(folder.rglob("*.horn")) if path.read_text(encoding="utf-8").count(":-") > 2
    ]
    editor = Editor(folder)
    rows: list[tuple[str, int, list[float], list[float]]] = []
    right = 0
    for path in files:
        text = path.read_text(encoding="utf-8")
        rules = rules_of(text, numbers, chosen.runs)
        if rules:
            uri = editor.open(path)
            clock, used, well = type_into(editor, path, uri, rules)
            editor.close(uri)
            right += well
            rows.append((str(path.relative_to(folder)), text.count("\n"), used, clock))
            print(rows[-1][0], f"{statistics.median(used):.1f} {statistics.median(clock):.1f}", flush=True)
    editor.end()
    all_used, all_clock = ([each for row in rows for each in row[place]] for place in (2, 3))
    rows.append(("all", sum(row[1] for row in rows), all_used, all_clock))
    report = [
        (
            f"python benchmarks/language/editing.py --theory {chosen.theory} --runs {chosen.runs} --seed "
            f"{chosen.seed}"
        ),
        f"Python {platform.python_version()}, pygls {version('pygls')}, {platform.machine()}",
        f"{os.cpu_count()} cores, which others use too: load {os.getloadavg()[0]:.1f}",
        (
            f"{len(all_used):,} keystrokes; after {right:,} of them nothing was wrong with the text; "
            "milliseconds"
        ),
        "",
        f"{'':<24} {'':>6} {'':>6}  {'of the processor':^24}  {'by the clock':^24}",
        (
            f"{'file':<24} {'lines':>6} {'keys':>6} {'median':>8} {'p99':>8} {'most':>8} {'median':>8} "
            f"{'p99':>8} {'most':>8}"
        ),
        *(
            f"{name:<24} {lines:>6} {len(used):>6} {shown(used)} {shown(clock)}"
            for name, lines, used, clock in rows
        ),
    ]
    print("\n".join(report))
    (ROOT / "benchmarks" / "results" / "editing.txt").write_text("\n".join(report) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
