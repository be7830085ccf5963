"""A year of a firm with all advice followed, from month to month.

The firm of the story and the one that follows advice part at the first goal that was missed; demand, expectations and
prices of materials stay those of the story.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.advice.advising import Counsel
from hornbook.advice.year_review import Reviewed, review_month
from hornbook.theories.firm.states.company import Firm
from hornbook.theories.firm.states.simulator import Decision, NotAllowedError, decide
from hornbook.theories.firm.tables.year import KeptMonth


def followed(counsel: Counsel, months: list[KeptMonth]) -> Iterator[Reviewed]:
    """The year with all advice followed: each month begins where the one before it ended, with what was expected of it.

    What was decided later is done as far as it still can be.
    """
    firm: Firm | None = None
    for kept in months:
        begins = kept.begins if firm is None else _expecting(firm, kept.begins)
        month = replace(kept, begins=begins, decisions=tuple(_as_far(begins, kept.decisions)))
        reviewed = review_month(counsel, month)
        while True:
            tried = (
                review_month(counsel, replace(reviewed.month, decisions=missed.saved.decisions))
                for missed in reviewed.missed
                if missed.saved is not None
            )
            # Advice for one goal may be at the cost of another, which is no help.
            better = next((each for each in tried if len(each.missed) < len(reviewed.missed)), None)
            if better is None:
                break
            reviewed = better
        yield reviewed
        firm = reviewed.month.closed(reviewed.month.states()[-1])


def _expecting(firm: Firm, kept: Firm) -> Firm:
    """A firm with the expectations, prices of materials and needs of another one at the same time."""
    products = {
        name: replace(product, low=k.low, high=k.high, ceiling=k.ceiling)
        for name, product in firm.products.items()
        for k in (kept.products[name],)
    }
    materials = {
        name: replace(material, cost=k.cost, needed=k.needed)
        for name, material in firm.materials.items()
        for k in (kept.materials[name],)
    }
    return replace(firm, products=products, materials=materials)


def _as_far(firm: Firm, decisions: tuple[Decision, ...]) -> Iterator[Decision]:
    """The decisions, of each as much as can be."""
    for decision in decisions:
        taken = _most(firm, decision)
        if taken is not None:
            firm = decide(firm, *taken)
            yield taken


def _most(firm: Firm, decision: Decision) -> Decision | None:
    """A decision with the largest amount up to its own that can be taken; None where there is none."""
    *names, amount = decision
    low, high = 0, amount + 1
    while high - low > 1:
        # What cannot be taken cannot be with more either; the whole amount is asked for first.
        middle = amount if high > amount else (low + high) // 2
        try:
            decide(firm, *names, middle)
            low = middle
        except NotAllowedError:
            high = middle
    return (*names, low) if low else None
