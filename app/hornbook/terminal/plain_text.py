"""Trees and tables as plain text: never wrapped to the width of a terminal, without trailing blanks."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, RenderableType

from hornbook.kb.text.lines import lines_of

_WIDTH = 100_000
"""A width above that of any line, so that lines can be scrolled and compared without wrapping."""


def plain(shown: RenderableType) -> str:
    """Return a rich renderable as plain lines."""
    text = StringIO()
    Console(file=text, width=_WIDTH, no_color=True, highlight=False).print(shown)
    return "\n".join(line.rstrip() for line in lines_of(text.getvalue()))
