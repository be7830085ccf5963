"""Searches of several answerers that run together: in each round, a position of each one is matched.

Invariants: The result of a search is the one that it has alone, with its own budget.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from time import monotonic
from typing import Generic, TypeVar

from hornbook.play.answering.answering import Answerer, Conclusions, Position, Search

Found = TypeVar("Found")
TOGETHER = 64
"""The largest number of searches that run at the same time."""


class _RunningSearch(Generic[Found]):
    """A search with the position that it needs next, or with its result or error."""

    def __init__(self, number: int, answerer: Answerer, search: Callable[[Answerer], Search[Found]]) -> None:
        self.number, self.answerer = number, answerer
        self.position: Position | None = None
        self.result: Found | BaseException
        self._spent = 0.0
        self._search = search(answerer)
        self._advance(lambda: next(self._search))

    def resume(self, conclusions: Conclusions, seconds: float) -> None:
        """Go on with the conclusions about the position, which took some seconds."""
        self._spent += seconds
        self._advance(lambda: self._search.send(conclusions))

    def _advance(self, step: Callable[[], Position]) -> None:
        began, self.position = monotonic(), None
        self.answerer.budget.resume(self._spent)
        try:
            self.position = step()
        except StopIteration as done:
            self.result = done.value
        except Exception as problem:  # noqa: BLE001 - it is raised when it is the turn of this search
            self.result = problem
        self._spent += monotonic() - began


def together(
    answerer: Answerer, searches: Iterable[Callable[[Answerer], Search[Found]]]
) -> Iterator[Found | BaseException]:
    """Yield the result of each search, or its error, in their order.

    Each search has an answerer `beside` the given one. Its time is that of its own steps, and its share of
    that of the matches.
    """
    waiting = enumerate(searches)
    running: list[_RunningSearch[Found]] = []
    done: dict[int, Found | BaseException] = {}
    yielded = 0
    while True:
        # Results are yielded in order, so a long search does not let others run far ahead.
        room = min(TOGETHER - len(running), 4 * TOGETHER - len(done))
        for number, search in islice(waiting, max(0, room)):
            running.append(_RunningSearch(number, answerer.beside(), search))
        done.update((each.number, each.result) for each in running if each.position is None)
        while yielded in done:
            yield done.pop(yielded)
            yielded += 1
        running = [each for each in running if each.position is not None]
        if running:
            _match(answerer, running)
        elif not done and room > 0:
            return


def _match(answerer: Answerer, running: Sequence[_RunningSearch[Found]]) -> None:
    """Match the positions of searches, and resume each."""
    began = monotonic()
    positions = [each.position for each in running if each.position is not None]
    found = answerer.play.conclusions(answerer.states, positions)
    share = (monotonic() - began) / len(running)
    for each, conclusions in zip(running, found, strict=True):
        each.resume(conclusions, share)
