"""A firm at one moment, as plain data: things, people, money and what is expected.

Amounts are integers: pieces, minutes, and money in cents. Nothing here decides, computes ahead or changes; a firm
is frozen, and `simulator.py` gives new ones. Every product says for each material and each resource how much one
takes of it, also where that is none.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

STAFF = "staff"
"""The people, who are a resource beside the machines."""
FURTHEST = 12
"""How many months ahead bills are kept."""
FURTHEST_ARRIVAL = 6
"""How many months a material may take to arrive."""
LARGEST = 1_000_000_000
"""How many of a product that needs no material and no time can be made at once."""
SETTINGS = ("wage", "fixed", "rate", "overdraft", "credit", "horizon", "target", "margin")
"""Wage of one person and fixed costs in a month; interest and wanted return in hundredths of a percent a year;
how far cash may be below 0, and how large the debt may be; months looked ahead; and wanted margin in percent."""


@dataclass(frozen=True, slots=True)
class Product:
    stock: int
    price: int
    ceiling: int | None
    """The price up to which the bounds of demand hold, where it is known; above it, nobody need buy."""
    low: int | None
    high: int | None
    """Bounds of what customers ask for in this month, where they are known."""
    asked: int | None
    """What they do ask for, where it is known."""
    customer_terms: int
    conversion: int
    """What making one costs besides materials, as the firm calculates it."""
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
    """What arrives at the close of this month, of the next, …: FURTHEST_ARRIVAL numbers."""
    needed: int | None


@dataclass(frozen=True, slots=True)
class Resource:
    """A kind of machine, or the staff (which has no price, no wear and no value)."""

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
    """The machines by name, and `staff`."""
    accounts: Mapping[str, int]
    """Cash, debt, profit of the year so far, and capital, in cents."""
    receivable: tuple[int, ...]
    payable: tuple[int, ...]
    """What is due at the close of this month, of the next, …: FURTHEST numbers each."""
    months_gone: int
    amounts: tuple[int, ...] = field(default=())
    """Amounts of decisions that are looked at."""
    rows: Mapping[tuple[str, str], int] = field(default_factory=dict, compare=False, repr=False)
    """The rows of the firm's table, by kind and name."""

    @property
    def machines(self) -> dict[str, Resource]:
        return {name: resource for name, resource in self.resources.items() if name != STAFF}

    def standard_of(self, product: str) -> int:
        """At what a product stands in the books: the standard of its materials."""
        uses = self.products[product].uses
        return sum(quantity * self.materials[name].standard for name, quantity in uses.items())

    @property
    def interest(self) -> int:
        """Of one month, in cents."""
        return self.accounts["debt"] * self.settings["rate"] // 120_000
