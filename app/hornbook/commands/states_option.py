"""The option `--states` of several commands: a query about every state of a file, with a report."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.kb.text.counts import counted
from hornbook.matcher.program.dataclass import dataclass
from hornbook.terminal.failure import INTERRUPTED, ArgumentError, ReportedError
from hornbook.terminal.messages import print_line, warn

if TYPE_CHECKING:
    import pyarrow

    from hornbook.spread.places import BackendOpener
    from hornbook.spread.states import TableQuestion


@dataclass(frozen=True, slots=True)
class TableQueryOptions:
    """The options of a command that queries many states."""

    states: Path
    into: Path
    opened: BackendOpener
    part: int | None
    skip_bad: bool

    @classmethod
    def of(
        cls,
        states: Path | None,
        into: Path | None,
        on: str | None,
        workers: int | None,
        part: int | None,
        *,
        skip_bad: bool = False,
        others: Mapping[str, object],
    ) -> TableQueryOptions | None:
        """Return the options, or None if no file of states is given.

        `others` are the options for a single state.

        Raises BadParameter if the options contradict each other.
        """
        if states is None:
            given = (
                ("--into", into),
                ("--backend", on),
                ("--workers", workers),
                ("--chunk-size", part),
                ("--skip-bad", skip_bad),
            )
            _refuse(given, "it needs a table of states (`--states`)")
            return None
        _refuse(others.items(), "it applies to one state, and cannot be combined with `--states`")
        if into is None:
            raise ArgumentError("this option is required: it names the table for the answers", "--into")
        return cls(states, into, backend_of(on, workers), part, skip_bad)

    @property
    def _resume_hint(self) -> str:
        from hornbook.spread.answer_place import AnswerPlace  # noqa: PLC0415 - slow to import

        return (
            f"`{AnswerPlace.of(self.into).parts.name}` has the finished answers; the same command"
            " resumes there"
        )

    def ask(
        self,
        question: TableQuestion,
        *,
        json_output: bool,
        seen: Callable[[pyarrow.ChunkedArray], None] | None = None,
    ) -> None:
        """Answer the question and print the result.

        Raises Exit if interrupted, and TableError and WritingError as `answer_file` does.
        """
        from hornbook.kb.text.writing import require_writable  # noqa: PLC0415 - slow to import
        from hornbook.spread.answer_place import AnswerPlace  # noqa: PLC0415 - slow to import
        from hornbook.spread.files import PART, answer_file  # noqa: PLC0415 - the same
        from hornbook.spread.places import LostWorkersError  # noqa: PLC0415 - the same
        from hornbook.spread.states import ERROR  # noqa: PLC0415 - the same
        from hornbook.terminal.coloured import progress  # noqa: PLC0415 - the same
        from hornbook.terminal.termination import termination_interrupts  # noqa: PLC0415 - the same

        require_writable(AnswerPlace.of(self.into).path)
        began = time.monotonic()
        try:
            with termination_interrupts(), progress("answering", None) as moved:
                report = answer_file(
                    question,
                    self.states,
                    self.into,
                    self.opened,
                    part=PART if self.part is None else self.part,
                    skip_bad=self.skip_bad,
                    update_progress=lambda rows, of: moved(completed=rows, total=of),
                    seen=seen,
                )
        except KeyboardInterrupt:
            warn(f"interrupted: {self._resume_hint}")
            raise ReportedError(INTERRUPTED) from None
        except LostWorkersError as problem:
            raise LostWorkersError(f"{problem}; {self._resume_hint}") from None
        if json_output:
            counts = {"states": report.rows, "bad": report.bad, "parts": report.parts, "known": report.known}
            print_line(json.dumps({**counts, "seconds": round(time.monotonic() - began, 3)}))
            return
        known = f" ({report.known} of {report.parts} parts were answered before)" if report.known else ""
        bad = f", {report.bad:,} without answers (column `{ERROR}`)" if report.bad else ""
        print_line(f"{counted(report.rows, 'state')} in {self.into}{bad}{known}")


def _refuse(options: Iterable[tuple[str, object]], why: str) -> None:
    """Raise BadParameter for the first option that is given."""
    for name, value in options:
        if value:
            raise ArgumentError(why, name)


def backend_of(on: str | None, workers: int | None) -> BackendOpener:
    """Return the backend that a command line names. Raises BadParameter if there is none."""
    from hornbook.spread.opening import opening  # noqa: PLC0415 - slow to import

    try:
        return opening(on, workers)
    except ValueError as problem:
        raise ArgumentError(str(problem), "--backend") from None
