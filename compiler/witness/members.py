"""The search for proofs of closed conditions and counts by universal introduction
(compiler/checker/members.py).
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.compiler.checker.certificate import CaseProof
from hornbook.compiler.checker.proofs import with_row
from hornbook.compiler.witness.congruence import Moment
from hornbook.compiler.witness.context import ArbitraryMember, Introduce, SearchContext
from hornbook.compiler.witness.proof_state import Found, Ref
from hornbook.kb.ast.terms import All, Atom, Comparison, CountIn
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class WitnessGoal:
    """A member goal: an arbitrary member belongs to the set of `of`, and satisfies the closed condition
    `required`.
    """

    any_one: ArbitraryMember
    of: Atom
    moment: Moment
    required: All | None


@dataclass(frozen=True, slots=True)
class MembersWitness:
    """A proof of a closed condition or count by universal introduction.

    It has the witness, each member goal with its proof, and the facts on which the proofs depend.
    """

    witness: Found
    proofs: tuple[tuple[WitnessGoal, CaseProof], ...]
    used: tuple[Ref, ...] = ()


@dataclass(frozen=True, slots=True)
class GoalProof:
    """A proof of a member goal: the membership, the binding of the condition's own variables, and the
    proofs.
    """

    there: Found
    terms: Found = ()
    proofs: tuple[Found, ...] = ()


def member_witnesses(
    context: SearchContext, condition: All | CountIn, moment: Moment
) -> Iterator[tuple[Found, tuple[WitnessGoal, ...]]]:
    """Yield witnesses for a closed condition or count by universal introduction, each with its member
    goals.
    """
    width = len(condition.variables)
    if isinstance(condition, All):
        goal_set = context.closed_set(condition.member, width, moment)
        for known, at, number in context.alls:
            counts = len(known.variables) == width and context.same_cardinality(
                context.closed_set(known.member, width, at), goal_set
            )
            if counts is not False:
                any_one = context.any_member(known, at)
                shown = WitnessGoal(any_one, condition.member, moment, condition)
                yield ("members", Ref(number), counts), (shown,)
        return
    for count, at, number in context.counts:
        found = context.matching_counts(count, at, condition, moment)
        equal = found is not None and context.compares(Comparison("=", condition.result, count.result))
        if found is not None and equal is not False:
            sizes, sets = found
            members = (
                WitnessGoal(context.any_row(one, width, at), other, moment, None) for one, other in sets
            )
            yield ("members", Ref(number), sizes, equal), tuple(members)


def goal_proof(context: SearchContext, member: WitnessGoal, introduce: Introduce) -> Found:
    """Return a proof of a member goal; or False."""
    membership = context.established(with_row(member.of, member.any_one.row), member.moment)
    if membership is False or member.required is None:
        return membership is not False and GoalProof(membership)
    found = context.proofs(member.required, member.any_one.row, member.moment, introduce)
    return found is not False and GoalProof(membership, *found)
