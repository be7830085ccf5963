"""Comparison of the slow twin with SWI-Prolog on every sheet of a folder.

The comparison covers all facts of each state of random games. With `--of network` the compiled network plays
instead of the twin, with `--of resolution` goal-directed evaluation does, and with `--by twin` the twin
judges instead of SWI-Prolog. The option `--games` limits the games of a sheet and `--most` its seconds,
besides the `--loading` seconds for preparing it. The output per sheet is games (and those played to the end),
states compared, and states per processor second of each of the two, through terms. The last column is `equal`
or the first difference.

The files `gdl-twin.txt`, `gdl-network-twin.txt`, `gdl-network-prolog.txt` and `gdl-resolution-twin.txt` in
`benchmarks/results` cover sheets of github.com/ggp-org/ggp-repository, in a folder `gdl`. The machine did
other work: `--most` is wall-clock time, rates are processor time.
"""

from __future__ import annotations

import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path
from random import Random

from benchmarks.games.apart import apart
from benchmarks.study import Study, options
from hornbook.matcher.program.coded import Limits
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from oracles.gdl.machine_game import MachineGame
from oracles.gdl.prolog_game import SWIPL, Late, PrologGame
from oracles.gdl.side_by_side import Compared, GdlPlayer, TwinJudge, side_by_side

NOT_COMPARED = "not compared"
LIMITS = Limits(facts=1_000_000, seconds=30.0, bytes=2**30)
"""Limits of the rule instances for a network."""


def compared(text: str, seed: str, games: int, most: float, of: str, by: str) -> Compared:
    try:
        twin = Game(text)
        game: GdlPlayer = twin
        if of == "network":
            game = MachineGame(NetworkMachine(ground(twin.program, LIMITS)))
        elif of == "resolution":
            game = MachineGame(ResolutionMachine(twin.program))
        with nullcontext(TwinJudge(twin)) if by == "twin" else PrologGame(text) as other:
            return side_by_side(game, other, Random(seed), games, most)
    except Late:
        return Compared(difference=f"{NOT_COMPARED}: SWI-Prolog gives no answer in a minute")


def main() -> int:
    parser = options(__doc__, games=10, seed=1, most=5.0, loading=200.0)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--of", choices=("twin", "network", "resolution"))
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
        text = file.read_text(encoding="utf-8", errors="replace")
        played = (f"{given.seed} {name}", given.games, given.most, given.of, given.by)
        result = apart(compared, text, *played, seconds=2 * given.most + given.loading)
        found = Compared(difference=f"{NOT_COMPARED}: {result}") if isinstance(result, str) else result
        shown = name if len(name) < 40 else file.stem
        rates = "".join(f"{found.states / max(took, 0.001):>10,.0f}" for took in (found.own, found.other))
        answer = found.difference or "equal"
        line = f"{shown:<40}{found.games:>7}{found.ended:>7}{found.states:>9,}{rates}  {answer}"
        body.append(line)
        print(line, file=sys.stderr, flush=True)
        equal += found.difference is None
        states += found.states
        if found.difference is not None and not found.difference.startswith(NOT_COMPARED):
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
