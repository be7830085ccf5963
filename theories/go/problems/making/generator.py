"""Unlimited generation of Go problems: from games, or as variations of existing problems.

Work is divided into parts, each with its own random generator seeded by the seed and the part's number.
Several processes work on parts; results are taken in order. Each kind of problem (by depth, or without a
capture) gets an equal share. When a part starts, the kinds still needed are computed from all parts up to a
fixed distance before it. The problems therefore depend on the seed, but not on the number of processes.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from itertools import count
from multiprocessing import get_context
from random import Random
from typing import Self

from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.go.problems.making.canonical import canonical
from hornbook.theories.go.problems.making.games import Choose, GtpProgram, game, noisy_move, random_move
from hornbook.theories.go.problems.making.solution import solved
from hornbook.theories.go.problems.making.variations import variation
from hornbook.theories.go.problems.problem import CaptureProblem
from hornbook.theories.go.states.board import GoBoard

MOST_LIBERTIES = 4
"""Maximal number of liberties of a block to be captured."""
_BOARDS_OF_A_GAME = 1 / 6
"""Share of a game's boards that are used; adjacent boards are nearly the same."""
_VARIATIONS_OF_A_PART = 20
AHEAD = 16
"""Number of parts that are started before the first one is taken."""


@dataclass(frozen=True, slots=True)
class GenerationPlan:
    """Options of generation.

    The kinds of problems are `depths`, where None means problems without a capture. The games of the
    Go program with the command `engine` are used too. With `sources`, only variations of these are
    made, and no games.
    """

    number: int
    seed: int
    sizes: tuple[int, ...] = (7, 9)
    depths: tuple[int | None, ...] = (1, 3, 5, 7, None)
    engine: tuple[str, ...] = ()
    sources: tuple[CaptureProblem, ...] = ()

    def share(self, depth: int | None) -> int:
        """Return the required number of problems of a depth."""
        if depth not in self.depths:
            return 0
        place = self.depths.index(depth)
        return self.number // len(self.depths) + (place < self.number % len(self.depths))


def generate(plan: GenerationPlan, workers: int = 1) -> Iterator[CaptureProblem]:
    """Yield `plan.number` distinct problems, named by `g` or the source's name, and a number."""
    seen = {canonical(problem) for problem in plan.sources}
    have: Counter[int | None] = Counter()

    def needed() -> frozenset[int | None]:
        return frozenset(depth for depth in plan.depths if have[depth] < plan.share(depth))

    with _Workers(workers) as shared:
        waiting: deque[Callable[[], Sequence[CaptureProblem]]] = deque()
        for number in count():
            waiting.append(shared.begin(plan, number, needed()))
            if len(waiting) < AHEAD:
                continue
            for problem in waiting.popleft()():
                form = canonical(problem)
                if problem.depth in needed() and form not in seen:
                    seen.add(form)
                    have[problem.depth] += 1
                    yield replace(problem, id=f"{problem.id}{have.total():05}")
            if not needed():
                return


class _Workers:
    """Processes that share the parts, or none for a single worker."""

    def __init__(self, workers: int) -> None:
        self._pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn")) if workers > 1 else None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._pool is not None:
            self._pool.shutdown(wait=True, cancel_futures=True)

    def begin(
        self, plan: GenerationPlan, number: int, needed: frozenset[int | None]
    ) -> Callable[[], Sequence[CaptureProblem]]:
        """Start a part, and return a function that waits for its problems."""
        if self._pool is None:
            return lambda: _part(plan, number, needed)
        return self._pool.submit(_part, plan, number, needed).result


def _part(plan: GenerationPlan, number: int, needed: frozenset[int | None]) -> Sequence[CaptureProblem]:
    """Return one game's problems of the required depths, or some variations of one problem."""
    random = Random(f"{plan.seed} {number}")  # noqa: S311 - problems are no secrets
    solutions = (
        solved(name, board, target, needed) for name, board, target in _positions(plan, number, random)
    )
    return [problem for problem in solutions if problem is not None]


def _positions(plan: GenerationPlan, number: int, random: Random) -> Iterator[tuple[str, GoBoard, int]]:
    """Yield boards with a target: a name prefix, the board, and a stone of a block with few liberties."""
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
            choices.append(stack.enter_context(GtpProgram(list(plan.engine))).choose)
        for board in game(random.choice(plan.sizes), random, choices[number % len(choices)]):
            weak = [block for block in board.blocks if len(block.liberties) <= MOST_LIBERTIES]
            if weak and random.random() < _BOARDS_OF_A_GAME:
                # Blocks of several stones, and those with few liberties, are rare, so each block
                # is equally likely.
                yield "g", board, min(random.choice(weak).stones)


def _is_weak(board: GoBoard, target: int) -> bool:
    block = next(block for block in board.blocks if target in block.stones)
    return len(block.liberties) <= MOST_LIBERTIES
