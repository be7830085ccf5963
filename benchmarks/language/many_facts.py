"""Cost of many facts: reading a Parquet file with words, adding its facts, and three queries.

Each line is a separate process. The facts are sales: 1,000 shops, 100,000 articles, an integer. Seconds are
processor time (of both cores for DuckDB); the memory is the maximum of the process. DuckDB may use
--megabytes of memory and writes the rest to disk; the compiled engine keeps everything in memory.

Usage:

    python -m benchmarks.language.many_facts --output benchmarks/results/many_facts.txt
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from itertools import pairwise
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

THEORY = """theory sales.
sort shop. sort article. sort cents = int.
static sale(shop, article, cents).
derived dear(shop).
a_dear_shop: dear(?s) :- sale(?s, ?a, ?c), ?c >= 99998.
"""
QUESTIONS = (
    "?n = count ?s where dear(?s)",
    "sale(shop5, article17, ?c)",
    "?n = sum ?c where sale(shop7, ?a, ?c)",
)
FRACTIONS = (("compiled", 5), ("duckdb", 5), ("duckdb", 1))
"""Engines with the fraction of the facts that each is measured with."""


def write(path: Path, rows: int, seed: int) -> None:
    with duckdb.connect(":memory:", config={"threads": 1}) as connection:
        connection.execute(f"SELECT setseed({seed / 1000})")
        connection.execute(
            "COPY (SELECT 'shop' || (random() * 1000)::INT AS shop, 'article' || (random() * 100000)::INT "
            "AS article,"
            f" (random() * 100000)::INT AS cents FROM range({rows})) TO '{path}' (FORMAT parquet)"
        )


def measure(path: str, engine: str, megabytes: int) -> None:
    """Run the queries, and print seconds, answers and megabytes."""
    theory = load_text(THEORY)
    limits = Limits(facts=None, bytes=megabytes * 2**20 if engine == "duckdb" else None)
    base = KnowledgeBase(theory, limits=limits, engine=cast("EngineName", engine))
    times = [time.process_time()]
    base.add(load_table(f"sale={path}", theory.vocabulary).facts)
    times.append(time.process_time())
    answers = []
    for question in QUESTIONS:
        answers.append(base.query(question).to_tuples())
        times.append(time.process_time())
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.partition("VmHWM:")[2].split()[0]) // 1024
    print(json.dumps([[b - a for a, b in pairwise(times)], answers, peak]))


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        measure(sys.argv[2], sys.argv[3], int(sys.argv[4]))
        return 0
    given = options(__doc__, rows=50_000_000, megabytes=4000, seed=1).parse_args()
    study = Study(__file__, given)
    heads = ("read and add", "derived", "one pair", "sum", "memory")
    body = [f"{'engine':<10}{'facts':>12}" + "".join(f"{head:>14}" for head in heads)]
    found: dict[int, list[object]] = {}
    with TemporaryDirectory() as folder:
        for engine, part in FRACTIONS:
            rows, path = given.rows // part, Path(folder) / f"{part}.parquet"
            if not path.exists():
                write(path, rows, given.seed)
            child = [sys.executable, "-m", "benchmarks.language.many_facts", "--child"]
            process = subprocess.run(
                [*child, str(path), engine, str(given.megabytes)], capture_output=True, text=True, check=True
            )
            seconds, answers, peak = json.loads(process.stdout)
            found.setdefault(part, []).append(answers)
            shown = "".join(f"{each:>12.2f} s" for each in seconds)
            body.append(f"{engine:<10}{rows:>12,}{shown}{peak:>11,} MB")
    wrong = [each for each in found.values() if any(answers != each[0] for answers in each)]
    libraries = [f"DuckDB {duckdb.__version__}", f"pyarrow {pyarrow.__version__}"]
    return study.finish(
        "\n".join([*body, "", "the engines' answers are equal" if not wrong else "NOT EQUAL", ""]),
        wrong,
        libraries,
    )


if __name__ == "__main__":
    sys.exit(main())
