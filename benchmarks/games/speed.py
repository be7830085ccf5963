"""Speed of random games for every sheet of a folder: compiled, slow twin, and SWI-Prolog.

Compiled is the network of the ground rules, or goal-directed evaluation if there are too many rules. The
network plays 256 games at once. Stepped is the same machine from Python: one state at a time, with moves
chosen in Python. A state consists of the test for the end, every role's legal moves, and then a random
move of each with the next state. At the end it has the value for each role instead. Rates are states per
second of processor time: the median of `--runs` runs of `--seconds` each. Each sheet has its own process,
with 4 GB of memory and at most ten million rule instances. It must be ready within `--loading` seconds,
and grounded within half of them.

The file `benchmarks/results/gdl-speed-lanes.txt` covers six sheets, before and after games were played
side by side. The other files are older, with one game at a time: `gdl-speed.txt` covers all available
sheets of github.com/ggp-org/ggp-repository, in a folder `gdl`, `gdl-speed-seven.txt` seven sheets that
others measure too. The file `gdl-speed-again.txt` covers the slowest of the first, grounded with the
limits above instead of a million instances, and with rows for moves in the network. The machine did other
work meanwhile: rates are processor time, loading seconds are not.
"""

from __future__ import annotations

import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from statistics import median

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from benchmarks.games.apart import apart
from benchmarks.games.twin import prolog_version
from benchmarks.study import Study, options
from hornbook.planner import _core
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import BOUNDS, ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from oracles.gdl.prolog_game import Late, PrologGame

MOST_PLIES = 1_000
STATES_BETWEEN_LOOKS_AT_THE_CLOCK = 64
FLOOR_OF_MEAN, FLOOR_OF_EACH = 30, 5
"""Required speed of the compiled game relative to SWI-Prolog."""


@dataclass(frozen=True, slots=True)
class SpeedResult:
    """Rates in states per second, 0 if missing; `problem` is the reason why nothing was measured."""

    compiled: float = 0.0
    twin: float = 0.0
    prolog: float = 0.0
    stepped: float = 0.0
    made: float = 0.0
    """Processor seconds for building the machine."""
    rules: int = 0
    connections: int = 0
    """Numbers of the network; 0 if there are too many ground rules."""
    problem: str = ""


def measured(text: str, seed: int, seconds: float, runs: int, seconds_to_ground: float) -> SpeedResult:
    game = Game(text)

    def on_twin(run: int) -> float:
        return twin_rate(game, Random(f"{seed} {run}"), seconds)

    def on_prolog(run: int) -> float:
        states, took = prolog.play(seed + run, seconds, MOST_PLIES)
        return states / took

    def on_machine(run: int) -> float:
        began = time.process_time()
        played = machine.playouts(seed + run, 2**62, seconds, MOST_PLIES)
        return played.states / (time.process_time() - began)

    def stepped(run: int) -> float:
        return stepped_rate(machine, Random(f"{seed} {run}"), seconds)

    machine: _core.NetworkMachine | _core.ResolutionMachine
    twin = rate(on_twin, runs)
    try:
        with PrologGame(text) as prolog:
            other = rate(on_prolog, runs)
    except (Late, RuntimeError):
        other = 0.0
    began = time.process_time()
    try:
        program = ground(game.program, replace(BOUNDS, seconds=seconds_to_ground))
        network = NetworkMachine(program)
        machine, size = network.core, (len(program.heads), network.core.connections)
    except (TooLarge, MemoryError):
        machine, size = ResolutionMachine(game.program).core, (0, 0)
    made = time.process_time() - began
    return SpeedResult(rate(on_machine, runs), twin, other, rate(stepped, runs), made, *size)


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


def stepped_rate(core: _core.Machine, random: Random, seconds: float) -> float:
    began = time.process_time()
    roles = range(core.role_count)
    states = 0
    while True:
        words = core.initial()
        for plies in range(MOST_PLIES + 1):
            core.look(words)
            legal = [core.legal(role) for role in roles]
            states += 1
            if states % STATES_BETWEEN_LOOKS_AT_THE_CLOCK == 0:
                took = time.process_time() - began
                if took > seconds:
                    return states / took
            if core.terminal():
                for role in roles:
                    core.goal(role)
                break
            if not all(legal) or plies == MOST_PLIES:
                break
            words = core.next([random.choice(moves) for moves in legal])


def line_of(name: str, found: SpeedResult) -> str:
    ratio = f"{found.compiled / found.prolog:>10,.1f}" if found.compiled and found.prolog else f"{'':>10}"
    rates = "".join(
        f"{rate:>12,.0f}" if rate else f"{'-':>12}"
        for rate in (found.compiled, found.stepped, found.twin, found.prolog)
    )
    size = f"{found.rules:>10,}{found.connections:>12,}" if found.rules else f"{'goal by goal':>22}"
    return f"{name:<36}{rates}{ratio}{found.made:>8.1f}{found.problem or size}"


def summary(found: Sequence[SpeedResult]) -> list[str]:
    ratios = [each.compiled / each.prolog for each in found if each.compiled and each.prolog]
    if not ratios:
        return ["no sheet was measured on both"]
    mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
    below = sum(ratio < FLOOR_OF_EACH for ratio in ratios)
    return [
        (
            f"{len(found)} sheets, {sum(each.rules > 0 for each in found)} with a network, "
            f"{len(ratios)} beside SWI-Prolog"
        ),
        f"compiled / SWI-Prolog: geometric mean {mean:.0f}, where {FLOOR_OF_MEAN} is the floor",
        f"least {min(ratios):.1f}; {below} below the floor of {FLOOR_OF_EACH}",
    ]


def main() -> int:
    parser = options(__doc__, seconds=0.5, runs=3, seed=1, loading=200.0)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    rates = "".join(f"{title:>12}" for title in ("compiled/s", "stepped/s", "twin/s", "Prolog/s"))
    body = [f"{'sheet':<36}{rates}{'× Prolog':>10}{'made s':>8}{'rules':>10}{'connections':>12}"]
    found = []
    for file in sorted(given.folder.rglob("*.kif")):
        name = str(file.relative_to(given.folder).with_suffix(""))
        text = file.read_text(encoding="utf-8", errors="replace")
        most = given.loading + 4 * given.seconds * given.runs
        result = apart(measured, text, given.seed, given.seconds, given.runs, given.loading / 2, seconds=most)
        found.append(SpeedResult(problem=result) if isinstance(result, str) else result)
        body.append(line_of(name if len(name) < 36 else file.stem, found[-1]))
        print(body[-1], file=sys.stderr, flush=True)
    return study.finish("\n".join([*body, "", *summary(found), ""]), [], [f"SWI-Prolog {prolog_version()}"])


if __name__ == "__main__":
    sys.exit(main())
