"""Firm at one moment, as plain data: things, people, money and expectations.

Amounts are integers: pieces, minutes, and money in cents. This module neither decides nor computes ahead.
Every product lists the amount of each material and each resource that one piece takes, even if it is 0.

Invariants: a firm is frozen; `simulator.py` returns new ones.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from hornbook.kb.text.dataclass import dataclass

STAFF = "staff"
"""Name of the staff, a resource like the machines."""
FURTHEST = 12
"""Maximal number of months ahead for which bills are stored."""
FURTHEST_ARRIVAL = 6
"""Maximal number of months until a material arrives."""
LARGEST = 1_000_000_000
"""Maximal number of pieces made at once of a product that needs no material and no time."""
SETTINGS = ("wage", "fixed", "rate", "overdraft", "credit", "horizon", "target", "margin")
"""Names of the settings.

They are the wage of one person and fixed costs per month, and interest and required return in hundredths of a
percent per year. The others are the limits of the overdraft and of debt, the months of the horizon, and the
required margin in percent.
"""


@dataclass(frozen=True, slots=True)
class Product:
    """A product: its stock in pieces, its price in cents, and what is known about its demand.

    The field `customer_terms` is the number of months until customers pay. The fields `uses` and `takes` have
    the pieces of each material and the minutes of each resource that one piece takes.
    """

    stock: int
    price: int
    ceiling: int | None
    """Highest price where the bounds of demand hold, if known. Above it, demand may be 0."""
    low: int | None
    high: int | None
    """Bounds of this month's demand, if known."""
    asked: int | None
    """This month's demand, if known."""
    customer_terms: int
    conversion: int
    """Calculated cost of making one piece besides materials."""
    uses: Mapping[str, int]
    takes: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Material:
    stock: int
    cost: int
    standard: int
    supplier_terms: int
    lead: int
    arriving: tuple[int, ...]
    """Arrivals at the close of this month, of the next, …: FURTHEST_ARRIVAL numbers."""
    needed: int | None


@dataclass(frozen=True, slots=True)
class Resource:
    """Kind of machine, or the staff (without price, wear and value)."""

    number: int
    capacity: int
    minutes: int
    new_price: int = 0
    wear: int = 0
    book: int = 0


@dataclass(frozen=True, slots=True)
class Firm:
    settings: Mapping[str, int]
    products: Mapping[str, Product]
    materials: Mapping[str, Material]
    resources: Mapping[str, Resource]
    """Machines by name, and `staff`."""
    accounts: Mapping[str, int]
    """Cash, debt, profit of the year so far, and capital, in cents."""
    receivable: tuple[int, ...]
    payable: tuple[int, ...]
    """Amounts due at the close of this month, of the next, …: FURTHEST numbers each."""
    months_gone: int
    """Months of the year that are over, from 0 to 11."""
    amounts: tuple[int, ...] = field(default=())
    """Amounts of decisions to consider."""
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict, compare=False, repr=False)
    """Rows of the firm's table, by kind and name."""

    @property
    def machines(self) -> dict[str, Resource]:
        return {name: resource for name, resource in self.resources.items() if name != STAFF}

    def standard_of(self, product: str) -> int:
        """Return the book value of a product: the standard of its materials."""
        uses = self.products[product].uses
        return sum(quantity * self.materials[name].standard for name, quantity in uses.items())

    @property
    def interest(self) -> int:
        """Interest of one month, in cents."""
        return self.accounts["debt"] * self.settings["rate"] // 120_000
