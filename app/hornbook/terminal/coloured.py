"""Progress bars and coloured diagnostics on a terminal.

Colours are used only on terminals and only if NO_COLOR is not set. Other streams get plain text.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, TextIO

from hornbook.kb.text.escaping import visible
from hornbook.terminal.progress_lines import progress_lines
from hornbook.terminal.screen import unfiltered, write_message, written_for

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status


@contextmanager
def progress(
    what: str, total: int | None, *, enabled: bool = True, lines: bool = False
) -> Iterator[Callable[..., None]]:
    """Yield a function that updates a progress bar on the error stream, like `rich.progress.Progress.update`.

    The bar appears only on a terminal. `remark` is shown beside the bar, and `doing` names the current item.
    Text printed meanwhile passes through the screen as usual. With `lines`, an error stream that is not a
    terminal gets plain progress lines at intervals.
    """
    if lines and enabled and not sys.stderr.isatty():
        with progress_lines(what, total) as update:
            yield update
        return
    if not (enabled and sys.stderr.isatty()):
        yield _not_shown
        return
    from rich import progress as bars  # noqa: PLC0415 - only where something takes long

    columns = (
        bars.TextColumn(what),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TextColumn("{task.fields[remark]}"),
        bars.TextColumn("{task.fields[doing]}", markup=False),
    )
    with bars.Progress(*columns, console=_drawing(), redirect_stdout=False, redirect_stderr=False) as bar:
        yield partial(bar.update, bar.add_task("", total=total, remark="", doing=""))


def _not_shown(**_: object) -> None:
    """Take the place of a progress bar that is not shown."""


def spinner(message: str) -> Status:
    """Return a spinner with a message for the error stream. Nothing may be printed while it is active."""
    from rich.text import Text  # noqa: PLC0415

    return _drawing().status(Text(visible(message)))


@contextmanager
def counter(message: str, count: Callable[[], int | None], of: str) -> Iterator[None]:
    """Show a growing count on the error stream if it is a terminal. `count` returns the current number."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.live import Live  # noqa: PLC0415 - only where something takes long
    from rich.text import Text  # noqa: PLC0415

    def line() -> Text:
        found = count()
        return Text(f"{message} …" if found is None else f"{message}: {found:,} {of}")

    with Live(
        get_renderable=line,
        console=_drawing(),
        transient=True,
        redirect_stdout=False,
        redirect_stderr=False,
    ):
        yield


def _drawing() -> Console:
    from rich.console import Console  # noqa: PLC0415

    return Console(file=unfiltered(sys.stderr))


def show(text: str, stream: TextIO) -> None:
    """Write diagnostics followed by a line end."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):  # rich would still print bold text
        write_message(f"{text}\n", stream)
        return
    from rich.console import Console  # noqa: PLC0415 - only for terminals
    from rich.text import Text  # noqa: PLC0415

    coloured = Text(written_for(visible(text), stream))
    coloured.highlight_regex(r"(?m)^error(\[\w+\]|(?=:))", "bold red")
    coloured.highlight_regex(r"(?m)^warning\[\w+\]", "bold yellow")
    coloured.highlight_regex(r"(?m)^ *\| [ \t]*\^+$", "red")
    coloured.highlight_regex(r"(?m)^ *= help:", "cyan")
    Console(file=unfiltered(stream)).print(coloured, soft_wrap=True)
