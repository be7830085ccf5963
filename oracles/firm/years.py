"""Two fictitious years of business: a small bakery and a bicycle workshop, month by month.

A month consists of expectations, decisions and demand; the simulator computes the results. `python -m
oracles.firm.years` writes the tables under `theories/firm/examples/`: the firm at the beginning of every
month, the decisions and the demand in it, and the single moments that serve as examples for learning.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import balancing_capital, decide, pass_month
from hornbook.theories.firm.tables.writing import csv_of_firm
from oracles.firm.bakery import BAKERY
from oracles.firm.story import Month, Story
from oracles.firm.workshop import WORKSHOP

STORIES = (BAKERY, WORKSHOP)
EXAMPLES = Path(__file__).parents[2] / "theories" / "firm" / "examples"


@dataclass(frozen=True, slots=True)
class MonthRecord:
    """A month of a story, by its number from 1.

    Attributes:
        begins: The firm at the beginning, with the expectations for the month.
        decided: The firm after the decisions.
        ends: The firm after the month, with the demand met from stock.
    """

    number: int
    month: Month
    begins: Firm
    decided: Firm
    ends: Firm


def months_of(story: Story) -> Iterator[MonthRecord]:
    """Yield the months of a story. Raise NotAllowedError if a decision is impossible."""
    firm = _complete(story.firm)
    for number, month in enumerate(story.months, 1):
        begins = expecting(firm, month)
        decided = begins
        for decision in month.decisions:
            decided = decide(decided, *decision)
        firm = pass_month(decided, month.asked)
        yield MonthRecord(number, month, begins, decided, firm)


def _complete(firm: Firm) -> Firm:
    """Return the firm with zeros for unused materials, and with the capital that balances its books."""
    products = {
        name: replace(
            product,
            uses={part: product.uses.get(part, 0) for part in firm.materials},
            takes={part: product.takes.get(part, 0) for part in firm.resources},
        )
        for name, product in firm.products.items()
    }
    return replace(firm, products=products, accounts={**firm.accounts, "capital": balancing_capital(firm)})


def expecting(firm: Firm, month: Month) -> Firm:
    """Return the firm with its expectations for a month: demand, ceilings, costs of materials, and
    requirements.
    """
    products = {
        name: replace(
            product, low=month.demand[name][0], high=month.demand[name][1], ceiling=month.ceilings[name]
        )
        for name, product in firm.products.items()
    }
    materials = {
        name: replace(material, cost=month.costs.get(name, material.cost), needed=month.needed.get(name))
        for name, material in firm.materials.items()
    }
    return replace(firm, products=products, materials=materials)


class Moment(NamedTuple):
    """A firm right before a decision that serves as an example for learning."""

    name: str
    firm: Firm


def moments(story: Story) -> Iterator[Moment]:
    """Yield the moments that a story marks, each after a number of a month's decisions."""
    marks: Mapping[tuple[int, int], str] = story.moments
    for month in months_of(story):
        firm = month.begins
        for place in range(len(month.month.decisions) + 1):
            if (month.number, place) in marks:
                yield Moment(marks[month.number, place], firm)
            if place < len(month.month.decisions):
                firm = decide(firm, *month.month.decisions[place])


def journal(story: Story) -> str:
    """Return the decisions and the demand of each month as the text of `journal.csv`.

    A row has a month, a decision or `asked` (the demand), the thing concerned if any, and an amount.
    """
    out = io.StringIO()
    write: Callable[[list[str | int]], object] = csv.writer(out, lineterminator="\n").writerow
    write(["month", "what", "of", "amount"])
    for number, month in enumerate(story.months, 1):
        for name, *arguments in month.decisions:
            write([number, name, *_two(arguments)])
        for product, amount in month.asked.items():
            write([number, "asked", product, amount])
    return out.getvalue()


def _two(arguments: list[str | int]) -> tuple[str | int, str | int]:
    """Return the thing and the amount of a decision; the thing is empty if there is only an amount."""
    return ("", arguments[0]) if len(arguments) == 1 else (arguments[0], arguments[1])


def tables() -> Iterator[tuple[Path, str]]:
    """Yield every table under `examples/`, with its text."""
    for story in STORIES:
        for month in months_of(story):
            yield EXAMPLES / story.name / f"{month.number:02}.csv", csv_of_firm(month.begins)
        yield EXAMPLES / story.name / "journal.csv", journal(story)
        for moment in moments(story):
            yield EXAMPLES / "moments" / f"{moment.name}.csv", csv_of_firm(moment.firm)


def main() -> None:
    for path, text in tables():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
