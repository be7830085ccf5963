"""Simulated year of a firm that follows all advice, from month to month.

The recorded firm and the firm that follows advice diverge at the first missed goal. Demand, expectations and
prices of materials remain those of the record.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.advice.advising import StateAdviser
from hornbook.advice.year_review import Reviewed, review_month
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision, NotAllowedError, decide
from hornbook.theories.firm.tables.year import RecordedMonth


def review_with_advice(adviser: StateAdviser, months: list[RecordedMonth]) -> Iterator[Reviewed]:
    """Yield the review of each month of a year with all advice followed.

    Each month begins with the result of the month before, and with the recorded expectations. Later recorded
    decisions are executed with the largest amounts that are still possible.
    """
    firm: Firm | None = None
    for recorded in months:
        begins = recorded.begins if firm is None else _expecting(firm, recorded.begins)
        month = replace(recorded, begins=begins, decisions=tuple(_as_far(begins, recorded.decisions)))
        reviewed = review_month(adviser, month)
        while True:
            tried = (
                review_month(adviser, replace(reviewed.month, decisions=missed.saved.decisions))
                for missed in reviewed.missed
                if missed.saved is not None
            )
            # Advice for one goal may cost another goal, which is no improvement.
            better = next((each for each in tried if len(each.missed) < len(reviewed.missed)), None)
            if better is None:
                break
            reviewed = better
        yield reviewed
        firm = reviewed.month.closed(reviewed.month.states()[-1])


def _expecting(firm: Firm, recorded: Firm) -> Firm:
    """Return a firm with the expectations, material prices and needs of another one at the same time."""
    products = {
        name: replace(product, low=k.low, high=k.high, ceiling=k.ceiling)
        for name, product in firm.products.items()
        for k in (recorded.products[name],)
    }
    materials = {
        name: replace(material, cost=k.cost, needed=k.needed)
        for name, material in firm.materials.items()
        for k in (recorded.materials[name],)
    }
    return replace(firm, products=products, materials=materials)


def _as_far(firm: Firm, decisions: tuple[Decision, ...]) -> Iterator[Decision]:
    """Yield the decisions, each with the largest possible amount."""
    for decision in decisions:
        taken = _most(firm, decision)
        if taken is not None:
            firm = decide(firm, *taken)
            yield taken


def _most(firm: Firm, decision: Decision) -> Decision | None:
    """Return a decision with the largest possible amount up to its own; None if no amount is possible."""
    *names, amount = decision
    low, high = 0, amount + 1
    while high - low > 1:
        # If an amount is impossible, so is every larger one. The whole amount is tried first.
        middle = amount if high > amount else (low + high) // 2
        try:
            decide(firm, *names, middle)
            low = middle
        except NotAllowedError:
            high = middle
    return (*names, low) if low else None
