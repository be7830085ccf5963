"""What is drawn on a terminal: bars while work lasts, and diagnostics with codes, carets and ways out in colours.

Colours only on terminals, and never where NO_COLOR is set; anything else gets the plain text.
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
from hornbook.terminal.screen import past_the_screen, write_message, written_for

if TYPE_CHECKING:
    from rich.console import Console
    from rich.status import Status


@contextmanager
def progress(
    what: str, total: int | None, *, wanted: bool = True, lines: bool = False
) -> Iterator[Callable[..., None]]:
    """A bar on the error stream, where that is a terminal, and what moves it on, as `rich.progress.Progress.update` does;
    `said` is a word beside it, and `doing` what is worked on now. What is printed meanwhile goes its own way, through the screen.

    With `lines`, an error stream that is no terminal gets plain lines now and then.
    """
    if lines and wanted and not sys.stderr.isatty():
        with progress_lines(what, total) as moved_on:
            yield moved_on
        return
    from rich import progress as bars  # noqa: PLC0415 - only where something takes long

    columns = (
        bars.TextColumn(what),
        bars.BarColumn(),
        bars.MofNCompleteColumn(),
        bars.TimeElapsedColumn(),
        bars.TextColumn("{task.fields[said]}"),
        bars.TextColumn("{task.fields[doing]}", markup=False),
    )
    disable = not (wanted and sys.stderr.isatty())
    with bars.Progress(
        *columns, console=_drawing(), redirect_stdout=False, redirect_stderr=False, disable=disable
    ) as bar:
        yield partial(bar.update, bar.add_task("", total=total, said="", doing=""))


def working(said: str) -> Status:
    """A sign of life on the error stream, with a word on what lasts; nothing is to be printed meanwhile."""
    from rich.text import Text  # noqa: PLC0415

    return _drawing().status(Text(visible(said)))


@contextmanager
def counting(said: str, count: Callable[[], int | None], of: str) -> Iterator[None]:
    """A sign of life on the error stream, where that is a terminal: how many there are of something, looked up meanwhile."""
    if not sys.stderr.isatty():
        yield
        return
    from rich.live import Live  # noqa: PLC0415 - only where something takes long
    from rich.text import Text  # noqa: PLC0415

    def line() -> Text:
        found = count()
        return Text(f"{said} …" if found is None else f"{said}: {found:,} {of}")

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

    return Console(file=past_the_screen(sys.stderr))


def show(text: str, stream: TextIO) -> None:
    """Writes diagnostics, and a line end after them."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):  # rich would leave the bold face
        write_message(f"{text}\n", stream)
        return
    from rich.console import Console  # noqa: PLC0415 - only for terminals
    from rich.text import Text  # noqa: PLC0415

    coloured = Text(written_for(visible(text), stream))
    coloured.highlight_regex(r"(?m)^error(\[\w+\]|(?=:))", "bold red")
    coloured.highlight_regex(r"(?m)^warning\[\w+\]", "bold yellow")
    coloured.highlight_regex(r"(?m)^ *\| [ \t]*\^+$", "red")
    coloured.highlight_regex(r"(?m)^ *= help:", "cyan")
    Console(file=past_the_screen(stream)).print(coloured, soft_wrap=True)
