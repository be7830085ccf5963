"""Theta-subsumption: is one learned rule at least as general as another?

A rule subsumes another if a substitution maps its head to the other's head. It must also map each of its
conditions to a condition of the other or a consequence of the other's comparisons. The search is complete for
statements up to a budget. If the budget is exhausted, the answer is no. This answer is sound, because a
redundant rule is never wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache

from hornbook.compiler.generalise.equations import closed_form
from hornbook.compiler.witness.queries import Arithmetic, is_of_numbers, operations
from hornbook.kb.ast.substitution import apply_to_condition, rename_condition
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Condition,
    Constant,
    Expression,
    GameStatement,
    Operation,
    Rule,
    Statement,
    Term,
    Variable,
    expression_variables,
    is_numeric,
    numbers_in,
    rewrite,
    shared_variables,
)
from hornbook.matcher.program.dataclass import dataclass

BUDGET = 20_000
"""The maximum number of matches tried for one pair of rules."""


class _OutOfBudgetError(Exception):
    pass


def subsumes(general: Rule, specific: Rule, budget: int = BUDGET) -> bool:
    """Return whether `general` concludes everything that `specific` concludes."""
    pattern, target = _pattern(general), _target(specific)
    head = _match(pattern.head, specific.head, {})
    if head is None or pattern.head.tense != specific.head.tense:
        return False
    search, consequences = (
        _SubsumptionSearch(pattern.required, target, budget),
        _Consequences(pattern, target),
    )
    try:
        return any(consequences.all_of(pattern.others, found) for found in search.matches(head))
    except _OutOfBudgetError:
        return False


def variants(one: Rule, other: Rule) -> bool:
    """Return whether two rules are equal up to renaming of variables and order of conditions."""
    if len(one.body) != len(other.body) or Counter(map(type, one.body)) != Counter(map(type, other.body)):
        return False
    return subsumes(one, other) and subsumes(other, one)


def _mark(name: str) -> str:
    return f"{name}@"


def _match(pattern: Statement, instance: Statement, bound: Mapping[str, Term]) -> dict[str, Term] | None:
    if pattern.relation != instance.relation or len(pattern.terms) != len(instance.terms):
        return None
    found = dict(bound)
    for ours, theirs in zip(pattern.terms, instance.terms, strict=True):
        if isinstance(ours, Variable):
            if found.setdefault(ours.name, theirs) != theirs:
                return None
        elif ours != theirs:
            return None
    return found


@dataclass(frozen=True, slots=True)
class _Pattern:
    """The more general rule of a pair, with marked variables, which differ from those of the specific
    rule.
    """

    head: Statement
    required: Sequence[Statement]
    others: Sequence[Condition]
    shared: AbstractSet[str]


@dataclass(frozen=True, slots=True)
class _Target:
    """The more specific rule of a pair: its statements by relation and by argument, and its other
    conditions.
    """

    of: Mapping[tuple[str, str | None], Sequence[Statement]]
    at: Mapping[tuple[str, str | None, int, Term], Sequence[Statement]]
    shared: AbstractSet[str]
    comparisons: AbstractSet[Comparison]
    operations: AbstractSet[Expression]
    computed: Mapping[Expression, Variable]
    integers: AbstractSet[str]
    arithmetic: Arithmetic
    closed: AbstractSet[Condition]


# Results are cached because each rule of a base is compared with many others.
@lru_cache(maxsize=2_000)
def _pattern(rule: Rule) -> _Pattern:
    body = [rename_condition(condition, _mark) for condition in rule.body]
    return _Pattern(
        rename_condition(rule.head, _mark),
        [c for c in body if isinstance(c, Atom | GameStatement)],
        [c for c in body if not isinstance(c, Atom | GameStatement)],
        {_mark(name) for name in shared_variables(rule)},
    )


@lru_cache(maxsize=2_000)
def _target(rule: Rule) -> _Target:
    of: dict[tuple[str, str | None], list[Statement]] = {}
    at: dict[tuple[str, str | None, int, Term], list[Statement]] = {}
    for statement in rule.body:
        if isinstance(statement, Atom | GameStatement):
            of.setdefault((statement.relation, statement.tense), []).append(statement)
            for position, term in enumerate(statement.terms):
                at.setdefault((statement.relation, statement.tense, position, term), []).append(statement)
    comparisons = [c for c in rule.body if isinstance(c, Comparison)]
    integers, shared = _integer_variables(comparisons), shared_variables(rule)
    nested = (c for c in rule.body if not isinstance(c, Atom | GameStatement | Comparison))
    return _Target(
        of,
        at,
        shared,
        {_canonical(c) for c in comparisons},
        frozenset().union(*map(operations, comparisons)),
        _computed_variables(comparisons),
        integers,
        Arithmetic(c for c in comparisons if _is_numeric(c, integers)),
        {closed_form(c, shared) for c in nested},
    )


class _SubsumptionSearch:
    """The search for all mappings of the required statements to statements of the specific rule."""

    def __init__(self, required: Sequence[Statement], target: _Target, budget: int) -> None:
        self.required = required
        self.left = budget
        self.of, self.at = target.of, target.at

    def matches(self, bound: Mapping[str, Term]) -> Iterator[Mapping[str, Term]]:
        """Yield the substitutions that extend `bound`. Raise _OutOfBudgetError if the budget is exhausted."""
        # An explicit stack is used, because bodies may have thousands of conditions.
        branches = [self._branch(bound, tuple(range(len(self.required))))]
        while branches:
            found = next(branches[-1], None)
            if found is None:
                branches.pop()
            elif not found[1]:
                yield found[0]
            else:
                branches.append(self._branch(*found))

    def _branch(
        self, bound: Mapping[str, Term], remaining: tuple[int, ...]
    ) -> Iterator[tuple[Mapping[str, Term], tuple[int, ...]]]:
        """Yield extensions that match one more of the remaining statements: the one with the fewest
        candidates.
        """
        if not remaining:
            yield bound, ()
            return
        chosen, fewest = remaining[0], self._candidates(self.required[remaining[0]], bound)
        for number in remaining[1:]:
            if len(fewest) <= 1:
                break
            candidates = self._candidates(self.required[number], bound)
            if len(candidates) < len(fewest):
                chosen, fewest = number, candidates
        rest = tuple(number for number in remaining if number != chosen)
        for candidate in fewest:
            self.left -= 1
            if self.left < 0:
                raise _OutOfBudgetError
            found = _match(self.required[chosen], candidate, bound)
            if found is not None:
                yield found, rest

    def _candidates(self, statement: Statement, bound: Mapping[str, Term]) -> Sequence[Statement]:
        fewest: Sequence[Statement] = self.of.get((statement.relation, statement.tense), ())
        for position, term in enumerate(statement.terms):
            known = bound.get(term.name) if isinstance(term, Variable) else term
            if known is not None:
                candidates = self.at.get((statement.relation, statement.tense, position, known), ())
                fewest = candidates if len(candidates) < len(fewest) else fewest
        return fewest


class _Consequences:
    """The consequences of the specific rule's comparisons and closed conditions."""

    def __init__(self, pattern: _Pattern, target: _Target) -> None:
        self.target = target
        self.fixed = target.shared | pattern.shared

    def all_of(self, conditions: Sequence[Condition], found: Mapping[str, Term]) -> bool:
        """Return whether the general rule's other conditions hold under the substitution of its
        statements.
        """
        applied = [apply_to_condition(condition, found) for condition in conditions]
        rest, computed = _without_computed(applied, self.target.computed)
        return all(map(self._holds, rest)) and all(map(self._fits, computed))

    def _holds(self, condition: Condition) -> bool:
        if not isinstance(condition, Comparison):
            return closed_form(condition, self.fixed) in self.target.closed
        if _canonical(condition) in self.target.comparisons:
            return True
        left, right = condition.left, condition.right
        if condition.operator == "=" and left == right and not isinstance(left, Operation):
            return True
        if isinstance(left, Constant) and isinstance(right, Constant) and condition.operator in ("=", "!="):
            return (left == right) == (condition.operator == "=")
        if not _is_numeric(condition, self.target.integers):
            return False
        # A rule that overflows where the other one answers is not more general.
        return self.target.arithmetic.entails(condition) and all(map(self._fits, (left, right)))

    def _fits(self, side: Expression) -> bool:
        if not isinstance(side, Operation) or side in self.target.operations:
            return True
        return self.target.arithmetic.fits(side) and all(map(self._fits, side.operands))


