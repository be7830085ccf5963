"""A double-entry ledger: every amount is entered twice, and the two sides are equal at every step.

What the firm has (cash, receivables, materials, goods, machines) is debited where it grows; what it owes and is
worth (payables, debt, capital, profit) is credited.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

HAS = ("cash", "receivables", "materials", "goods", "machines")
OWES = ("payables", "debt", "capital", "profit")


@dataclass(frozen=True, slots=True)
class Entry:
    """One amount, in cents, from the account that is credited to the one that is debited."""

    debit: str
    credit: str
    cents: int
    text: str


@dataclass(slots=True)
class Ledger:
    """Balances by account, and the entries that made them from the opening balances."""

    balances: dict[str, int]
    journal: list[Entry] = field(default_factory=list)

    @staticmethod
    def opened(balances: Mapping[str, int]) -> Ledger:
        ledger = Ledger(dict(balances))
        assert set(balances) == {*HAS, *OWES}, balances
        ledger.assert_balanced()
        return ledger

    def enter(self, debit: str, credit: str, cents: int, text: str) -> None:
        """Enters an amount; below 0 it goes the other way round."""
        self.balances[debit] += cents if debit in HAS else -cents
        self.balances[credit] -= cents if credit in HAS else -cents
        self.journal.append(Entry(debit, credit, cents, text))
        self.assert_balanced()

    def assert_balanced(self) -> None:
        has, owes = (sum(self.balances[name] for name in side) for side in (HAS, OWES))
        assert has == owes, f"the ledger does not balance: {has} and {owes}"
