"""Trees and tables as plain text: never wrapped to the width of a terminal, without trailing blanks."""

from __future__ import annotations

import sys
from io import StringIO

from rich.console import Console, RenderableType

from hornbook.kb.text.lines import lines_of
from hornbook.terminal.screen import unfiltered

_WIDTH = 100_000
"""A width above that of any line, so that lines can be scrolled and compared without wrapping."""


class _Lines(StringIO):
    """Lines with the encoding of the output, so that the branches of trees are ASCII if it lacks others."""

    @property
    def encoding(self) -> str:  # type: ignore[override] # `StringIO` has None
        return unfiltered(sys.stdout).encoding or "utf-8"


def plain(shown: RenderableType) -> str:
    """Return a rich renderable as plain lines."""
    text = _Lines()
    Console(file=text, width=_WIDTH, no_color=True, highlight=False).print(shown)
    return "\n".join(line.rstrip() for line in lines_of(text.getvalue()))
