"""Growth: whether a recursive rule computes new numbers without end, or a bound stops it.

A value drifts if arithmetic computes it from values of the recursion: upwards, downwards or both. A word
drifts upwards as it becomes longer. A comparison in the same rule with a value that the recursion does not
change stops a drift. Copies, minima and maxima of existing numbers, and `//` by a constant do not drift. A
negative divisor reverses a drift.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from hornbook.kb.ast import terms as t
from hornbook.kb.check.check_unit import PreparedClause
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.operators import MIRRORED

Direction = frozenset[str]
"""The possible directions of growth of a value: `up`, `down`, both, or none."""

SAME: Direction = frozenset()
UP: Direction = frozenset({"up"})
DOWN: Direction = frozenset({"down"})
BOTH_WAYS = UP | DOWN


MOST_COMPARISONS = 100
"""The maximum number of comparisons of an analysed rule."""


@dataclass(frozen=True, slots=True)
class Growth:
    """A variable of the head without a bound, the comparison that computes it, and the directions."""

    variable: t.Variable
    computed: t.Comparison
    unstopped: Direction


def unbounded_growth(
    prepared: PreparedClause, feeds_itself: Callable[[t.Statement], bool]
) -> Iterator[Growth]:
    """Yield the variables of a rule's head that drift without a bound.

    `feeds_itself` tells whether a condition belongs to the recursion of the head.
    """
    head, scope = prepared.head, prepared.scope
    assert head is not None
    if not any(isinstance(side, t.Operation) for c in scope.comparisons for side in (c.left, c.right)):
        return
    recursive: list[t.Statement] = []
    others: list[t.Statement] = []
    for statement in scope.statements:
        (recursive if feeds_itself(statement) else others).append(statement)
    if not recursive or len(scope.comparisons) > MOST_COMPARISONS:
        return
    outside = _names(others)
    carried = {
        term.name
        for statement in recursive
        if statement.relation == head.relation
        for term, concluded in zip(statement.terms, head.terms, strict=False)
        if isinstance(term, t.Variable) and term == concluded
    }
    analysis = _Analysis(scope.comparisons, _names(recursive) - outside - carried, _names(scope.statements))
    for variable in dict.fromkeys(term for term in head.terms if isinstance(term, t.Variable)):
        equation = analysis.equation(variable.name)
        drift = analysis.drift(variable)
        if equation is None or drift is None:
            continue
        unstopped = drift - analysis.stopped(variable.name)
        if unstopped:
            yield Growth(variable, equation[0], unstopped)


def _names(statements: list[t.Statement]) -> frozenset[str]:
    return frozenset(term.name for s in statements for term in s.terms if isinstance(term, t.Variable))


@dataclass(slots=True)
class _Analysis:
    """The comparisons of one rule. `fed` are the variables that only the recursion binds."""

    comparisons: list[t.Comparison]
    fed: frozenset[str]
    matched: frozenset[str]
    drifts: dict[str, Direction | None] = field(default_factory=dict)

    def equation(self, name: str) -> tuple[t.Comparison, t.Expression] | None:
        """Return the equation that computes a variable that no condition matches, and the other side."""
        if name in self.matched:
            return None
        for comparison in self.comparisons:
            if comparison.operator != "=":
                continue
            for one, other in ((comparison.left, comparison.right), (comparison.right, comparison.left)):
                if (
                    isinstance(one, t.Variable)
                    and one.name == name
                    and one not in t.expression_variables(other)
                ):
                    return comparison, other
        return None

    def drift(self, expression: t.Expression) -> Direction | None:
        """Return the directions of an expression, or None if it does not depend on the recursion."""
        match expression:
            case t.Constant():
                return None
            case t.Variable(name=name):
                if name in self.fed:
                    return SAME
                if name not in self.drifts:
                    self.drifts[name] = None  # while the equations that compute it are followed
                    equation = self.equation(name)
                    self.drifts[name] = None if equation is None else self.drift(equation[1])
                return self.drifts[name]
            case t.Operation():
                return self._operation(expression)

    def _operation(self, operation: t.Operation) -> Direction | None:
        if operation.operator in _NO_LONGER or operation.operator == "concat":
            drifts = [drift for drift in map(self.drift, operation.operands) if drift is not None]
            if not drifts:
                return None
            return SAME.union(*drifts) | (UP if operation.operator == "concat" else SAME)
        if len(operation.operands) != 2:
            return None if all(self.drift(each) is None for each in operation.operands) else BOTH_WAYS
        left, right = self.drift(operation.left), self.drift(operation.right)
        if left is None and right is None:
            return None
        match operation.operator:
            case "+" if left is None or right is None:
                drift, step = (left, operation.right) if right is None else (right, operation.left)
                return (drift or SAME) | self.sign(step)
            case "-" if right is None:
                return (left or SAME) | _reversed(self.sign(operation.right))
            case "*" if operation.right == t.Constant(1) or operation.left == t.Constant(1):
                return left or right or SAME
            case "//" if self.sign(operation.right) == DOWN:
                return (left or SAME) | _reversed(left or SAME)  # a negative divisor reverses the quotient
            case "//" | "shift_right" if isinstance(operation.right, t.Constant):
                return left
            case "mod" if isinstance(operation.right, t.Constant):
                return SAME
            case "min":
                return self._cut(left, right, UP)
            case "max":
                return self._cut(left, right, DOWN)
            case _:
                return BOTH_WAYS

    def _cut(self, left: Direction | None, right: Direction | None, direction: Direction) -> Direction:
        """Return the drift of a minimum or maximum. One with a fixed value does not go further up or down,
        respectively.
        """
        if left is None or right is None:
            return (left or right or SAME) - direction
        return left | right

    def sign(self, expression: t.Expression) -> Direction:
        """Return the direction of adding a fixed value: up if it is known to be non-negative, and so on."""
        match expression:
            case t.Constant(value=int() as value):
                return UP if value > 0 else DOWN if value < 0 else SAME
            case t.Variable():
                equation = self.equation(expression.name)
                if equation is not None and isinstance(equation[1], t.Constant):
                    return self.sign(equation[1])
                signs = [self._sign_from(comparison, expression) for comparison in self.comparisons]
                return next((sign for sign in signs if sign != BOTH_WAYS), BOTH_WAYS)
            case t.Operation(operator="+" | "*" | "min" | "max"):
                left, right = self.sign(expression.left), self.sign(expression.right)
                return UP if left == right == UP else BOTH_WAYS
            case _:
                return BOTH_WAYS

    def _sign_from(self, comparison: t.Comparison, variable: t.Variable) -> Direction:
        """Return the sign of a variable that follows from a comparison with a number."""
        operator = comparison.operator
        left, right = comparison.left, comparison.right
        if right == variable:
            operator, left, right = MIRRORED[operator], right, left
        if left != variable or not isinstance(right, t.Constant) or isinstance(right.value, str):
            return BOTH_WAYS
        if (operator == ">" and right.value >= -1) or (operator in (">=", "=") and right.value >= 0):
            return UP
        if (operator == "<" and right.value <= 1) or (operator in ("<=", "=") and right.value <= 0):
            return DOWN
        return BOTH_WAYS

    def stopped(self, name: str) -> Direction:
        """Return the directions of a variable that comparisons stop, on itself or on a value that it is
        computed from.
        """
        chain = self._chain(name)
        found: set[str] = set()
        for comparison in self.comparisons:
            operator = comparison.operator
            left, right = comparison.left, comparison.right
            if self._follows(right, chain) and not self._follows(left, chain):
                operator, left, right = MIRRORED[operator], right, left
            if not self._follows(left, chain) or self.drift(right) is not None:
                continue
            found |= _STOPS[operator]
        return frozenset(found)

    def _chain(self, name: str) -> frozenset[str]:
        """Return the variables of the recursion that a variable is computed from, including itself."""
        chain: set[str] = set()
        waiting = [name]
        while waiting:
            current = waiting.pop()
            equation = self.equation(current)
            if current in chain or (equation is None and current not in self.fed):
                continue
            chain.add(current)
            if equation is not None:
                waiting += [v.name for v in t.expression_variables(equation[1]) if self.drift(v) is not None]
        return frozenset(chain)

    def _follows(self, side: t.Expression, chain: frozenset[str]) -> bool:
        """Return whether a side is a variable of the chain, possibly with a fixed offset."""
        match side:
            case t.Variable():
                return side.name in chain
            case t.Operation(operator="length"):
                (word,) = side.operands
                return self._follows(word, chain)
            case t.Operation(operator="+"):
                pairs = ((side.left, side.right), (side.right, side.left))
                return any(self._follows(one, chain) and self.drift(other) is None for one, other in pairs)
            case t.Operation(operator="-"):
                return self._follows(side.left, chain) and self.drift(side.right) is None
            case _:
                return False


def _reversed(direction: Direction) -> Direction:
    return frozenset({"up": "down", "down": "up"}[way] for way in direction)


_NO_LONGER = frozenset(
    (
        "length",
        "part",
        "split",
        "upper",
        "lower",
        "starts_with",
        "ends_with",
        "contains",
        "matches",
        "int",
        "word",
    )
)
"""The word functions that produce finitely many values from finitely many."""
_STOPS = {"=": BOTH_WAYS, "!=": SAME, "<": UP, "<=": UP, ">": DOWN, ">=": DOWN}
