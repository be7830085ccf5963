"""Recursion over more facts than fit in memory: the DuckDB engine, the compiled one, and `WITH RECURSIVE`.

Two workloads read edges from a Parquet file. `chains` is the transitive closure of disjoint chains of
`--length` edges. `reach` finds the nodes that can be reached from one node of a random graph with ten edges
for each node. The number and the sum of the derived facts are compared among the engines, and for `chains`
with their formula.

Each line is a separate process. Seconds are processor time of all threads, for reading the facts, and for
deriving and counting the others; the time is that of the whole process on a clock. Memory and disk are the
maxima of the process, measured every 0.2 seconds. A process is stopped if its memory exceeds --most
megabytes, or its time --limit seconds. DuckDB's own limit of memory is --megabytes.

Usage:

    python -m benchmarks.engine.beyond_memory --output benchmarks/results/beyond-memory.txt
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import cast

import duckdb
import pyarrow

from benchmarks.study import Study, options
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.lower.engines import EngineName
from hornbook.kb.tables.tables import load_table
from hornbook.matcher.program.coded import Limits

DECLARATIONS = "theory graph.\nsort node = int.\nstatic edge(node, node).\n"
THEORIES = {
    "chains": DECLARATIONS
    + """derived path(node, node).
step: path(?x, ?y) :- edge(?x, ?y).
further: path(?x, ?z) :- path(?x, ?y), edge(?y, ?z).
""",
    "reach": DECLARATIONS
    + """derived reached(node).
start: reached(0).
further: reached(?y) :- reached(?x), edge(?x, ?y).
""",
}
QUESTIONS = {
    "reach": ("?n = count ?x where reached(?x)", "?n = sum ?x where reached(?x)"),
    "chains": ("?n = count ?x, ?y where path(?x, ?y)", "?n = sum ?y where path(?x, ?y)"),
}
EXPRESSIONS = {
    "reach": "c(x) AS (SELECT 0::BIGINT UNION SELECT e.b FROM c, edge e WHERE e.a = c.x) "
    "SELECT count(*), sum(x) FROM c",
    "chains": "c(x, y) AS (FROM edge UNION SELECT c.x, e.b FROM c, edge e WHERE e.a = c.y) "
    "SELECT count(*), sum(y) FROM c",
}
PEERS = ("duckdb", "compiled", "with recursive")


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of one process: its answers, seconds and maxima, or the limit that it exceeded."""

    answers: list[int]
    seconds: list[float]
    wall: float
    memory: int
    disk: int
    exceeded: str = ""

    def __str__(self) -> str:
        seconds = "".join(f"{each:>10.1f} s" for each in self.seconds) or f"{self.exceeded:>24}"
        return f"{seconds}{self.wall:>10.0f} s{self.memory:>10,} MB{self.disk:>10,} MB"


def write(path: Path, workload: str, edges: int, length: int, seed: int) -> None:
    with duckdb.connect(":memory:", config={"threads": 1, "memory_limit": "2GB"}) as connection:
        connection.execute(f"SELECT setseed({seed / 1000})")
        nodes = edges // 10
        ends = (
            f"floor(random() * {nodes})::BIGINT AS a, floor(random() * {nodes})::BIGINT AS b"
            if workload == "reach"
            else f"range // {length} * {length + 1} + range % {length} AS a, a + 1 AS b"
        )
        connection.execute(f"COPY (SELECT {ends} FROM range({edges})) TO '{path}' (FORMAT parquet)")


