"""Checks that a witness proves a condition from known facts, by the inferences of
docs/reference/certificates.md.

Each inference is one function. A closed set is complete if its count equals the number of members that are
proved distinct. It is also complete by a known closed condition, which holds for an arbitrary member. Every
function returns True or False, or raises RejectedError if a witness refers to something that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.context import (
    Moment,
    ProofContext,
    RejectedError,
    Row,
    listed,
    of_row,
    term_of,
)
from hornbook.compiler.checker.linear import refuted
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    PlanStatement,
    Term,
    Variable,
    outer_variables,
)
from hornbook.kb.text.counts import counted

OPEN = "@"
"""The suffix of a rule's variables while the rule is applied. No variable of a context has it."""


def proves(context: ProofContext, condition: Condition, moment: Moment, witness: Witness) -> bool:
    """Return whether a witness proves a condition at a moment."""
    if isinstance(condition, PlanStatement):
        return False
    if isinstance(condition, (Atom, GameStatement)):
        for term in condition.terms:
            if isinstance(term, Variable) and term.name.endswith(OPEN):
                return False
        return context.is_known(condition, moment, witness)
    if not isinstance(condition, All) and any(v.name.endswith(OPEN) for v in outer_variables([condition])):
        return False
    match condition:
        case Comparison():
            return compares(context, condition, witness)
        case All():
            return _proves_all(context, condition, moment, witness)
        case CountIn():
            return _proves_count(context, condition, moment, witness)
        case Absent() | Aggregate():
            return _is_known_summary(context, condition, moment, witness)


# Absences and aggregates


def _is_known_summary(
    context: ProofContext, condition: Absent | Aggregate, moment: Moment, witness: Witness
) -> bool:
    """Return whether the same absence or aggregate is known at the same moment.

    No other inference proves an absence.
    """
    match witness:
        case ("known", number) if isinstance(condition, Absent):
            known, at = context.summary(number)
            return isinstance(known, Absent) and context.form(known, at) == context.form(condition, moment)
        case ("known", number, equal) if isinstance(condition, Aggregate):
            known, at = context.summary(number)
            if not isinstance(known, Aggregate):
                return False
            mine, theirs = (replace(each, result=Constant(0)) for each in (condition, known))
            return context.form(theirs, at) == context.form(mine, moment) and compares(
                context, Comparison("=", condition.result, known.result), equal
            )
    return False


# Comparisons


def compares(context: ProofContext, comparison: Comparison, witness: Witness) -> bool:
    """Return whether a comparison is proved to hold and to be evaluated without overflow of 64 bits."""
    left, right = comparison.left, comparison.right
    of_terms = isinstance(left, Term) and isinstance(right, Term)
    match witness:
        case int():
            known, goal = context.comparison(witness), context.canonical_comparison(comparison)
            return known in (goal, swapped(goal))
        case ("same",):
            return of_terms and comparison.operator == "=" and context.are_equal([left], [right])  # type: ignore[list-item]
        case ("apart", different):
            return of_terms and comparison.operator == "!=" and apart(context, left, right, different)  # type: ignore[arg-type]
        case ("linear", premises, sums, low, high):
            return (
                entails(context, comparison, premises, sums)
                and _fits(context, left, low)
                and _fits(context, right, high)
            )
    return False


def apart(context: ProofContext, one: Term, other: Term, witness: Witness) -> bool:
    """Return whether two terms are proved to be distinct."""
    one, other = context.find(one), context.find(other)
    match witness:
        case None:
            return isinstance(one, Constant) and isinstance(other, Constant) and one != other
        case int():
            known, goal = context.comparison(witness), Comparison("!=", one, other)
            return known in (goal, swapped(goal))
        case ("key", first, second, int(column), values):
            (place, row), (other_place, other_row) = context.statement(first), context.statement(second)
            width = context.usable.key(place)
            if place != other_place or width is None or not width <= column < len(row):
                return False
            keys = (tuple(other if t == one else t for t in each[:width]) for each in (row, other_row))
            return next(keys) == next(keys) and apart(context, row[column], other_row[column], values)
        case ("linear", premises, sums):
            return entails(context, Comparison("!=", one, other), premises, sums)
    return False


def entails(context: ProofContext, goal: Comparison | None, premises: Witness, sums: Witness) -> bool:
    """Return whether known comparisons entail another one over unbounded integers.

    Without a goal, return whether they are contradictory.
    """
    if goal is not None and not (context.is_number(goal.left) and context.is_number(goal.right)):
        return False
    known = [context.comparison(number) for number in listed(premises)]
    if not all(context.is_number(c.left) and context.is_number(c.right) for c in known):
        return False
    return refuted(None if goal is None else context.canonical_comparison(goal), known, sums)


