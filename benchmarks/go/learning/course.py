"""The course of learning: after which problems what there is, and what it answers of problems that it never saw.

Always true: no rule base is asked about a problem that it was taught, nor one that is the same but for colours,
turning and mirroring.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.go.learning.stages import MAKING_PROBLEMS, Stages
from hornbook.compiler.rules.rulebase import proofs_path
from hornbook.theories.go.problems import Problem, read_problems, shipped, write_problems
from hornbook.theories.go.problems.making.canonical import canonical

LEVELS = 2
"""Levels of a chain of matches."""
UNSEEN_SEED = 77
OWN_SEED = 1
OWN_SHARES = {5: 8, 7: 1}
"""Of how many of each depth the learner makes problems for itself, beside the others. What is shorter, the problems that ship
teach nearly all of; of those of depth 7 a quarter are proved, and each takes as long as four of depth 5.
"""


@dataclass(frozen=True, slots=True)
class Size:
    """How much is done; `parts` are the numbers of captures after which the first hundred are looked at, and `own` how many
    problems the learner makes for itself, after the last part and after all that ship. From each of the `seeds` as many
    are made as are `unseen`, and the last rules are asked about them too.
    """

    parts: tuple[int, ...] = (10, 20, 50, 100)
    shipped: int | None = None
    unseen: int = 400
    seeds: tuple[int, ...] = (20261, 31337, 601, 602, 603)
    own: int = 2250
    rest: int | None = None
    cost: int = 20
    repeat: int = 3
    failures: int = 3


QUICK = Size(parts=(4, 8), shipped=16, unseen=10, seeds=(601,), own=5, rest=8, cost=1, repeat=1, failures=1)


@dataclass(frozen=True, slots=True)
class Point:
    """One point of the course: what was learned from, and the rules that there are."""

    label: str
    rules: Path


@dataclass(frozen=True, slots=True)
class Learned:
    """What learning came to at a point: `seconds` of processor time from the beginning; of the captures that are
    learned from at this point how many were proved, and why proofs gave no rule.
    """

    point: Point
    rules: int
    bytes: int
    proof_bytes: int
    seconds: float
    captures: int
    proved: int
    refused: dict[str, int]


Rows = list[dict[str, Any]]
"""Rows as `hornbook problems grade --json` has them."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What a rule base answers of a set that it never saw, in one match and in a chain."""

    point: Point
    set: str
    levels: int
    answers: list[dict[str, Any]]
    rows: Rows
    wrong: list[dict[str, Any]]
    seconds: float


def unseen(stages: Stages, size: Size) -> Path:
    """The set that is made anew."""
    return _made(stages, "unseen", ["--number", str(size.unseen), "--seed", str(UNSEEN_SEED)], [])


def fresh(stages: Stages, size: Size) -> Iterator[tuple[str, Path]]:
    """Further sets that are made anew, each with its seed, without what may have been learned from."""
    known = _forms(shipped("train"))
    if size.own:
        known |= {canonical(problem) for problem in _own(stages, size)}
    for seed in size.seeds:
        made = _made(stages, f"made-{seed}", ["--number", str(size.unseen), "--seed", str(seed)], [])
        kept = [problem for problem in read_problems(made) if canonical(problem) not in known]
        yield str(seed), _written(stages.path(f"fresh-{seed}.jsonl"), kept)


def rest(stages: Stages, size: Size) -> Path:
    """The problems that ship and come after those of the first hundred captures."""
    known = {problem.id for problem in read_problems(shipped("hundred"))}
    found = [problem for problem in read_problems(shipped("train")) if problem.id not in known]
    return _written(stages.path("rest.jsonl"), found[: size.rest])


def course(stages: Stages, size: Size, others: Path, new: Path) -> Iterator[Learned]:
    """Learns point after point, each from the rules of the one before; what the learner makes for itself leads no further.

    Before all that ship are learned from, none of the `others` is, and nothing ever of what is `new`.
    """
    unseen = _forms(new)
    before: Learned | None = None
    for label, problems in _lessons(size):
        before = _learn(stages, label, [p for p in problems if canonical(p) not in unseen], before)
        yield before
        if size.own and label not in map(str, size.parts[:-1]):
            known = unseen if label.startswith("all") else unseen | _forms(others)
            own = [problem for problem in _own(stages, size) if canonical(problem) not in known]
            yield _learn(stages, f"{label} +{size.own} own", own, before)


