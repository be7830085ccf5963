"""Recorded year of a firm: a folder with a table for each month and a journal of decisions and demand.

The files `01.csv` and so on are the firm at the beginning of each month. The file `journal.csv` has the
columns `month`, `what`, `of` and `amount`. It lists decisions in chronological order, and `asked` for the
demand for each product. Errors in a journal are reported by row.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, TheoryError, error
from hornbook.kb.sources.files import read_text
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.firm import adapter
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision, NotAllowedError, decide, pass_month
from hornbook.theories.firm.tables.table import TableRow, rows_of_csv

WITHOUT_NAME = ("hire", "borrow", "repay")
WITH_NAME = {
    "buy": "material",
    "produce": "product",
    "set_price": "product",
    "invest": "machine",
    "asked": "product",
}
JOURNAL = "journal.csv"


@dataclass(frozen=True, slots=True)
class RecordedMonth:
    """Recorded month: the firm at its beginning, its decisions and its demand."""

    number: int
    begins: Firm
    decisions: tuple[Decision, ...]
    demand: dict[str, int]
    """The pieces of each product that customers wanted."""

    def states(self) -> list[Firm]:
        """Return the firm before the first decision, and after each. Raise NotAllowedError."""
        return run(self.begins, self.decisions)

    def closed(self, decided: Firm) -> Firm:
        """Return the firm after the month, given the firm after all decisions."""
        return pass_month(decided, self.demand)


def run(firm: Firm, decisions: tuple[Decision, ...]) -> list[Firm]:
    """Return the firm, and the firm after each decision. Raise NotAllowedError."""
    states = [firm]
    for decision in decisions:
        states.append(decide(states[-1], *decision))
    return states


def read_year(folder: Path) -> list[RecordedMonth]:
    """Return the months of a folder. Raise TheoryError if a table or the journal is malformed."""
    tables = sorted(path for path in folder.glob("[0-9]*.csv") if path.stem.isdigit())
    if not tables:
        raise TheoryError([_problem(folder, 1, "there are no tables `01.csv`, `02.csv`, …")], {})
    firms = {int(path.stem): adapter.read(read_text(path), str(path)) for path in tables}
    decisions: dict[int, list[Decision]] = {number: [] for number in firms}
    demand: dict[int, dict[str, int]] = {number: {} for number in firms}
    path = folder / JOURNAL
    wrong = []
    for row, (month, what, name, amount) in _entries(path):
        firm = firms.get(month)
        problem = "there is no table of this month" if firm is None else _wrong(firm, what, name, amount)
        if problem is not None:
            wrong.append(_problem(path, row, problem))
        elif what == "asked":
            demand[month][name] = amount
        else:
            decisions[month].append((what, amount) if what in WITHOUT_NAME else (what, name, amount))
    if not wrong:
        wrong = [
            _problem(path, 1, text)
            for n in firms
            for text in _missing_demand(n, firms[n], decisions[n], demand[n])
        ]
    if wrong:
        raise TheoryError(wrong, {})
    return [RecordedMonth(n, firms[n], tuple(decisions[n]), demand[n]) for n in firms]


def _entries(path: Path) -> Iterator[tuple[int, tuple[int, str, str, int]]]:
    header, *rows = rows_of_csv(read_text(path), str(path)) or [TableRow(1, {})]
    if not {"month", "what", "of", "amount"} <= header.cells.keys():
        raise TheoryError([_problem(path, 1, "a journal has the columns month, what, of and amount")], {})
    for row in rows:
        cells = row.cells
        numbers = [cells.get(name, "") for name in ("month", "amount")]
        if not all(number.isdecimal() and len(number) < 13 for number in numbers):
            raise TheoryError([_problem(path, row.number, "month and amount are integers")], {})
        yield row.number, (int(numbers[0]), cells.get("what", ""), cells.get("of", ""), int(numbers[1]))


def _wrong(firm: Firm, what: str, name: str, amount: int) -> str | None:
    if what in WITHOUT_NAME:
        return None if amount >= 1 else "an amount is 1 at least"
    kind = WITH_NAME.get(what)
    if kind is None:
        return f"`{what}` is neither a decision nor `asked`"
    things = {"material": firm.materials, "product": firm.products, "machine": firm.machines}[kind]
    if name not in things:
        return f"there is no {kind} `{name}`"
    return None if amount >= 1 or what == "asked" else "an amount is 1 at least"


def _missing_demand(
    month: int, firm: Firm, decisions: list[Decision], demand: dict[str, int]
) -> Iterator[str]:
    for name in firm.products:
        if name not in demand:
            yield f"month {month} does not say what was asked for of {name}"
    try:
        run(firm, tuple(decisions))
    except NotAllowedError as problem:
        yield f"what was decided in month {month} could not be: {problem}"


def _problem(path: Path, row: int, message: str) -> Diagnostic:
    where = Span(str(path), row, 1, row, 2)
    return error("HB005", message if row == 1 else f"row {row}: {message}", where)