def _fits(context: ProofContext, expression: Expression, witness: Witness) -> bool:
    """Return whether evaluating an expression cannot overflow 64 bits, unless the learned rule itself
    would.
    """
    if not isinstance(expression, Operation):
        return witness is None
    match witness:
        case int():
            known = context.comparison(witness)
            return _occurs_in(context.canonical(expression), (known.left, known.right))
        case (*operands, (low, low_sums), (high, high_sums)) if len(operands) == len(expression.operands):
            return (
                is_defined(expression)
                and all(map(partial(_fits, context), expression.operands, operands))
                and entails(context, Comparison(">=", expression, Constant(MIN_INTEGER)), low, low_sums)
                and entails(context, Comparison("<=", expression, Constant(MAX_INTEGER)), high, high_sums)
            )
    return False


def _occurs_in(expression: Expression, sides: Sequence[Expression]) -> bool:
    return any(
        side == expression or (isinstance(side, Operation) and _occurs_in(expression, side.operands))
        for side in sides
    )


def is_defined(expression: Operation) -> bool:
    """Return whether an operation has a value for all integer operands, if the value fits into 64 bits."""
    if expression.operator in ("//", "mod"):
        return _is_positive(expression.right)
    return expression.operator in ("+", "-", "*", "min", "max", "abs")


def _is_positive(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.value, int) and expression.value > 0


def swapped(comparison: Comparison) -> Comparison:
    """Return the comparison with its sides exchanged."""
    operator = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}.get(comparison.operator, comparison.operator)
    return Comparison(operator, comparison.right, comparison.left)  # type: ignore[arg-type]


# Closed sets


def all_different(context: ProofContext, rows: Sequence[Row], witness: Witness) -> bool:
    """Return whether rows are proved to differ pairwise."""
    pairs = [(one, other) for i, one in enumerate(rows) for other in rows[i + 1 :]]
    return len(listed(witness)) == len(pairs) and all(
        _differ(context, one, other, each) for (one, other), each in zip(pairs, listed(witness), strict=True)
    )


def _differ(context: ProofContext, one: Row, other: Row, witness: Witness) -> bool:
    match witness:
        case None:
            return any(apart(context, a, b, None) for a, b in zip(one, other, strict=True))
        case (int(column), different) if 0 <= column < len(one):
            return apart(context, one[column], other[column], different)
    return False


def _proves_all(context: ProofContext, condition: All, moment: Moment, witness: Witness) -> bool:
    goal_set = context.closed_set(condition.member, len(condition.variables), moment)
    match witness:
        case ("known", number):
            known, at = context.all_of(number)
            return context.form(known, at) == context.form(condition, moment)
        case ("each", count, tuple(members), pairs):
            rows: list[Row] = []
            for each in members:
                if not (isinstance(each, tuple) and len(each) == 3):
                    return False
                row = context.member(goal_set, each[0])
                if row is None or not holds_of(context, condition, row, moment, each[1], each[2]):
                    return False
                rows.append(row)
            return context.size(goal_set, count) == Constant(len(rows)) and all_different(
                context, rows, pairs
            )
        case ("any", number, notes, terms, proofs):
            known, at = context.all_of(number)
            if context.closed_set(known.member, len(known.variables), at) != goal_set:
                return False
            any_one, member = arbitrary_member(context, known, at)
            any_one.note(notes)
            return holds_of(any_one, condition, member, moment, terms, proofs)
    return False


def arbitrary_member(context: ProofContext, known: All, moment: Moment) -> tuple[ProofContext, Row]:
    """Return a context for an arbitrary member that satisfies a known closed condition, and that member."""
    any_one, row = arbitrary_row(context, known.member, len(known.variables), moment)
    inside = [apply_to_condition(c, of_row(known, row)) for c in known.conditions]
    names = {v.name for v in outer_variables(inside)} - any_one.own
    # The condition's own variables may have different values for different members.
    own = {name: Variable(f"#{any_one.depth}.{name}") for name in names}
    any_one.own |= {v.name for v in own.values()}
    any_one.take([apply_to_condition(c, own) for c in inside], moment)
    return any_one, row


def arbitrary_row(
    context: ProofContext, member: Atom, width: int, moment: Moment
) -> tuple[ProofContext, Row]:
    """Return a context for an arbitrary member of a set, and the last `width` columns of that member."""
    any_one = context.branch()
    any_one.depth += 1
    row = tuple(Variable(f"#{any_one.depth}.{i}") for i in range(width))
    any_one.own |= {v.name for v in row}
    any_one.take([with_row(member, row)], moment)
    return any_one, row


def with_row(member: Atom, row: Row) -> Atom:
    """Return the statement that a row, in the last columns, is a member of a set."""
    return member.with_terms((*member.terms[: -len(row)], *row))


WitnessCheck = Callable[[ProofContext, int, Condition, Moment, Witness], bool]
"""A predicate that checks a witness for the condition with a given index."""


