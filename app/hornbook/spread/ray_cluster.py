"""Ray cluster as a backend (extra `ray`). Ray repeats the unfinished tasks of a lost worker."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, Self
from warnings import catch_warnings, simplefilter

from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.lines import first_line
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.places import RETRIES, LostWorkersError
from hornbook.spread.spawning import share_of
from hornbook.spread.work import Shipped, done


class RayCluster:
    """The cluster at an address, the one this process is connected to, or a temporary one on this machine."""

    def __init__(self, address: str, workers: int) -> None:
        self._ray = extra_module("ray", "ray")
        self._address, self._number = address, workers

    def __enter__(self) -> Self:
        self._is_ours = not self._ray.is_initialized()
        if self._is_ours:
            with _own_termination():
                self._connect()
        self._begin = self._ray.remote(num_cpus=1, max_retries=RETRIES)(done)
        return self

    def _connect(self) -> None:
        if not self._address:
            # Usage statistics are not sent.
            os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
            self._ray.init(
                "local",
                num_cpus=self._number,
                include_dashboard=False,
                log_to_driver=False,
                logging_level="error",
            )
            return
        try:
            with catch_warnings():
                simplefilter("ignore", UserWarning)  # the error has the same message
                self._ray.init(f"ray://{self._address}", log_to_driver=False, logging_level="error")
        except (ConnectionError, OSError) as problem:
            reason = first_line(problem)
            port = self._address.rpartition(":")[2]
            way_out = f"`ray start --head --ray-client-server-port {port}` starts one"
            raise HornbookError(
                f"no Ray cluster answers at ray://{self._address} ({reason}); {way_out}"
            ) from None

    def __exit__(self, *_: object) -> None:
        if self._is_ours:
            self._ray.shutdown()

    @property
    def workers(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    @property
    def threads(self) -> int:
        return 1 if self._address else share_of(self._number)

    def send(self, work: Shipped) -> None:
        self._work = self._ray.put(work)

    def begin(self, part: Any) -> Any:
        return self._begin.remote(self._work, part)

    def some(self, tasks: Collection[Any]) -> Iterator[tuple[Any, Any]]:
        finished, _ = self._ray.wait(list(tasks), num_returns=1)
        for each in finished:
            try:
                yield each, self._ray.get(each)
            except self._ray.exceptions.RayTaskError as problem:
                raise problem.cause from None
            except self._ray.exceptions.RayError as problem:
                reason = first_line(problem)
                raise LostWorkersError(f"Ray gave up on a part whose workers were lost: {reason}") from None


@contextmanager
def _own_termination() -> Iterator[None]:
    """Restore the handler of SIGTERM afterwards.

    Ray leaves its own handler, which processes forked later inherit.
    """
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGTERM, signal.SIG_DFL if before is None else before)
