"""Compares the slow twin with SWI-Prolog on every sheet of a folder: random games, and in each state all that is said.

`--games` bounds the games of a sheet and `--most` its seconds. Per sheet: games (and those played to the end), states
compared, states that each of the two tells in a processor second, and `equal` or the first difference.

`benchmarks/results/gdl-twin.txt` is of sheets of github.com/ggp-org/ggp-repository, in a folder `gdl`.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
from dataclasses import asdict
from pathlib import Path
from random import Random

from benchmarks.study import Study, options
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.hornbook_error import HornbookError
from oracles.gdl.prolog_game import SWIPL, Late
from oracles.gdl.side_by_side import Compared, compare

MOST_BYTES = 4 * 2**30
LOADING = 200.0
"""Seconds that a sheet may take besides those of its games."""


def child(file: str, seed: str, games: int, most: float) -> None:
    """Compares one sheet, and prints what was found as JSON."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    text = Path(file).read_text(encoding="utf-8", errors="replace")
    try:
        found = compare(text, Random(seed), games, most)
    except Late:
        found = Compared(difference="not compared: SWI-Prolog gives no answer in a minute")
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
        child(sys.argv[2], sys.argv[3], int(sys.argv[4]), float(sys.argv[5]))
        return 0
    parser = options(__doc__, games=10, seed=1, most=5.0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    files = sorted(given.folder.rglob("*.kif"))
    body = [f"{'sheet':<40}{'games':>7}{'ended':>7}{'states':>9}{'twin/s':>10}{'Prolog/s':>10}  answer"]
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
    return study.finish("\n".join(body), wrong, [f"SWI-Prolog {_version()}"])


def _version() -> str:
    assert SWIPL is not None
    return subprocess.run([SWIPL, "--version"], capture_output=True, text=True, check=True).stdout.split()[2]


if __name__ == "__main__":
    sys.exit(main())
