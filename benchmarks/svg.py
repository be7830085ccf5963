"""Plots as SVG files: the same figures make the same file, and no line of it ends in spaces."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def figure(width: float, height: float) -> Any:
    """An empty figure of so many inches. Raises ModuleNotFoundError where matplotlib is not installed."""
    import matplotlib as mpl  # noqa: PLC0415 - an extra, and slow to import
    from matplotlib.figure import Figure  # noqa: PLC0415

    mpl.rcParams["svg.hashsalt"] = "hornbook"
    mpl.rcParams["svg.fonttype"] = "none"
    return Figure(figsize=(width, height), layout="constrained")


def save(drawn: Any, path: Path) -> None:
    """Writes a figure."""
    drawn.savefig(path, format="svg", metadata={"Date": None})
    tidy = "\n".join(line.rstrip() for line in path.read_text(encoding="utf-8").splitlines())
    path.write_text(tidy + "\n", encoding="utf-8")
