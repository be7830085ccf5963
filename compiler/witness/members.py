"""The search for proofs of closed conditions and counts by universal introduction
(compiler/checker/members.py).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from hornbook.compiler.checker.certificate import CaseProof
from hornbook.compiler.checker.proofs import with_row
from hornbook.compiler.witness.congruence import Moment
from hornbook.compiler.witness.context import ArbitraryMember, Introduce, SearchContext
from hornbook.compiler.witness.proof_state import Found, Ref
from hornbook.kb.ast.terms import All, Atom, Comparison, CountIn, Term
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class WitnessGoal:
    """A member goal: an arbitrary member belongs to the set of `of`, and satisfies the closed condition
    `required`. It differs from the member that was `added` to the set, if there is one.
    """

    any_one: ArbitraryMember
    of: Atom
    moment: Moment
    required: All | None
    added: Term | None = None


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
    """A proof of a member goal: the membership, the binding of the condition's own variables, the proofs, and
    the proof that the member differs from an added one.
    """

    there: Found
    terms: Found = ()
    proofs: tuple[Found, ...] = ()
    different: tuple[Found, ...] = ()

    @property
    def parts(self) -> tuple[Found, ...]:
        """The parts in the order of a certificate."""
        return self.there, self.terms, self.proofs, *self.different


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
            if len(known.variables) == width == 1:
                yield from _changed(context, condition, moment, (known, at, number))
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


def _changed(
    context: SearchContext, condition: All, moment: Moment, of: tuple[All, Moment, int]
) -> Iterator[tuple[Found, tuple[WitnessGoal, ...]]]:
    """Yield witnesses for a set that lost a member of a known set, or gained one, or both."""
    known, at, number = of
    theirs = context.closed_set(known.member, 1, at)
    mine = context.closed_set(condition.member, 1, moment)
    found = context.changed_cardinality(theirs, mine)
    if found is None:
        return
    difference, counts, why = found
    added = [
        (row[0], (Ref(member), *proofs))
        for member, row in (context.members(mine) if difference >= 0 else ())
        if (proofs := context.proofs(condition, row, moment)) is not False
    ]
    removed = [(row[0], member) for member, row in (context.members(theirs) if difference <= 0 else ())]
    if difference <= 0 and not context.is_closed(theirs[0]):
        return
    for lost, lost_number in removed if difference <= 0 else [(None, None)]:
        for new, new_proof in added if difference >= 0 else [(None, None)]:
            any_one = context.any_member(known, at)
            if lost is not None:
                inequality = Comparison("!=", any_one.row[0], lost)
                numbers = any_one.numbers + any_one.context.take([inequality], None)
                any_one = replace(any_one, numbers=numbers)
            goal = WitnessGoal(any_one, condition.member, moment, condition, new)
            lost_ref = None if lost_number is None else Ref(lost_number)
            yield ("members", Ref(number), counts, (lost_ref, new_proof, why)), (goal,)


def goal_proof(context: SearchContext, member: WitnessGoal, introduce: Introduce) -> Found:
    """Return a proof of a member goal; or False."""
    row = member.any_one.row
    membership = context.established(with_row(member.of, row), member.moment)
    if membership is False or member.required is None:
        return membership is not False and GoalProof(membership)
    found = context.proofs(member.required, row, member.moment, introduce)
    if found is False:
        return False
    terms, proofs = found
    if member.added is None:
        return GoalProof(membership, terms, proofs)
    different = context.distinct(row[0], member.added)
    return different is not False and GoalProof(membership, terms, proofs, (different,))
