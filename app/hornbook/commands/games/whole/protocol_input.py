"""Requests of another program to a player, read line by line without delays."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from io import TextIOWrapper


def input_lines() -> Iterator[str]:
    """Yield the lines of standard input, whatever their bytes.

    The objects loaded so far stay alive until the end, so they are frozen to keep garbage collection from
    scanning them during a move.
    """
    if isinstance(sys.stdin, TextIOWrapper):
        sys.stdin.reconfigure(errors="replace")
    gc.collect()
    gc.freeze()
    return iter(sys.stdin.readline, "")
