"""Streams: the standard input, pipes and devices, which can be read only once in each command."""

from __future__ import annotations

from pathlib import Path

STANDARD_INPUT = Path("-")
"""The name of the standard input on a command line."""
_STANDARD_INPUTS = (STANDARD_INPUT, Path("/dev/stdin"), Path("/dev/fd/0"))
TEXTS: dict[Path, str] = {}
"""The texts of streams that were read."""


def is_stream(path: Path) -> bool:
    """Return whether a path is the standard input, a pipe or another device, rather than a file
    or a folder.
    """
    try:
        # Another process may have read the stream, which this process need not have.
        if path in _STANDARD_INPUTS or path in TEXTS:
            return True
        return path.exists() and not path.is_file() and not path.is_dir()
    except (OSError, ValueError):
        return False


def stream_named(path: Path) -> Path:
    """Return the one name of a stream: the standard input has several."""
    return STANDARD_INPUT if path in _STANDARD_INPUTS else path


def forget_streams() -> None:
    """Forget the texts of streams: another command has another standard input."""
    TEXTS.clear()
