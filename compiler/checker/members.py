"""What is proved of any one member of a set, by a proof of its own with steps and cases, and what follows of the whole set.

The set is that of a known closed condition or count. What is to be proved is of the same set, or of one that is known to have as
many members: so if any one member is shown to be in that too, as many members of it are there as its count says.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.context import Context, Moment, RejectedError, Row, listed, shown
from hornbook.compiler.checker.promises import Place
from hornbook.compiler.checker.proofs import OPEN, Prove, any_member, any_row, compares, holds_of, with_row
from hornbook.kb.ast.terms import All, Atom, Comparison, CountIn, outer_variables

_Set = tuple[Place, Row]


@dataclass(frozen=True, slots=True)
class OfMember:
    """What is to be shown of any one member, which stands in the row: that it is in the set of `member`, read at the moment, and what
    a closed condition asks of its members.
    """

    row: Row
    member: Atom
    moment: Moment
    asked: All | None


def of_any_member(
    context: Context, condition: All | CountIn, moment: Moment, witness: Witness
) -> list[tuple[Context, OfMember]]:
    """What is known of any one member of each set that has to be looked at, and what is to be shown of it, so that a condition
    holds. Raises RejectedError where the witness names no sets, or others.
    """
    match witness:
        case ("members", number, counts) if isinstance(condition, All):
            known, at = context.all_of(number)
            theirs = context.closed_set(known.member, len(known.variables), at)
            mine = context.closed_set(condition.member, len(condition.variables), moment)
            if len(known.variables) == len(condition.variables) and _as_many(context, theirs, mine, counts):
                branch, row = any_member(context, known, at)
                return [(branch, OfMember(row, condition.member, moment, condition))]
        case ("members", number, counts, equal) if isinstance(condition, CountIn) and not _is_open(condition):
            return _counted(context, condition, moment, number, counts, equal)
    raise RejectedError(f"{shown(witness)} does not say of which members there is a proof")


def _is_open(condition: CountIn) -> bool:
    """Whether a variable of the rule that is applied stands for nothing yet."""
    return any(v.name.endswith(OPEN) for v in outer_variables([condition]))


def _counted(
    context: Context, condition: CountIn, moment: Moment, number: Witness, counts: Witness, equal: Witness
) -> list[tuple[Context, OfMember]]:
    """The same of a count: each of its sets that is not that of the known count itself has the same rows."""
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
    found: list[tuple[Context, OfMember]] = []
    for one, other, sizes in zip(known.sets, condition.sets, listed(counts), strict=True):
        theirs, mine = context.closed_set(one, width, at), context.closed_set(other, width, moment)
        if not _as_many(context, theirs, mine, sizes):
            raise RejectedError("it is not known that the two sets have as many members")
        if theirs != mine:
            branch, row = any_row(context, one, width, at)
            found.append((branch, OfMember(row, other, moment, None)))
    return found


def _as_many(context: Context, one: _Set, other: _Set, counts: Witness) -> bool:
    """Whether two sets are one, or their counts are known to be one number; the first is then the only one that there is of its set."""
    if one == other:
        return counts is None
    counter = context.usable.counters.get(one[0][0])
    if counter is None or context.usable.key((counter.name, one[0][1])) != len(one[1]):
        return False
    match counts:
        case (first, second):
            size = context.size(one, first)
            return size is not None and size == context.size(other, second)
    return False


def is_shown(
    of: OfMember, branch: Context, number: Witness, terms: Witness, proofs: Witness, prove: Prove
) -> bool:
    """Whether what is to be shown of any one member is so in a case: by the number of what says that it is in the set, and where
    something is asked of members, by what the condition's own variables stand for, and the proofs.
    """
    return branch.is_known(with_row(of.member, of.row), of.moment, number) and (
        of.asked is None or holds_of(branch, of.asked, of.row, of.moment, terms, proofs, prove)
    )
