"""Preparatory decisions for a goal: purchases of materials for production.

This is plain arithmetic without a guarantee; rules decide whether the goal is then reached.
"""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm.states.company import Firm


def preparing(firm: Firm, goal: Atom) -> list[GroundFact]:
    """Return purchases of the missing materials for the maximal demand of a product, or an empty
    list for other goals.
    """
    if goal.predicate != "ship":
        return []
    (name,) = (str(term.value) for term in goal.arguments if isinstance(term, Constant))
    product = firm.products[name]
    lacking = (product.high or 0) - product.stock
    short = {part: lacking * uses - firm.materials[part].stock for part, uses in product.uses.items() if uses}
    return [GroundFact("buy", (part, number)) for part, number in short.items() if number > 0]
