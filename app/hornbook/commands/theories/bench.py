"""The command `hornbook theory bench`: benchmarks of the engine against other systems."""

from __future__ import annotations

import shlex
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from hornbook.commands import options
from hornbook.commands.options import argument, option
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.writing import write_text
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.terminal.coloured import progress
from hornbook.terminal.failure import ArgumentError
from hornbook.terminal.messages import print_json, print_line

WorkloadsArgument = Annotated[
    list[str] | None, argument("[WORKLOAD…]", "The workloads to run; all by default.")
]
CHECKOUT = Path(__file__).resolve().parents[4]
"""The root of the checkout, if the package runs from one. `benchmarks/` is not part of the package."""


class BenchError(HornbookError):
    """`benchmarks/` is missing, or the peers disagree. The message says what to do."""


def bench(
    workloads: WorkloadsArgument = None,
    peers: Annotated[str, option("--peers", "NAME,…", "Engines and peers to run; all by default.")] = "",
    sizes: Annotated[
        str, option("--sizes", "N,…", "Sizes of the workloads; by default each workload's own.")
    ] = "",
    repeat: Annotated[int, option("--repeat", "N", "Runs of each peer; medians are shown.", min=1)] = 3,
    seed: Annotated[int, option("--seed", "N", "The seed of the workloads.")] = 20261121,
    seconds: Annotated[int, option("--seconds", "S", "Stop a peer after S seconds.", min=1)] = 300,
    into: Annotated[
        Path | None, option("--into", "DIR", "Write the table as text and the plots as SVG here.")
    ] = None,
    json_output: options.Json = False,
) -> None:
    """Compare the engine with other systems.

    Every run is a separate process, and its processor time is measured. The results of all peers are compared
    before any timing. If they differ, the exit code is 1. Peers that are not installed are skipped.
    """
    workloads_module, runner, report = _benchmarks()
    names = _chosen("workload", workloads or [], workloads_module.WORKLOADS)
    chosen_peers = _chosen("peer", peers.split(",") if peers else [], workloads_module.PEERS)
    numbers = _numbers(sizes)
    for name in names:
        largest = workloads_module.WORKLOADS[name].largest
        if numbers and max(numbers) > largest:
            raise ArgumentError(f"{name} goes up to {largest}")
    if into is not None:
        extra_module("matplotlib", "bench")  # fail before the long measurements
        into.mkdir(parents=True, exist_ok=True)
    records = []
    with progress("measuring", None) as update_progress:
        try:
            for step in runner.benchmark(names, chosen_peers, numbers, repeat, seed, seconds):
                update_progress(completed=step.done, total=step.total, remark=step.label)
                if step.record is not None:
                    records.append(step.record)
        except runner.DisagreementError as problem:
            raise BenchError(f"the engines found different results: {problem}") from problem
    given = (("--peers", peers), ("--sizes", sizes), ("--repeat", repeat), ("--seed", seed))
    chosen = [word for option, value in given if value for word in (option, str(value))]
    command = shlex.join(["hornbook", "theory", "bench", *(workloads or []), *chosen])
    if json_output:
        print_json([record.as_dict() for record in records])
    else:
        print_line(report.text(command, seed, records), end="")
    if into is not None:
        write_text(into / "engine.txt", report.text(command, seed, records))
        import_module("benchmarks.engine.plots").write(records, into)


def _benchmarks() -> tuple[Any, Any, Any]:
    """Import the benchmark modules from the checkout. Raises BenchError if there is none."""
    if not (CHECKOUT / "benchmarks" / "engine" / "runner.py").is_file():
        raise BenchError(
            f"there is no benchmarks/ in {CHECKOUT}: it is not part of the package; get the sources, and "
            "there: pip install --editable '.[bench]' && hornbook theory bench"
        )
    sys.path.insert(0, str(CHECKOUT))
    names = ("workloads", "runner", "report")
    first, second, third = (import_module(f"benchmarks.engine.{name}") for name in names)
    return first, second, third


def _chosen(what: str, names: list[str], known: dict[str, Any]) -> list[str]:
    for name in names:
        if name not in known:
            raise ArgumentError(f"there is no {what} `{name}`; there are {', '.join(known)}")
    return [name for name in known if name in names] if names else list(known)


def _numbers(text: str) -> list[int]:
    try:
        numbers = [int(number) for number in text.split(",")] if text else []
    except ValueError:
        numbers = [0]
    if any(number < 1 for number in numbers):
        raise ArgumentError(f"--sizes are whole numbers from 1, such as 100,1000; not `{text}`")
    return numbers
