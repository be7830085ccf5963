"""Measurements as data: lines over sizes, which are drawn, and tables, which the page contains.

A table is between `<!-- table: NAME -->` and `<!-- end -->` in the page, and is rewritten after each run.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import svg


@dataclass(frozen=True, slots=True)
class CostLine:
    """Costs by size, one curve of a panel."""

    label: str
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Panel:
    """Curves over one pair of axes, with scales in matplotlib's terms."""

    title: str
    x: str
    y: str
    lines: tuple[CostLine, ...]
    scales: tuple[str, str] = ("log", "log")


@dataclass(frozen=True, slots=True)
class CostTable:
    """Rows of text under headings, in Markdown. All columns except the first are numbers."""

    name: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]

    def __str__(self) -> str:
        rule = ("---", *("--:" for _ in self.headings[1:]))
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.headings, rule, *self.rows))


@dataclass(frozen=True, slots=True)
class Measurement:
    """Results of one part of the study: its tables, and a picture's panels by the picture's name."""

    tables: tuple[CostTable, ...]
    pictures: tuple[tuple[str, tuple[Panel, ...]], ...] = ()


def draw(name: str, panels: Sequence[Panel], folder: Path) -> Path:
    """Draw a picture of adjacent panels. Raise ModuleNotFoundError if matplotlib is not installed."""
    path = folder / f"{name}.svg"
    figure = svg.figure(4.6 * len(panels), 3.6)
    for place, panel in enumerate(panels, start=1):
        axes = figure.add_subplot(1, len(panels), place)
        for number, line in enumerate(panel.lines):
            sizes, costs = zip(*line.points, strict=True)
            axes.plot(sizes, costs, marker="o", markersize=3, color=f"C{number}", label=line.label)
        axes.set_xscale(panel.scales[0])
        axes.set_yscale(panel.scales[1])
        axes.xaxis.get_major_locator().set_params(
            **({"integer": True} if panel.scales[0] == "linear" else {})
        )
        axes.set_title(panel.title, fontsize=10)
        axes.set_xlabel(panel.x)
        axes.set_ylabel(panel.y)
        axes.grid(visible=True, which="major", linewidth=0.3)
        axes.legend(fontsize=7)
    svg.save(figure, path)
    return path


def with_tables(page: str, tables: Sequence[CostTable]) -> str:
    """Return a page with these tables in their places. Raise ValueError if a table has no place."""
    for table in tables:
        place = re.compile(rf"(<!-- table: {re.escape(table.name)} -->\n).*?(<!-- end -->)", re.DOTALL)
        page, found = place.subn(partial(_filled, str(table)), page)
        if found != 1:
            raise ValueError(f"the page has {found} places for the table `{table.name}`")
    return page


def _filled(text: str, place: re.Match[str]) -> str:
    return f"{place[1]}\n{text}\n\n{place[2]}"


def number(value: float) -> str:
    """Return a number with three significant digits."""
    if float(value).is_integer():
        return f"{int(value):,}"
    size = abs(value)
    digits = 0 if size >= 100 else 1 if size >= 10 else 2 if size >= 0.1 else 4
    return f"{value:,.{digits}f}"
