"""Compares `hornbook game plan` with pyperplan and Fast Downward on classical domains in PDDL.

    python benchmarks/games/pddl.py --folder BENCHMARKS --pyperplan PROGRAM --downward PROGRAM

BENCHMARKS has a folder for each domain, as the repository of pyperplan has: `domain.pddl` or
`domainNN.pddl`, and `taskNN.pddl`. Each planner is a program of its own; its time is that of the processor
from start to end. Every plan of Hornbook is validated by `game verify`. The start-up is that of
`hornbook --version` and of `pyperplan --help`.
"""

from __future__ import annotations

import math
import re
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

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


def tasks_of(folder: Path, names: Sequence[str], most: int) -> list[PlannedTask]:
    """Return the first problems of each domain."""
    found: list[PlannedTask] = []
    for name in names:
        for problem in sorted((folder / name).glob("task*.pddl"))[:most]:
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


def main() -> int:
    parser = options(__doc__, seconds=10.0, most=5)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--pyperplan", type=Path, required=True, help="the program pyperplan")
    parser.add_argument("--downward", type=Path, help="the program fast-downward.py")
    parser.add_argument("--domains", nargs="+", required=True)
    parser.add_argument("--methods", nargs="+", default=list(METHODS), choices=list(METHODS))
    given = parser.parse_args()
    study = Study(__file__, given)
    tasks = tasks_of(given.folder.resolve(), given.domains, given.most)
    lines: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        plan = folder / "plan.txt"
        start = {
            "hornbook": run([sys.executable, "-m", "hornbook", "--version"], plan, 60).seconds,
            "pyperplan": run([str(given.pyperplan), "--help"], plan, 60).seconds,
        }
        lines.append("start-up: " + ", ".join(f"{each} {used:.2f} s" for each, used in start.items()))
        for method in given.methods:
            _, peer, downward = METHODS[method]
            runs: dict[str, list[Run]] = {"hornbook": [], "pyperplan": []}
            if given.downward:
                runs["Fast Downward"] = []
            lines += ["", f"{method:<20}" + "".join(f"{each:>24}" for each in runs)]
            for task in tasks:
                runs["hornbook"].append(hornbook(task, method, plan, given.seconds))
                copied = folder / task.problem.name
                copied.write_text(task.problem.read_text(encoding="utf-8"), encoding="utf-8")
                # It writes the plan next to the problem.
                command = [str(given.pyperplan), *peer, str(task.domain), str(copied)]
                runs["pyperplan"].append(run(command, copied.with_name(f"{copied.name}.soln"), given.seconds))
                if given.downward:
                    search = [str(task.domain), str(task.problem), "--search", downward]
                    command = [sys.executable, str(given.downward), "--plan-file", str(plan), *search]
                    runs["Fast Downward"].append(run(command, plan, given.seconds))
                lines.append(f"{task.name:<20}" + "".join(_cell(each[-1]) for each in runs.values()))
                print(lines[-1], flush=True)
            lines += list(_summary(runs))
    return study.finish("\n".join(lines) + "\n")


def _cell(each: Run) -> str:
    return f"{each.seconds:>16.2f}{'-' if each.actions is None else each.actions:>8}"


def _summary(runs: dict[str, list[Run]]) -> list[str]:
    """Return lines about the problems solved, and the ratios of the time where both planners found a plan."""
    own = runs["hornbook"]
    solved = [sum(each.actions is not None for each in every) for every in runs.values()]
    lines = [f"{'solved':<20}" + "".join(f"{number:>24}" for number in solved)]
    for name, others in runs.items():
        both = [
            (one, other)
            for one, other in zip(own, others, strict=True)
            if one.actions is not None and other.actions is not None
        ]
        if name != "hornbook" and both:
            total = sum(other.seconds for _, other in both) / sum(one.seconds for one, _ in both)
            mean = math.exp(sum(math.log(other.seconds / one.seconds) for one, other in both) / len(both))
            of_both = f"{name} / hornbook, {len(both)} solved by both"
            lines.append(f"{of_both}: total time {total:.1f} ×, geometric mean {mean:.1f} ×")
    return lines


if __name__ == "__main__":
    raise SystemExit(main())
