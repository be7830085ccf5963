"""Exits of the code beside a theory, which are errors: they end no command, no service and no session."""

from __future__ import annotations

from contextlib import ContextDecorator
from types import TracebackType

from hornbook.terminal.failure import place_in_code


class ExitsAreErrors(ContextDecorator):
    """A context, or a decorator of functions, that raises AdapterError where the code beside a theory calls
    `sys.exit`.

    `os._exit` ends the process at once, so that no error can take its place.
    """

    def __enter__(self) -> None:
        """Begin the context."""

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        if problem is None or isinstance(problem, Exception | KeyboardInterrupt):
            return
        from hornbook.kb.load.adapters import AdapterError  # noqa: PLC0415 - slow to import

        place = place_in_code(problem)
        if place is not None or isinstance(problem, SystemExit):
            where = place or "the code beside a theory"
            message = (
                f"{where}: the code ends the program by {type(problem).__name__}; let it raise ValueError"
            )
            raise AdapterError(message) from problem


exits_are_errors = ExitsAreErrors()
"""The context; it has no state, so that one serves everywhere."""