def formula(edges: int, length: int) -> list[int]:
    """Return the number of paths in whole chains, and the sum of their last nodes."""
    chains = edges // length
    # The node at place j of a chain ends j paths.
    paths = length * (length + 1) // 2
    squares = length * (length + 1) * (2 * length + 1) // 6
    return [chains * paths, paths * (length + 1) * (chains * (chains - 1) // 2) + chains * squares]


def measure(path: str, workload: str, peer: str, megabytes: int) -> None:
    """Answer the questions, and print the answers and the seconds."""
    times = [time.process_time()]
    if peer == "with recursive":
        folder = os.environ["TMPDIR"]
        config: dict[str, str | bool | int | float | list[str]] = {
            "memory_limit": f"{megabytes}MiB",
            "temp_directory": folder,
            "preserve_insertion_order": False,
        }
        with duckdb.connect(f"{folder}/tables", config=config) as connection:
            connection.execute(f"CREATE TABLE edge AS SELECT DISTINCT * FROM '{path}'")
            times.append(time.process_time())
            (found,) = connection.execute(f"WITH RECURSIVE {EXPRESSIONS[workload]}").fetchall()
            answers = list(map(int, found))
    else:
        theory = load_text(THEORIES[workload])
        limits = Limits(facts=None, bytes=megabytes * 2**20 if peer == "duckdb" else None)
        base = KnowledgeBase(theory, derivations="none", limits=limits, engine=cast("EngineName", peer))
        base.add(load_table(f"edge={path}", theory.vocabulary).facts)
        times.append(time.process_time())
        answers = [int(base.query(question).rows[0][0]) for question in QUESTIONS[workload]]
    times.append(time.process_time())
    print(json.dumps([answers, [times[1] - times[0], times[2] - times[1]]]))


def megabytes_in(folder: Path) -> int:
    total = 0
    for path in folder.rglob("*"):
        with suppress(FileNotFoundError):
            total += path.stat().st_size if path.is_file() else 0
    return total // 2**20


def run(path: Path, workload: str, peer: str, megabytes: int, most: int, limit: float) -> Outcome:
    """Measure in another process, which ends at the limits."""
    child = [sys.executable, "-m", "benchmarks.engine.beyond_memory", "--child"]
    began = time.monotonic()
    memory = disk = 0
    exceeded = ""
    with TemporaryDirectory() as temporary:
        process = subprocess.Popen(
            [*child, str(path), workload, peer, str(megabytes)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            env={**os.environ, "TMPDIR": temporary},
        )
        while process.poll() is None:
            time.sleep(0.2)
            with suppress(OSError, IndexError):
                status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
                memory = max(memory, int(status.partition("VmHWM:")[2].split()[0]) // 1024)
            disk = max(disk, megabytes_in(Path(temporary)))
            if memory > most:
                exceeded = f"more than {most:,} MB"
            elif time.monotonic() - began > limit:
                exceeded = f"more than {limit:,g} s"
            if exceeded:
                process.kill()
        out, err = process.communicate()
    wall = time.monotonic() - began
    if not exceeded and "OutOfMemory" in err:
        exceeded = "out of memory"
    if exceeded or process.returncode:
        return Outcome([], [], wall, memory, disk, exceeded or f"failed: {err[-100:]}")
    answers, seconds = json.loads(out)
    return Outcome(answers, seconds, wall, memory, disk)


def compared(study: Study, folder: Path, workload: str, edges: int) -> Iterator[tuple[str, list[object]]]:
    """Yield a line for each peer, with what is wrong."""
    given = study.given
    path = folder / "edges.parquet"
    write(path, workload, edges, given.length, given.seed)
    expected = formula(edges, given.length) if workload == "chains" and edges % given.length == 0 else None
    for peer in PEERS:
        found = run(path, workload, peer, given.megabytes, given.most, given.limit)
        wrong: list[object] = [found.exceeded] if found.exceeded.startswith("failed") else []
        if found.answers:
            expected = expected or found.answers
            wrong = [] if found.answers == expected else [(workload, edges, peer, found.answers, expected)]
        facts = f"{found.answers[0]:>15,}" if found.answers else f"{'–':>15}"
        yield f"{workload:<8}{edges:>13,}{facts}  {peer:<15}{found}", wrong


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        measure(sys.argv[2], sys.argv[3], sys.argv[4], int(sys.argv[5]))
        return 0
    parser = options(__doc__, megabytes=5000, most=8000, limit=3600.0, length=4, seed=1)
    parser.add_argument("--edges", type=int, nargs="+", default=[2_000_000, 100_000_000])
    given = parser.parse_args()
    study = Study(__file__, given)
    heads = ("read", "derive", "time", "memory", "disk")
    columns = "".join(f"{head:>{13 if place > 2 else 12}}" for place, head in enumerate(heads))
    body = [f"{'workload':<8}{'edges':>13}{'derived facts':>15}  {'engine':<15}{columns}"]
    wrong: list[object] = []
    libraries = [f"DuckDB {duckdb.__version__}", f"pyarrow {pyarrow.__version__}"]
    with TemporaryDirectory() as folder:
        for edges in given.edges:
            for workload in THEORIES:
                for line, problems in compared(study, Path(folder), workload, edges):
                    body.append(line)
                    wrong += problems
                    study.write("\n".join([*body, ""]), libraries)
                    print(line, flush=True)
    equal = "the answers of all engines are equal" if not wrong else "NOT EQUAL"
    return study.finish("\n".join([*body, "", equal, ""]), wrong, libraries)


if __name__ == "__main__":
    sys.exit(main())
