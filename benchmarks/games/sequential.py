"""Plans for every game for one role in a folder of sheets, and proved bounds of their values.

Each sheet has a search of `--seconds`. The output per sheet is the value of the best plan found and its
number of moves (`≤` if a shorter one of this value may exist). The next column is the proved interval of the
value of an optimal plan. It also has the states visited and boards stored, the phases of the clock, and the
processor seconds before the search (reading, grounding, the machine) and for the search. The slow twin plays
each plan: it must be legal, complete and minimal, and end with its value.

The file `benchmarks/results/sequential-plans.txt` covers sheets of github.com/ggp-org/ggp-repository,
in a folder `gdl`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from pathlib import Path
from time import process_time

from benchmarks.study import Study, options
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.clauses import clauses_of
from hornbook.planner.gdl.game import Game
from hornbook.planner.gdl.kif import read
from hornbook.planner.sequential.planner import plan
from hornbook.planner.sequential.setting import setting_of
from oracles.gdl.best_plan import reward

MOST_BYTES = 6 * 2**30
MEGABYTES = 2048
LOADING = 300.0
"""Additional seconds for a sheet besides its search."""


def child(file: str, seconds: float) -> None:
    """Plan one sheet, and print the results as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    started = process_time()
    game = Game(Path(file).read_text(encoding="utf-8", errors="replace"))
    setting = setting_of(game, game.initial)
    ready = process_time()
    found = plan(game, Budget(seconds=seconds, megabytes=MEGABYTES), setting=setting)
    ended = process_time()
    if found.plan is not None:
        assert reward(game, found.plan.moves) == found.plan.value
    result = {
        "value": None if found.plan is None else found.plan.value,
        "moves": None if found.plan is None else len(found.plan.moves),
        "shortest": found.shortest,
        "most": found.most,
        "optimal": found.optimal,
        "states": found.states,
        "boards": found.boards,
        "phases": found.phases,
        "machine": type(setting.machine).__name__.removesuffix("Machine").lower(),
        "before": ready - started,
        "search": ended - ready,
    }
    print(json.dumps(result))


def line_of(name: str, found: dict[str, object]) -> str:
    value, most = found["value"], found["most"]
    length = "" if value is None else f"{'' if found['shortest'] else '≤'}{found['moves']}"
    if found["optimal"]:
        proved = "no plan" if value is None else "optimal"
    else:
        proved = f"{0 if value is None else value} to {most}"
    return (
        f"{name:<36}{'–' if value is None else value!s:>6}{length:>7}  {proved:<11}{found['states']:>12,}"
        f"{found['boards']:>11,}{found['phases']:>7}{found['before']:>9.1f}{found['search']:>9.2f}  "
        f"{found['machine']}"
    )


def is_for_one(file: Path) -> bool:
    """Return whether a sheet names one role."""
    clauses, _ = clauses_of(read(file.read_text(encoding="utf-8", errors="replace"), file.name)[0])
    return len({clause.head for clause in clauses if clause.head.name == "role"}) == 1


def planned(file: Path, seconds: float) -> dict[str, object] | str:
    """Return the results for a sheet, or the reason for missing ones."""
    command = [sys.executable, "-m", "benchmarks.games.sequential", "--child", str(file), str(seconds)]
    try:
        process = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2 * seconds + LOADING
        )
    except subprocess.TimeoutExpired:
        return f"not planned: no answer in {2 * seconds + LOADING:g} seconds"
    if process.returncode:
        return f"not planned: {(process.stderr.strip().splitlines() or ['killed'])[-1]}"
    found: dict[str, object] = json.loads(process.stdout)
    return found


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        try:
            child(sys.argv[2], float(sys.argv[3]))
        except TheoryError as problem:
            sys.exit(f"refused: {problem.diagnostics[0].message}")
        return 0
    parser = options(__doc__, seconds=60.0)
    parser.add_argument("folder", type=Path)
    given: argparse.Namespace = parser.parse_args()
    study = Study(__file__, given)
    header = f"{'sheet':<36}{'value':>6}{'moves':>7}  {'proved':<11}{'states':>12}{'boards':>11}{'phases':>7}"
    body = [f"{header}{'before s':>9}{'search s':>9}  machine"]
    wrong: list[str] = []
    sheets = optimal = 0
    for file in filter(is_for_one, sorted(given.folder.rglob("*.kif"))):
        found = planned(file, given.seconds)
        name = str(file.relative_to(given.folder).with_suffix(""))
        shown = name if len(name) < 36 else file.stem
        sheets += 1
        if isinstance(found, str):
            line = f"{shown:<36}  {found}"
            if "AssertionError" in found:
                wrong.append(line)
        else:
            line = line_of(shown, found)
            optimal += bool(found["optimal"])
        body.append(line)
        print(line, file=sys.stderr, flush=True)
    body += ["", f"{sheets} sheets for one role; the value of an optimal plan is proved on {optimal}", ""]
    return study.finish("\n".join(body), wrong, [])


if __name__ == "__main__":
    sys.exit(main())
