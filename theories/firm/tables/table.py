"""Reader of tables of firms: CSV or Parquet, one row per item, with the layout of `layout.py`.

All errors of a table are reported at once, with row (the header is row 1, as in a spreadsheet) and column.
The books of a returned firm balance.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field, replace
from glob import escape
from pathlib import Path
from typing import Any, NamedTuple

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, did_you_mean, error
from hornbook.kb.sources.extras import installation
from hornbook.kb.sources.files import why_no_file
from hornbook.kb.text.dataclass import dataclass
from hornbook.kb.text.lines import with_plain_ends
from hornbook.theories.firm.states.company import (
    FURTHEST,
    FURTHEST_ARRIVAL,
    STAFF,
    Firm,
    Material,
    Product,
    Resource,
)
from hornbook.theories.firm.states.simulator import balancing_capital
from hornbook.theories.firm.tables.layout import (
    ACCOUNT_NAMES,
    COLUMNS,
    MOST,
    NEEDED,
    OPTIONAL,
    RANGES,
    SETTING_NAMES,
)

MOST_PROBLEMS = 100
"""Maximal number of reported problems of a table."""


class TableRow(NamedTuple):
    """Non-empty cells of a row by column. Rows are counted from 1, including the header."""

    number: int
    cells: Mapping[str, str]


def rows_of_csv(text: str, name: str) -> list[TableRow]:
    """Return the header as row 1, then the non-empty rows. `name` is the name of the table in messages.

    Raises TheoryError (HB005) if the text is not CSV.
    """
    reader = csv.reader(io.StringIO(with_plain_ends(text.removeprefix("\ufeff"))))
    try:
        return _rows([cell.strip() for cell in line] for line in reader)
    except csv.Error as problem:
        line = max(1, reader.line_num)
        raise TheoryError([_problem(name, line, 1, f"line {line} is not CSV: {problem}")], {}) from None


def rows_of_parquet(path: Path) -> list[TableRow]:
    """Return the same for a Parquet file, read by DuckDB (extra `data`). Raise TheoryError (HB005)."""
    try:
        import duckdb  # noqa: PLC0415 - an extra

    except ImportError:
        way_out = f"Parquet is read by DuckDB, which is not installed: {installation('data')}"
        raise TheoryError([_problem(str(path), 1, 1, way_out)], {}) from None
    if (message := why_no_file(path)) is not None:
        raise TheoryError([_problem(str(path), 1, 1, message)], {})
    try:
        # The file's name is not a pattern, even if it looks like one.
        with duckdb.connect(":memory:") as connection:
            relation = connection.from_parquet(escape(str(path)))
            found: Iterable[Sequence[Any]] = [tuple(relation.columns), *relation.fetchall()]
    except Exception as problem:  # noqa: BLE001 - any exception that DuckDB raises for a damaged file
        message = "this cannot be read as Parquet: " + str(problem).partition("\n")[0]
        raise TheoryError([_problem(str(path), 1, 1, message)], {}) from None
    return _rows(["" if cell is None else str(cell).strip() for cell in line] for line in found)


def _rows(lines: Iterable[Sequence[str]]) -> list[TableRow]:
    rows: list[TableRow] = []
    names: Sequence[str] = ()
    for number, line in enumerate(lines, 1):
        if number == 1:
            names = line
            rows.append(TableRow(1, dict.fromkeys(names, "")))
        elif any(line):
            named = dict(zip(names, line, strict=False))
            # Cells beyond the header have no column name.
            named[""] = "".join(line[len(names) :])
            rows.append(TableRow(number, {name: cell for name, cell in named.items() if cell}))
    return rows


def _problem(name: str, row: int, column: int, message: str, hint: str = "") -> Diagnostic:
    return error("HB005", message, Span(name, row, column, row, column), hint)


@dataclass(slots=True)
class _TableReader:
    """Rows being read, and their problems."""

    source: str
    problems: list[Diagnostic] = field(default_factory=list)

    def wrong(self, row: TableRow, column: str, message: str, hint: str = "") -> None:
        place = COLUMNS.index(column) + 1 if column in COLUMNS else 1
        text = f"row {row.number}, column `{column}`: {message}"
        self.problems.append(_problem(self.source, row.number, place, text, hint))

    def number(self, row: TableRow, column: str) -> int:
        """Return the integer of a cell, or 0 if it is empty or no integer."""
        cell = row.cells.get(column, "")
        digits = cell[1:] if cell[:1] in ("+", "-") else cell
        if not cell:
            return 0
        if not (digits.isascii() and digits.isdigit()):
            self.wrong(row, column, f"`{cell[:40]}` is not an integer")
            return 0
        value = int(cell[:20])
        least, most = RANGES.get((row.cells["kind"], column), (0, None))
        if (least is not None and value < least) or (most is not None and value > most):
            bounds = f"{least} or more" if most is None else f"from {least} to {most}"
            self.wrong(row, column, f"{value} is not {bounds}")
        elif abs(value) >= MOST:
            self.wrong(row, column, f"{value} is too large")
        return value

    def optional(self, row: TableRow, column: str) -> int | None:
        return self.number(row, column) if column in row.cells else None

    def name(self, row: TableRow, column: str, known: Iterable[str], what: str) -> bool:
        """Return whether a name is known."""
        names = list(known)
        cell = row.cells.get(column, "")
        if cell in names:
            return True
        self.wrong(row, column, f"there is no {what} `{cell}`", did_you_mean(cell, names) or "")
        return False


def firm_of_rows(rows: list[TableRow], source: str) -> Firm:
    """Return the firm of a table. Raise TheoryError (HB005) with all problems."""
    reading = _TableReader(source)
    if not rows:
        raise TheoryError([_problem(source, 1, 1, "the table is empty")], {})
    for name in rows[0].cells:
        if name not in COLUMNS:
            reading.problems.append(
                _problem(source, 1, 1, f"there is no column `{name}`", did_you_mean(name, COLUMNS) or "")
            )
    of_kind = _of_kinds(rows[1:], reading)
    settings = {row.cells["name"]: reading.number(row, "value") for row in of_kind["setting"]}
    missing = [name for name in SETTING_NAMES if name not in settings]
    if missing:
        message = (
            f"there is no row for {'the setting' if len(missing) == 1 else 'settings'} {', '.join(missing)}"
        )
        reading.problems.append(_problem(source, 1, 1, message))
    accounts = {row.cells["name"]: reading.number(row, "value") for row in of_kind["account"]}
    materials = {row.cells["name"]: _material(row, reading) for row in of_kind["material"]}
    resources = {row.cells["name"]: _machine(row, reading) for row in of_kind["machine"]}
    resources[STAFF] = Resource(0, 0, 0)
    for row in of_kind["staff"]:
        settings["wage"] = reading.number(row, "price")
        numbers = [reading.number(row, column) for column in ("number", "capacity", "minutes")]
        resources[STAFF] = Resource(numbers[0], numbers[1], numbers[2])
    products = {row.cells["name"]: _product(row, reading, materials, resources) for row in of_kind["product"]}
    receivable, payable = [0] * FURTHEST, [0] * FURTHEST
    for row in of_kind["month"]:
        if reading.name(row, "name", map(str, range(1, FURTHEST + 1)), "month ahead"):
            place = int(row.cells["name"]) - 1
            receivable[place] += reading.number(row, "receivable")
            payable[place] += reading.number(row, "payable")
    amounts = tuple(reading.number(row, "value") for row in of_kind["amount"])
    _check_settings(of_kind["setting"], settings, reading)
    if reading.problems:
        raise TheoryError(_first_of(reading.problems), {})
    months_gone = settings.pop("months_gone")
    balances = {name: accounts.get(name, 0) for name in ACCOUNT_NAMES}
    firm = Firm(
        {"wage": 0, **settings}, products, materials, resources, balances, tuple(receivable), tuple(payable),
        months_gone, amounts,
    )  # fmt: skip
    balancing = balancing_capital(firm)
    for row in of_kind["account"]:
        if row.cells["name"] == "capital" and balances["capital"] != balancing:
            reading.wrong(row, "value", f"the books do not balance: with all else, capital is {balancing}")
            raise TheoryError(reading.problems, {})
    return replace(firm, accounts={**balances, "capital": balancing}, rows=_numbers(of_kind))


def _numbers(of_kind: Mapping[str, list[TableRow]]) -> dict[tuple[str, str], int]:
    """Return the rows by kind and name, without rows that belong together, such as two of one month."""
    found: dict[tuple[str, str], list[int]] = {}
    for kind, rows in of_kind.items():
        for row in rows:
            found.setdefault((kind, row.cells.get("name", "")), []).append(row.number)
    return {key: numbers[0] for key, numbers in found.items() if len(numbers) == 1}


def _first_of(problems: list[Diagnostic]) -> list[Diagnostic]:
    """Return the first problems, with the number of further ones."""
    rest = len(problems) - MOST_PROBLEMS
    if rest <= 0:
        return problems
    last = problems[MOST_PROBLEMS - 1]
    return [
        *problems[: MOST_PROBLEMS - 1],
        replace(last, help=f"{last.help}; {rest:,} more".removeprefix("; ")),
    ]


def _of_kinds(rows: list[TableRow], reading: _TableReader) -> dict[str, list[TableRow]]:
    """Return the rows by kind: those with a kind and a unique name."""
    found: dict[str, list[TableRow]] = {kind: [] for kind in NEEDED}
    names: dict[str, int] = {"start": 0, STAFF: 0}
    allowed = {"setting": SETTING_NAMES, "account": ACCOUNT_NAMES}
    for row in rows:
        kind = row.cells.get("kind", "")
        if not reading.name(row, "kind", NEEDED, "kind of row"):
            continue
        filled = ("kind", *NEEDED[kind], *OPTIONAL.get(kind, ()))
        for column in row.cells:
            if column in COLUMNS and column not in filled:
                reading.wrong(row, column, f"a row of kind `{kind}` leaves this empty")
            elif not column:
                reading.wrong(row, "kind", "the row is longer than the header")
        missing = [column for column in NEEDED[kind] if column not in row.cells]
        for column in missing:
            reading.wrong(row, column, f"a row of kind `{kind}` needs this")
        if "name" in missing or (kind in allowed and not reading.name(row, "name", allowed[kind], kind)):
            continue
        # Products, materials and machines are things, which have unique names.
        key = row.cells.get("name", "") if kind in ("product", "material", "machine") else ""
        key = key or (f"{kind} {row.cells.get('name', '')}" if kind not in ("month", "amount") else "")
        if key and key in names:
            earlier = f"row {names[key]}" if names[key] else "Hornbook itself"
            reading.wrong(row, "name" if "name" in row.cells else "kind", f"{earlier} has this name already")
            continue
        names[key] = row.number
        found[kind].append(row)
    return found


def _check_settings(rows: list[TableRow], settings: Mapping[str, int], reading: _TableReader) -> None:
    for row in rows:
        name = row.cells["name"]
        if name == "horizon" and not 1 <= settings[name] <= FURTHEST:
            reading.wrong(row, "value", f"the horizon is 1 to {FURTHEST} months")
        if name == "months_gone" and settings[name] > 11:
            reading.wrong(row, "value", "0 to 11 months of a year are gone")


def _material(row: TableRow, reading: _TableReader) -> Material:
    arriving = [0] * FURTHEST_ARRIVAL
    words = row.cells.get("arriving", "").split()
    if len(words) > FURTHEST_ARRIVAL or not all(word.isascii() and word.isdigit() for word in words):
        reading.wrong(
            row, "arriving", f"write what arrives in each month, {FURTHEST_ARRIVAL} numbers at most"
        )
    else:
        arriving[: len(words)] = [int(word[:13]) for word in words]
    stock, cost, standard, terms, lead = (
        reading.number(row, column) for column in ("stock", "price", "standard", "terms", "lead")
    )
    return Material(stock, cost, standard, terms, lead, tuple(arriving), reading.optional(row, "needed"))


def _machine(row: TableRow, reading: _TableReader) -> Resource:
    number, capacity, minutes, price, wear, book = (
        reading.number(row, column) for column in ("number", "capacity", "minutes", "price", "wear", "book")
    )
    return Resource(number, capacity, minutes, price, wear, book)


def _product(
    row: TableRow, reading: _TableReader, materials: Mapping[str, Material], resources: Mapping[str, Resource]
) -> Product:
    uses, takes = dict.fromkeys(materials, 0), dict.fromkeys(resources, 0)
    for part in filter(None, (part.strip() for part in row.cells.get("uses", "").split(";"))):
        name, _, quantity = part.rpartition(" ")
        name = name.strip()
        if not (quantity.isascii() and quantity.isdigit()) or len(quantity) > 12:
            reading.wrong(row, "uses", f"`{part}` is not a name and a number, such as `flour 2`")
        elif name in uses:
            uses[name] = int(quantity)
        elif name in takes:
            takes[name] = int(quantity)
        else:
            hint = did_you_mean(name, [*uses, *takes]) or ""
            reading.wrong(row, "uses", f"there is no material, machine or staff `{name}`", hint)
    low, high = reading.optional(row, "low"), reading.optional(row, "high")
    if (low is None) != (high is None):
        reading.wrong(row, "low" if low is None else "high", "bounds of demand come in pairs")
    elif low is not None and high is not None and low > high:
        reading.wrong(row, "high", f"the upper bound {high} is below the lower one, {low}")
    return Product(
        reading.number(row, "stock"), reading.number(row, "price"), reading.optional(row, "ceiling"),
        low, high, reading.optional(row, "asked"), reading.number(row, "terms"),
        reading.number(row, "conversion"), uses, takes,
    )  # fmt: skip
