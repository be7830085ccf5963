"""Cost of an edit of a theory for its learned rules: `verify --renew` against a full `verify`.

The theory of Go is copied, the rules are learned from a hundred problems with the copy (unless they are
given), and each edit is made separately. The edits are a comment; the transition rule that most proofs use,
and one that few do; a rule that no proof uses; and the removal of a rule, so that its dependents are retired.
Seconds are processor time, the median of some runs; reading the rules and their proofs is part of both and
also listed separately. The exit code is 1 if a full run rejects a kept rule.

Usage:

    python benchmarks/rules/renew.py [--rules RULES.horn] [--repeat 3] [--output benchmarks/results/renew.txt]
"""

from __future__ import annotations

import argparse
import os
import platform
import re
import shutil
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TypeVar

import hornbook
from hornbook import cli, theories
from hornbook.compiler.maintain.renewal import Renewed, renew_rules
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.verification import verify_all
from hornbook.inputs.theories import load
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import VARIABLE
from hornbook.kb.sources.proofs import proofs_path
from hornbook.theories.go.problems import shipped

Made = TypeVar("Made")
RARE = 3
"""Maximal number of proofs that use a rarely used rule."""
FALLS = "two_blocks_are_one"
"""Rule without which some rules of the hundred problems do not follow."""


def copied(folder: Path) -> Path:
    """Return the theory of Go as files of one folder, where imports of its parts lead to the copies."""
    place = Path(theories.__file__).parent / "go"
    folder.mkdir()
    parts = (place / name / f"{name}.horn" for name in ("capture", "safety"))
    for file in (*place.glob("*.horn"), *place.glob("parts/*.horn"), *parts, place / "domain.py"):
        shutil.copy(file, folder)
    return folder / "go.horn"


def timed(repeat: int, make: Callable[[], Made]) -> tuple[Made, float]:
    """Return a result, and the median of its processor seconds."""
    taken = []
    for _ in range(repeat):
        began = time.process_time()
        made = make()
        taken.append(time.process_time() - began)
    return made, statistics.median(taken)


def named_by(rules: Path, theory: Path) -> Counter[str]:
    """Return the number of rules whose proofs name each rule of the theory."""
    known = load(theory)
    found = Counter({rule.name: 0 for rule in known.rules})
    for entry in rulebase.read(rules, known, verify=False):
        assert entry.certificate is not None
        names = (name.partition(" ") for name, _ in entry.certificate.fingerprints)
        found.update(name for kind, _, name in names if kind == "rule")
    return found


def rewritten(folder: Path, rule: str, new: Callable[[str], str]) -> Callable[[], None]:
    """Rewrite one rule of the theory in its file, and return the function that undoes it."""
    for file in folder.glob("*.horn"):
        text = file.read_text(encoding="utf-8")
        there = re.search(rf"^{rule}:\n(  .*\n)+", text, re.MULTILINE)
        if there is not None:
            file.write_text(text.replace(there[0], new(there[0])), encoding="utf-8")
            return partial(_put_back, file, text)
    raise SystemExit(f"the theory has no rule `{rule}`")


def _put_back(file: Path, text: str) -> None:
    file.write_text(text, encoding="utf-8")


def asking_more(rule: str) -> str:
    """Return the rule with an additional condition that always holds."""
    return rule.rstrip().removesuffix(".") + ", player(black).\n"


def commented(rule: str) -> str:
    return "% An edit that says nothing.\n" + rule


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--rules", type=Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--output", type=Path)
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        # Earlier verdicts are not cached here.
        os.environ[VARIABLE] = str(folder / "cache")
        theory, rules = copied(folder / "go"), folder / "rules.horn"
        if given.rules is None:
            command = ["learn", str(theory), "--problems", str(shipped("hundred")), "--into", str(rules)]
            if cli.main(command) != 0:
                return 1
        else:
            shutil.copy(given.rules, rules)
            shutil.copy(proofs_path(given.rules), proofs_path(rules))
        text, refused = measured(theory, rules, given.repeat)
    rules_given = "" if given.rules is None else f"--rules {given.rules.name} "
    head = (
        f"command: python benchmarks/rules/renew.py {rules_given}--repeat {given.repeat}\n"
        f"hornbook {hornbook.__version__}, Python {platform.python_version()}; processor seconds, medians\n\n"
    )
    text = head + text
    print(text)
    if given.output is not None:
        given.output.write_text(text, encoding="utf-8")
    return 1 if refused else 0


def measured(theory: Path, rules: Path, repeat: int) -> tuple[str, int]:
    """Return the table, and the number of rules that a full run rejected."""
    uses = named_by(rules, theory)
    known = load(theory)
    moves = [r.name for r in known.rules if isinstance(r.head, Atom) and r.head.tense == "after"]
    most = max(moves, key=lambda name: uses[name])
    rare = next(name for name in moves if uses[name] == RARE)
    unused = next(name for name in moves if uses[name] == 0)
    _, first = timed(1, lambda: rulebase.read(rules, known))
    base, reading = timed(repeat, lambda: rulebase.read(rules, known))
    verdicts, full = timed(repeat, lambda: list(verify_all(base, known)))
    follow = sum(verdict.follows for verdict in verdicts)
    columns = (f"{word:>9}" for word in ("untouched", "renewed", "retired", "replays", "seconds"))
    lines = [
        f"{len(base)} rules, of which {follow} follow",
        f"reading them and their proofs takes {reading:.1f} s, a full verify {full:.1f} s more",
        f"the first time, when all are replayed before they answer, reading takes {first:.1f} s",
        "",
        f"{'edit':42}{' '.join(columns)}   beside",
    ]
    edits = [
        ("none", most, lambda rule: rule),
        ("a comment", most, commented),
        (f"a transition rule that {uses[most]} proofs name", most, asking_more),
        (f"a transition rule that {uses[rare]} proofs name", rare, asking_more),
        ("a rule that no proof names", unused, asking_more),
        (
            f"a rule that {uses[FALLS]} proof{'s' if uses[FALLS] != 1 else ''} name taken out",
            FALLS,
            lambda _: "",
        ),
    ]
    refused = 0
    for title, rule, edit in edits:
        take_back = rewritten(theory.parent, rule, edit)
        now = load(theory)
        found, seconds = timed(repeat, partial(renewal, rules, now))
        refused += sum(not verdict.follows for verdict in verify_all(found.base, now))
        lines.append(row(title, found, seconds, reading + full))
        take_back()
    lines += ["", "seconds: renewing, reading included; beside: a full verify, reading included"]
    lines.append(f"refused by a full verify of what was kept: {refused}")
    return "\n".join(lines) + "\n", refused


def renewal(rules: Path, theory: Theory) -> Renewed:
    """Return the result of renewing a file of rules, without writing it."""
    base, misfits = rulebase.read_older(rules, theory)
    return renew_rules(base, theory, misfits)


def row(title: str, found: Renewed, seconds: float, full_seconds: float) -> str:
    states = Counter(fate.state for fate in found.fates)
    counts = [states[state] for state in ("untouched", "renewed", "retired")]
    columns = (f"{count:>9}" for count in (*counts, found.replayed))
    return f"{title:42}{' '.join(columns)} {seconds:>9.2f}{full_seconds:>9.2f}"


if __name__ == "__main__":
    sys.exit(main())
