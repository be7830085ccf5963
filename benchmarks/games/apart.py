"""Work on one sheet in a separate process, with limits of memory and time."""

from __future__ import annotations

import multiprocessing
import resource
from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

MOST_BYTES = 4 * 2**30
Result = TypeVar("Result")


def apart(work: Callable[..., Result], *of: Any, seconds: float) -> Result | str:
    """Return the result of a call, or the reason for a missing result."""
    # The child need not load the modules again.
    processes = multiprocessing.get_context("fork")
    ours, theirs = processes.Pipe()
    process = processes.Process(target=_answer, args=(theirs, work, of))
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


def _answer(to: Connection, work: Callable[..., Result], of: tuple[Any, ...]) -> None:
    resource.setrlimit(resource.RLIMIT_AS, (MOST_BYTES, MOST_BYTES))
    try:
        answer: Result | str = work(*of)
    except Exception as problem:  # noqa: BLE001 - every exception is the answer
        answer = " ".join([type(problem).__name__, *str(problem).splitlines()[:1]])
    to.send(answer)
