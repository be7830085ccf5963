"""What the learner may ask besides for a verdict; nothing that is trusted stands on this.

Who finds proofs does better with what the checker will say: which keys hold, what comparisons entail, which replies there
are, which of a rule's conditions its proof plainly needs. Here all of that is offered.
"""

from __future__ import annotations

from hornbook.compiler.checker.context import is_of_numbers
from hornbook.compiler.checker.promises import meaning, rests_on_action, unsteady
from hornbook.compiler.checker.replies import Alternative, alternatives, replies_to
from hornbook.compiler.witness.congruence import Moment, Place
from hornbook.compiler.witness.constraints import GIVEN, OBSERVED, OPEN, PROVED, constraints
from hornbook.compiler.witness.context import Context
from hornbook.compiler.witness.entailment import Arithmetic, TooManyCasesError, cases
from hornbook.compiler.witness.established import operations
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, GameStatement, condition_variables

__all__ = [
    "GIVEN", "OBSERVED", "OPEN", "PROVED", "Alternative", "Arithmetic", "Needs", "Place", "TooManyCasesError",
    "alternatives", "cases", "constraints", "is_of_numbers", "meaning", "operations", "replies_to", "rests_on_action",
    "unsteady",
]  # fmt: skip


class Needs:
    """What the steps of a proof ask for word by word, from the context in which they were replayed."""

    def __init__(self, context: Context) -> None:
        self.context = context
        self.asked = {self._read(condition, moment) for condition, moment in context.asked}

    def plainly(self, condition: Condition) -> bool:
        """Whether a step asks for a condition that nothing else that is known gives; False where unsure."""
        if self._read(condition, "before") not in self.asked:
            return False
        if isinstance(condition, Comparison):
            return not self.context.compares_without(condition)
        if isinstance(condition, Atom | GameStatement):
            at = self.context.moment_of(condition, "before")
            return self.context.congruence.times_said(condition.relation, at, condition.terms) == 1
        return isinstance(condition, All) and not self.context.all_without(condition, "before")

    def _read(self, condition: Condition, moment: Moment) -> object:
        context = self.context
        if isinstance(condition, Atom | GameStatement):
            return (
                condition.relation,
                context.moment_of(condition, moment),
                context.congruence.row(condition.terms),
            )
        if isinstance(condition, All):
            return context.form(condition, moment)
        names = {v.name: context.find(v) for v in condition_variables(condition)}
        return apply_to_condition(condition, names)
