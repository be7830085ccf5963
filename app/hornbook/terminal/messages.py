"""Lines on the two output streams. Each is flushed, so that the reader of a pipe receives it at once."""

from __future__ import annotations

import json
import sys
from typing import Any


def print_line(text: str, *, end: str = "\n") -> None:
    """Write a line to the output."""
    sys.stdout.write(text + end)
    sys.stdout.flush()


def print_json(value: Any) -> None:
    """Write a value as a line of JSON to the output."""
    print_line(json.dumps(value, ensure_ascii=False))


def warn(text: str) -> None:
    """Write a line to the error stream."""
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
