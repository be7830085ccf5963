"""What it takes until learned rules answer: learning from the hundred problems of Go that ship, verifying what was learned,
reading it for the first time and again, and `solve` up to its first answer; and reading and verifying many rules.

Each command is a process of its own, timed from its start to its end; the memory of accepted proofs is empty where a file
is read for the first time. The many rules are those of Go that rest on no other, again and again under other labels, so
that each has a proof that is checked. Seconds are of the processor, medians of `--runs` runs; of learning there is
one run.

    python benchmarks/rules/reading.py [--rules RULES.horn] [--runs 5] [--many 10000] [--output FILE]

Where no `--rules` are given, the hundred are learned from, which takes a minute or so.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import count, islice
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import Entry, rule_base
from hornbook.kb.load.loader import load
from hornbook.kb.sources.cache import VARIABLE
from hornbook.theories.go.problems import read_problems, shipped, write_problems

READ = """
import sys, time
from hornbook.api.learned_rules import read_rules
from hornbook.kb.load.loader import load
theory = load("go")
began = time.process_time()
rules = read_rules(sys.argv[1], theory)
took = time.process_time() - began
assert len(rules.certified) == len(rules)
print(took)
"""
ENGINES = """
import sys, time
from pathlib import Path
from hornbook.api.learned_rules import read_rules
from hornbook.kb.load.loader import load
from hornbook.matcher.program.coded import Limits
from hornbook.theories.go.problems import read_problems
theory = load("go")
rules = read_rules(sys.argv[1], theory)
board = read_problems(Path(sys.argv[2]))[0].board
for number in range(2):
    began = time.process_time()
    # Other limits, another engine.
    rules.match(board, limits=Limits(seconds=1000.0 + number))
    print(time.process_time() - began)
"""


def spent(*command: str, cache: Path) -> tuple[float, str]:
    """The seconds of the processor that a process takes from its start to its end, and what it prints."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ran = subprocess.run(
        [sys.executable, *command],
        env={**os.environ, VARIABLE: str(cache)},
        check=True,
        capture_output=True,
        text=True,
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ran.stdout


def many(entries: list[Entry], number: int) -> Iterator[Entry]:
    """So many rules, each proved: those that rest on no other, again and again under other labels."""
    alone = [e for e in entries if e.certificate is not None and not e.certificate.lemmas]
    again = (rulebase.rename(entry, f"{entry.rule.name}_{round_}") for round_ in count(1) for entry in alone)
    return islice(again, number)


def reading(rules: Path, runs: int, cache: Path) -> Iterator[str]:
    """Rows for one file: read for the first time, and again; verified."""
    first, _ = zip(
        *(spent("-c", READ, str(rules), cache=cache / f"{rules.stem}{n}") for n in range(runs)), strict=True
    )
    own = cache / f"{rules.stem}0"
    again = [float(spent("-c", READ, str(rules), cache=own)[1]) for _ in range(runs)]
    checked = [
        spent("-m", "hornbook", "verify", str(rules), "--theory", "go", cache=own)[0] for _ in range(runs)
    ]
    yield row("read for the first time, with all that a process does", median(first))
    yield row("read again", median(again))
    yield row("`hornbook verify`", median(checked))


def row(what: str, seconds: float) -> str:
    return f"{what:<70}{seconds:>9.2f}"


def main() -> int:
    parser = options(__doc__, runs=5, many=10_000)
    parser.add_argument("--rules", type=Path)
    study = Study(__file__, given := parser.parse_args())
    lines = []
    with tempfile.TemporaryDirectory() as folder:
        here = Path(folder)
        rules, cache, one = given.rules, here / "cache", here / "one.jsonl"
        write_problems(read_problems(shipped("train"))[-1:], one)
        if rules is None:
            rules = here / "rules.horn"
            learn = ("learn", "go", "--problems", str(shipped("hundred")), "--into", str(rules))
            lines.append(
                row("`hornbook learn`, the hundred", spent("-m", "hornbook", *learn, cache=cache)[0])
            )
        theory = load("go")
        base = rulebase.read(rules, theory)
        lines += [f"{len(base)} rules of Go", *reading(rules, given.runs, cache)]
        solve = ("-m", "hornbook", "solve", "go", "--rules", str(rules), "--problems", str(one))
        own = cache / f"{rules.stem}0"
        lines.append(
            row(
                "`hornbook solve`, one problem",
                median(spent(*solve, cache=own)[0] for _ in range(given.runs)),
            )
        )
        engines = [
            spent("-c", ENGINES, str(rules), str(one), cache=own)[1].split() for _ in range(given.runs)
        ]
        lines.append(row("first match of an engine", median(float(first) for first, _ in engines)))
        lines.append(row("first match of a further engine", median(float(other) for _, other in engines)))
        if given.many:
            several = here / "many.horn"
            copies = rule_base(theory.name, many(list(base), given.many))
            rulebase.write(copies, several)
            lines += ["", f"{len(copies)} rules", *reading(several, 1, cache)]
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
