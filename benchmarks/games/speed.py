"""How many states a second random games take: on the network, on the slow twin, and on SWI-Prolog, for every sheet of a folder.

A state is one look: whether the game is over, every role's legal moves, then a move of each at random and what comes next, or,
at the end, what it is worth to each role. Rates are states in a second of the processor: the median of `--runs` runs of
`--seconds` each. Each sheet has a process of its own, with 4 GB of memory and a million instances of rules at most; it must be
ready within `--loading` seconds.

`benchmarks/results/gdl-speed.txt` is of sheets of github.com/ggp-org/ggp-repository, in a folder `gdl`: of seven that others
measure too, while the machine did other work; `gdl-speed-third.txt` there is of those that `gdl-network-twin.txt` has.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from statistics import median

from benchmarks.games.apart import apart
from benchmarks.games.twin import LIMITS, prolog_version
from benchmarks.study import Study, options
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.network import NetworkMachine
from oracles.gdl.prolog_game import Late, PrologGame

MOST_PLIES = 1_000
FLOOR_OF_MEAN, FLOOR_OF_EACH = 30, 5
"""How often as fast as SWI-Prolog the network should be."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Rates in states a second, 0 where there is none; `problem` tells why the network has none."""

    network: float = 0.0
    twin: float = 0.0
    prolog: float = 0.0
    made: float = 0.0
    """The seconds that grounding and the network took."""
    rules: int = 0
    connections: int = 0
    problem: str = ""


def measured(text: str, seed: int, seconds: float, runs: int) -> Measured:
    game = Game(text)

    def on_twin(run: int) -> float:
        return twin_rate(game, Random(f"{seed} {run}"), seconds)

    def on_prolog(run: int) -> float:
        states, took = prolog.play(seed + run, seconds, MOST_PLIES)
        return states / took

    def on_network(run: int) -> float:
        began = time.process_time()
        played = machine.core.playouts(seed + run, 2**62, seconds, MOST_PLIES)
        return played.states / (time.process_time() - began)

    twin = rate(on_twin, runs)
    try:
        with PrologGame(text) as prolog:
            other = rate(on_prolog, runs)
    except (Late, RuntimeError):
        other = 0.0
    began = time.process_time()
    try:
        program = ground(game.program, LIMITS)
        machine = NetworkMachine(program)
    except (TooLarge, MemoryError) as problem:
        return Measured(twin=twin, prolog=other, problem=f"{type(problem).__name__} {problem}".strip())
    made = time.process_time() - began
    size = (len(program.heads), machine.core.connections)
    return Measured(rate(on_network, runs), twin, other, made, *size)


def rate(run: Callable[[int], float], runs: int) -> float:
    return median(run(number) for number in range(runs))


def twin_rate(game: Game, random: Random, seconds: float) -> float:
    began = time.process_time()
    states = 0
    while True:
        state = game.initial
        for plies in range(MOST_PLIES + 1):
            legal = game.legal(state)
            states += 1
            took = time.process_time() - began
            if took > seconds:
                return states / took
            if game.terminal(state):
                game.goal(state)
                break
            if not all(legal.values()) or plies == MOST_PLIES:
                break
            state = game.next(state, {role: random.choice(legal[role]) for role in game.roles})


def line_of(name: str, found: Measured) -> str:
    ratio = f"{found.network / found.prolog:>10,.1f}" if found.network and found.prolog else f"{'':>10}"
    rates = "".join(
        f"{rate:>12,.0f}" if rate else f"{'-':>12}" for rate in (found.network, found.twin, found.prolog)
    )
    return f"{name:<36}{rates}{ratio}{found.made:>8.1f}{found.rules:>10,}{found.connections:>12,}  {found.problem}".rstrip()


def summary(found: Sequence[Measured]) -> list[str]:
    ratios = [each.network / each.prolog for each in found if each.network and each.prolog]
    if not ratios:
        return ["no sheet was measured on both"]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    below = sum(ratio < FLOOR_OF_EACH for ratio in ratios)
    return [
        f"{len(found)} sheets, {sum(each.network > 0 for each in found)} with a network, {len(ratios)} beside SWI-Prolog",
        f"network / SWI-Prolog: geometric mean {mean:.0f}, where {FLOOR_OF_MEAN} is the floor",
        f"least {min(ratios):.1f}; {below} below the floor of {FLOOR_OF_EACH}",
    ]


def main() -> int:
    parser = options(__doc__, seconds=0.5, runs=3, seed=1, loading=200.0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    titles = f"{'sheet':<36}{'network/s':>12}{'twin/s':>12}{'Prolog/s':>12}{'× Prolog':>10}{'made s':>8}"
    body = [f"{titles}{'rules':>10}{'connections':>12}"]
    found = []
    for file in sorted(given.folder.rglob("*.kif")):
        name = str(file.relative_to(given.folder).with_suffix(""))
        text = file.read_text(encoding="utf-8", errors="replace")
        most = given.loading + 4 * given.seconds * given.runs
        told = apart(measured, text, given.seed, given.seconds, given.runs, seconds=most)
        found.append(Measured(problem=told) if isinstance(told, str) else told)
        body.append(line_of(name if len(name) < 36 else file.stem, found[-1]))
        print(body[-1], file=sys.stderr, flush=True)
    return study.finish("\n".join([*body, "", *summary(found), ""]), [], [f"SWI-Prolog {prolog_version()}"])


if __name__ == "__main__":
    sys.exit(main())
