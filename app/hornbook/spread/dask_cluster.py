"""Dask cluster as a backend (extra `dask`). Dask repeats the unfinished tasks of a lost worker."""

from __future__ import annotations

import logging
from collections.abc import Collection, Iterator
from concurrent.futures import CancelledError
from contextlib import ExitStack
from typing import Any, Self

from hornbook.kb.sources.extras import extra_module
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.places import UNGUARDED, LostWorkersError
from hornbook.spread.spawning import share_of
from hornbook.spread.work import Shipped, done, leave_interrupts

_LOG = logging.getLogger("hornbook")


class DaskCluster:
    """The cluster of a scheduler, or without an address a temporary cluster of processes on this machine."""

    def __init__(self, address: str, workers: int) -> None:
        self._dask = extra_module("distributed", "dask")
        self._address, self._number = address, workers

    def __enter__(self) -> Self:
        with ExitStack() as opened:
            logger = logging.getLogger("distributed")
            opened.callback(logger.setLevel, logger.level)
            logger.setLevel("CRITICAL")  # important problems are raised
            # A chunk may have any size that the user chooses.
            config = extra_module("dask", "dask").config
            opened.enter_context(config.set({"distributed.admin.large-graph-warning-threshold": "1 TB"}))
            if self._address:
                where: Any = f"tcp://{self._address}"
            else:
                where = opened.enter_context(self._started())
            try:
                self._client = opened.enter_context(self._dask.Client(where))
            except OSError:
                raise HornbookError(
                    f"no Dask scheduler answers at {self._address}; `dask scheduler` starts one and"
                    " says where"
                ) from None
            if self._address and not self._client.nthreads():
                way_out = f"`dask worker tcp://{self._address} --nthreads 1` starts one"
                _LOG.warning(
                    "the Dask cluster at %s has no workers yet, and is waited for: %s", self._address, way_out
                )
            self._opened = opened.pop_all()
        return self

    def _started(self) -> Any:
        """Return a new cluster on this machine."""
        try:
            return self._dask.LocalCluster(
                n_workers=self._number,
                threads_per_worker=1,
                dashboard_address="127.0.0.1:0",  # the usual port may be another cluster's
                silence_logs="CRITICAL",
                preload=[__name__],
            )
        except RuntimeError as problem:
            raise LostWorkersError(f"the workers of Dask did not start ({problem}): {UNGUARDED}") from None

    def __exit__(self, *_: object) -> None:
        self._opened.close()

    @property
    def workers(self) -> int:
        threads: dict[str, int] = self._client.nthreads()
        return max(1, sum(threads.values()))

    @property
    def threads(self) -> int:
        return 1 if self._address else share_of(self._number)

    def send(self, work: Shipped) -> None:
        """Submit the work as the result of a task.

        Dask then sends it once to each worker, and again if one is lost.
        """
        self._work = self._client.submit(_identity, work, key=f"hornbook-{work.digest}")

    def begin(self, part: Any) -> Any:
        return self._client.submit(done, self._work, part, pure=False)

    def some(self, tasks: Collection[Any]) -> Iterator[tuple[Any, Any]]:
        try:
            for each in self._dask.wait(list(tasks), return_when="FIRST_COMPLETED").done:
                yield each, each.result()
        except self._dask.KilledWorker as problem:
            raise LostWorkersError(
                f"Dask gave up on a part that {problem.allowed_failures + 1} workers were lost on"
            ) from None
        except (CancelledError, OSError):
            raise LostWorkersError("the Dask scheduler was lost") from None


def dask_setup(worker: object) -> None:
    """Set up a worker process that this backend starts; Dask calls this function."""
    leave_interrupts()


def _identity(work: Shipped) -> Shipped:
    return work
