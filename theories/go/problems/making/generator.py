"""New problems without end: from games, or as variations of problems that are there.

Work is cut into parts, each with a random generator of its own that follows from the seed and the part's number;
parts are done by several processes and taken in their order. Each kind of problem (its depth, or none where nothing
captures) gets an equal share; what a part need not look for any more is known when it begins, from all parts up
to so many before it. So the problems depend on the seed, and not on the number of processes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import dataclass, replace
from itertools import count
from multiprocessing import get_context
from random import Random
from typing import Self

from hornbook.theories.go.problems.making.canonical import canonical
from hornbook.theories.go.problems.making.games import Choose, Engine, game, noisy_move, random_move
from hornbook.theories.go.problems.making.solution import solved
from hornbook.theories.go.problems.making.variations import variation
from hornbook.theories.go.problems.problem import Problem
from hornbook.theories.go.states.board import Board

MOST_LIBERTIES = 4
"""Of the block that is to be captured."""
_BOARDS_OF_A_GAME = 1 / 6
"""The share of a game's boards that are used: neighbours say nearly the same."""
_VARIATIONS_OF_A_PART = 20
AHEAD = 16
"""Parts that are begun before the first of them is taken."""


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to be made. `depths` are the kinds wanted, None for problems that nothing captures; `engine` is the
    command of a Go program whose games are used too; with `sources`, variations of them are made, and no games.
    """

    number: int
    seed: int
    sizes: tuple[int, ...] = (7, 9)
    depths: tuple[int | None, ...] = (1, 3, 5, 7, None)
    engine: tuple[str, ...] = ()
    sources: tuple[Problem, ...] = ()

    def share(self, depth: int | None) -> int:
        """How many problems of a depth are wanted."""
        if depth not in self.depths:
            return 0
        place = self.depths.index(depth)
        return self.number // len(self.depths) + (place < self.number % len(self.depths))


def generate(plan: Plan, workers: int = 1) -> Iterator[Problem]:
    """So many different problems. The names are `g` and their number, or the source's name and a number."""
    seen = {canonical(problem) for problem in plan.sources}
    have: Counter[int | None] = Counter()

    def wanted() -> frozenset[int | None]:
        return frozenset(depth for depth in plan.depths if have[depth] < plan.share(depth))

    with _Workers(workers) as shared:
        waiting: deque[Callable[[], Sequence[Problem]]] = deque()
        for number in count():
            waiting.append(shared.begin(plan, number, wanted()))
            if len(waiting) < AHEAD:
                continue
            for problem in waiting.popleft()():
                form = canonical(problem)
                if problem.depth in wanted() and form not in seen:
                    seen.add(form)
                    have[problem.depth] += 1
                    yield replace(problem, id=f"{problem.id}{have.total():05}")
            if not wanted():
                return


class _Workers:
    """Processes that share the parts, or none, where one job is enough."""

    def __init__(self, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if workers > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def begin(
        self, plan: Plan, number: int, wanted: frozenset[int | None]
    ) -> Callable[[], Sequence[Problem]]:
        """Begins a part, and gives the function that waits for its problems."""
        if self._pool is None:
            return lambda: _part(plan, number, wanted)
        return self._pool.submit(_part, plan, number, wanted).result


def _part(plan: Plan, number: int, wanted: frozenset[int | None]) -> Sequence[Problem]:
    """One game's problems of the depths that are wanted, or some variations of one problem."""
    random = Random(f"{plan.seed} {number}")  # noqa: S311 - problems are no secrets
    solutions = (
        solved(name, board, target, wanted) for name, board, target in _positions(plan, number, random)
    )
    return [problem for problem in solutions if problem is not None]


def _positions(plan: Plan, number: int, random: Random) -> Iterator[tuple[str, Board, int]]:
    """Boards with a target: a name's beginning, the board, a stone of a block with few liberties."""
    if plan.sources:
        source = plan.sources[number % len(plan.sources)]
        for _ in range(_VARIATIONS_OF_A_PART):
            board = variation(source, random)
            if board is not None and _is_weak(board, source.target):
                yield f"{source.id}v", board, source.target
        return
    with ExitStack() as stack:
        choices: list[Choose] = [random_move, noisy_move]
        if plan.engine:
            choices.append(stack.enter_context(Engine(list(plan.engine))).choose)
        for board in game(random.choice(plan.sizes), random, choices[number % len(choices)]):
            weak = [block for block in board.blocks if len(block.liberties) <= MOST_LIBERTIES]
            if weak and random.random() < _BOARDS_OF_A_GAME:
                # Blocks of several stones, and those with few liberties, are rare: any block is as likely.
                yield "g", board, min(random.choice(weak).stones)


def _is_weak(board: Board, target: int) -> bool:
    block = next(block for block in board.blocks if target in block.stones)
    return len(block.liberties) <= MOST_LIBERTIES
