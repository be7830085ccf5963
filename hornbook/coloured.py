"""Diagnostics on a terminal: with their codes, carets and ways out in colours, where colours are wanted.

Only on terminals, and never where NO_COLOR is set; anything else gets the plain text.
"""

from __future__ import annotations

import os
from typing import TextIO


def show(text: str, stream: TextIO) -> None:
    """Writes diagnostics, and a line end after them."""
    if not stream.isatty() or os.environ.get("NO_COLOR"):  # rich would leave the bold face
        stream.write(f"{text}\n")
        return
    from rich.console import Console  # noqa: PLC0415 - only for terminals
    from rich.text import Text  # noqa: PLC0415

    coloured = Text(text)
    coloured.highlight_regex(r"(?m)^error(\[\w+\]|(?=:))", "bold red")
    coloured.highlight_regex(r"(?m)^warning\[\w+\]", "bold yellow")
    coloured.highlight_regex(r"(?m)^ *\| [ \t]*\^+$", "red")
    coloured.highlight_regex(r"(?m)^ *= help:", "cyan")
    Console(file=stream).print(coloured, soft_wrap=True)
