"""Calls in a separate process with a time limit."""

from __future__ import annotations

from collections.abc import Callable
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.spread.spawning import spawn_context
from hornbook.spread.work import end_with_parent, leave_interrupts
from hornbook.terminal.code_exits import exits_are_errors

Result = TypeVar("Result")
LONGEST = 1_000_000.0
"""A limit of about eleven days in seconds, since the operating system limits the time of a single wait."""


class CallTimeoutError(HornbookError):
    """A call exceeded its time limit."""


class EndedError(HornbookError):
    """The process of a call ended without a result."""


def within(seconds: float, call: Callable[..., Result], *arguments: Any) -> Result:
    """Return the result of a call, or raise its exception.

    The call, its arguments and its result must be picklable. The process has ended in each case.

    Raises:
        CallTimeoutError: If the time limit is exceeded.
        EndedError: If the process ends without a result.
    """
    context = spawn_context()
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=_answer, args=(sender, call, arguments), daemon=True)
    process.start()
    sender.close()
    try:
        if not receiver.poll(min(seconds, LONGEST)):
            raise CallTimeoutError(f"the time limit of {seconds:g} seconds was exceeded")
        result, problem = receiver.recv()
    except EOFError:
        raise EndedError("the worker process ended without a result") from None
    finally:
        process.kill()
        process.join()
        receiver.close()
    if problem is not None:
        raise problem
    return result  # type: ignore[no-any-return]


def _answer(sender: Connection, call: Callable[..., Any], arguments: tuple[Any, ...]) -> None:
    leave_interrupts()
    end_with_parent()
    answer: tuple[Any, Exception | None]
    try:
        answer = exits_are_errors(call)(*arguments), None
    except Exception as problem:  # noqa: BLE001 - the calling process raises it
        answer = None, problem
    sender.send(answer)
