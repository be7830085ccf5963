"""Path searches on Korf's hundred 15-puzzles.

The puzzles are those of R. Korf, Depth-first iterative-deepening, 1985, Table 1 (`korf100.tsv`). The option
`--table korf` runs IDA* with pattern databases, and compares each path with the known length of a shortest
one. The option `--table costs` reports moves and generated nodes, where a node costs `c` moves. RTA* gets the
depth, and weighted A* the weight, that is best for each c on the hundred puzzles themselves. The errors,
tables, weight and factor of DTA* come from `--train` random puzzles and not from the hundred. The option
`--table falls` does the same for DTA* with an estimate that may be too high.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from statistics import fmean

from benchmarks.study import Study, options
from hornbook.play.paths import PathResult, StateOfOne, native_of_one
from hornbook.theories.tiles.adapter import read
from hornbook.theories.tiles.domain import DOMAIN
from hornbook.theories.tiles.states import rules
from hornbook.theories.tiles.states.position import TilesPosition

KORF = Path(__file__).with_name("korf100.tsv")
COSTS = (0.1, 0.03, 0.01, 0.003, 0.001)
DEPTHS = tuple(range(1, 23))
WEIGHTS = (1.5, 2.0, 3.0, 4.0, 5.0, 6.0, 8.0, 12.0)
FACTORS = (1, 4, 16, 64, 256, 1024, 4096)
SINGLE_FACTORS = (1, 4, 16, 64)
ESTIMATES = (2.0, 3.0, 4.0)
"""Multipliers of the distance for DTA*."""
LIMIT = 1000
"""Maximal number of nodes before one move of DTA*."""
SEEDS = (1, 2, 3)
BY = "distance"
native = native_of_one(DOMAIN)


def korf() -> list[tuple[int, StateOfOne]]:
    """Return the lengths of shortest paths, and the puzzles."""
    rows = [line.split("\t") for line in KORF.read_text(encoding="utf-8").splitlines()[1:]]
    return [(int(length), native.State(DOMAIN.write(read(tiles, number)))) for number, length, tiles in rows]


def random_puzzles(number: int, seed: int) -> list[StateOfOne]:
    random = Random(seed)
    found: list[StateOfOne] = []
    while len(found) < number:
        position = TilesPosition(4, 4, tuple(random.sample(range(16), 16)))
        if rules.is_solvable(position):
            found.append(native.State(DOMAIN.write(position)))
    return found


def shortest(lines: list[str], wrong: list[str]) -> None:
    """Run IDA* with patterns on all hundred puzzles."""
    puzzles = korf()
    began = time.process_time()
    puzzles[0][1].bound("patterns")
    tables = time.process_time() - began
    began = time.process_time()
    found = [state.ida_star("patterns") for _, state in puzzles]
    took = time.process_time() - began
    for (length, state), path in zip(puzzles, found, strict=True):
        if len(path["moves"]) != length or not _is_solved(state, path):
            wrong.append(f"{state}: {len(path['moves'])} slides, not {length}")
    lines += [
        f"puzzles                     {len(puzzles):>12}",
        f"wrong lengths               {len(wrong):>12}",
        f"mean length                 {fmean(len(path['moves']) for path in found):>12.2f}",
        f"nodes in all                {sum(path['nodes'] for path in found):>12,}",
        f"seconds, making the tables  {tables:>12.1f}",
        f"seconds, all searches       {took:>12.1f}",
        "",
        "Seconds are of the processor. A path was played move by move to see that it solves its puzzle.",
    ]


def _is_solved(state: StateOfOne, path: PathResult) -> bool:
    position = read(str(state), "puzzle")
    for move in path["moves"]:
        if int(move) not in rules.movable_tiles(position):
            return False
        position = rules.slid(position, int(move))
    return rules.is_solved(position)


Run = Callable[[StateOfOne], PathResult]
Mean = tuple[float, float]
Change = tuple[float, float]


def mean(states: Sequence[StateOfOne], run: Run, wrong: list[str]) -> Mean:
    """Return the mean numbers of moves and nodes."""
    found = [run(state) for state in states]
    wrong += [f"{s}: not solved" for s, path in zip(states, found, strict=True) if not path["is_found"]]
    return fmean(len(path["moves"]) for path in found), fmean(path["nodes"] for path in found)


def total(of: Mean, cost: float) -> float:
    return of[0] + cost * of[1]


def rises_of(states: Sequence[StateOfOne], random: Random) -> list[tuple[float, float]]:
    """Return how often moves + distance rises by 2 when a newly reached state is expanded;
    otherwise it stays.
    """
    rose, seen = 0, 0
    for state in states:
        at = state
        for _ in range(50):
            undo = random.choice(at.moves())
            after = at.after(undo)
            others = [after.after(move).bound(BY) for move in after.moves() if move != undo]
            if not others:
                break
            rose += min(others) > after.bound(BY)
            seen += 1
            at = after
    return [(2.0, rose / seen)]


def changes(rises: list[tuple[float, float]], weight: float) -> tuple[list[Change], list[Change]]:
    """Return the changes of an estimate that is the weighted distance: the next distance is
    one more or one less.
    """
    rising = rises[0][1]
    return [(weight + 1, rising)], [(weight - 1, 1 - rising)]


def rta_stars(
    hundred: Sequence[StateOfOne], weights: Sequence[float], wrong: list[str]
) -> dict[tuple[float, int], Mean]:
    """Return the mean results of RTA* over all seeds, by weight and depth."""
    found = {}
    for weight in weights:
        for depth in DEPTHS:
            runs = [
                mean(hundred, lambda s, d=depth, w=weight, seed=seed: s.rta_star(BY, d, w, seed), wrong)
                for seed in SEEDS
            ]
            found[weight, depth] = (fmean(m for m, _ in runs), fmean(n for _, n in runs))
    return found


def falls(study: Study, lines: list[str], wrong: list[str]) -> None:
    """Report the cost of DTA* with an inadmissible estimate, with and without expanding
    leaves of other moves.
    """
    given = study.given
    hundred = [state for _, state in korf()]
    train = random_puzzles(given.train, given.seed)
    rta = rta_stars(hundred, (1.0,), wrong)
    rises = rises_of(train, Random(given.seed))

    def run(state: StateOfOne, how: tuple[float, int], cost: float, *, falling: bool) -> PathResult:
        weight, factor = how
        up, down = changes(rises, weight)
        return state.dta_star_by_rises_and_falls(BY, up, down if falling else [], cost, weight, factor, LIMIT)

    lines.append(f"{'c':<7}{'':<34}{'moves':>8}{'nodes':>10}{'total cost':>12}{'to RTA*':>9}")
    for cost in COSTS:
        plain = min(rta, key=lambda key: total(rta[key], cost))
        base = total(rta[plain], cost)
        results = {f"RTA*, depth {plain[1]}": rta[plain]}
        for falling in (False, True):
            tried = {
                (weight, factor): mean(
                    train, lambda s, h=(weight, factor), c=cost, f=falling: run(s, h, c, falling=f), wrong
                )
                for weight in ESTIMATES
                for factor in SINGLE_FACTORS
            }
            best = min(tried, key=lambda how: total(tried[how], cost))
            found = mean(hundred, lambda s, h=best, c=cost, f=falling: run(s, h, c, falling=f), wrong)
            results[f"{'rises and falls' if falling else 'rises alone'}, × {best[0]:g}, factor {best[1]}"] = (
                found
            )
        for name, of in results.items():
            ratio = total(of, cost) / base
            lines.append(
                f"{cost:<7}{name:<34}{of[0]:>8.0f}{of[1]:>10,.0f}{total(of, cost):>12.0f}{ratio:>9.2f}"
            )
            print(lines[-1], flush=True)
    lines += [
        "",
        (
            "Single expansions are valued (Russell and Wefald 1988, 5.2.3), below the best move, and where "
            "leaves may fall below any other."
        ),
    ]


def costs(study: Study, lines: list[str], wrong: list[str]) -> None:
    """Report the costs of RTA*, weighted A* and DTA*."""
    given = study.given
    hundred = [state for _, state in korf()]
    train = random_puzzles(given.train, given.seed)

    rta = rta_stars(hundred, (1.0, 1.5, 2.0, 3.0), wrong)
    weighted = {w: mean(hundred, lambda s, w=w: s.weighted_a_star(BY, w), wrong) for w in WEIGHTS[1:]}

    rises = rises_of(train, Random(given.seed))
    tables, tried = {}, {}
    for weight in ESTIMATES:
        gathered = tables[weight] = native.Gathered()
        for state in train:
            state.gather(BY, gathered, weight, LIMIT)
        for cost in COSTS:
            for factor in FACTORS:
                tried[cost, weight, factor] = mean(
                    train,
                    lambda s, c=cost, w=weight, f=factor: s.dta_star(BY, tables[w], c, w, f, LIMIT),
                    wrong,
                )
    lines += [
        f"A state that is expanded rises by 2 with probability {rises[0][1]:.2f}.",
        "",
        f"{'c':<7}{'':<28}{'moves':>8}{'nodes':>10}{'total cost':>12}{'to RTA*':>9}",
    ]
    for cost in COSTS:
        plain = min((key for key in rta if key[0] == 1), key=lambda key: total(rta[key], cost))
        base = total(rta[plain], cost)

        def report(name: str, of: Mean, cost: float = cost, base: float = base) -> None:
            ratio = total(of, cost) / base
            lines.append(
                f"{cost:<7}{name:<28}{of[0]:>8.0f}{of[1]:>10,.0f}{total(of, cost):>12.0f}{ratio:>9.2f}"
            )
            print(lines[-1], flush=True)

        report(f"RTA*, depth {plain[1]}", rta[plain])
        best = min(rta, key=lambda key: total(rta[key], cost))
        report(f"RTA*, × {best[0]:g}, depth {best[1]}", rta[best])
        report(
            "DTA* as defined",
            mean(hundred, lambda s, c=cost: s.dta_star_by_single_steps(BY, rises, c), wrong),
        )
        _, weight, factor = min(
            (key for key in tried if key[0] == cost), key=lambda key: total(tried[key], cost)
        )
        found = mean(
            hundred, lambda s, c=cost, w=weight, f=factor: s.dta_star(BY, tables[w], c, w, f, LIMIT), wrong
        )
        report(f"DTA*, × {weight:g}, factor {factor}", found)
        best_weight = min(weighted, key=lambda w: total(weighted[w], cost))
        report(f"weighted A*, × {best_weight:g}", weighted[best_weight])
        lines.append("")
    lines += [
        (
            "A node is a state that is generated. RTA* is the mean of three seeds. `× w` multiplies the "
            "distance. DTA* generates"
        ),
        (
            f"{LIMIT:,} nodes at most before a move. Weighted A* makes its first move when it has "
            "found a whole path."
        ),
    ]


def main() -> int:
    parser = options(__doc__, train=60, seed=1)
    parser.add_argument("--table", choices=("korf", "costs", "falls"), default="korf")
    study = Study(__file__, parser.parse_args())
    lines: list[str] = []
    wrong: list[str] = []
    if study.given.table == "korf":
        shortest(lines, wrong)
    else:
        (costs if study.given.table == "costs" else falls)(study, lines, wrong)
    lines.append(f"Processor: {processor()}; {time.process_time():.0f} seconds of it.")
    return study.finish("\n".join(lines) + "\n", wrong)


def processor() -> str:
    """Return the name of the processor from /proc."""
    try:
        described = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return "unknown"
    return next(
        (line.partition(":")[2].strip() for line in described if line.startswith("model name")), "unknown"
    )


if __name__ == "__main__":
    sys.exit(main())
