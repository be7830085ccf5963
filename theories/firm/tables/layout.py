"""Layout of a firm's table: one row per item, of some kind, and the columns that rows of this kind fill.

Columns in `NEEDED` must be filled, those in `OPTIONAL` may be; a row leaves all others empty. The reference
is `docs/reference/firm-table.md`.
"""

from __future__ import annotations

from typing import Final

COLUMNS: Final = (
    "kind", "name", "value", "stock", "price", "ceiling", "low", "high", "asked", "terms", "conversion",
    "standard", "lead", "needed", "arriving", "uses", "number", "capacity", "minutes", "wear", "book",
    "receivable", "payable",
)  # fmt: skip

NEEDED: Final = {
    "setting": ("name", "value"),
    "account": ("name", "value"),
    "product": ("name", "stock", "price", "terms", "conversion"),
    "material": ("name", "stock", "price", "standard", "terms", "lead"),
    "machine": ("name", "number", "price", "wear", "capacity", "minutes", "book"),
    "staff": ("number", "price", "capacity", "minutes"),
    "month": ("name",),
    "amount": ("value",),
}
OPTIONAL: Final = {
    "product": ("ceiling", "low", "high", "asked", "uses"),
    "material": ("needed", "arriving"),
    "month": ("receivable", "payable"),
}
"""Optional columns, in addition to the needed ones."""

RANGES: Final = {
    ("product", "price"): (1, None), ("product", "terms"): (0, 12), ("material", "terms"): (1, 12),
    ("material", "lead"): (0, 6), ("amount", "value"): (1, None), ("account", "value"): (None, None),
}  # fmt: skip
"""Bounds of the integers in a cell, if they differ from the default (at least 0)."""

SETTING_NAMES: Final = (
    "fixed", "rate", "overdraft", "credit", "horizon", "target", "margin", "months_gone",
)  # fmt: skip
ACCOUNT_NAMES: Final = ("cash", "debt", "profit", "capital")
MOST: Final = 1_000_000_000_000
"""Exclusive upper bound of the numbers in a table."""
