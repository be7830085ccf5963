"""What each role of a game can guarantee, for every sheet of a folder that several roles play, and for connect four.

`--most` bounds the seconds for each role, `--checked` the nodes of the strategies that are checked with the slow twin. Per role:
the value, or the interval that is proved where it was not decided, states looked at, nodes of the strategy and of the same as
a tree, processor seconds of finding it, and what the checker says.
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import time
from pathlib import Path

from benchmarks.study import Study, options
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.conditional.guarantee import guarantee
from hornbook.planner.conditional.solving import Limits
from hornbook.planner.gdl.game import Game
from hornbook.planner.strategies.check import check_strategy
from hornbook.planner.strategies.sizes import tree_size
from oracles.gdl.connect_four import connect_four

CONNECT_FOUR = ((4, 4), (5, 4), (4, 5), (6, 4), (5, 5))
MOST_BYTES = 10 * 2**30
MEGABYTES = 6000
LOADING = 60.0
"""Seconds that a sheet may take to be read and made a machine of."""
CHECKING = 120.0


def child(name: str, most: float, checked: int) -> None:
    """Solves one sheet for all of its roles, and prints a line for each."""
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    width, _, height = name.removeprefix("connect four ").partition(" x ")
    is_own = name.startswith("connect four ")
    text = connect_four(int(width), int(height)) if is_own else Path(name).read_text(errors="replace")
    try:
        game = Game(text)
        if len(game.roles) < 2:
            return
    except (TheoryError, HornbookError, MemoryError) as problem:
        print(json.dumps(f"{type(problem).__name__}: not read"))
        return
    for role in game.roles:
        start = time.process_time()
        limits = Limits(seconds=most, megabytes=MEGABYTES)
        found = guarantee(game, role, game.initial, None, limits)
        seconds = time.process_time() - start
        lower, upper = found.bounds
        line = f"{role:<12}{lower if lower == upper else f'{lower}..{upper}':>8}{found.nodes:>13,}"
        if found.strategy is None:
            print(json.dumps(f"{line}{'':>10}{'':>16}{seconds:>9.1f}"), flush=True)
            continue
        nodes, (tree, _) = len(found.strategy.nodes), tree_size(found.strategy)
        size = f"{tree:,}" if tree < 10**12 else f"{float(min(tree, 10**300)):.1e}"
        verdict = "not checked"
        if nodes <= checked:
            verdict = "wrong" if check_strategy(game, found.strategy) else "right"
        print(json.dumps(f"{line}{nodes:>10,}{size:>16}{seconds:>9.1f}  {verdict}"), flush=True)


def solved(name: str, given: argparse.Namespace) -> list[str]:
    command = [sys.executable, "-m", "benchmarks.games.strategies", "--child", name, str(given.most)]
    command.append(str(given.checked))
    most = LOADING + 4 * (given.most + CHECKING)
    try:
        run = subprocess.run(command, capture_output=True, text=True, check=False, timeout=most)
        said, end = run.stdout, "" if run.returncode == 0 else "ended early: too little memory"
    except subprocess.TimeoutExpired as late:
        said, end = late.stdout.decode() if isinstance(late.stdout, bytes) else "", "took too long"
    lines = [json.loads(line) for line in said.split("\n") if line]
    return [*lines, end] if end else lines


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        child(sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
        return 0
    parser = options(__doc__, most=60.0, checked=20_000)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    files = sorted(given.folder.rglob("*.kif"))
    body = [
        f"{'sheet':<32}{'role':<12}{'value':>8}{'states':>13}{'nodes':>10}{'as a tree':>16}{'seconds':>9}  checker"
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
            if line.endswith("wrong"):
                wrong.append(row)
    body += ["", f"{roles} roles, {decided} decided, {len(wrong)} strategies wrong", ""]
    return study.finish("\n".join(body), wrong, [])


if __name__ == "__main__":
    sys.exit(main())
