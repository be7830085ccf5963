"""Guaranteed values of each role, for every sheet of a folder with several roles, and for connect four.

The options `--most` and `--connect` limit the wall-clock seconds for each role of a sheet and of connect
four, besides compiling the game once for all roles. The option `--checked` limits the nodes that are checked
with the slow twin. The output per role starts with the value, or the proved interval if it was not decided.
Then come the states visited, and the nodes of the strategy as a graph and as a tree. The next column has the
nodes of the refutation of higher values (`rules`: no rule gives more; `-`: not finished in time). The last
ones are the processor seconds to find both, and the checker's verdicts on both.

The file `benchmarks/results/strategies.txt` covers sheets of github.com/ggp-org/ggp-repository, in a
folder `gdl`. The machine did other work: a second of wall-clock time was a third to a half of a second
of processor time.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

from benchmarks.study import Study, options
from hornbook.kb.lower.budget import Budget
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.conditional.solving import solve
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import BOUNDS
from hornbook.planner.machines.choice import machine_of
from hornbook.planner.strategies.check import Mistake, check_refutation, check_strategy
from hornbook.planner.strategies.refutation import Refutation
from hornbook.planner.strategies.sizes import tree_size
from hornbook.planner.strategies.strategy import RoleStrategy
from oracles.gdl.connect_four import connect_four

CONNECT_FOUR = ((4, 4), (5, 4), (4, 5), (6, 4), (5, 5))
MOST_BYTES = 10 * 2**30
MEGABYTES = 6000
LOADING = 60.0
"""Limit of seconds for reading and compiling a sheet, half of them for grounding."""
CHECKING = 120.0
Claim = TypeVar("Claim", RoleStrategy, Refutation)


def child(name: str, most: float, checked: int) -> None:
    """Solve one sheet for all of its roles, and print a line for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    width, _, height = name.removeprefix("connect four ").partition(" x ")
    is_own = name.startswith("connect four ")
    text = connect_four(int(width), int(height)) if is_own else Path(name).read_text(errors="replace")
    try:
        game = Game(text)
        if len(game.roles) < 2:
            return
        machine = machine_of(game, replace(BOUNDS, seconds=LOADING / 2))
    except (TheoryError, HornbookError, MemoryError) as problem:
        print(json.dumps(f"{type(problem).__name__}: not read"))
        return
    for role in game.roles:
        start = time.process_time()
        limits = Budget(seconds=most, megabytes=MEGABYTES)
        found = solve(machine, role, game.initial, None, limits, refuted=True)
        seconds = time.process_time() - start
        lower, upper = found.bounds
        line = f"{role:<12}{lower if lower == upper else f'{lower}..{upper}':>8}{found.nodes:>13,}"
        verdicts = []
        if found.strategy is None:
            line += f"{'':>10}{'':>16}"
        else:
            tree, _ = tree_size(found.strategy)
            size = f"{tree:,}" if tree < 10**12 else f"{float(min(tree, 10**300)):.1e}"
            line += f"{len(found.strategy.nodes):>10,}{size:>16}"
            verdicts.append(verdict(found.strategy, checked, lambda each: check_strategy(game, each)))
        if found.refutation is None:
            line += f"{'rules' if upper == machine.most(game.roles.index(role)) else '-':>12}"
        else:
            line += f"{len(found.refutation.nodes):>12,}"
            verdicts.append(verdict(found.refutation, checked, lambda each: check_refutation(game, each)))
        print(json.dumps(f"{line}{seconds:>9.1f}  {', '.join(verdicts)}".rstrip()), flush=True)


def verdict(claim: Claim, checked: int, check: Callable[[Claim], tuple[Mistake, ...]]) -> str:
    if len(claim.nodes) > checked:
        return "not checked"
    return "wrong" if check(claim) else "right"


def solved(name: str, given: argparse.Namespace) -> list[str]:
    seconds = given.connect if name.startswith("connect four ") else given.most
    command = [sys.executable, "-m", "benchmarks.games.strategies", "--child", name, str(seconds)]
    command.append(str(given.checked))
    most = LOADING + 4 * (seconds + CHECKING)
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=most)
        output, end = run.stdout, "" if run.returncode == 0 else "ended early: too little memory"
    except subprocess.TimeoutExpired as late:
        output, end = late.stdout.decode() if isinstance(late.stdout, bytes) else "", "took too long"
    lines = [json.loads(line) for line in output.split("\n") if line]
    return [*lines, end] if end else lines


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
        return 0
    parser = options(__doc__, most=60.0, connect=60.0, checked=20_000)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    files = sorted(given.folder.rglob("*.kif"))
    body = [
        (
            f"{'sheet':<32}{'role':<12}{'value':>8}{'states':>13}{'nodes':>10}{'as a tree':>16}"
            f"{'refutation':>12}{'seconds':>9}  checker"
        )
    ]
    wrong, decided, roles = [], 0, 0
    for name in [*(f"connect four {width} x {height}" for width, height in CONNECT_FOUR), *map(str, files)]:
        shown = name if name.startswith("connect") else Path(name).stem
        for line in solved(name, given):
            row = f"{shown[:31]:<32}{line}"
            body.append(row)
            print(row, file=sys.stderr, flush=True)
            roles += 1
            decided += ".." not in line and ":" not in line and "ended" not in line and "took" not in line
            if "wrong" in line:
                wrong.append(row)
    body += [
        "",
        f"{roles} roles, {decided} decided, {len(wrong)} with a strategy or a refutation that is wrong",
        "",
    ]
    return study.finish("\n".join(body), wrong, [])


if __name__ == "__main__":
    sys.exit(main())
