"""Business terms of advice to a firm: its levels, goals and decisions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

LEVELS: Final[Mapping[str, str]] = {
    "ship": "physical",
    "supply": "physical",
    "earn": "valued",
    "solvent": "monetary",
    "on_target": "financial",
}
"""Level of each goal, from things to money."""
MENU: Final = "amount"
"""Predicate that lists the amounts of decisions to consider."""
ALLOWED: Final[Mapping[str, str]] = {
    "buy": "may_buy", "produce": "may_produce", "set_price": "may_price", "hire": "may_hire",
    "borrow": "may_borrow", "repay": "may_repay", "invest": "may_invest",
}  # fmt: skip
"""Predicate that decides whether a decision is allowed."""
UNITS: Final[Mapping[str, str]] = {"set_price": "cents", "borrow": "cents", "repay": "cents"}
"""Units of the amounts of a decision, if they are not pieces."""

_GOALS: Final[Mapping[str, str]] = {
    "ship": "all {} that customers may ask for in this month is there",
    "supply": "of {} there is what is needed, in stock and on order",
    "earn": "the price of {} covers its full cost and the margin",
    "solvent": "cash stays above the overdraft limit up to the horizon",
    "on_target": "the year's profit so far gives the wanted return",
}


def goal(name: str, arguments: Sequence[str | int]) -> str:
    """Return a goal as a sentence."""
    return _GOALS[name].format(*arguments)
