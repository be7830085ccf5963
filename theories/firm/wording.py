"""What advice to a firm is called: its levels and goals, and its decisions, in the words of people who run one."""

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
"""The level of each goal, from things to money."""
MENU: Final = "amount"
"""The predicate that lists the amounts of decisions that are looked at."""
ALLOWED: Final[Mapping[str, str]] = {
    "buy": "may_buy", "produce": "may_produce", "set_price": "may_price", "hire": "may_hire", "borrow": "may_borrow",
    "repay": "may_repay", "invest": "may_invest",
}  # fmt: skip
"""The predicate that says whether a decision may be taken."""
UNITS: Final[Mapping[str, str]] = {"set_price": "cents", "borrow": "cents", "repay": "cents"}
"""What amounts of a decision are counted in, where they are not pieces of what it names."""

_GOALS: Final[Mapping[str, str]] = {
    "ship": "all {} that customers may ask for in this month is there",
    "supply": "of {} there is what is needed, in stock and on order",
    "earn": "the price of {} covers its full cost and the margin",
    "solvent": "cash stays above the overdraft limit up to the horizon",
    "on_target": "the year's profit so far gives the wanted return",
}


def goal(name: str, arguments: Sequence[str | int]) -> str:
    """A goal as a sentence."""
    return _GOALS[name].format(*arguments)
