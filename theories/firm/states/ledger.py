"""Double-entry ledger.

Assets (cash, receivables, materials, goods, machines) are debited when they grow; liabilities and equity
(payables, debt, capital, profit) are credited.

Invariants: every amount is entered twice, and the two sides are equal after each entry.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from hornbook.kb.text.dataclass import dataclass

HAS = ("cash", "receivables", "materials", "goods", "machines")
OWES = ("payables", "debt", "capital", "profit")


@dataclass(frozen=True, slots=True)
class LedgerEntry:
    """Amount in cents from a credited account to a debited one."""

    debit: str
    credit: str
    cents: int
    text: str


@dataclass(slots=True)
class Ledger:
    """Balances by account, and the entries since the opening balances."""

    balances: dict[str, int]
    journal: list[LedgerEntry] = field(default_factory=list)

    @staticmethod
    def opened(balances: Mapping[str, int]) -> Ledger:
        ledger = Ledger(dict(balances))
        assert set(balances) == {*HAS, *OWES}, balances
        ledger.assert_balanced()
        return ledger

    def enter(self, debit: str, credit: str, cents: int, text: str) -> None:
        """Enter an amount; a negative one reverses the sides."""
        self.balances[debit] += cents if debit in HAS else -cents
        self.balances[credit] -= cents if credit in HAS else -cents
        self.journal.append(LedgerEntry(debit, credit, cents, text))
        self.assert_balanced()

    def assert_balanced(self) -> None:
        has, owes = (sum(self.balances[name] for name in side) for side in (HAS, OWES))
        assert has == owes, f"the ledger does not balance: {has} and {owes}"
