"""Plots as SVG files. The same figures give the same file, without trailing spaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def figure(width: float, height: float) -> Any:
    """Return an empty figure of a size in inches.

    Raise ModuleNotFoundError if matplotlib is not installed.
    """
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcParams["svg.hashsalt"] = "hornbook"
    mpl.rcParams["svg.fonttype"] = "none"
    return Figure(figsize=(width, height), layout="constrained")


def save(drawn: Any, path: Path) -> None:
    """Write a figure."""
    drawn.savefig(path, format="svg", metadata={"Date": None})
    tidy = "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    path.write_text(tidy + "\n", encoding="utf-8")
