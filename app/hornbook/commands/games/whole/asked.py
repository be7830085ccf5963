"""What another program asks of a player, line by line, with nothing in the way of an answer in time."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from io import TextIOWrapper


def asked() -> Iterator[str]:
    """The lines of standard input, whatever bytes these have.

    What was loaded by now stays until the end, so the collector need not look through it in the middle of a move.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    gc.collect()
    gc.freeze()
    return iter(sys.stdin.readline, "")
