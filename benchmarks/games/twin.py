"""Compares the slow twin with SWI-Prolog on every sheet of a folder: random games, and in each state all that is said.

With `--of network` the compiled network plays instead of the twin, and with `--by twin` the twin judges instead of SWI-Prolog.
`--games` bounds the games of a sheet and `--most` its seconds. Per sheet: games (and those played to the end), states
compared, states that each of the two tells in a processor second, through terms, and `equal` or the first difference.

`benchmarks/results/gdl-twin.txt`, `gdl-network-prolog.txt` and `gdl-network-twin.txt` there are of sheets of github.com/ggp-org/ggp-repository, in a folder `gdl`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from contextlib import nullcontext
from dataclasses import asdict
from pathlib import Path
from random import Random

from benchmarks.study import Study, options
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.network import NetworkMachine
from oracles.gdl.machine_game import MachineGame
from oracles.gdl.prolog_game import SWIPL, Late, PrologGame
from oracles.gdl.side_by_side import Compared, TwinJudge, side_by_side

MOST_BYTES = 4 * 2**30
LOADING = 200.0
LIMITS = Limits(facts=10_000_000, seconds=LOADING, bytes=2 * 2**30)
"""Seconds that a sheet may take besides those of its games."""


def child(file: str, seed: str, games: int, most: float, of: str, by: str) -> None:
    """Compares one sheet, and prints what was found as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    try:
        twin = Game(text)
        game = MachineGame(NetworkMachine(ground(twin.program, LIMITS))) if of == "network" else twin
        with nullcontext(TwinJudge(twin)) if by == "twin" else PrologGame(text) as other:
            found = side_by_side(game, other, Random(seed), games, most)
    except Late:
        found = Compared(difference="not compared: SWI-Prolog gives no answer in a minute")
    except TooLarge as problem:
        found = Compared(difference=f"not compared: no network: {problem}")
    except (TheoryError, HornbookError, RuntimeError, MemoryError) as problem:
        found = Compared(difference=f"not compared: {type(problem).__name__} {str(problem).splitlines()[:1]}")
    print(json.dumps(asdict(found)))


def compared(file: Path, seed: str, given: argparse.Namespace) -> Compared:
    command = [
        sys.executable,
        "-m",
        "benchmarks.games.twin",
        "--child",
        str(file),
        seed,
        str(given.games),
        str(given.most),
        given.of,
        given.by,
    ]
    try:
        said = subprocess.run(
            command, capture_output=True, text=True, check=False, timeout=2 * given.most + LOADING
        )
    except subprocess.TimeoutExpired:
        return Compared(difference=f"not compared: no state in {2 * given.most + LOADING:g} seconds")
    if said.returncode:
        return Compared(difference=f"not compared: {said.stderr.strip().splitlines()[-1:]}")
    return Compared(**json.loads(said.stdout))


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        file, seed, games, most, of, by = sys.argv[2:]
        child(file, seed, int(games), float(most), of, by)
        return 0
    parser = options(__doc__, games=10, seed=1, most=5.0)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of", choices=("twin", "network"))
    parser.add_argument("--by", choices=("prolog", "twin"))
    parser.set_defaults(of="twin", by="prolog")
    given = parser.parse_args()
    study = Study(__file__, given)
    files = sorted(given.folder.rglob("*.kif"))
    names = "".join(f"{f'{player}/s':>10}" for player in (given.of, given.by))
    body = [f"{'sheet':<40}{'games':>7}{'ended':>7}{'states':>9}{names}  answer"]
    wrong, equal, states = [], 0, 0
    for file in files:
        name = str(file.relative_to(given.folder).with_suffix(""))
        found = compared(file, f"{given.seed} {name}", given)
        shown = name if len(name) < 40 else file.stem
        rates = "".join(f"{found.states / max(took, 0.001):>10,.0f}" for took in (found.own, found.other))
        answer = found.difference or "equal"
        line = f"{shown:<40}{found.games:>7}{found.ended:>7}{found.states:>9,}{rates}  {answer}"
        body.append(line)
        print(line, file=sys.stderr, flush=True)
        equal += found.difference is None
        states += found.states
        if found.difference is not None and not found.difference.startswith("not compared"):
            wrong.append(line)
    body += [
        "",
        f"{len(files)} sheets, {equal} equal, {len(wrong)} different; {states:,} states compared",
        "",
    ]
    return study.finish("\n".join(body), wrong, [f"SWI-Prolog {prolog_version()}"])


def prolog_version() -> str:
    assert SWIPL is not None
    return subprocess.run([SWIPL, "--version"], capture_output=True, text=True, check=True).stdout.split()[2]


if __name__ == "__main__":
    sys.exit(main())
