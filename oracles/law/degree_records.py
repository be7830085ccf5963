"""Seeded records of students for `theories/law/degree.horn`: results as CSV, leaves of absence in SQLite."""

from __future__ import annotations

import csv
import datetime
import random
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path

Row = tuple[object, ...]
TODAY = datetime.date(2024, 9, 30)
COLUMNS = {
    "today": ("day",),
    "holiday": ("day",),
    "module": ("module", "kind", "credits"),
    "student": ("student", "enrolled"),
    "result": ("student", "module", "attempt", "day", "grade"),
    "ill": ("student", "module", "attempt"),
    "cheated": ("student", "module", "attempt"),
    "recognised": ("student", "module", "grade"),
    "hardship": ("student", "semesters"),
    "parent": ("student",),
    "started": ("student", "attempt", "day"),
    "handed_in": ("student", "attempt", "day"),
    "prolonged": ("student", "attempt", "days"),
    "leave": ("student", "from", "until"),
}
_PASSED = ("1", "1.0", "1.3", "1.7", "2.0", "2.3", "2.7", "3.0", "3.3", "3.7", "4.0")
_FAILED = ("4.3", "4.7", "5.0", "5")
_COMPULSORY, _ELECTIVE = range(1, 15), range(15, 29)


def tables(results: int, seed: int) -> dict[str, list[Row]]:
    """Return the rows of every table, with exactly `results` results."""
    random_ = random.Random(seed)
    rows: dict[str, list[Row]] = {name: [] for name in COLUMNS}
    rows["today"] = [(TODAY.isoformat(),)]
    rows["holiday"] = [
        (f"{year}-{day}",) for year in range(2014, 2025) for day in ("01-01", "05-01", "10-03")
    ]
    rows["module"] = [
        *((f"c{i}", "compulsory", 8) for i in _COMPULSORY),
        *((f"e{i}", "elective", 6) for i in _ELECTIVE),
        ("thesis", "thesis", 12),
    ]
    number = 0
    while len(rows["result"]) < results:
        number += 1
        for name, row in _student(f"s{number}", random_):
            rows[name].append(row)
    rows["result"] = rows["result"][:results]
    return rows


def _student(name: str, random_: random.Random) -> Iterator[tuple[str, Row]]:
    """Yield the rows of a student, each with its table."""
    year, month = random_.randint(2014, 2022), random_.choice((4, 10))
    enrolled = datetime.date(year, month, 1)
    yield "student", (name, enrolled.isoformat())
    if random_.random() < 0.05:
        yield "hardship", (name, random_.randint(1, 3))
    if random_.random() < 0.1:
        yield "parent", (name,)
    for place in random_.sample(range(1, 7), random_.choice((0, 0, 0, 0, 1, 2))):
        begin = _months_later(enrolled, 6 * place)
        end = _months_later(begin, random_.choice((6, 12))) - datetime.timedelta(1)
        yield "leave", (name, begin.isoformat(), end.isoformat())
    taken = [f"c{i}" for i in _COMPULSORY] + [f"e{i}" for i in random_.sample(_ELECTIVE, 10)]
    skill = random_.uniform(0.5, 0.98)
    for place, module in enumerate(taken):
        if random_.random() < 0.01:
            yield "recognised", (name, module, random_.choice(_PASSED))
            continue
        day = enrolled + datetime.timedelta(60 + 40 * place + random_.randint(0, 40))
        for attempt in range(1, 4):
            if day > TODAY:
                break
            passed = random_.random() < skill
            yield (
                "result",
                (name, module, attempt, day.isoformat(), random_.choice(_PASSED if passed else _FAILED)),
            )
            if random_.random() < 0.01:
                yield "ill", (name, module, attempt)
            if random_.random() < 0.005:
                yield "cheated", (name, module, attempt)
            if passed:
                break
            day += datetime.timedelta(random_.randint(100, 400))
    yield from _thesis(name, enrolled + datetime.timedelta(60 + 40 * len(taken)), random_)


def _thesis(name: str, start: datetime.date, random_: random.Random) -> Iterator[tuple[str, Row]]:
    if start > TODAY:
        return
    yield "started", (name, 1, start.isoformat())
    if random_.random() < 0.1:
        yield "prolonged", (name, 1, random_.randint(1, 28))
    end = start + datetime.timedelta(random_.randint(75, 90))
    if end < TODAY and random_.random() < 0.95:
        yield "handed_in", (name, 1, end.isoformat())
        marked = end + datetime.timedelta(30)
        if marked < TODAY:
            yield "result", (name, "thesis", 1, marked.isoformat(), random_.choice(_PASSED))


def _months_later(day: datetime.date, months: int) -> datetime.date:
    """Return the first of a month, some months after the first of another."""
    whole = 12 * day.year + day.month - 1 + months
    return datetime.date(whole // 12, whole % 12 + 1, 1)


def write(rows: dict[str, list[Row]], folder: Path) -> Sequence[str]:
    """Write the tables: a CSV file for each, but the leaves of absence into `registry.sqlite`.

    Returns the values of the option `--facts` that read them.
    """
    for name, columns in COLUMNS.items():
        if name != "leave":
            with (folder / f"{name}.csv").open("w", newline="", encoding="utf-8") as file:
                csv.writer(file).writerows([columns, *rows[name]])
    connection = sqlite3.connect(folder / "registry.sqlite")
    with connection:
        connection.execute("CREATE TABLE leave (student TEXT, 'from' DATE, until DATE)")
        connection.executemany("INSERT INTO leave VALUES (?, ?, ?)", rows["leave"])
    connection.close()
    csv_files = [f"{name}={folder / name}.csv" for name in COLUMNS if name != "leave"]
    return [*csv_files, f"leave={folder / 'registry.sqlite'}::leave"]
