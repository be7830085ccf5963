"""Results as a table: one row per measure, one column per peer, and ratios of ours to the best peer."""

from __future__ import annotations

import platform
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from benchmarks.engine.patterns import UPDATES
from benchmarks.engine.runner import Record
from benchmarks.engine.workloads import PEERS, WORKLOADS

BYTES = "bytes a rule"
PER_CHANGE = "update, per changed match"
ORDER = ("total", "add", "add once read", "match", "first update", "update", PER_CHANGE, BYTES, "cycle")
"""Measures in the order of their rows; all are seconds except bytes."""
NOTHING = "–"


@dataclass(frozen=True, slots=True)
class MeasureLine:
    """One measure of a workload and size, with its value for each peer."""

    workload: str
    size: int
    measure: str
    values: dict[str, float]

    def best(self, role: str) -> tuple[str, float] | None:
        """Return the best of the peers of a role, with its value."""
        found = [(value, peer) for peer, value in self.values.items() if PEERS[peer].role == role]
        return None if not found else (min(found)[1], min(found)[0])

    def ratio(self, ours: str, role: str = "peer") -> float | None:
        """Return the ratio of one of ours to the best of a role."""
        best = self.best(role)
        if best is None or best[1] == 0 or ours not in self.values:
            return None
        return self.values[ours] / best[1]


def lines(records: Iterable[Record]) -> list[MeasureLine]:
    grouped: dict[tuple[str, int], list[Record]] = {}
    for record in records:
        grouped.setdefault((record.workload, record.size), []).append(record)
    return [
        MeasureLine(workload, size, measure, values)
        for (workload, size), group in grouped.items()
        for measure in ORDER
        if (values := _values(measure, workload, size, group))
    ]


def _values(measure: str, workload: str, size: int, group: Sequence[Record]) -> dict[str, float]:
    match measure:
        case "bytes a rule":
            rules = {record.peer: record.notes.get("rules", size) for record in group}
            rule_count = min(rules.values())
            return {r.peer: r.bytes / rule_count for r in group if r.bytes is not None}
        case "update, per changed match":
            changed = max((record.result.get("changed", 0) for record in group), default=0) / UPDATES
            return {r.peer: r.seconds["update"] / changed for r in group if changed and "update" in r.seconds}
        case _:
            return {r.peer: r.seconds[measure] for r in group if measure in r.seconds}


def table(records: Sequence[Record]) -> Table:
    """Return the whole comparison: peers first, then ratios. Below 1, ours need less than the best peer."""
    shown = [peer for peer in PEERS if any(r.peer == peer and r.seconds for r in records)]
    result = Table(box=SIMPLE_HEAD, pad_edge=False)
    for heading in ("workload", "measure"):
        result.add_column(heading, no_wrap=True)
    for peer in shown:
        result.add_column(PEERS[peer].title, justify="right", no_wrap=True)
    for heading in ("best peer", "ratio", "with derivations", "to C++ by hand"):
        result.add_column(heading, justify="right", no_wrap=heading == "best peer")
    before = ("", 0)
    for line in lines(records):
        here = (line.workload, line.size)
        name = "" if here == before else f"{line.workload} {line.size:,}"
        if here != before:
            result.add_section()
        before = here
        best = line.best("peer")
        result.add_row(
            name,
            line.measure,
            *(amount(line.measure, line.values.get(peer)) for peer in shown),
            NOTHING if best is None else PEERS[best[0]].title,
            _ratio(line.ratio("hornbook")),
            _ratio(line.ratio("hornbook-one")),
            _ratio(line.ratio("hornbook", "by hand")),
        )
    return result


def amount(measure: str, value: float | None) -> str:
    """Return a value with three digits and its unit."""
    if value is None:
        return NOTHING
    if measure == BYTES:
        return f"{value:,.0f} B"
    for unit, scale in (("s", 1.0), ("ms", 1e-3), ("µs", 1e-6)):
        if value >= scale:
            return f"{value / scale:.3g} {unit}"
    return f"{value / 1e-9:.3g} ns"


def _ratio(value: float | None) -> str:
    return NOTHING if value is None else f"{value:.2g}" if value < 100 else f"{value:.0f}"


def found(records: Sequence[Record]) -> list[str]:
    """Return the sizes and results of the workloads, one line each; all peers agree on them."""
    results: dict[tuple[str, int], dict[str, object]] = {}
    for record in records:
        facts = results.setdefault((record.workload, record.size), {})
        for key, value in {**record.result, **record.notes}.items():
            if key not in ("after", "checksum", "changed checksum"):
                facts.setdefault(key, value)
    return [
        f"{name} {size:,} {WORKLOADS[name].unit} ({WORKLOADS[name].about}): "
        + ", ".join(f"{_count(value)} {key}" for key, value in facts.items())
        for (name, size), facts in results.items()
        if facts
    ]


def _count(value: object) -> str:
    return (
        f"{value:,.1f}"
        if isinstance(value, float)
        else f"{value:,}"
        if isinstance(value, int)
        else str(value)
    )


def missing(records: Sequence[Record]) -> list[str]:
    """Return the reason for each missing value."""
    return [
        f"{record.workload} {record.size:,}: {PEERS[record.peer].title}: {record.missing}"
        for record in records
        if record.missing and not record.missing.startswith("not for")
    ]


def heading(command: str, seed: int, records: Sequence[Record]) -> list[str]:
    versions = dict.fromkeys(record.version for record in records if record.version)
    return [
        f"command: {command}; seed {seed}",
        f"versions: {', '.join(versions)}; Python {platform.python_version()}",
        f"machine: {_processor()}, {platform.system()} {platform.release()}",
        "Processor seconds of one process each, medians; counts and checksums of all peers are equal.",
        "ratio: Hornbook to the best peer; with derivations: the same, one derivation a fact kept.",
    ]


def _processor() -> str:
    try:
        information = Path("/proc/cpuinfo").read_text(encoding="utf-8")
    except OSError:
        return platform.machine()
    models = [
        line.split(":", 1)[1].strip() for line in information.splitlines() if line.startswith("model name")
    ]
    return f"{len(models)} × {models[0]}" if models else platform.machine()


def text(command: str, seed: int, records: Sequence[Record]) -> str:
    """Return the whole report, as wide as necessary."""
    console = Console(width=260, record=True, file=StringIO(), color_system=None)
    console.print(table(records))
    rows = "\n".join(line.rstrip() for line in console.export_text().splitlines())
    parts = [*heading(command, seed, records), "", *found(records), rows, *missing(records)]
    return "\n".join(parts).rstrip() + "\n"