def _is_numeric(comparison: Comparison, integers: AbstractSet[str]) -> bool:
    return all(_is_integer(side, integers) for side in (comparison.left, comparison.right))


def _computed_variables(comparisons: Sequence[Comparison]) -> dict[Expression, Variable]:
    """Return the variables of the specific rule that equations compute, by the computed expression."""
    found: dict[Expression, Variable] = {}
    for c in comparisons:
        for one, other in ((c.left, c.right), (c.right, c.left)):
            if c.operator == "=" and isinstance(one, Variable) and isinstance(other, Operation):
                found.setdefault(other, one)
    return found


def _without_computed(
    conditions: Sequence[Condition], known: Mapping[Expression, Variable]
) -> tuple[list[Condition], list[Expression]]:
    """Return the general rule's conditions with computed variables replaced by their values, and the values.

    If the specific rule computes the same value, its variable is used, so that a product is recognised by
    that name.
    """
    rest = list(conditions)
    computed: list[Expression] = []
    while equations := [(found, c) for c in rest if (found := _computes(c)) is not None]:
        # An equation that depends on no other equation comes first.
        (name, value), condition = next((e for e in equations if not _is_open(e[0][1])), equations[0])
        if value in known:
            value = known[value]
        computed.append(value)
        rest.remove(condition)
        rest = [_with_value(other, name, value) for other in rest]
    return rest, computed


