"""Work on one sheet in a process of its own, which may take so much memory and time and no more."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

MOST_BYTES = 4 * 2**30
Result = TypeVar("Result")


def apart(work: Callable[..., Result], *of: Any, seconds: float) -> Result | str:
    """What a call gives, or why it gives nothing."""
    # What this process has loaded need not be loaded again.
    processes = multiprocessing.get_context("fork")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_told, args=(theirs, work, of))
    process.start()
    theirs.close()
    try:
        if not ours.poll(seconds):
            return f"nothing in {seconds:g} seconds"
        answer: Result | str = ours.recv()
    except EOFError:
        return "its process was ended"
    finally:
        process.kill()
        process.join()
        ours.close()
    return answer


def _told(to: Connection, work: Callable[..., Result], of: tuple[Any, ...]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        answer: Result | str = work(*of)
    except Exception as problem:  # noqa: BLE001 - whatever stops the work is its answer
        answer = " ".join([type(problem).__name__, *str(problem).splitlines()[:1]])
    to.send(answer)
