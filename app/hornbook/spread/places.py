"""Backends that do the chunks of a piece of work: this process, local processes, Dask or Ray.

Invariants: Every chunk is done, even if workers are lost. The caller receives each result once, with the
number of its chunk. A lost worker is replaced if this program started it, and other workers do its chunks.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import AbstractContextManager
from typing import Any, Protocol

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.work import ChunkWork, Shipped

RETRIES = 3
"""The number of retries for a chunk whose worker was lost."""
UNGUARDED = (
    'call this below `if __name__ == "__main__":` in a script, since each worker imports the script too'
)
"""The advice for scripts whose workers start workers themselves."""
_AHEAD = 4
"""The number of chunks that may wait for each worker. The limit keeps the table from filling the memory."""


class LostWorkersError(HornbookError):
    """Workers were lost repeatedly, or all of them permanently."""


class Backend(Protocol):
    """A backend that does chunks. A task object represents a chunk there."""

    @property
    def workers(self) -> int:
        """The number of chunks that are done in parallel."""

    @property
    def threads(self) -> int | None:
        """The number of threads for each chunk, so that the workers of a machine share its processors; None
        for all processors.
        """

    def send(self, work: Shipped) -> None:
        """Set the work for all following chunks."""

    def begin(self, part: Any) -> Any:
        """Start a chunk and return its task."""

    def some(self, tasks: Collection[Any]) -> Iterable[tuple[Any, Any]]:
        """Wait until some tasks are done, and yield each with its result.

        Raises LostWorkersError, or the exception of the work.
        """


BackendOpener = Callable[[], AbstractContextManager[Backend]]
"""A function that opens a backend."""


def results(place: Backend, work: ChunkWork, parts: Iterable[tuple[int, Any]]) -> Iterator[tuple[int, Any]]:
    """Yield the results of chunks with their numbers, in the order of completion."""
    place.send(Shipped.of(work))
    tasks: dict[Any, int] = {}
    for number, part in parts:
        tasks[place.begin(part)] = number
        while len(tasks) >= _AHEAD * place.workers:
            yield from _next(place, tasks)
    while tasks:
        yield from _next(place, tasks)


def _next(place: Backend, tasks: dict[Any, int]) -> Iterator[tuple[int, Any]]:
    for task, result in place.some(tasks.keys()):
        yield tasks.pop(task), result


def in_order(found: Iterable[tuple[int, Any]]) -> Iterator[Any]:
    """Yield the results in the order of their numbers, which start at 0."""
    waiting: dict[int, Any] = {}
    following = 0
    for number, result in found:
        waiting[number] = result
        while following in waiting:
            yield waiting.pop(following)
            following += 1
