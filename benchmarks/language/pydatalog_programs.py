"""Share of third-party pyDatalog programs that can be imported, in whole or in part, with correct answers.

Each program of a folder (.py, .ipynb) is imported as written, and again by running it. Every predicate of the
theory is queried for all of its facts, and so is pyDatalog itself, in a process where the program has run. A
theory is *right* if all of pyDatalog's answers are there and equal, *in part* if some of them are there and
nothing else, and *wrong* otherwise. If pyDatalog itself finds no answers (it needs values, or does not
terminate), a predicate is ignored.

**It runs the programs.** The option `--each` prints a line for each; `--write` writes the counts to
benchmarks/results/pydatalog_programs.txt, without names of programs.

Usage:

    python benchmarks/language/pydatalog_programs.py FOLDER [--each] [--write]
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import statistics
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.pydatalog.importing import LEFT_OUT, import_pydatalog
from hornbook.kb.pydatalog.python_files import notebook_source
from hornbook.kb.pydatalog.running import final_program
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError

CHILD = Path(__file__).resolve().with_name("pydatalog_answers.py")
RESULTS = Path(__file__).resolve().parents[1] / "results" / "pydatalog_programs.txt"
SECONDS = 60.0
FACTS = 100_000
WRITTEN, RUN = "as it is written", "by --run"
DECLARED = re.compile(
    r"^(?:static|meta) (\S+?)\((.*?)\)(?: complete)?\.(?:  % (\S+) in pyDatalog)?$", re.MULTILINE
)
Answers = dict[str, set[tuple[object, ...]] | None]


def by_pydatalog(file: Path) -> Answers:
    """Return pyDatalog's answers for each predicate, None if it has none."""
    done = subprocess.run(
        [sys.executable, str(CHILD), str(file.resolve())], capture_output=True, text=True, check=False
    )
    found: Answers = {}
    for line in done.stdout.splitlines():
        name, rows = json.loads(line)
        found[name] = None if rows is None else {tuple(row) for row in rows}
    return found


def by_theory(theory: str) -> Answers:
    """Return the answers of a theory for each of its predicates, by pyDatalog's names."""
    base = KnowledgeBase(load_text(theory), limits=Limits(seconds=SECONDS))
    found: Answers = {}
    for name, columns, known in DECLARED.findall(theory):
        sorts = re.split(r", | -> ", columns) if columns else []
        plain = f"{name}[{len(sorts) - 1}]" if "->" in columns else f"{name}/{len(sorts)}"
        question = f"{name}({', '.join(f'?x{i}' for i in range(len(sorts)))})"
        found[known or plain] = set(base.query(question).to_tuples()) if sorts else None
    return found


def judged(theory: str, expected: Answers) -> str:
    """Return the verdict on the theory, given pyDatalog's answers."""
    found = by_theory(theory)
    known = {name: rows for name, rows in expected.items() if rows}
    shared = [(found[name], rows) for name, rows in known.items() if found.get(name) is not None]
    if any(not (mine or set()) <= rows for mine, rows in shared):
        return "wrong"
    if any(mine and rows == set() for mine, rows in ((found.get(n), r) for n, r in expected.items())):
        return "wrong"
    if (
        len(shared) == len(known)
        and all(mine == rows for mine, rows in shared)
        and f"\n{LEFT_OUT}" not in theory
    ):
        return "right" if known or "\nmeta " in theory or "\nstatic " in theory else "nothing"
    return "in part" if any(mine for mine, _ in shared) else "nothing"


def tried(text: Callable[[], str], expected: Answers, reasons: Counter[str]) -> str:
    try:
        theory = import_pydatalog(text(), "imported", "program", partial=True)
        verdict = judged(theory, expected)
    except HornbookError as problem:
        reasons[type(problem).__name__] += 1
        return "refused"
    reasons.update(
        {
            re.sub(r"`[^`]*`|\d+|where the program fails: .*", "…", line)
            for line in re.findall(f"^{LEFT_OUT}(.*)", theory, re.MULTILINE)
        }
    )
    return verdict


def both_ways(file: Path, reasons: dict[str, Counter[str]]) -> dict[str, str]:
    """Return the verdicts on a program as written and by running it."""
    text = file.read_text(encoding="utf-8")
    source = notebook_source(text, str(file)) if file.suffix == ".ipynb" else text
    expected = by_pydatalog(file)

    def run() -> str:
        return final_program(source, str(file), partial=True, seconds=SECONDS)

    ways: dict[str, Callable[[], str]] = {WRITTEN: lambda: source, RUN: run}
    return {way: tried(given, expected, reasons[way]) for way, given in ways.items()}


def speeds() -> Iterator[str]:
    """Yield the facts imported per processor second: the median of five imports of 100,000 in each shape."""
    plus = "".join(f"+ parent('p{i}', 'p{i + 1}')\n" for i in range(FACTS))
    calls = "".join(f"pyDatalog.assert_fact('parent', 'p{i}', {i})\n" for i in range(FACTS))
    start, clause = "from pyDatalog import pyDatalog\n", "ancestor(X, Y) <= parent(X, Y)\n"
    shapes = {
        "`+ parent('p1', 'p2')`, as a text": plus + clause,
        "`+ parent(p1, p2)`, as a text": plus.replace("'", "") + clause,
        "`+ parent('p1', 'p2')`, in a file of Python": start + plus + clause,
        "`pyDatalog.assert_fact('parent', 'p1', 1)`": start + calls + clause,
        "the same lines within `pyDatalog.load`": f'{start}pyDatalog.load("""\n{plus}{clause}""")\n',
        "`+ (boss['p1'] == 'p2')`, as a text": re.sub(r"parent\((\S+), (\S+)\)", r"(boss[\1] == \2)", plus),
        "`boss['p1'] = 'p2'`, as a text": re.sub(r". parent\((\S+), (\S+)\)", r"boss[\1] = \2", plus),
    }
    for shape, text in shapes.items():
        times = []
        for _ in range(5):
            started = time.process_time()
            import_pydatalog(text, "imported")
            times.append(time.process_time() - started)
        yield f"{FACTS / statistics.median(times):9,.0f} facts a second: {shape}"


def main() -> None:
    arguments = argparse.ArgumentParser()
    arguments.add_argument("folder", type=Path)
    arguments.add_argument("--each", action="store_true")
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    files = sorted(f.resolve() for f in options.folder.iterdir() if f.suffix in (".py", ".ipynb"))
    verdicts = {way: Counter[str]() for way in (WRITTEN, RUN)}
    reasons = {way: Counter[str]() for way in verdicts}
    os.chdir(options.folder)  # the programs look for their tables here
    for file in files:
        for way, verdict in both_ways(file, reasons).items():
            verdicts[way][verdict] += 1
            if options.each:
                print(f"{file.name:40} {way:18} {verdict}", flush=True)
    lines = [f"{len(files)} programs"]
    for way, counts in verdicts.items():
        summary = ", ".join(
            f"{counts[verdict]} {verdict}" for verdict in ("right", "in part", "nothing", "refused", "wrong")
        )
        lines.append(f"{way}: {summary}")
        lines += [f"  {number:3} left out: {reason}" for reason, number in reasons[way].most_common(25)]
    versions = f"Python {platform.python_version()}, pyDatalog {version('pyDatalog')}"
    report = "\n".join([versions, *lines, *speeds(), ""])
    print(report)
    if options.write:
        RESULTS.write_text(
            f"python benchmarks/language/pydatalog_programs.py FOLDER --write\n{report}", encoding="utf-8"
        )


if __name__ == "__main__":
    main()
