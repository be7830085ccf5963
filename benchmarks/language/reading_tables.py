"""Cost of facts from tables: reading a file, adding its facts, and querying all as an Arrow table.

Each measurement has its own process. Six tables are read. `few words` has 1,000 and 100,000 different words
in two columns, and `keyed` a different word in each row and a checked key. `numbers` has three columns of
integers, and `dates` a column each of integers, dates and decimal numbers. `german` is `dates` with dates
such as 31.12.2024 and numbers such as 1.234,50. `gaps` has a key and a date, which a tenth of the rows lack.
`relative` is the time of reading divided by that of
`numbers` in a file of the same kind.

Seconds are medians of processor time over --repeat runs. The memory is the maximum of the process before the
query; it starts with some 60 megabytes. `answers` is `query_table`, made by column; `by row` is
`query(…).to_arrow()`.

Usage:

    python -m benchmarks.language.reading_tables --output benchmarks/results/reading_tables.txt
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from datetime import date, timedelta
from pathlib import Path
from random import Random
from statistics import median
from tempfile import TemporaryDirectory

import duckdb
import pyarrow

from benchmarks.study import Study, options
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.load.loader import load_text
from hornbook.kb.tables.readers.table_format import ISO, TableFormat
from hornbook.kb.tables.tables import load_table
from hornbook.matcher.program.coded import Limits

THEORY = """theory sales.
sort shop. sort article. sort cents = int.
static sale(shop, article, cents).
static price(article -> cents).
static pair(int, int, int).
sort day = date. sort euro = decimal(2).
static paid(int, day, euro).
static due(int -> day).
"""
TABLES = {
    "numbers": "pair", "dates": "paid", "german": "paid",
    "few words": "sale", "keyed": "price", "gaps": "due",
}  # fmt: skip
KINDS = {
    **dict.fromkeys(("numbers", "dates"), ("csv", "parquet", "jsonl", "duckdb")),
    "german": ("csv",), "gaps": ("csv", "parquet", "duckdb"),
}  # fmt: skip
"""The kinds of files of a table; otherwise CSV and Parquet."""
GERMAN = TableFormat(delimiter=";", decimal=",", thousands=".", date="%d.%m.%Y")
FIRST = date(1990, 1, 1)


HEADS = {
    "few words": "shop,article,cents",
    "keyed": "article,cents",
    "numbers": "int,b,c",
    "dates": "int,day,euro",
    "german": "int;day;euro",
    "gaps": "int,day",
}


def write(folder: Path, rows: int, seed: int) -> None:
    random = Random(seed)

    def lines(table: str) -> str:
        match table:
            case "few words":
                return (
                    f"shop{random.randrange(1000)},article{random.randrange(100_000)},"
                    f"{random.randrange(10**5)}"
                )
            case "keyed":
                return f"article{random.randrange(10**9)}x{next(numbers)},{random.randrange(10**5)}"
            case "dates":
                day = FIRST + timedelta(random.randrange(12_000))
                return f"{random.randrange(1000)},{day},{random.randrange(10**7) / 100:.2f}"
            case "german":
                day = FIRST + timedelta(random.randrange(12_000))
                euro = f"{random.randrange(10**7) / 100:,.2f}".translate(str.maketrans(",.", ".,"))
                return f"{random.randrange(1000)};{day:%d.%m.%Y};{euro}"
            case "gaps":
                day = FIRST + timedelta(random.randrange(12_000))
                return f"{next(numbers)},{day if random.randrange(10) else ''}"
        return f"{random.randrange(1000)},{random.randrange(10**6)},{random.randrange(10**9)}"

    for table, head in HEADS.items():
        numbers = iter(range(rows))
        path = folder / f"{table}.csv"
        path.write_text("\n".join([head, *(lines(table) for _ in range(rows))]) + "\n", encoding="utf-8")
        into = path.with_suffix(".parquet")
        if table != "german":
            types = ", types = {'euro': 'DECIMAL(12, 2)'}" if table == "dates" else ""
            duckdb.sql(f"COPY (FROM read_csv('{path}'{types})) TO '{into}' (FORMAT parquet)")
            into_lines = path.with_suffix(".jsonl")
            duckdb.sql(f"COPY (FROM read_csv('{path}'{types})) TO '{into_lines}' (FORMAT json)")
            with duckdb.connect(path.with_suffix(".duckdb")) as connection:
                connection.sql(f"CREATE TABLE {TABLES[table]} AS FROM read_csv('{path}'{types})")


def measure(path: Path, predicate: str, head: str) -> None:
    """Read a table and query its facts, and print the seconds and megabytes."""
    theory = load_text(THEORY)
    base = KnowledgeBase(theory, limits=Limits(facts=None))
    began = time.process_time()
    columns = f"({head})" if path.suffix == ".jsonl" else ""
    table_format = GERMAN if path.stem == "german" else ISO
    found = load_table(f"{predicate}{columns}={path}", theory.vocabulary, table_format=table_format)
    read = time.process_time()
    base.add(found.facts)
    ended = time.process_time()
    # The maximum since this program started; `getrusage` may report that of the parent process.
    status = Path("/proc/self/status").read_text(encoding="ascii")
    peak = int(status.partition("VmHWM:")[2].split()[0]) / 1024
    arity = theory.vocabulary.predicates[predicate].arity
    question = f"{predicate}({', '.join(f'?v{place}' for place in range(arity))})"
    queried_by_column = time.process_time()
    table = base.query_table(question)
    queried_by_row = time.process_time()
    other = base.query(question).to_arrow()
    by_row = time.process_time()
    assert table.num_rows == other.num_rows
    print(
        json.dumps(
            [read - began, ended - read, peak, queried_by_row - queried_by_column, by_row - queried_by_row]
        )
    )


def measured(path: Path, predicate: str, repeat: int) -> list[float]:
    command = [sys.executable, "-m", "benchmarks.language.reading_tables", "--child", str(path), predicate]
    runs = [
        json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        for _ in range(repeat)
    ]
    return [median(each) for each in zip(*runs, strict=True)]


def main() -> int:
    if sys.argv[1:2] == ["--child"]:
        measure(Path(sys.argv[2]), sys.argv[3], HEADS[Path(sys.argv[2]).stem])
        return 0
    given = options(__doc__, rows=1_000_000, repeat=3, seed=1).parse_args()
    study = Study(__file__, given)
    heads = ("read", "relative", "add", "memory", "answers", "by row")
    widths = (10, 10, 10, 12, 10, 10)
    columns = "".join(f"{name:>{width}}" for name, width in zip(heads, widths, strict=True))
    body = [f"{'table':<12}{'file':<10}{columns}"]
    numbers: dict[str, float] = {}
    with TemporaryDirectory() as folder:
        write(Path(folder), given.rows, given.seed)
        for table, predicate in TABLES.items():
            for kind in KINDS.get(table, ("csv", "parquet")):
                read, add, peak, by_column, by_row = measured(
                    Path(folder) / f"{table}.{kind}", predicate, given.repeat
                )
                relative = read / numbers.setdefault(kind, read)
                body.append(
                    f"{table:<12}{kind:<10}{read:>8.2f} s{relative:>10.2f}{add:>8.2f} s{peak:>9.0f} MB"
                    f"{by_column:>8.2f} s{by_row:>8.2f} s"
                )
    text = "\n".join([f"{given.rows:,} rows; processor seconds and the process's peak of memory", "", *body])
    return study.finish(
        text + "\n", libraries=[f"DuckDB {duckdb.__version__}", f"pyarrow {pyarrow.__version__}"]
    )


if __name__ == "__main__":
    sys.exit(main())
