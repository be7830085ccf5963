"""This process, and a pool of processes on this machine, as backends."""

from __future__ import annotations

import pickle
from collections.abc import Collection, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Self

from hornbook.kb.text.counts import counted
from hornbook.kb.text.writing import write_bytes
from hornbook.spread.places import RETRIES, UNGUARDED, LostWorkersError
from hornbook.spread.spawning import share_of, spawn_context
from hornbook.spread.work import Shipped, done, end_with_parent, leave_interrupts


class PoolTask:
    """A submitted chunk. It is compared by identity, since two chunks may be equal."""

    future: Future[Any]

    def __init__(self, part: Any) -> None:
        self.part = part
        self.lost = 0
        """The number of processes lost while this chunk was pending."""


class Here:
    """This process, which does a chunk when its result is requested."""

    workers = 1
    threads = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def send(self, work: Shipped) -> None:
        self._work = work

    def begin(self, part: Any) -> PoolTask:
        return PoolTask(part)

    def some(self, tasks: Collection[PoolTask]) -> Iterator[tuple[PoolTask, Any]]:
        first = next(iter(tasks))
        yield first, done(self._work, first.part)


class Processes:
    """A pool of processes on this machine.

    If one is lost, all are restarted and repeat the unfinished chunks.
    """

    def __init__(self, workers: int) -> None:
        self.workers = workers
        self.threads = share_of(workers)

    def __enter__(self) -> Self:
        self._folder = TemporaryDirectory(prefix="hornbook-")
        self._one_began = Path(self._folder.name) / "one began"
        self._start()
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        started = list((self._pool._processes or {}).values())  # noqa: SLF001 - no public way to end them
        self._pool.shutdown(wait=kind is None, cancel_futures=True)
        if kind is not None:
            for process in started:
                process.terminate()
        self._folder.cleanup()

    def _start(self) -> None:
        self._pool = ProcessPoolExecutor(self.workers, spawn_context(), _begin, (self._one_began,))

    def send(self, work: Shipped) -> None:
        """Write the work to a file, which each process reads once."""
        self._work = Path(self._folder.name) / work.digest
        write_bytes(self._work, pickle.dumps(work, pickle.HIGHEST_PROTOCOL))

    def begin(self, part: Any) -> PoolTask:
        task = PoolTask(part)
        self._submit(task)
        return task

    def _submit(self, task: PoolTask) -> None:
        try:
            task.future = self._pool.submit(_done, self._work, task.part)
        except BrokenProcessPool as lost:
            task.future = Future()
            task.future.set_exception(lost)

    def some(self, tasks: Collection[PoolTask]) -> Iterator[tuple[PoolTask, Any]]:
        wait([each.future for each in tasks], return_when=FIRST_COMPLETED)
        is_broken = False
        for each in list(tasks):
            if each.future.done():
                if isinstance(each.future.exception(), BrokenProcessPool):
                    is_broken = True
                else:
                    yield each, each.future.result()
        if is_broken:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._start()
            for each in tasks:
                each.lost += 1
                if each.lost > RETRIES:
                    way_out = "smaller parts or fewer workers take less memory (`--chunk-size`, `--workers`)"
                    if not self._one_began.exists():
                        way_out = UNGUARDED
                    raise LostWorkersError(
                        f"worker processes were lost {counted(each.lost, 'time')} before one part was"
                        f" done: {way_out}"
                    )
                self._submit(each)


def _begin(one_began: Path) -> None:
    one_began.touch()
    leave_interrupts()
    end_with_parent()


def _done(work: Path, part: Any) -> Any:
    return done(_sent(work), part)


@lru_cache(maxsize=1)
def _sent(work: Path) -> Shipped:
    found: Shipped = pickle.loads(work.read_bytes())  # noqa: S301 - written by the parent process
    return found