def proves_without_members(
    context: ProofContext, _place: int, condition: Condition, moment: Moment, witness: Witness
) -> bool:
    return proves(context, condition, moment, witness)


def holds_of(
    context: ProofContext,
    condition: All,
    row: Row,
    moment: Moment,
    terms: Witness,
    proofs: Witness,
    prove: WitnessCheck = proves_without_members,
) -> bool:
    """Return whether the conditions of an `all` are proved for one member.

    `terms` binds the condition's own variables.
    """
    given: dict[str, Term] = {}
    for pair in listed(terms):
        match pair:
            case (str(name), value) if f"{name}{OPEN}" not in given:
                given[f"{name}{OPEN}"] = own_term(context, term_of(value))
            case _:
                return False
    substitution = {**given, **of_row(condition, row)}
    inside = [apply_to_condition(c, substitution) for c in condition.conditions]
    return len(listed(proofs)) == len(inside) and all(
        prove(context, place, c, moment, proof)
        for place, (c, proof) in enumerate(zip(inside, listed(proofs), strict=True))
    )


def own_term(context: ProofContext, term: Term) -> Term:
    """Return the term. Raise RejectedError if it is a variable that the context does not have."""
    if isinstance(term, Variable) and term.name not in context.own:
        raise RejectedError(f"`?{term.name}` is no variable of the learned rule")
    return term


def _proves_count(context: ProofContext, condition: CountIn, moment: Moment, witness: Witness) -> bool:
    match witness:
        case ("known", number, equal):
            known, at = context.count_of(number)
            return context.union(known, at) == context.union(condition, moment) and compares(
                context, Comparison("=", condition.result, known.result), equal
            )
        case ("sets", tuple(sets), pairs, but, equal):
            union = _complete_union(context, condition, moment, sets)
            if union is None or not all_different(context, union, pairs):
                return False
            excluded = [context.row([term]) for term in condition.excluded]
            left = [row for row in union if row not in excluded]
            against = [(row, other) for row in left for other in excluded]
            return (
                len(listed(but)) == len(against)
                and all(
                    _differ(context, a, b, each) for (a, b), each in zip(against, listed(but), strict=True)
                )
                and compares(context, Comparison("=", condition.result, Constant(len(left))), equal)
            )
    return False


def _complete_union(
    context: ProofContext, condition: CountIn, moment: Moment, sets: Sequence[Witness]
) -> list[Row] | None:
    """Return the union of the members of the sets, or None if a set is not complete.

    The members of each set must be distinct.
    """
    union: list[Row] = []
    if len(sets) != len(condition.sets):
        return None
    for member, each in zip(condition.sets, sets, strict=True):
        closed = context.closed_set(member, len(condition.variables), moment)
        if not (isinstance(each, tuple) and len(each) == 2 and context.usable.closed(closed[0])):
            return None  # there may be more members than the count says
        rows = [context.member(closed, number) for number in listed(each[1])]
        if context.size(closed, each[0]) != Constant(len(rows)) or len(set(rows)) < len(rows):
            return None
        for row in rows:
            if row is None:
                return None
            if row not in union:
                union.append(row)
    return union


# Contradictions


def contradicts(context: ProofContext, witness: Witness) -> str | None:
    """Return why the known facts are contradictory; None if the witness does not show it."""
    match witness:
        case None if context.conflict is not None:
            one, other = (f"`{term.value}`" for term in context.conflict if isinstance(term, Constant))
            return f"one term would equal {one} and {other}"
        case ("unequal", number):
            known = context.comparison(number)
            if known.operator == "!=" and known.left == known.right and isinstance(known.left, Term):
                return f"{_shown(known.left)} would differ from itself"
        case ("linear", premises, sums) if entails(context, None, premises, sums):
            return "no numbers satisfy the comparisons"
        case ("words", str(name), tuple(numbers)):
            term = context.find(Variable(name))
            sort = context.sort_of(term)
            words = () if sort is None else context.vocabulary.sorts[sort].constants
            if words and len(words) == len(numbers):
                pairs = zip(words, numbers, strict=True)
                if all(isinstance(n, int) and apart(context, term, Constant(word), n) for word, n in pairs):
                    return f"{_shown(term)} can be none of {', '.join(words)}"
        case ("full", count, tuple(members), pairs):
            stated = context.counted(count)
            if stated is not None and stated[0][0][1] != "after":
                closed, size = stated
                rows = [context.member(closed, number) for number in members]
                known_size = size.value if isinstance(size, Constant) else None
                if isinstance(known_size, int) and len(rows) > known_size:
                    distinct_rows = [row for row in rows if row is not None]
                    if len(distinct_rows) == len(rows) and all_different(context, distinct_rows, pairs):
                        return f"a set would have more than {counted(known_size, 'member')}"
    return None


def _shown(term: Term) -> str:
    return f"`?{term.name}`" if isinstance(term, Variable) else f"`{term.value}`"
