"""The time of whole commands, with their start, in the first and in the second run, beside other programs.

    python -m benchmarks.language.start [--runs 9] [--output benchmarks/results/start.txt]

Each command is a process of its own, and its processor time (user and system) and its wall time are measured.
The first run has an empty cache; the second has the cache of the first. The bytecode of Hornbook is compiled
before, as by an installation. Commands take turns, so that other work on the machine affects all of them
alike. The same seven lines are asked with SWI-Prolog and clingo, if they are installed, and all answers are
compared.
"""

from __future__ import annotations

import os
import platform
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path

from benchmarks.study import ROOT, Study, options

THEORY = """\
theory seven.
sort person.
static parent(person, person).
static ancestor(person, person).
a_parent: ancestor(?a, ?b) :- parent(?a, ?b).
a_further_one: ancestor(?a, ?c) :- parent(?a, ?b), ancestor(?b, ?c).
parent(ada, ben). parent(ben, cleo). parent(ben, dan).
"""
PROLOG = """\
parent(ada, ben). parent(ben, cleo). parent(ben, dan).
ancestor(A, B) :- parent(A, B).
ancestor(A, C) :- parent(A, B), ancestor(B, C).
"""
SHOWN = "answer(X) :- ancestor(ada, X).\n#show answer/1.\n"
ANSWERS = {"ben", "cleo", "dan"}
STATE = str(ROOT / "theories/go/examples/ko.sgf")
HORNBOOK = (
    ("query seven.horn 'ancestor(ada, ?who)'", ("query", "seven.horn", "ancestor(ada, ?who)")),
    ("query family 'ancestor(ben, ?who)'", ("query", "family", "ancestor(ben, ?who)")),
    ("query go --state ko.sgf 'legal(black, ?p)'", ("query", "go", "--state", STATE, "legal(black, ?p)")),
    ("why family 'ancestor(ada, cleo)'", ("why", "family", "ancestor(ada, cleo)")),
    ("why-not family 'ancestor(dan, ?who)'", ("why-not", "family", "ancestor(dan, ?who)")),
    ("what-if go --state ko.sgf 'move(black, d4)'", ("what-if", "go", "--state", STATE, "move(black, d4)")),
    ("check seven.horn", ("check", "seven.horn")),
    ("check chess", ("check", "chess")),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """A command with its times: for each run the seconds of the processor and of the clock."""

    name: str
    run: Callable[[], tuple[float, float, str]]
    asks_for_answers: bool = False
    times: list[tuple[float, float]] = field(default_factory=list)

    def measure(self) -> None:
        cpu, wall, output = self.run()
        if self.asks_for_answers:
            found = {
                word for word in output.replace("answer(", " ").replace(")", " ").split() if word in ANSWERS
            }
            assert found == ANSWERS, output
        self.times.append((cpu, wall))

    def medians(self) -> tuple[float, float]:
        return statistics.median(t[0] for t in self.times), statistics.median(t[1] for t in self.times)


def process(line: Sequence[str], folder: Path, cache: Path) -> tuple[float, float, str]:
    """Run a command, and return its processor time, its wall time and its output."""
    environment = {**os.environ, "HORNBOOK_CACHE": str(cache), "PYTHONPATH": str(ROOT)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryFile("w+") as output:
        began = time.perf_counter()
        started = subprocess.Popen(
            line, cwd=folder, env=environment, stdout=output, stderr=subprocess.DEVNULL
        )
        _, status, used = os.wait4(started.pid, 0)
        wall = time.perf_counter() - began
        started.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        text = output.read()
    assert started.returncode in (0, 10, 30), (line, started.returncode)  # clingo has codes of its own
    return used.ru_utime + used.ru_stime, wall, text


def commands(folder: Path) -> list[Measured]:
    """Return all commands, with the files that they need in the folder."""
    (folder / "seven.horn").write_text(THEORY, encoding="utf-8")
    (folder / "seven.pl").write_text(PROLOG, encoding="utf-8")
    (folder / "seven.lp").write_text(PROLOG + SHOWN, encoding="utf-8")
    warm = folder / "warm"
    found: list[Measured] = []

    def with_empty_cache(line: Sequence[str]) -> tuple[float, float, str]:
        with tempfile.TemporaryDirectory(dir=folder) as cold:
            return process(line, folder, Path(cold))

    for name, words in HORNBOOK:
        line = (sys.executable, "-m", "hornbook", *words)
        asks = words[1] == "seven.horn" and words[0] == "query"
        process(line, folder, warm)
        found.append(Measured(f"hornbook {name}, first", lambda line=line: with_empty_cache(line), asks))
        found.append(
            Measured(f"hornbook {name}, second", lambda line=line: process(line, folder, warm), asks)
        )
    others = {"Python alone": ((sys.executable, "-c", "pass"), False)}
    if (prolog := shutil.which("swipl")) is not None:
        goal = "forall(ancestor(ada, X), (print(X), nl))"
        others["SWI-Prolog, the same seven lines"] = (
            (prolog, "-q", "-g", goal, "-t", "halt", "seven.pl"),
            True,
        )
    if find_spec("clingo") is not None:
        others["clingo, the same seven lines"] = ((sys.executable, "-m", "clingo", "seven.lp"), True)
    found += [
        Measured(name, lambda line=line: process(line, folder, warm), asks)
        for name, (line, asks) in others.items()
    ]
    return found


def main() -> int:
    study = Study(__file__, options(__doc__, runs=9).parse_args())
    with tempfile.TemporaryDirectory() as name:
        measured = commands(Path(name))
        for _ in range(study.given.runs):
            for each in measured:
                each.measure()
    rows = [(each.name, *each.medians()) for each in measured]
    machine = f"{os.cpu_count()} cores, {platform.machine()}; load {os.getloadavg()[0]:.1f}"
    lines = [
        f"{machine}; medians of {study.given.runs} runs",
        "",
        f"{'whole command':<68}{'CPU s':>8}{'wall s':>8}",
        *(f"{name:<68}{cpu:>8.3f}{wall:>8.3f}" for name, cpu, wall in rows),
    ]
    return study.finish("\n".join(lines) + "\n")


if __name__ == "__main__":
    sys.exit(main())
