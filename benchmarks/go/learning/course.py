"""Course of learning: the rules after each set of problems, and their answers to unseen problems.

Invariants: no rule base answers a problem that it was taught, or one that is equal up to colours,
rotation and reflection.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from benchmarks.go.learning.stages import MAKING_PROBLEMS, Stages
from hornbook.kb.sources.proofs import proofs_path
from hornbook.theories.go.problems import CaptureProblem, read_problems, shipped, write_problems
from hornbook.theories.go.problems.making.canonical import canonical

LEVELS = 2
"""Number of levels of a chain of matches."""
UNSEEN_SEED = 77
OWN_SEED = 1
OWN_SHARES = {5: 8, 7: 1}
"""Shares of the depths among the problems that the learner generates itself.

The shipped problems teach nearly all shorter ones. A quarter of those of depth 7 are proved, and each takes
as long as four of depth 5.
"""


@dataclass(frozen=True, slots=True)
class Size:
    """Sizes of the experiment.

    The rules are examined after each of the numbers of captures in `parts`. The learner generates `own`
    problems itself, after the last part and after all shipped problems. From each of the `seeds`, `unseen`
    problems are generated, and the last rules answer these too.
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
    """Point of the course: the problems learned from, and the rules."""

    label: str
    rules: Path


@dataclass(frozen=True, slots=True)
class LearningPoint:
    """Results of learning at a point.

    They are the processor `seconds` from the beginning, the captures learned from at this point with the
    number of proved ones, and the reasons why proofs gave no rule.
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
"""Rows in the format of `hornbook problems grade --json`."""


@dataclass(frozen=True, slots=True)
class AnsweredSet:
    """Answers of a rule base to an unseen set, in one match and in a chain."""

    point: Point
    set: str
    levels: int
    answers: list[dict[str, Any]]
    rows: Rows
    wrong: list[dict[str, Any]]
    seconds: float


def unseen(stages: Stages, size: Size) -> Path:
    """Return the newly generated set."""
    return _made(stages, "unseen", ["--number", str(size.unseen), "--seed", str(UNSEEN_SEED)], [])


def fresh(stages: Stages, size: Size) -> Iterator[tuple[str, Path]]:
    """Yield further new sets, each with its seed, without problems that may have been learned from."""
    known = _forms(shipped("train"))
    if size.own:
        known |= {canonical(problem) for problem in _own(stages, size)}
    for seed in size.seeds:
        made = _made(stages, f"made-{seed}", ["--number", str(size.unseen), "--seed", str(seed)], [])
        remaining = [problem for problem in read_problems(made) if canonical(problem) not in known]
        yield str(seed), _written(stages.path(f"fresh-{seed}.jsonl"), remaining)


def rest(stages: Stages, size: Size) -> Path:
    """Return the shipped problems after those of the first hundred captures."""
    known = {problem.id for problem in read_problems(shipped("hundred"))}
    found = [problem for problem in read_problems(shipped("train")) if problem.id not in known]
    return _written(stages.path("rest.jsonl"), found[: size.rest])


def course(stages: Stages, size: Size, others: Path, new: Path) -> Iterator[LearningPoint]:
    """Yield the results of learning point after point, each from the rules of the previous one.

    Rules from self-generated problems are not continued. The `others` are not learned from before all shipped
    problems, and the `new` ones never.
    """
    unseen = _forms(new)
    before: LearningPoint | None = None
    for label, problems in _lessons(size):
        before = _learn(stages, label, [p for p in problems if canonical(p) not in unseen], before)
        yield before
        if size.own and label not in map(str, size.parts[:-1]):
            known = unseen if label.startswith("all") else unseen | _forms(others)
            own = [problem for problem in _own(stages, size) if canonical(problem) not in known]
            yield _learn(stages, f"{label} +{size.own} own", own, before)


def _forms(problems: Path) -> set[object]:
    """Return the problems in a form that is invariant under colours, rotation and reflection."""
    return {canonical(problem) for problem in read_problems(problems)}


def _lessons(size: Size) -> Iterator[tuple[str, list[CaptureProblem]]]:
    """Yield the names of the points, and the problems that each adds."""
    hundred = read_problems(shipped("hundred"))
    done = 0
    for number in size.parts:
        yield str(number), hundred[done:number]
        done = number
    # Some of the hundred that could not be proved may be provable by now.
    every = read_problems(shipped("train"))[: size.shipped]
    yield f"all {len(every)}", every


def _own(stages: Stages, size: Size) -> list[CaptureProblem]:
    """Return the self-generated problems, the shorter ones first, because the others are proved with them."""
    found: list[CaptureProblem] = []
    for depth, share in OWN_SHARES.items():
        if number := round(size.own * share / sum(OWN_SHARES.values())):
            words = ["--number", str(number), "--seed", str(OWN_SEED), "--depths", str(depth)]
            made = read_problems(_made(stages, f"own-{depth}", words, []))
            # The names of each number start at one.
            found += [replace(problem, id=f"{problem.id}-{depth}") for problem in made]
    return found


def _made(stages: Stages, name: str, words: list[str], inputs: list[Path]) -> Path:
    path = stages.path(f"{name}.jsonl")
    words = ["problems", "generate", "go", *words, "--into", path.name]
    stages.command(f"problems-{name}", words, inputs, [path], source=MAKING_PROBLEMS)
    return path


def _written(path: Path, problems: list[CaptureProblem]) -> Path:
    write_problems(problems, path)
    return path


def _learn(
    stages: Stages, label: str, problems: list[CaptureProblem], before: LearningPoint | None
) -> LearningPoint:
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
    return LearningPoint(
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


def ask(stages: Stages, point: Point, title: str, name: str, problems: Path, levels: int) -> AnsweredSet:
    """Answer a set with a rule base, and score the answers."""
    stem = f"{point.rules.stem}-{name}-{levels}"
    answers = stages.path(f"answers-{stem}.jsonl")
    words = ["problems", "solve", "go", "--rules", point.rules.name, "--problems", problems.name, "--json"]
    words += ["--levels", str(levels)] if levels else []
    done = stages.command(f"solve-{stem}", words, [*_files(point.rules), problems], [])
    answers.write_text(done.result, encoding="utf-8")
    # The exit code is 1 if an answer is wrong; the results report it.
    judged = stages.command(
        f"score-{stem}",
        ["problems", "grade", problems.name, answers.name, "--json"],
        [problems, answers],
        [],
        good=1,
    )
    scored = json.loads(judged.result)
    lines = [json.loads(line) for line in done.result.splitlines()]
    return AnsweredSet(point, title, levels, lines, scored["rows"], scored["wrong"], done.processor)