def _is_open(value: Expression) -> bool:
    """Return whether an expression contains an unbound variable of the general rule."""
    return any(variable.name.endswith("@") for variable in expression_variables(value))


def _computes(condition: Condition) -> tuple[str, Expression] | None:
    """Return the variable of the general rule that an equation computes, and its value.

    Return None if there is none.
    """
    if not isinstance(condition, Comparison) or condition.operator != "=":
        return None
    for one, other in ((condition.left, condition.right), (condition.right, condition.left)):
        names = {variable.name for variable in expression_variables(other)}
        if isinstance(one, Variable) and one.name.endswith("@") and one.name not in names:
            return one.name, other
    return None


def _with_value(condition: Condition, name: str, value: Expression) -> Condition:
    if not isinstance(condition, Comparison):
        return apply_to_condition(condition, {name: value}) if isinstance(value, Term) else condition

    def replaced(side: Expression) -> Expression:
        if isinstance(side, Variable):
            return value if side.name == name else side
        return rewrite(side, replaced)

    return rewrite(condition, replaced)


def _integer_variables(comparisons: Sequence[Comparison]) -> set[str]:
    """Return variables that are integers by arithmetic or order, and variables equated with them."""
    found: set[str] = set()
    grown = True
    while grown:
        before = len(found)
        for c in comparisons:
            if is_of_numbers(c) or any(_is_integer(side, found) for side in (c.left, c.right)):
                found |= {v.name for side in (c.left, c.right) for v in numbers_in(side)}
        grown = len(found) > before
    return found


def _is_integer(side: Expression, integers: AbstractSet[str]) -> bool:
    return is_numeric(
        side,
        lambda term: isinstance(term.value, int) if isinstance(term, Constant) else term.name in integers,
    )


def _canonical(comparison: Comparison) -> Comparison:
    """Return a canonical form of a comparison, equal for a comparison and the same one with its sides
    exchanged.
    """
    swapped = {"=": "=", "!=": "!=", ">": "<", ">=": "<="}.get(comparison.operator)
    if swapped is None:
        return comparison
    if swapped in ("=", "!=") and repr(comparison.left) <= repr(comparison.right):
        return comparison
    return Comparison(swapped, comparison.right, comparison.left)  # type: ignore[arg-type]
