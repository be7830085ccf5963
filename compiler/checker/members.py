"""Universal introduction: a proof for an arbitrary member of a set, and its consequence for the whole set.

The set is that of a known closed condition or count. The goal concerns the same set, or a set known to have
the same cardinality. In the second case, the proof also shows that an arbitrary member of the first set
belongs to the other one. The first set then contains as many members of the other one as its count states, so
it contains all of them.

The set of a closed condition may also differ from the known one by one member that is removed, by one that is
added, or by both. The proof is then for an arbitrary member other than the removed one. The added member has
a proof of its own, and is proved different from the arbitrary one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.context import Moment, ProofContext, RejectedError, Row, listed, shown
from hornbook.compiler.checker.dependencies import TimedPredicate
from hornbook.compiler.checker.proofs import (
    OPEN,
    WitnessCheck,
    apart,
    arbitrary_member,
    arbitrary_row,
    compares,
    entails,
    holds_of,
    with_row,
)
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Constant,
    CountIn,
    Operation,
    Term,
    outer_variables,
)

_Set = tuple[TimedPredicate, Row]


@dataclass(frozen=True, slots=True)
class MemberGoal:
    """A member goal: a proof obligation for an arbitrary member with the columns `row`.

    The member must belong to the set of `member` at the moment, and have the properties that `required`
    requires of members. It must differ from the member that is `added` to the set, if there is one.
    """

    row: Row
    member: Atom
    moment: Moment
    required: All | None
    added: Term | None = None


def member_goals(
    context: ProofContext, condition: All | CountIn, moment: Moment, witness: Witness
) -> list[tuple[ProofContext, MemberGoal]]:
    """Return a context and a goal for an arbitrary member of each relevant set; together they prove a
    condition.

    Raise RejectedError if the witness does not name these sets.
    """
    match witness:
        case ("members", number, counts) if isinstance(condition, All):
            known, at = context.all_of(number)
            theirs = context.closed_set(known.member, len(known.variables), at)
            mine = context.closed_set(condition.member, len(condition.variables), moment)
            if len(known.variables) == len(condition.variables) and _have_same_cardinality(
                context, theirs, mine, counts
            ):
                branch, row = arbitrary_member(context, known, at)
                return [(branch, MemberGoal(row, condition.member, moment, condition))]
        case ("members", number, (first, second), (removed, added, why)) if isinstance(condition, All):
            return [_changed(context, condition, moment, number, (first, second), removed, added, why)]
        case ("members", number, counts, equal) if isinstance(condition, CountIn) and not _is_open(condition):
            return _counted(context, condition, moment, number, counts, equal)
    raise RejectedError(f"{shown(witness)} does not say of which members there is a proof")


def _is_open(condition: CountIn) -> bool:
    """Return whether a variable of the applied rule is still unbound."""
    return any(v.name.endswith(OPEN) for v in outer_variables([condition]))


def _changed(
    context: ProofContext,
    condition: All,
    moment: Moment,
    number: Witness,
    counts: tuple[Witness, Witness],
    removed: Witness,
    added: Witness,
    why: Witness,
) -> tuple[ProofContext, MemberGoal]:
    """Return a context and the goal for an arbitrary member of a set that lost or gained a member.

    `removed` and `added` are the number and the proof of that member, or None. `why` proves that the count of
    the changed set is that of the known one, less 1 for the removed member, and plus 1 for the added one.
    """
    known, at = context.all_of(number)
    theirs = context.closed_set(known.member, len(known.variables), at)
    mine = context.closed_set(condition.member, len(condition.variables), moment)
    if len(known.variables) != 1 or len(condition.variables) != 1:
        raise RejectedError("only sets with one column besides the key may lose or gain a member")
    branch, row = arbitrary_member(context, known, at)
    goal, difference = MemberGoal(row, condition.member, moment, condition), 0
    if removed is not None:
        gone = context.member(theirs, removed)
        if gone is None or not context.usable.closed(theirs[0]):
            raise RejectedError("the removed thing is not known as a member of the closed set")
        branch.take([Comparison("!=", row[0], gone[0])], None)
        difference -= 1
    if added is not None:
        goal = replace(goal, added=_added(context, condition, mine, moment, added))
        difference += 1
    size, changed = _only_size(context, theirs, counts[0]), context.size(mine, counts[1])
    if size is None or changed is None or (goal.added is None and removed is None):
        raise RejectedError("the numbers of members are not known")
    match why:
        case (premises, sums):
            expected = Operation("+", (size, Constant(difference)))
            if entails(context, Comparison("=", changed, expected), premises, sums):
                return branch, goal
    raise RejectedError("the number of members does not change with them")


def _added(context: ProofContext, condition: All, mine: _Set, moment: Moment, witness: Witness) -> Term:
    """Return the member that a set gained. Raise RejectedError if the proof does not show one."""
    match witness:
        case (number, terms, proofs):
            row = context.member(mine, number)
            if row is not None and holds_of(context, condition, row, moment, terms, proofs):
                return row[0]
    raise RejectedError("the added thing is not proved to be a member as the condition requires")


def _counted(
    context: ProofContext,
    condition: CountIn,
    moment: Moment,
    number: Witness,
    counts: Witness,
    equal: Witness,
) -> list[tuple[ProofContext, MemberGoal]]:
    """Return the member goals of a count: one for each of its sets that differs from the known count's
    set.
    """
    known, at = context.count_of(number)
    width = len(condition.variables)
    if (
        len(known.variables) != width
        or len(known.sets) != len(condition.sets)
        or len(known.sets) != len(listed(counts))
        or {*map(context.find, known.excluded)} != {*map(context.find, condition.excluded)}
        or not compares(context, Comparison("=", condition.result, known.result), equal)
    ):
        raise RejectedError("the known count is of other sets, or another number")
    found: list[tuple[ProofContext, MemberGoal]] = []
    for one, other, sizes in zip(known.sets, condition.sets, listed(counts), strict=True):
        theirs, mine = context.closed_set(one, width, at), context.closed_set(other, width, moment)
        if not _have_same_cardinality(context, theirs, mine, sizes):
            raise RejectedError("it is not known that the two sets have as many members")
        if theirs != mine:
            branch, row = arbitrary_row(context, one, width, at)
            found.append((branch, MemberGoal(row, other, moment, None)))
    return found


def _have_same_cardinality(context: ProofContext, one: _Set, other: _Set, counts: Witness) -> bool:
    """Return whether two sets are equal, or have counts that are known to be equal.

    In the second case, the count of the first set must be unique.
    """
    if one == other:
        return counts is None
    match counts:
        case (first, second):
            size = _only_size(context, one, first)
            return size is not None and size == context.size(other, second)
    return False


def _only_size(context: ProofContext, closed: _Set, number: Witness) -> Term | None:
    """Return the number of members of a set according to a known fact; None unless it is the only one."""
    counter = context.usable.counters.get(closed[0][0])
    if counter is None or context.usable.key((counter.name, closed[0][1])) != len(closed[1]):
        return None
    return context.size(closed, number)


def is_goal_proved(
    of: MemberGoal,
    branch: ProofContext,
    number: Witness,
    terms: Witness,
    proofs: Witness,
    different: tuple[Witness, ...],
    prove: WitnessCheck,
) -> bool:
    """Return whether a member goal is proved in a case.

    `number` identifies the known fact that the member is in the set. If properties are required, `terms`
    binds the condition's own variables, and `proofs` has the witnesses. If there is an added member,
    `different` has the proof that it is another one, and is empty otherwise.
    """
    added = () if of.added is None else (of.added,)
    return (
        branch.is_known(with_row(of.member, of.row), of.moment, number)
        and (of.required is None or holds_of(branch, of.required, of.row, of.moment, terms, proofs, prove))
        and len(added) == len(different)
        and all(apart(branch, of.row[0], each, proof) for each, proof in zip(added, different, strict=True))
    )