def _forms(problems: Path) -> set[object]:
    """Problems in a form that is the same for all that are the same but for colours, turning and mirroring."""
    return {canonical(problem) for problem in read_problems(problems)}


def _lessons(size: Size) -> Iterator[tuple[str, list[Problem]]]:
    """The names of the points, and what each adds to learn from."""
    hundred = read_problems(shipped("hundred"))
    done = 0
    for number in size.parts:
        yield str(number), hundred[done:number]
        done = number
    # Those of the hundred that could not be proved may be so by now.
    every = read_problems(shipped("train"))[: size.shipped]
    yield f"all {len(every)}", every


def _own(stages: Stages, size: Size) -> list[Problem]:
    """What the learner makes for itself, the shorter problems first: the others are proved by what these teach."""
    found: list[Problem] = []
    for depth, share in OWN_SHARES.items():
        if number := round(size.own * share / sum(OWN_SHARES.values())):
            words = ["--number", str(number), "--seed", str(OWN_SEED), "--depths", str(depth)]
            made = read_problems(_made(stages, f"own-{depth}", words, []))
            # The names of each number count from one.
            found += [replace(problem, id=f"{problem.id}-{depth}") for problem in made]
    return found


def _made(stages: Stages, name: str, words: list[str], inputs: list[Path]) -> Path:
    path = stages.path(f"{name}.jsonl")
    words = ["problems", "go", *words, "--into", path.name]
    stages.command(f"problems-{name}", words, inputs, [path], source=MAKING_PROBLEMS)
    return path


def _written(path: Path, problems: list[Problem]) -> Path:
    write_problems(problems, path)
    return path


def _learn(stages: Stages, label: str, problems: list[Problem], before: Learned | None) -> Learned:
    name = label.replace("+", "").replace(" ", "-")
    lessons = _written(stages.path(f"lessons-{name}.jsonl"), problems)
    rules = stages.path(f"rules-{name}.horn")
    there = [] if before is None else _files(before.point.rules)

    def go_on() -> None:
        for old, new in zip(there, _files(rules), strict=False):
            shutil.copy(old, new)

    words = ["learn", "go", "--problems", lessons.name, "--into", rules.name, "--json"]
    # The exit code is 1 if these problems give no new rule.
    done = stages.command(f"learn-{name}", words, [lessons, *there], _files(rules), go_on, good=1)
    report = json.loads(done.result)
    return Learned(
        Point(label, rules),
        report["rules"],
        rules.stat().st_size,
        proofs_path(rules).stat().st_size,
        (before.seconds if before else 0) + done.processor,
        report["problems"],
        report["proved"],
        report["refused"],
    )


def _files(rules: Path) -> list[Path]:
    return [rules, proofs_path(rules)]


def ask(stages: Stages, point: Point, title: str, name: str, problems: Path, levels: int) -> Asked:
    """Has a rule base answer a set, and has the answers judged."""
    stem = f"{point.rules.stem}-{name}-{levels}"
    answers = stages.path(f"answers-{stem}.jsonl")
    words = ["solve", "go", "--rules", point.rules.name, "--problems", problems.name, "--json"]
    words += ["--levels", str(levels)] if levels else []
    done = stages.command(f"solve-{stem}", words, [*_files(point.rules), problems], [])
    answers.write_text(done.result, encoding="utf-8")
    # Wrong answers make the exit code 1; they are told in the results.
    judged = stages.command(
        f"score-{stem}", ["score", problems.name, answers.name, "--json"], [problems, answers], [], good=1
    )
    scored = json.loads(judged.result)
    lines = [json.loads(line) for line in done.result.splitlines()]
    return Asked(point, title, levels, lines, scored["rows"], scored["wrong"], done.processor)
