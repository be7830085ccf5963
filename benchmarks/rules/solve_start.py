"""The start of `hornbook problems solve`: many rules of Go that were read before, and one or many problems.

Each command is a separate process, measured from its start to its end: once with an empty cache, and then
with the cache that this run has filled. Seconds are processor time, medians of `--runs` runs. Bytecode is
compiled, as after the first run of an installed program. Each problem is a new position.

The last part is one process that has read the rules: the time of its first position, and of further new
positions, each matched once.

Without `--rules`, they are learned from those shipped problems that the attacker can solve, which takes some
minutes. The study fails if the answers with and without the cache differ.

Usage:

    python benchmarks/rules/solve_start.py [--rules RULES.horn] [--runs 5] [--output FILE]
"""

from __future__ import annotations

import os
import re
import resource
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.study import Study, options
from hornbook.kb.sources.cache import VARIABLE
from hornbook.theories.go.problems import read_problems, shipped, write_problems

POSITIONS = """
import sys, time
from pathlib import Path
from hornbook.compiler.match.position import SharedRules
from hornbook.compiler.match.ready_cache import matching_key
from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.sources.collector import lasting_objects
with lasting_objects():
    theory = load("go")
    entries = [entry for entry in rulebase.read(Path(sys.argv[1]), theory) if entry.is_certified]
    rules = [entry.rule for entry in entries]
    solver = ProblemSolver(theory, rules, None, SharedRules(key=matching_key(entries, theory)))
    problems = solver.domain.read_problems(Path(sys.argv[2]))
for problem in problems:
    began = time.process_time()
    solver.solve(problem)
    print(time.process_time() - began)
"""


class Commands:
    """Commands in processes of their own, with a cache, and with bytecode in a temporary folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._environment = {**os.environ, "PYTHONPYCACHEPREFIX": str(folder / "bytecode")}
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def run(self, *command: str, cache: str) -> tuple[float, str]:
        """Return the processor seconds of a command, and its output."""
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        ran = subprocess.run(
            [sys.executable, *command],
            env={**self._environment, VARIABLE: str(self.folder / cache)},
            check=True,
            capture_output=True,
            text=True,
        )
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, ran.stdout

    def hornbook(self, *command: str, cache: str) -> tuple[float, str]:
        return self.run("-m", "hornbook", *command, cache=cache)


def row(what: str, number: float, unit: str = "s") -> str:
    return f"{what:<70}{number:>9.2f} {unit}"


def main() -> int:
    parser = options(__doc__, runs=5)
    parser.add_argument("--rules", type=Path)
    study = Study(__file__, given := parser.parse_args())
    wrong: list[str] = []
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        commands, rules = Commands(folder), given.rules
        problems = read_problems(shipped("train"))
        one, every = folder / "one.jsonl", folder / "every.jsonl"
        write_problems(problems[:1], one)
        write_problems(problems, every)
        if rules is None:
            rules, solvable = folder / "rules.horn", folder / "solvable.jsonl"
            write_problems([problem for problem in problems if problem.value != "PP"], solvable)
            learn = ("learn", "go", "--problems", str(solvable), "--into", str(rules))
            commands.hornbook(*learn, cache="learning")
        commands.hornbook("problems", "solve", "--help", cache="other")  # writes the bytecode
        lines = []
        for of, file in (("1 problem", one), (f"{len(problems)} problems", every)):
            solve = ("problems", "solve", "go", "--rules", str(rules), "--problems", str(file))
            cold, answers = commands.hornbook(*solve, cache=file.stem)
            warm = [commands.hornbook(*solve, cache=file.stem) for _ in range(given.runs)]
            lines.append(row(f"{of}, the cache is empty", cold))
            lines.append(row(f"{of}, the rules were read before", median(seconds for seconds, _ in warm)))
            if any(output != answers for _, output in warm):
                wrong.append(f"{of}: the cache changes the answers")
        read = [
            [
                float(each)
                for each in commands.run("-c", POSITIONS, str(rules), str(every), cache="every")[1].split()
            ]
            for _ in range(given.runs)
        ]
        number = len(re.findall(r"^\w+:$", rules.read_text(), re.MULTILINE))
        lines += [
            "",
            row(
                "first position of a process that has read the rules", 1000 * median(t[0] for t in read), "ms"
            ),
            row("the second position", 1000 * median(t[1] for t in read), "ms"),
            row("further positions, the median", 1000 * median(median(t[2:]) for t in read), "ms"),
        ]
    return study.finish("\n".join([f"{number} rules of Go", *lines]) + "\n", wrong)


if __name__ == "__main__":
    sys.exit(main())
