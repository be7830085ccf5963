"""Compares `hornbook game plan` with pyperplan and Fast Downward on classical domains in PDDL.

    python benchmarks/games/pddl.py --folder BENCHMARKS --pyperplan PROGRAM --downward PROGRAM

BENCHMARKS has a folder for each domain, as the repository of pyperplan has: `domain.pddl` or
`domainNN.pddl`, and `taskNN.pddl`. The sample has `--most` problems of each domain, at equal distances in
the first `--part` of its problems; later problems are mostly harder. Each planner is a program of its own;
its time is that of the processor from start to end. Every plan of Hornbook is validated by `game verify`,
and plans that are optimal must have equal lengths. `--kept` names a file that keeps the runs of the other
planners, so that a second comparison takes them from there.
"""

from __future__ import annotations

import argparse
import json
import math
import re
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options

METHODS = {
    "greedy ff": (
        ("--first-plan", "--heuristic", "ff"),
        ("-s", "gbf", "-H", "hff"),
        "lazy_greedy([ff()],preferred=[ff()])",
    ),
    "greedy add": (
        ("--first-plan", "--heuristic", "add"),
        ("-s", "gbf", "-H", "hadd"),
        "lazy_greedy([add()])",
    ),
    "A* lmcut": (("--optimal",), ("-s", "astar", "-H", "lmcut"), "astar(lmcut())"),
}
"""The options of Hornbook, of pyperplan and of Fast Downward for each method."""


@dataclass(frozen=True, slots=True)
class Run:
    """A run of a planner: its processor time, and the number of actions of its plan, if it found one."""

    seconds: float
    actions: int | None


@dataclass(frozen=True, slots=True)
class PlannedTask:
    """A problem with the folder of its domain."""

    domain: Path
    problem: Path

    @property
    def name(self) -> str:
        return f"{self.problem.parent.name} {self.problem.stem.removeprefix('task')}"


def run(command: Sequence[str], plan: Path, seconds: float) -> Run:
    """Run a planner that writes a plan, for at most some seconds of processor time."""
    plan.unlink(missing_ok=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    limit = math.ceil(seconds)
    subprocess.run(
        command,
        cwd=plan.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        check=False,
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)),
    )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    if not plan.is_file():
        return Run(used, None)
    return Run(used, len(re.findall(r"^\s*\(", plan.read_text(encoding="utf-8"), re.MULTILINE)))


