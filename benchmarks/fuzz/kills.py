"""Random kills of learning into a store: no reported rule may be lost, and the file must stay intact.

A process learns from problems of Go with `hornbook learn --into` and is killed by SIGKILL at a moment drawn
from the length of an uninterrupted run. Then the store is checked as a new process finds it: the file,
fingerprints, references, a replay of every certificate. Each rule that was reported as admitted must be
present. The next process continues with the same store, until one finishes: its rules are compared with those
of an uninterrupted run, and a new store is started.

Most of the time of learning is search, so few kills fall into a transaction. There is therefore a second run
with as many kills of a process that only writes: five rules per transaction, reported after it.

The exit code is 1 if a rule was lost, a file damaged, or a transaction found in part.

Usage:

    python benchmarks/fuzz/kills.py [--kills 200] [--seed 8] [--output benchmarks/results/store-kills.txt]
"""

from __future__ import annotations

import argparse
import os
import platform
import signal
import sqlite3
import sys
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import hornbook
from hornbook import cli
from hornbook.compiler.rules.stored_rules import PROVABLE, read_rule_base
from hornbook.compiler.rules.verification import verify_all
from hornbook.kb.store import Store, StoredRule, integrity
from hornbook.kb.store.closure import load_stored
from hornbook.theories.go.problems import read_problems, shipped, write_problems

PROBLEMS = ("t0017", "t0047", "t0180", "t0150", "t0183", "t0318", "t0304", "t0371", "t0102", "t0387", "t0128")
"""Problems of one and two moves; learning from each takes tenths of a second."""
TOGETHER = 5
"""Number of rules of one transaction of the writing process."""
WRITING = 0.2
"""Maximal number of seconds before the writing process is killed."""


@dataclass
class KillTally:
    """Results of the kills."""

    kills: int = 0
    moments: Counter[str] = field(default_factory=Counter)
    reported: int = 0
    lost: list[str] = field(default_factory=list)
    damaged: list[str] = field(default_factory=list)
    replayed: int = 0
    ended: int = 0
    as_unbroken: int = 0


def start(act: Callable[[], object]) -> tuple[int, int]:
    """Return a forked process that runs a function, and the descriptor of its output."""
    read, write = os.pipe()
    child = os.fork()
    if child:
        os.close(write)
        return child, read
    try:
        os.close(read)
        os.dup2(write, 1)
        act()
        sys.stdout.flush()
        os._exit(0)
    except BaseException:  # noqa: BLE001 - the process ends here for every exception
        traceback.print_exc()
    finally:
        os._exit(1)


def killed_after(act: Callable[[], object], seconds: float | None) -> tuple[list[str], bool]:
    """Return the complete lines that a process wrote, and whether it ended before it was killed."""
    child, read = start(act)
    if seconds is not None:
        time.sleep(seconds)
        os.kill(child, signal.SIGKILL)
    with os.fdopen(read, "rb") as output:
        text_read = output.read().decode()
    _, status = os.waitpid(child, 0)
    ended = os.WIFEXITED(status)
    if ended and os.WEXITSTATUS(status):
        raise RuntimeError("the process that was to be killed failed")
    return text_read.split("\n")[:-1], ended


def learning(store: Path, problems: Path) -> Callable[[], object]:
    return lambda: cli.main(["learn", "capture", "--into", str(store), "--problems", str(problems)])


def reported_by(lines: list[str]) -> list[str]:
    return [line.split()[1] for line in lines if line.startswith("admitted ")]


def rules_of(store: Path) -> list[tuple[str, str, str]]:
    with Store(store) as found:
        return [(rule.name, rule.text, rule.state) for rule in found.rules()]


def looked_at(path: Path, reported: list[str], tally: KillTally) -> None:
    """Check for a new process: add damage, and reported rules that are missing, to the tally."""
    if not path.exists():
        tally.lost += reported
        return
    with Store(path) as store:
        tally.damaged += integrity.problems(store)
        if not store.theories():
            tally.lost += reported
            return
        there = {rule.name for rule in store.rules()}
        tally.lost += [name for name in reported if name not in there]
        known = load_stored(store.theory())
        for verdict in verify_all(read_rule_base(store, known, PROVABLE), known):
            tally.replayed += 1
            tally.damaged += [] if verdict.follows else [f"{verdict.entry.rule.name}: {verdict.reason}"]


