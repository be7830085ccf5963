"""Lower bounds by relaxed reachability for plans of one player: the distance to the greatest goal value.

A bound may also show that the greatest value is unreachable. The relaxation records for each atom of the
ground program whether it may hold and whether it must, so that absences count on both sides. A layer has, in
addition to the previous one, every effect of each single legal move. The bound is the number of layers
before the greatest value may be reached. It is admissible, and if the layers end without that value, the
state is a dead end.

States are those of random games, each up to its first dead end, for `--seconds` of processor time per sheet.
The output per sheet is the bound in the first state, the number of states, and the greatest bound and the
dead ends among them. Then come the least and the mean number of moves before dead ends, and processor
milliseconds per state of this prototype.

The file `benchmarks/results/relaxed-bounds.txt` covers the sheets without a proof in `sequential-plans.txt`.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import numpy as np
from numpy.typing import NDArray

from benchmarks.study import Study, options
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.ground_program import GroundProgram
from hornbook.planner.grounding.grounding import ground
from hornbook.planner.machines.network import WORD_BITS, NetworkMachine

Numbers = NDArray[np.int64]
Truths = NDArray[np.bool_]
"""Truth values of atoms, or of atoms with each of some moves."""
MOST_LAYERS = 1_000


@dataclass(slots=True)
class SheetBounds:
    """Results for one sheet; `depths` are those of dead ends."""

    bounds: list[int] = field(default_factory=list)
    depths: list[int] = field(default_factory=list)


class Relaxed:
    """Ground program of a sheet for one role, with its rules by levels."""

    def __init__(self, program: GroundProgram) -> None:
        self.program = program
        self.heads = np.array(program.heads, dtype=np.int64)
        positive, negative = (np.array(each, dtype=np.int64) for each in (program.positive, program.negative))
        rules = np.arange(len(self.heads))
        of_positive = np.repeat(rules, np.diff(np.array(program.positive_starts)))
        of_negative = np.repeat(rules, np.diff(np.array(program.negative_starts)))
        if program.cycles:
            raise ValueError("rules that rest on themselves")
        levels = np.zeros(program.atoms, dtype=np.int64)
        before = levels - 1
        while (levels != before).any():
            before = levels.copy()
            above = np.zeros(len(self.heads), dtype=np.int64)
            np.maximum.at(above, of_positive, levels[positive] + 1)
            np.maximum.at(above, of_negative, levels[negative] + 1)
            np.maximum.at(levels, self.heads, above)
        self.levels: list[tuple[Numbers, Numbers, Numbers, Numbers, Numbers]] = []
        level_of = levels[self.heads]
        for level in np.unique(level_of):
            own = np.nonzero(level_of == level)[0]
            place = np.full(len(self.heads), -1)
            place[own] = np.arange(len(own))
            yes, no = place[of_positive] >= 0, place[of_negative] >= 0
            conditions = (place[of_positive[yes]], positive[yes], place[of_negative[no]], negative[no])
            self.levels.append((self.heads[own], *conditions))
        self.next, self.does, self.legal = (
            np.array(each, dtype=np.int64)
            for each in (program.next_atoms, program.does_atoms[0], program.legal_atoms[0])
        )
        top = max(worth for worth, _ in program.goals[0])
        self.top = [atom for worth, atom in program.goals[0] if worth == top]
        self.others = [atom for worth, atom in program.goals[0] if worth != top]

    def conclude(self, may: Truths, must: Truths) -> None:
        for heads, of_positive, positive, of_negative, negative in self.levels:
            may_fire = np.ones((len(heads), may.shape[1]), dtype=bool)
            must_fire = may_fire.copy()
            np.logical_and.at(may_fire, of_positive, may[positive])
            np.logical_and.at(may_fire, of_negative, ~must[negative])
            np.logical_and.at(must_fire, of_positive, must[positive])
            np.logical_and.at(must_fire, of_negative, ~may[negative])
            np.logical_or.at(may, heads, may_fire)
            np.logical_or.at(must, heads, must_fire)

    def bound(self, state: Truths) -> int | None:
        """Return a lower bound on the moves until the greatest value, or None if it is unreachable."""
        may, must = state, state
        for layer in range(MOST_LAYERS):
            here, sure = self._with(may, must, 1)
            self.conclude(here, sure)
            terminal = self.program.terminal
            if here[terminal, 0] and here[self.top, 0].any() and not sure[self.others, 0].any():
                return layer
            moves = np.nonzero(here[self.legal, 0])[0]
            if sure[terminal, 0] or not len(moves):
                return None
            after, surely = self._with(may, must, len(moves))
            for each in (after, surely):
                each[self.does[moves], np.arange(len(moves))] = True
            self.conclude(after, surely)
            more, fewer = may | after[self.next].any(axis=1), must & surely[self.next].all(axis=1)
            if (more == may).all() and (fewer == must).all():
                return None
            may, must = more, fewer
        return MOST_LAYERS

    def _with(self, may: Truths, must: Truths, moves: int) -> tuple[Truths, Truths]:
        found = np.zeros((2, self.program.atoms, moves), dtype=bool)
        found[0, : len(may)], found[1, : len(must)] = may[:, None], must[:, None]
        return found[0], found[1]


def met(program: GroundProgram, random: Random, seconds: float) -> SheetBounds:
    relaxed, core = Relaxed(program), NetworkMachine(program).core
    found = SheetBounds()
    until = time.process_time() + seconds
    while time.process_time() < until:
        state, depth = core.initial(), 0
        while time.process_time() < until:
            bound = relaxed.bound(_truths(state, len(program.fluents)))
            if bound is None:
                found.depths.append(depth)
                break
            found.bounds.append(bound)
            core.look(state)
            moves = core.legal(0)
            if core.terminal() or not moves:
                break
            state, depth = core.next([random.choice(moves)]), depth + 1
            core.look(state)
            if core.terminal():
                break
    return found


def _truths(words: Sequence[int], fluents: int) -> Truths:
    bits = [words[bit // WORD_BITS] >> bit % WORD_BITS & 1 for bit in range(fluents)]
    return np.array(bits, dtype=bool)


def line_of(name: str, found: SheetBounds, seconds: float) -> str:
    states = len(found.bounds) + len(found.depths)
    first = found.bounds[0] if found.bounds else "-"
    depths = f"{min(found.depths):>9}{np.mean(found.depths):>7.1f}" if found.depths else f"{'-':>9}{'-':>7}"
    greatest = max(found.bounds, default=0)
    return (
        f"{name:<36}{first:>7}{states:>9,}{greatest:>10}{len(found.depths):>7}{depths}"
        f"{1000 * seconds / states:>9.1f}"
    )


def main() -> int:
    parser = options(__doc__, seconds=20.0, seed=1)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    study = Study(__file__, given)
    body = [
        (
            f"{'sheet':<36}{'bound':>7}{'states':>9}{'greatest':>10}{'dead':>7}{'first at':>9}{'mean':>7}"
            f"{'ms':>9}"
        )
    ]
    for file in sorted(given.folder.rglob("*.kif")):
        name = str(file.relative_to(given.folder).with_suffix(""))
        program = ground(Game(file.read_text(encoding="utf-8", errors="replace"), name).program)
        began = time.process_time()
        found = met(program, Random(given.seed), given.seconds)
        body.append(line_of(name, found, time.process_time() - began))
        print(body[-1], file=sys.stderr, flush=True)
    return study.finish("\n".join([*body, ""]))


if __name__ == "__main__":
    sys.exit(main())
