"""Plots of cost against size as SVG, one for each workload that was run in several sizes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks import svg
from benchmarks.engine.report import BYTES, MeasureLine, lines
from benchmarks.engine.runner import Record
from benchmarks.engine.workloads import PEERS, WORKLOADS


def write(records: Sequence[Record], folder: Path) -> list[Path]:
    """Write the possible plots as `engine-WORKLOAD.svg`; both axes are logarithmic.

    Raises ModuleNotFoundError if matplotlib is not installed.
    """
    written = []
    for workload, group in _by_workload(records):
        path = folder / f"engine-{workload}.svg"
        _plot(workload, group, path)
        written.append(path)
    return written


def _by_workload(records: Sequence[Record]) -> Iterator[tuple[str, list[MeasureLine]]]:
    known = lines(records)
    for workload in dict.fromkeys(line.workload for line in known):
        group = [line for line in known if line.workload == workload]
        if len({line.size for line in group}) > 1:
            yield workload, group


def _plot(workload: str, group: list[MeasureLine], path: Path) -> None:
    measures = list(dict.fromkeys(line.measure for line in group))
    columns = min(3, len(measures))
    rows = -(-len(measures) // columns)
    figure = svg.figure(5 * columns, 3.6 * rows)
    names = [peer for peer in PEERS if any(peer in line.values for line in group)]
    for place, measure in enumerate(measures, start=1):
        axes = figure.add_subplot(rows, columns, place)
        for peer in names:
            points = [
                (line.size, line.values[peer])
                for line in group
                if line.measure == measure and peer in line.values
            ]
            if points:
                style = {"ours": "-", "peer": "--", "by hand": ":"}[PEERS[peer].role]
                sizes, costs = zip(*points, strict=True)
                colour = f"C{list(PEERS).index(peer)}"
                axes.loglog(
                    sizes, costs, style, marker="o", markersize=3, color=colour, label=PEERS[peer].title
                )
        axes.set_title(measure)
        axes.set_xlabel(WORKLOADS[workload].unit)
        axes.set_ylabel("bytes" if measure == BYTES else "seconds")
        axes.grid(visible=True, which="major", linewidth=0.3)
    handles = {
        label: handle
        for axes in figure.axes
        for handle, label in zip(*axes.get_legend_handles_labels(), strict=True)
    }
    figure.legend(handles.values(), handles.keys(), loc="outside lower center", ncols=5)
    figure.suptitle(WORKLOADS[workload].about)
    svg.save(figure, path)
