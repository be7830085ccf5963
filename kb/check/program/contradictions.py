"""Contradictions: rules whose conditions can never hold together, in obvious cases.

The checks find comparisons that no value satisfies, alone or with other comparisons of the same two
expressions. They also find integers without a remaining value, and two different constants for one `->` key.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.terms import Atom, Comparison, Constant, Expression, Operation, Span, Term, Variable
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.matcher.program.operators import MIRRORED

HOLDS: dict[str, frozenset[str]] = {
    "=": frozenset("="), "!=": frozenset("<>"), "<": frozenset("<"),
    "<=": frozenset("<="), ">": frozenset(">"), ">=": frozenset(">="),
}  # fmt: skip
"""The orders of two values for which a comparison holds."""
TURNED = {"<": ">", ">": "<", "=": "="}


def check_contradictions(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB043."""
    keyed = frozenset(p.name for p in unit.vocabulary.predicates.values() if p.key is not None)
    for prepared in unit.rules:
        valued = [s for s in prepared.scope.statements if isinstance(s, Atom) and s.predicate in keyed]
        found = _comparisons(prepared.scope.comparisons) or _keys(valued, unit)
        if found is not None:
            yield found


def _comparisons(comparisons: list[Comparison]) -> Diagnostic | None:
    orders: dict[tuple[Expression, Expression], frozenset[str]] = {}
    ranges: dict[str, _Range] = {}
    for comparison in comparisons:
        left, right = _value(comparison.left), _value(comparison.right)
        allowed = HOLDS[comparison.operator]
        if isinstance(left, Constant) and isinstance(right, Constant):
            if _order(left, right) not in allowed | {""}:
                return _never(comparison)
            continue
        if left == right:
            if "=" not in allowed:
                return _never(comparison)
            continue
        if (right, left) in orders:
            left, right, allowed = right, left, frozenset(TURNED[order] for order in allowed)
        orders[left, right] = orders.get((left, right), HOLDS["<="] | HOLDS[">="]) & allowed
        if not orders[left, right]:
            return _together(comparison.span, "this condition contradicts another one on the same things")
        problem = _limit(comparison, ranges)
        if problem is not None:
            return problem
    return None


def _value(expression: Expression) -> Expression:
    """Return the expression, evaluated if it consists of small constants."""
    if isinstance(expression, Operation):
        operands = [_value(operand) for operand in expression.operands]
        values = [each.value for each in operands if isinstance(each, Constant)]
        if len(values) == len(operands) and (found := evaluated(expression.operator, values)) is not None:
            return Constant(found)
    return expression


def _order(left: Constant, right: Constant) -> str:
    """Return the order of two constants, or an empty string if they are not comparable."""
    one, other = left.value, right.value
    if one == other:
        return "="
    if isinstance(one, int) and isinstance(other, int):
        return "<" if one < other else ">"
    # Words have no order, but different words are different.
    return "<" if isinstance(one, str) and isinstance(other, str) else ""


def _never(comparison: Comparison) -> Diagnostic:
    return error("HB043", "this condition never holds, so the rule never fires", comparison.span, _HELP)


def _together(span: Span, message: str) -> Diagnostic:
    return error("HB043", f"{message}, so the rule never fires", span, _HELP)


_HELP = "correct the condition, or delete the rule"


# Integers between constants


class _Range:
    """The integers that comparisons with constants leave for a variable."""

    def __init__(self) -> None:
        self.lowest: int | None = None
        self.highest: int | None = None
        self.word: str | None = None
        self.excluded: set[int] = set()

    def keep(self, operator: str, value: int) -> None:
        if operator == "!=":
            self.excluded.add(value)
        if operator in ("=", ">", ">="):
            bound = value + (operator == ">")
            self.lowest = bound if self.lowest is None else max(self.lowest, bound)
        if operator in ("=", "<", "<="):
            bound = value - (operator == "<")
            self.highest = bound if self.highest is None else min(self.highest, bound)
        while self.lowest in self.excluded:
            self.lowest += 1
        while self.highest in self.excluded:
            self.highest -= 1

    @property
    def is_empty(self) -> bool:
        return self.lowest is not None and self.highest is not None and self.lowest > self.highest


def _limit(comparison: Comparison, ranges: dict[str, _Range]) -> Diagnostic | None:
    left, right = _value(comparison.left), _value(comparison.right)
    operator = comparison.operator
    if isinstance(right, Variable):
        left, right = right, left
        operator = MIRRORED[operator]
    if not isinstance(left, Variable) or not isinstance(right, Constant):
        return None
    limits = ranges.setdefault(left.name, _Range())
    if isinstance(right.value, str):
        if operator == "=" and limits.word not in (None, right.value):
            return _together(
                comparison.span, f"`?{left.name}` cannot be both `{limits.word}` and `{right.value}`"
            )
        limits.word = right.value if operator == "=" else limits.word
        return None
    limits.keep(operator, right.value)
    if limits.is_empty:
        return _together(comparison.span, f"with the other conditions no integer is left for `?{left.name}`")
    return None


# Keys


def _keys(atoms: list[Atom], unit: CheckUnit) -> Diagnostic | None:
    """Return HB043 for two different constants in a column that the columns before `->` determine."""
    seen: dict[tuple[str, str | None, tuple[Term, ...], int], Constant] = {}
    for atom in atoms:
        predicate = unit.fits(atom)
        if predicate is None or predicate.key is None:
            continue
        if not any(isinstance(term, Constant) for term in atom.arguments[predicate.key :]):
            continue
        key = atom.arguments[: predicate.key]
        if any(isinstance(term, Variable) and term.is_wildcard for term in key):
            continue
        for place in range(predicate.key, len(atom.arguments)):
            term = atom.arguments[place]
            if isinstance(term, Constant):
                first = seen.setdefault((atom.predicate, atom.tense, key, place), term)
                if first != term:
                    message = (
                        f"`{atom.predicate}` has one value for one key, not both `{first.value}` and "
                        f"`{term.value}`"
                    )
                    return _together(term.span, message)
    return None