def tasks_of(folder: Path, names: Sequence[str], most: int, part: float) -> list[PlannedTask]:
    """Return problems of each domain at equal distances, from the first part of its problems."""
    found: list[PlannedTask] = []
    for name in names:
        problems = sorted((folder / name).glob("task*.pddl"))
        problems = problems[: math.ceil(part * len(problems))]
        number = min(most, len(problems))
        for problem in (problems[place * len(problems) // number] for place in range(number)):
            domain = folder / name / "domain.pddl"
            own = folder / name / problem.name.replace("task", "domain")
            found.append(PlannedTask(own if own.is_file() else domain, problem))
    return found


def hornbook(task: PlannedTask, method: str, plan: Path, seconds: float) -> Run:
    """Run Hornbook, and validate its plan. Raises AssertionError for a wrong plan."""
    program = [sys.executable, "-m", "hornbook"]
    files = [str(task.domain), str(task.problem)]
    own = [*program, "game", "plan", *files, *METHODS[method][0], "--seconds", str(10 * seconds)]
    found = run([*own, "--into", str(plan)], plan, seconds)
    if found.actions is not None:
        verified = subprocess.run(
            [*program, "game", "verify", *files, str(plan)], check=False, capture_output=True
        )
        assert verified.returncode == 0, (task.name, verified.stdout)
    return found


class Peers:
    """The other planners, whose runs a file may keep."""

    def __init__(self, given: argparse.Namespace, folder: Path) -> None:
        self.given, self.folder = given, folder
        self.names = ["pyperplan", "Fast Downward"] if given.downward else ["pyperplan"]
        has_runs = given.kept is not None and given.kept.is_file()
        self.kept = json.loads(given.kept.read_text(encoding="utf-8")) if has_runs else {}

    def run(self, name: str, task: PlannedTask, method: str) -> Run:
        """Run a planner, or return its run that was kept."""
        key = f"{name}, {method}, {task.name}, {self.given.seconds:g} s"
        if key not in self.kept:
            found = (self._pyperplan if name == "pyperplan" else self._downward)(task, method)
            self.kept[key] = [found.seconds, found.actions]
            if self.given.kept is not None:
                self.given.kept.write_text(json.dumps(self.kept, indent=1), encoding="utf-8")
        return Run(*self.kept[key])

    def _pyperplan(self, task: PlannedTask, method: str) -> Run:
        # It writes the plan next to the problem.
        copied = self.folder / task.problem.name
        copied.write_text(task.problem.read_text(encoding="utf-8"), encoding="utf-8")
        command = [str(self.given.pyperplan), *METHODS[method][1], str(task.domain), str(copied)]
        return run(command, copied.with_name(f"{copied.name}.soln"), self.given.seconds)

    def _downward(self, task: PlannedTask, method: str) -> Run:
        plan = self.folder / "plan.txt"
        search = [str(task.domain), str(task.problem), "--search", METHODS[method][2]]
        command = [sys.executable, str(self.given.downward), "--plan-file", str(plan), *search]
        return run(command, plan, self.given.seconds)


def main() -> int:
    parser = options(__doc__, seconds=60.0, most=2, part=1.0)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pyperplan", type=Path, required=True, help="the program pyperplan")
    parser.add_argument("--downward", type=Path, help="the program fast-downward.py")
    parser.add_argument("--kept", type=Path, help="a file for the runs of the other planners")
    parser.add_argument("--domains", nargs="+", help="the default is all")
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    given = parser.parse_args()
    study = Study(__file__, given)
    root = given.folder.resolve()
    names = given.domains or sorted(each.name for each in root.iterdir() if each.is_dir())
    tasks = tasks_of(root, names, given.most, given.part)
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = folder / "plan.txt"
        peers = Peers(given, folder)
        starts = {
            "hornbook": [sys.executable, "-m", "hornbook", "--version"],
            "pyperplan": [str(given.pyperplan), "--help"],
        }
        for each, command in starts.items():
            used = statistics.median(run(command, plan, 60).seconds for _ in range(11))
            lines.append(f"start-up of {each}: {used:.2f} s (`{command[-1]}`, median of 11)")
        for method in given.methods:
            runs: dict[str, list[Run]] = {each: [] for each in ("hornbook", *peers.names)}
            lines += ["", f"{method:<20}" + "".join(f"{each:>24}" for each in runs)]
            for task in tasks:
                runs["hornbook"].append(hornbook(task, method, plan, given.seconds))
                for each in peers.names:
                    runs[each].append(peers.run(each, task, method))
                lengths = {each[-1].actions for each in runs.values()} - {None}
                assert method != "A* lmcut" or len(lengths) <= 1, (task.name, lengths)
                lines.append(f"{task.name:<20}" + "".join(_cell(each[-1]) for each in runs.values()))
                print(lines[-1], flush=True)
            lines += list(_summary(runs))
    return study.finish("\n".join(lines) + "\n")


def _cell(each: Run) -> str:
    return f"{each.seconds:>16.2f}{'-' if each.actions is None else each.actions:>8}"


def _summary(runs: dict[str, list[Run]]) -> list[str]:
    """Return lines about the problems solved, and the ratios of the time where both planners found a plan.

    The ratios are given once more for the problems that take the other planner at least one second, because
    the start-up is most of the time of the others.
    """
    own = runs["hornbook"]
    solved = [sum(each.actions is not None for each in every) for every in runs.values()]
    lines = [f"{'solved':<20}" + "".join(f"{number:>24}" for number in solved)]
    for name, others in runs.items():
        both = [
            (one, other)
            for one, other in zip(own, others, strict=True)
            if one.actions is not None and other.actions is not None
        ]
        if name != "hornbook":
            lines.append(_ratios(f"{name} / hornbook, solved by both", both))
            slow = [(one, other) for one, other in both if other.seconds >= 1]
            lines.append(_ratios(f"of these, {name} takes at least 1 s", slow))
    return lines


def _ratios(title: str, pairs: list[tuple[Run, Run]]) -> str:
    if not pairs:
        return f"{title}: 0"
    ratios = [other.seconds / one.seconds for one, other in pairs]
    total = sum(other.seconds for _, other in pairs) / sum(one.seconds for one, _ in pairs)
    mean, median = statistics.geometric_mean(ratios), statistics.median(ratios)
    figures = f"median {median:.1f} ×, geometric mean {mean:.1f} ×, total {total:.1f} ×"
    return f"{title}: {len(pairs)}; time: {figures}"


if __name__ == "__main__":
    raise SystemExit(main())
