"""Trees and tables as plain lines: never folded to the width of a terminal, and without blanks at their ends."""

from __future__ import annotations

from io import StringIO

from rich.console import Console, RenderableType

from hornbook.kb.text.lines import lines_of

_WIDTH = 100_000
"""Wider than any line; who reads long lines scrolls, and who compares them wants each in one piece."""


def plain(shown: RenderableType) -> str:
    """What is shown, line by line."""
    text = StringIO()
    Console(file=text, width=_WIDTH, no_color=True, highlight=False).print(shown)
    return "\n".join(line.rstrip() for line in lines_of(text.getvalue()))
