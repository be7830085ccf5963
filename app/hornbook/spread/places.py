"""Where parts of work are done: in this process, in several of this machine, by Dask or by Ray.

Always true: every part is done, whichever workers are lost meanwhile; who asks gets each result once, with the number of
its part. A worker that is lost is replaced where it is one of ours, and its parts are done by others.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.work import Shipped, Work

RETRIES = 3
"""So often a part is tried again whose worker was lost."""
UNGUARDED = (
    'a script of your own asks for workers below `if __name__ == "__main__":`, since each worker reads it too'
)
"""What to do where workers that a script starts start workers themselves."""
_AHEAD = 4
"""So many parts wait for each worker at most, so that a table need not be in memory."""


class LostWorkersError(HornbookError):
    """Workers were lost again and again, or all of them for good."""


class Place(Protocol):
    """Where parts are done. A task stands for a part there."""

    @property
    def workers(self) -> int:
        """How many parts are done at a time."""

    def send(self, work: Shipped) -> None:
        """The work that is done from now on."""

    def begin(self, part: Any) -> Any:
        """Begins with a part, and gives what stands for it."""

    def some(self, begun: Collection[Any]) -> Iterable[tuple[Any, Any]]:
        """Waits for some of what was begun: each with its result. Raises LostWorkersError, or what the work raised."""


Opened = Callable[[], AbstractContextManager[Place]]
"""What opens a place."""


def results(place: Place, work: Work, parts: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """What comes of parts with their numbers, each as soon as it is there."""
    place.send(Shipped.of(work))
    begun: dict[Any, int] = {}
    for number, part in parts:
        begun[place.begin(part)] = number
        while len(begun) >= _AHEAD * place.workers:
            yield from _next(place, begun)
    while begun:
        yield from _next(place, begun)


def _next(place: Place, begun: dict[Any, int]) -> Iterator[tuple[int, Any]]:
    for task, result in place.some(begun.keys()):
        yield begun.pop(task), result


def in_order(found: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """The results in the order of their numbers, which begin with 0."""
    waiting: dict[int, Any] = {}
    wanted = 0
    for number, result in found:
        waiting[number] = result
        while wanted in waiting:
            yield waiting.pop(wanted)
            wanted += 1
