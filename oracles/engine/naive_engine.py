"""A third meaning of coded programs, slower and plainer than the plain engine, and written without it.

All rules of a level are applied to all facts until nothing is new; there are no indexes, no plans and no new
facts apart from old ones. A body is judged in three steps: match all facts in every way; give the other
variables their values until no equation gives another; then judge every condition afresh.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

from hornbook.matcher.program.coded import (
    AbsentOf,
    AggregateOf,
    AllOf,
    Apply,
    ClosedSet,
    CodedCondition,
    CodedExpression,
    Compare,
    CountOf,
    Fact,
    Match,
    Predicate,
    Rule,
    Var,
)
from hornbook.matcher.program.errors import (
    ArithmeticOverflowError,
    KeyConflictError,
    NotStratifiedError,
    OverfullSetError,
)

Facts = Mapping[int, set[tuple[int, ...]]]
Values = Mapping[int, int]
NO_ANSWER = object()


def saturate(predicates: Sequence[Predicate], given: Iterable[Fact], rules: Sequence[Rule]) -> Facts:
    """All facts that follow; raises the error of the engine where there is one."""
    facts: dict[int, set[tuple[int, ...]]] = defaultdict(set)
    for predicate, cells in given:
        facts[predicate].add(cells)
    for level in levels(len(predicates), rules):
        old = -1
        while old != sum(map(len, facts.values())):
            old = sum(map(len, facts.values()))
            for rule in level:
                for values, truth in list(instances(rule.body, {}, facts, variables(rule.head))):
                    if truth:
                        row = tuple(value(term, values) for term in rule.head.terms)
                        facts[rule.head.predicate].add(row)
        for rule in level:
            for values, truth in instances(rule.body, {}, facts, variables(rule.head)):
                if truth is None:
                    raise ArithmeticOverflowError(rule.id, tuple(values.items()))
    check_promises(predicates, facts)
    return facts


def check_promises(predicates: Sequence[Predicate], facts: Facts) -> None:
    for number, predicate in enumerate(predicates):
        for row in facts[number]:
            for other in facts[number]:
                if (
                    predicate.key is not None
                    and row != other
                    and row[: predicate.key] == other[: predicate.key]
                ):
                    raise KeyConflictError(Fact(number, row), Fact(number, other))
            if predicate.counts is not None:
                members = [each for each in facts[predicate.counts] if each[: len(row) - 1] == row[:-1]]
                if len(members) > row[-1]:
                    raise OverfullSetError(Fact(number, row), len(members))


def levels(predicates: int, rules: Sequence[Rule]) -> list[list[Rule]]:
    """The rules by the level of their heads: as high as what they read, higher than what must be finished."""
    at = [0] * predicates
    for _ in range(predicates * predicates + 1):
        old = list(at)
        for rule in rules:
            for read, finished in reads(rule.body):
                at[rule.head.predicate] = max(at[rule.head.predicate], at[read] + finished)
        if old == at:
            return [
                [rule for rule in rules if at[rule.head.predicate] == level] for level in range(max(at) + 1)
            ]
    raise NotStratifiedError(())


def reads(part: Any, finished: int = 0) -> Iterator[tuple[int, int]]:
    if isinstance(part, Match):
        yield part.predicate, finished
    elif isinstance(part, ClosedSet):
        yield from ((part.count, finished), (part.member, finished))
    else:
        for each in parts(part):
            yield from reads(each, finished or isinstance(part, AbsentOf | AggregateOf))


def parts(part: Any) -> Iterable[Any]:
    if isinstance(part, tuple):
        return part
    return [getattr(part, each.name) for each in fields(part)] if is_dataclass(part) else ()


def variables(part: Any) -> set[int]:
    if isinstance(part, Var):
        return {part.index}
    return {index for each in parts(part) for index in variables(each)}


def instances(
    conditions: Sequence[CodedCondition], values: Values, facts: Facts, outside: set[int]
) -> Iterator[tuple[Values, bool | None]]:
    """Every binding for which no condition is false, and whether all are true (else None: unknown)."""
    matches = [each for each in conditions if isinstance(each, Match)]
    others = [each for each in conditions if not isinstance(each, Match)]
    for matched in ways_to_match(matches, values, facts):
        found = dict(matched)
        elsewhere = [
            outside.union(*(variables(other) for other in conditions if other is not each)) for each in others
        ]
        progress = True
        while progress:
            progress = False
            for each, names in zip(others, elsewhere, strict=True):
                for index, cell in gives(each, found, facts, names):
                    found[index], progress = cell, True
        truths = [truth(each, found, facts, names) for each, names in zip(others, elsewhere, strict=True)]
        if False not in truths:
            yield found, None if None in truths else True


def ways_to_match(matches: Sequence[Match], values: Values, facts: Facts) -> Iterator[Values]:
    if not matches:
        yield values
        return
    for row in facts[matches[0].predicate]:
        found = dict(values)
        if all(
            found.setdefault(term.index, cell) == cell if isinstance(term, Var) else term == cell
            for term, cell in zip(matches[0].terms, row, strict=True)
        ):
            yield from ways_to_match(matches[1:], found, facts)


def gives(
    condition: CodedCondition, values: Values, facts: Facts, names: set[int]
) -> Iterator[tuple[int, int]]:
    """The variable without a value to which a condition gives one."""
    sides: list[tuple[Any, Any]] = []
    match condition:
        case Compare("=", left, right):
            sides = [(left, value(right, values)), (right, value(left, values))]
        case CountOf() | AggregateOf():
            sides = [(condition.result, result(condition, values, facts, names))]
    for side, cell in sides:
        if isinstance(side, Var) and side.index not in values and isinstance(cell, int):
            yield side.index, cell
            return


def value(expression: CodedExpression, values: Values) -> int | None:
    match expression:
        case Var(index):
            return values.get(index)
        case Apply(operator, left, right):
            a, b = value(left, values), value(right, values)
            if a is None or b is None:
                return None
            return in_64_bits(
                {
                    "+": lambda: a + b,
                    "-": lambda: a - b,
                    "*": lambda: a * b,
                    "//": lambda: a // b if b else None,
                    "min": lambda: min(a, b),
                    "max": lambda: max(a, b),
                }[operator]()
            )
        case _:
            return expression


def in_64_bits(number: int | None) -> int | None:
    return number if number is not None and -(2**63) <= number < 2**63 else None


def truth(condition: CodedCondition, values: Values, facts: Facts, names: set[int]) -> bool | None:
    """Whether a condition holds; None: unknown. `names`: the variables that occur outside of it."""
    match condition:
        case Compare(operator, left, right):
            return compare(operator, value(left, values), value(right, values))
        case CountOf() | AggregateOf():
            if not isinstance(condition.result, Var) and variables(condition.result) - values.keys():
                return None
            found = result(condition, values, facts, names)
            return False if found is NO_ANSWER else compare("=", value(condition.result, values), found)
        case AllOf(closed, members, inner):
            needed = variables(closed.key) | (variables(inner) & names)
            if needed - values.keys():
                return None
            proved = possible = 0
            for row in rows_of(closed.member, closed.key, values, facts):
                extended = {**values, **dict(zip(variables_in_order(members), row, strict=True))}
                known = names | variables(closed.key) | variables(members)
                truths = [each for _, each in instances(inner, extended, facts, known)]
                proved += True in truths
                possible += bool(truths)
            counts = [row[0] for row in rows_of(closed.count, closed.key, values, facts)]
            if any(proved >= count for count in counts):
                return True
            return None if any(possible >= count for count in counts) else False
        case AbsentOf(inner):
            if (variables(inner) & names) - values.keys():
                return None
            truths = [each for _, each in instances(inner, values, facts, names)]
            return False if True in truths else None if truths else True
        case _:
            raise AssertionError(condition)


def compare(operator: str, left: int | None, right: int | None) -> bool | None:
    if left is None or right is None:
        return None
    return {
        "=": left == right,
        "!=": left != right,
        "<": left < right,
        "<=": left <= right,
        ">": left > right,
        ">=": left >= right,
    }[operator]


def variables_in_order(members: Sequence[Var]) -> list[int]:
    return [member.index for member in members]


def rows_of(predicate: int, key: Sequence[Any], values: Values, facts: Facts) -> list[tuple[int, ...]]:
    """The rest of the rows that begin with the key."""
    cells = tuple(value(term, values) for term in key)
    return [row[len(cells) :] for row in facts[predicate] if row[: len(cells)] == cells]


def result(condition: CountOf | AggregateOf, values: Values, facts: Facts, names: set[int]) -> Any:
    """The number that a condition computes; None: unknown, NO_ANSWER: none."""
    if isinstance(condition, CountOf):
        if variables((condition.sets, condition.excluded)) - values.keys():
            return None
        union: set[tuple[int, ...]] = set()
        for closed in condition.sets:
            members = rows_of(closed.member, closed.key, values, facts)
            if (len(members),) not in rows_of(closed.count, closed.key, values, facts):
                return NO_ANSWER
            union |= set(members)
        return len(union - {(value(term, values),) for term in condition.excluded})
    own = variables(condition.result)
    if (variables((condition.conditions, condition.variables)) & (names | own)) - values.keys():
        return None
    known = names | own | variables(condition.variables)
    answers = list(instances(condition.conditions, values, facts, known))
    if any(not truth for _, truth in answers):
        return None
    if condition.function == "count":
        return len({tuple(answer[each.index] for each in condition.variables) for answer, _ in answers})
    (only,) = condition.variables
    numbers = [answer[only.index] for answer, _ in answers]
    if condition.function == "sum":
        return in_64_bits(sum(numbers))
    return (min if condition.function == "min" else max)(numbers) if numbers else NO_ANSWER