def killed_while_learning(
    folder: Path, kills: int, names: Sequence[str], random: Random
) -> tuple[KillTally, float]:
    """Kill within the length of an uninterrupted run, each time on the state left by the previous kill."""
    problems = folder / "problems.jsonl"
    known = {problem.id: problem for problem in read_problems(shipped("train"))}
    write_problems([known[name] for name in names], problems)
    began = time.perf_counter()
    killed_after(learning(folder / "unbroken.sqlite", problems), None)
    length = time.perf_counter() - began
    expected = rules_of(folder / "unbroken.sqlite")
    tally, number, path, reported = KillTally(), 0, folder / "0.sqlite", list[str]()
    while tally.kills < kills:
        lines, ended = killed_after(learning(path, problems), random.uniform(0, length))
        new = reported_by(lines)
        reported += new
        tally.reported += len(new)
        tally.kills += not ended
        when = "after rules were reported" if new else "before a rule was reported"
        tally.moments["at its end" if ended else when] += 1
        looked_at(path, reported, tally)
        if ended:
            tally.ended += 1
            tally.as_unbroken += rules_of(path) == expected
            number, reported = number + 1, []
            path = folder / f"{number}.sqlite"
    return tally, length


def writing(path: Path) -> None:
    """Write rules without end."""
    with Store(path, "write") as store:
        first = len(store.rules())
        while True:
            with store.transaction():
                for number in range(first, first + TOGETHER):
                    store.put_rule(StoredRule(f"r_{number}", f"r_{number}: text of a rule."))
            sys.stdout.writelines(f"admitted r_{number}\n" for number in range(first, first + TOGETHER))
            sys.stdout.flush()
            first += TOGETHER


def killed_while_writing(folder: Path, kills: int, random: Random) -> KillTally:
    """Kill a process that always writes, each time on the state left by the previous kill."""
    tally, path, reported = KillTally(), folder / "written.sqlite", list[str]()
    with Store.create(path) as store:
        store.put_theory("family")
    for _ in range(kills):
        lines, _ = killed_after(lambda: writing(path), random.uniform(0, WRITING))
        new = reported_by(lines)
        reported += new
        tally.kills += 1
        tally.reported += len(new)
        with Store(path) as store:
            tally.damaged += integrity.problems(store)
            there = {rule.name for rule in store.rules()}
        tally.lost += [name for name in reported if name not in there]
        if len(there) % TOGETHER:
            tally.damaged.append(f"{len(there)} rules: a transaction is there in part")
        tally.moments["reported fewer than were kept"] += len(there) > len(reported)
        reported = sorted(there)
    return tally


def text(tally: KillTally, writing_tally: KillTally, length: float, given: argparse.Namespace) -> str:
    moments = ", ".join(f"{number} {name}" for name, number in sorted(tally.moments.items()))
    versions = (
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}, SQLite "
        f"{sqlite3.sqlite_version}"
    )
    unreported = writing_tally.moments["reported fewer than were kept"]
    return "\n".join([
        f"command: python benchmarks/fuzz/kills.py --kills {given.kills} --seed {given.seed}",
        versions,
        "",
        (f"learning from {given.problems} problems of Go, {length:.1f} s unbroken, killed at random moments "
        "of that:"),
        f"  {tally.kills} kills ({moments})",
        f"  {tally.reported} rules reported as admitted, lost: {len(tally.lost)}",
        f"  files damaged: {len(tally.damaged)}; {tally.replayed} certificates replayed after kills",
        (f"  {tally.ended} times learning came to its end, {tally.as_unbroken} times with the rules of an "
        "unbroken run"),
        "",
        f"writing without a pause, {TOGETHER} rules a transaction, killed within {WRITING} s:",
        f"  {writing_tally.kills} kills; {unreported} times more was kept than had been reported",
        f"  {writing_tally.reported} rules reported, lost: {len(writing_tally.lost)}",
        f"  files damaged, or transactions in part: {len(writing_tally.damaged)}",
        "",
    ])  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description="Kill learning into a store at random moments.")
    parser.add_argument("--kills", type=int, default=200, help="in each of the two runs")
    parser.add_argument("--seed", type=int, default=8)
    parser.add_argument("--problems", type=int, default=len(PROBLEMS), help="how many are learned from")
    parser.add_argument("--output", type=Path)
    given = parser.parse_args()
    random = Random(given.seed)
    with tempfile.TemporaryDirectory() as folder:
        tally, length = killed_while_learning(Path(folder), given.kills, PROBLEMS[: given.problems], random)
        written = killed_while_writing(Path(folder), given.kills, random)
    report = text(tally, written, length, given)
    sys.stdout.write(report)
    if given.output is not None:
        given.output.write_text(report, encoding="utf-8")
    for problem in (*tally.lost, *tally.damaged, *written.lost, *written.damaged):
        sys.stdout.write(f"{problem}\n")
    return 1 if tally.lost or tally.damaged or written.lost or written.damaged else 0


if __name__ == "__main__":
    sys.exit(main())
