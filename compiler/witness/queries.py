"""Queries of the learner that help to find proofs. Soundness does not depend on this module.

The learner finds proofs faster if it can predict the checker's decisions. Examples are the keys that hold,
the consequences of comparisons, the existing replies, and the conditions of a rule that its proof certainly
needs.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.compiler.checker.cases import invertible
from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.context import is_of_numbers
from hornbook.compiler.checker.dependencies import (
    IntegrityAssumptions,
    concluding_where_proved,
    dependencies,
    depends_on_action,
    turn_dependent,
)
from hornbook.compiler.checker.keys import places_of
from hornbook.compiler.checker.language import sorts_of
from hornbook.compiler.checker.replies import (
    ReplyAlternative,
    alternatives,
    opening_conditions,
    replies_to,
)
from hornbook.compiler.witness.congruence import Moment, Place
from hornbook.compiler.witness.constraints import GIVEN, OBSERVED, OPEN, PROVED, constraints
from hornbook.compiler.witness.context import SearchContext
from hornbook.compiler.witness.entailment import Arithmetic, TooManyCasesError, cases
from hornbook.compiler.witness.proof_state import operations
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import All, Atom, Comparison, Condition, GameStatement, Rule, condition_variables
from hornbook.kb.ast.theory import Theory

__all__ = [
    "GIVEN",
    "OBSERVED",
    "OPEN",
    "PROVED",
    "Arithmetic",
    "NeededConditions",
    "Place",
    "ReplyAlternative",
    "TooManyCasesError",
    "actions_below",
    "alternatives",
    "cases",
    "concluding_at",
    "concluding_unnamed",
    "concluding_where_proved",
    "constraints",
    "depends_on_action",
    "inversions_hold_when_reached",
    "is_of_numbers",
    "opening_conditions",
    "operations",
    "replies_to",
    "sorts_of",
    "turn_dependent",
]  # fmt: skip


def concluding_unnamed(certificate: Certificate, theory: Theory) -> list[Rule]:
    """Return the rules on which a certificate depends without naming them.

    They conclude timed predicates whose key or count it proves, or that it inverts.
    """
    proved = concluding_where_proved(theory, (place for place, _ in places_of(certificate.keys)))
    return [*proved, *concluding_at(certificate.inverted, theory)]


def concluding_at(places: Iterable[Place], theory: Theory) -> list[Rule]:
    """Return the theory's rules that conclude timed predicates."""
    usable = IntegrityAssumptions(theory)
    return [rule for place in places for rule in usable.concluding(place)]


def inversions_hold_when_reached(certificate: Certificate, theory: Theory) -> bool:
    """Return whether a certificate's inversions before an action are valid in reachable states too.

    There, a fact before an action may be a fact after the previous one. Proofs by induction are not valid.
    """
    usable = IntegrityAssumptions(theory, reached=True)
    before = [place for place in certificate.inverted if place[1] == "before"]
    return not before or (
        certificate.induction is None and all(invertible(place, usable) for place in before)
    )


def actions_below(place: Place, theory: Theory) -> frozenset[str]:
    """Return the actions on which the conclusions of a timed predicate depend, through any rules."""
    return dependencies(theory).actions.get(place, frozenset())


class NeededConditions:
    """The conditions that the steps of a proof require, from the context of their replay."""

    def __init__(self, context: SearchContext) -> None:
        self.context = context
        self.required = {self._read(condition, moment) for condition, moment in context.step_conditions}

    def plainly(self, condition: Condition) -> bool:
        """Return whether a step requires a condition that no other known fact implies.

        Return False if that is uncertain.
        """
        if self._read(condition, "before") not in self.required:
            return False
        if isinstance(condition, Comparison):
            return not self.context.may_compare_without(condition)
        if isinstance(condition, (Atom, GameStatement)):
            at = self.context.moment_of(condition, "before")
            return self.context.congruence.times_recorded(condition.relation, at, condition.terms) == 1
        return isinstance(condition, All) and not self.context.may_follow_without(condition, "before")

    def _read(self, condition: Condition, moment: Moment) -> object:
        context = self.context
        if isinstance(condition, (Atom, GameStatement)):
            return (
                condition.relation,
                context.moment_of(condition, moment),
                context.congruence.row(condition.terms),
            )
        if isinstance(condition, All):
            return context.form(condition, moment)
        names = {v.name: context.find(v) for v in condition_variables(condition)}
        return apply_to_condition(condition, names)
