"""Writer of firms as CSV tables that `table.py` reads, and the template for a new firm."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from pathlib import Path

from hornbook.theories.firm.states.company import STAFF, Firm
from hornbook.theories.firm.tables.layout import COLUMNS, SETTING_NAMES


def csv_of_firm(firm: Firm) -> str:
    """Return the table of a firm, as CSV text."""
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    for row in _rows(firm):
        writer.writerow({column: cell for column, cell in row.items() if cell is not None})
    return out.getvalue()


def template() -> str:
    """Return a table to fill in: a small bakery, with a row of each kind."""
    return (Path(__file__).parents[1] / "examples" / "bakery" / "01.csv").read_text(encoding="utf-8")


def _rows(firm: Firm) -> Iterator[dict[str, str | int | None]]:
    """Yield the rows of the table, by column; None is an empty cell."""
    settings = {**firm.settings, "months_gone": firm.months_gone}
    for name in SETTING_NAMES:
        yield {"kind": "setting", "name": name, "value": settings[name]}
    for name, cents in firm.accounts.items():
        yield {"kind": "account", "name": name, "value": cents}
    for name, product in firm.products.items():
        parts = [
            f"{part} {number}" for part, number in (*product.uses.items(), *product.takes.items()) if number
        ]
        yield {
            "kind": "product", "name": name, "stock": product.stock, "price": product.price,
            "ceiling": product.ceiling, "low": product.low, "high": product.high, "asked": product.asked,
            "terms": product.customer_terms, "conversion": product.conversion, "uses": "; ".join(parts),
        }  # fmt: skip
    for name, material in firm.materials.items():
        yield {
            "kind": "material", "name": name, "stock": material.stock, "price": material.cost,
            "standard": material.standard, "terms": material.supplier_terms, "lead": material.lead,
            "needed": material.needed, "arriving": " ".join(map(str, material.arriving)),
        }  # fmt: skip
    for name, machine in firm.machines.items():
        yield {
            "kind": "machine", "name": name, "number": machine.number, "price": machine.new_price,
            "wear": machine.wear, "capacity": machine.capacity, "minutes": machine.minutes,
            "book": machine.book,
        }  # fmt: skip
    staff = firm.resources[STAFF]
    yield {
        "kind": "staff", "number": staff.number, "price": firm.settings["wage"], "capacity": staff.capacity,
        "minutes": staff.minutes,
    }  # fmt: skip
    for month, (cents, owed) in enumerate(zip(firm.receivable, firm.payable, strict=True), 1):
        if cents or owed:
            yield {"kind": "month", "name": month, "receivable": cents, "payable": owed}
    for amount in firm.amounts:
        yield {"kind": "amount", "value": amount}
