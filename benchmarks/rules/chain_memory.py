"""Cost of long chains of matches: blocks of about sixty stones with five liberties on full boards.

Boards are generated from the seed: smoothed noise, so that blocks are large, with a few points left empty.
There is one line for each board that took more than a second: stones, answer, positions matched, seconds, and
the megabytes of the process afterwards.

Usage:

    python -m benchmarks.rules.chain_memory RULES.horn --boards 40 --levels 2 --seconds 120
"""

from __future__ import annotations

import time
from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from random import Random

from hornbook.compiler.rules import rulebase
from hornbook.games.solving import ProblemSolver
from hornbook.inputs.theories import load
from hornbook.kb.lower.budget import Budget, resident
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.board import Block, Colour, GoBoard

SIDE = 19
STONES = range(55, 71)
LIBERTIES = 5


def problems(seed: int) -> Iterator[CaptureProblem]:
    """Yield full boards without end, each with a large block with few liberties, and its opponent to play."""
    random = Random(seed)
    empty: Colour = "empty"
    bare = GoBoard(SIDE, SIDE, (empty,) * SIDE**2)
    while True:
        open_points = random.choice((0.03, 0.06, 0.1))
        noise = [random.random() for _ in bare.points()]
        colours: list[Colour] = []
        for point in bare.points():
            near = list(bare.neighbours(point))
            mean = (1.5 * noise[point] + sum(noise[other] for other in near)) / (1.5 + len(near))
            stone: Colour = "black" if mean > 0.5 else "white"
            colours.append("empty" if random.random() < open_points else stone)
        board = _alive(bare, colours)
        for block in board.blocks:
            if len(block.stones) in STONES and len(block.liberties) == LIBERTIES:
                yield _problem(board, block)
                break


def _alive(bare: GoBoard, colours: list[Colour]) -> GoBoard:
    """Return the board without the stones that have no liberty."""
    for start in bare.points():
        block, waiting = {start}, [start]
        has_liberty = colours[start] == "empty"
        while waiting:
            for other in bare.neighbours(waiting.pop()):
                has_liberty = has_liberty or colours[other] == "empty"
                if colours[other] == colours[start] and other not in block:
                    block.add(other)
                    waiting.append(other)
        for point in () if has_liberty else block:
            colours[point] = "empty"
    return GoBoard(SIDE, SIDE, tuple(colours))


def _problem(board: GoBoard, block: Block) -> CaptureProblem:
    attacker: Colour = "white" if block.colour == "black" else "black"
    assert attacker != "empty"
    attacked = GoBoard(SIDE, SIDE, board.colours, None, attacker)
    return CaptureProblem(f"{len(block.stones)} stones", attacked, min(block.stones))


def main() -> None:
    parser = ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("rules", type=Path)
    parser.add_argument("--boards", type=int, default=40)
    parser.add_argument("--levels", type=int, default=2)
    parser.add_argument("--seconds", type=float, default=120.0)
    parser.add_argument("--memory", type=int, default=4000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    theory = load("go")
    rules = [entry.rule for entry in rulebase.read(given.rules, theory) if entry.is_certified]
    solver = ProblemSolver(theory, rules, Budget(seconds=given.seconds, megabytes=given.memory))
    made = problems(given.seed)
    print(f"{len(rules)} rules, {given.levels} levels, {given.boards} boards of seed {given.seed}")
    matched = 0
    for _, problem in zip(range(given.boards), made, strict=False):
        started = time.perf_counter()
        solved = solver.solve(problem, given.levels)
        matched += solved.matched
        took = time.perf_counter() - started
        if took > 1:
            line = f"{problem.id}: {solved.value}, {solved.matched} matched, {took:.1f} s"
            stopped = f", stopped: {solved.stopped}" if solved.stopped else ""
            print(f"{line}, {resident() >> 20} MB{stopped}", flush=True)
    print(f"{matched} positions matched; {resident() >> 20} MB at the end")


if __name__ == "__main__":
    main()
