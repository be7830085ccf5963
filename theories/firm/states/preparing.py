"""What has to be decided first, so that a goal can be reached by the next decision: materials for what is to be made.

It is plain reckoning, and certain of nothing: whether the goal is reached then, rules say of the firm after it.
"""

from __future__ import annotations

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.firm.states.company import Firm


def preparing(firm: Firm, goal: Atom) -> list[GroundFact]:
    """Purchases of what all that may be asked for of a product takes, and is not in stock; none for other goals."""
    if goal.predicate != "ship":
        return []
    (name,) = (str(term.value) for term in goal.arguments if isinstance(term, Constant))
    product = firm.products[name]
    lacking = (product.high or 0) - product.stock
    short = {part: lacking * uses - firm.materials[part].stock for part, uses in product.uses.items() if uses}
    return [GroundFact("buy", (part, number)) for part, number in short.items() if number > 0]
