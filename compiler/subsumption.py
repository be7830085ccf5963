"""Theta-subsumption: is one learned rule at least as general as another?

A rule subsumes another when some substitution makes its head the other's head and each of its conditions one
that the other has, or that the other's comparisons entail. The search is complete for statements; it stops
at a budget, and then the answer is no: keeping a rule too many is never wrong.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from compiler.entailment import Arithmetic
from kb.substitution import apply_to_condition, rename_condition
from kb.terms import (
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
    condition_variables,
    expression_variables,
    outer_variables,
)

BUDGET = 20_000
"""Matches tried for one pair of rules."""


class _OutOfBudgetError(Exception):
    pass


def subsumes(general: Rule, specific: Rule, budget: int = BUDGET) -> bool:
    """Whether `general` concludes at least what `specific` does, wherever that does."""
    # The general rule's variables must not be taken for the specific one's.
    apart = rename_condition(general.head, _mark)
    assert isinstance(apart, Atom | GameStatement)
    head = _match(apart, specific.head, {})
    if head is None or apart.tense != specific.head.tense:
        return False
    body = [rename_condition(condition, _mark) for condition in general.body]
    wanted = [c for c in body if isinstance(c, Atom | GameStatement)]
    others = [c for c in body if not isinstance(c, Atom | GameStatement)]
    there: dict[tuple[str, str | None], list[Statement]] = {}
    for condition in specific.body:
        if isinstance(condition, Atom | GameStatement):
            there.setdefault((condition.relation, condition.tense), []).append(condition)
    search = _Search(there, budget)
    held = _Held(specific)
    try:
        return any(held.all_of(others, found) for found in search.matches(wanted, head))
    except _OutOfBudgetError:
        return False


def variants(one: Rule, other: Rule) -> bool:
    """Whether two rules say the same, up to names of variables and order of conditions."""
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


class _Search:
    def __init__(self, there: Mapping[tuple[str, str | None], Sequence[Statement]], budget: int) -> None:
        self.there = there
        self.left = budget

    def matches(self, wanted: Sequence[Statement], bound: Mapping[str, Term]) -> Iterator[Mapping[str, Term]]:
        """The substitutions under which all wanted statements are there."""
        if not wanted:
            yield bound
            return
        options = {i: self._options(statement, bound) for i, statement in enumerate(wanted)}
        # The condition with the fewest matches first: a wrong choice is found out soonest there.
        fewest = min(options, key=lambda i: len(options[i]))
        rest = [statement for i, statement in enumerate(wanted) if i != fewest]
        for found in options[fewest]:
            yield from self.matches(rest, found)

    def _options(self, statement: Statement, bound: Mapping[str, Term]) -> list[dict[str, Term]]:
        candidates = self.there.get((statement.relation, statement.tense), ())
        self.left -= len(candidates)
        if self.left < 0:
            raise _OutOfBudgetError
        tried = (_match(statement, candidate, bound) for candidate in candidates)
        return [found for found in tried if found is not None]


class _Held:
    """What the specific rule's comparisons and closed conditions entail."""

    def __init__(self, rule: Rule) -> None:
        self.comparisons = {_canonical(c) for c in rule.body if isinstance(c, Comparison)}
        self.closed = {
            _closed_form(c) for c in rule.body if not isinstance(c, Atom | GameStatement | Comparison)
        }
        self.integers = _integer_variables(rule)
        numeric = [c for c in self.comparisons if self._is_numeric(c)]
        self.arithmetic = Arithmetic(numeric)

    def all_of(self, conditions: Sequence[Condition], found: Mapping[str, Term]) -> bool:
        applied = [apply_to_condition(condition, found) for condition in conditions]
        return all(self._holds(condition) for condition in _without_computed(applied))

    def _holds(self, condition: Condition) -> bool:
        if not isinstance(condition, Comparison):
            return _closed_form(condition) in self.closed
        if _canonical(condition) in self.comparisons:
            return True
        left, right = condition.left, condition.right
        if isinstance(left, Constant) and isinstance(right, Constant) and condition.operator in ("=", "!="):
            return (left == right) == (condition.operator == "=")
        if not self._is_numeric(condition):
            return False
        # A rule that would overflow where the other answers is not more general.
        return self.arithmetic.entails(condition) and all(map(self._fits, (left, right)))

    def _fits(self, side: Expression) -> bool:
        if not isinstance(side, Operation) or any(side in (c.left, c.right) for c in self.comparisons):
            return True
        return self.arithmetic.fits(side) and self._fits(side.left) and self._fits(side.right)

    def _is_numeric(self, comparison: Comparison) -> bool:
        return all(self._is_number(side) for side in (comparison.left, comparison.right))

    def _is_number(self, side: Expression) -> bool:
        match side:
            case Constant():
                return isinstance(side.value, int)
            case Variable():
                return side.name in self.integers
            case Operation():
                return all(v.name in self.integers for v in expression_variables(side))


def _without_computed(conditions: Sequence[Condition]) -> list[Condition]:
    """The general rule's conditions with the values of variables that only arithmetic binds in their place."""
    rest = list(conditions)
    for condition in conditions:
        match condition:
            case Comparison(operator="=", left=Variable(name=name), right=value) if name.endswith("@"):
                pass
            case Comparison(operator="=", left=value, right=Variable(name=name)) if name.endswith("@"):
                pass
            case _:
                continue
        if condition in rest and not any(v.name == name for v in expression_variables(value)):
            rest.remove(condition)
            rest = [_with_value(other, name, value) for other in rest]
    return rest


def _with_value(condition: Condition, name: str, value: Expression) -> Condition:
    if not isinstance(condition, Comparison):
        return condition

    def replaced(side: Expression) -> Expression:
        if isinstance(side, Operation):
            return Operation(side.operator, replaced(side.left), replaced(side.right))
        return value if isinstance(side, Variable) and side.name == name else side

    return Comparison(condition.operator, replaced(condition.left), replaced(condition.right))


def _integer_variables(rule: Rule) -> set[str]:
    """Variables that arithmetic or an order says are integers, and those that are equated with them."""
    found: set[str] = set()
    comparisons = [c for c in rule.body if isinstance(c, Comparison)]
    for _ in comparisons:
        for c in comparisons:
            sides = (c.left, c.right)
            number = c.operator not in ("=", "!=") or any(
                isinstance(s, Operation)
                or (isinstance(s, Constant) and isinstance(s.value, int))
                or (isinstance(s, Variable) and s.name in found)
                for s in sides
            )
            if number:
                found |= {v.name for side in sides for v in expression_variables(side)}
    return found


def _canonical(comparison: Comparison) -> Comparison:
    """One form for comparisons that say the same with their sides swapped."""
    swapped = {"=": "=", "!=": "!=", ">": "<", ">=": "<="}.get(comparison.operator)
    if swapped is None:
        return comparison
    if swapped in ("=", "!=") and repr(comparison.left) <= repr(comparison.right):
        return comparison
    return Comparison(swapped, comparison.right, comparison.left)  # type: ignore[arg-type]


def _closed_form(condition: Condition) -> Condition:
    """A closed condition with names of its own variables that do not depend on how they were called."""
    shared = {variable.name for variable in outer_variables((condition,))}
    names: dict[str, str] = {}
    for variable in condition_variables(condition):
        if variable.name not in shared:
            names.setdefault(variable.name, f"#{len(names)}")
    return rename_condition(condition, lambda name: names.get(name, name))
