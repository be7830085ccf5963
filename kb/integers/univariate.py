"""Exact solutions of comparisons with one unknown integer.

Over an interval of the unknown, an expression is enclosed between two lines. They are equal if it is linear,
and differ if a `min`, `max`, `//` or `mod` bends it, or a product of two parts with the unknown. If the lower
line is at least 0, so is the expression. If the upper line is below 0, so is the expression. The remaining
intervals are divided until none remains. No integers are enumerated: an interval ends where a line crosses 0,
rounded to the integer inside. As elsewhere in the language, an expression has no value if it or a part of it
leaves 64 bits, and a comparison without values does not hold.
"""

from __future__ import annotations

from typing import NamedTuple

from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Comparison,
    Constant,
    Expression,
    Operation,
    Variable,
)
from hornbook.kb.integers.intervals import Interval, Intervals

_SOLVED = frozenset(("+", "-", "*", "//", "mod", "min", "max"))
MOST_PIECES = 20_000
"""The maximum number of pieces into which an interval is divided."""


class UnsolvedError(Exception):
    """A comparison that cannot be solved: a function, a division by the unknown, or too many pieces."""


class _Line(NamedTuple):
    """A line `(slope * unknown + offset) / over` with a positive `over`."""

    slope: int
    offset: int
    over: int = 1

    def at(self, unknown: int) -> int:
        """Return the value at an integer, times `over`."""
        return self.slope * unknown + self.offset

    def plus(self, other: _Line) -> _Line:
        slope, offset, over = self
        more, added, under = other
        if over == under:
            return _Line(slope + more, offset + added, over)
        return _Line(slope * under + more * over, offset * under + added * over, over * under)

    def times(self, factor: int) -> _Line:
        return _Line(self.slope * factor, self.offset * factor, self.over)

    def not_below_zero(self, low: int, high: int) -> Interval | None:
        """Return the part of an interval where the line is at least 0, or None."""
        if self.slope == 0:
            return (low, high) if self.offset >= 0 else None
        if self.slope > 0:
            low = max(low, -(self.offset // self.slope))
        else:
            high = min(high, -self.offset // self.slope)
        return (low, high) if low <= high else None

    def is_over(self, other: _Line, unknown: int) -> bool:
        """Return whether the line is above another one at an integer."""
        return self.at(unknown) * other.over > other.at(unknown) * self.over


class _Enclosure(NamedTuple):
    """Lines that bound an expression over an interval. `bend` is a good point to divide it."""

    low: _Line
    high: _Line
    bend: int | None = None

    @property
    def is_exact(self) -> bool:
        low, high = self.low, self.high
        return low is high or (
            low.slope * high.over == high.slope * low.over
            and low.offset * high.over == high.offset * low.over
        )

    @property
    def constant(self) -> int | None:
        low = self.low
        return low.offset if low.slope == 0 and low.over == 1 and self.is_exact else None

    def times(self, factor: int) -> _Enclosure:
        low = self.low.times(factor)
        high = low if self.high is self.low else self.high.times(factor)
        return _Enclosure(low, high, self.bend) if factor >= 0 else _Enclosure(high, low, self.bend)

    def plus(self, other: _Enclosure) -> _Enclosure:
        low = self.low.plus(other.low)
        is_one = self.high is self.low and other.high is other.low
        high = low if is_one else self.high.plus(other.high)
        return _Enclosure(low, high, other.bend if self.bend is None else self.bend)


def _exactly(line: _Line) -> _Enclosure:
    return _Enclosure(line, line)


_UNKNOWN = _exactly(_Line(1, 0))


def solutions(comparison: Comparison, domain: Intervals, pieces: int = MOST_PIECES) -> Intervals:
    """Return the integers of a domain that satisfy a comparison, whose only variable is the unknown.

    `pieces` is the maximum number of pieces into which an interval is divided.

    Raises:
        UnsolvedError: The comparison cannot be solved.
    """
    left = Narrowing(domain, pieces)
    left.hold(comparison)
    return left.domain


class Narrowing:
    """A domain of integers that is narrowed step by step to those that satisfy comparisons and give values to
    expressions.

    Expressions may share parts. The enclosure of a part over an interval is computed once. Methods raise
    UnsolvedError if they cannot determine the remaining integers.
    """

    def __init__(self, domain: Intervals, pieces: int = MOST_PIECES) -> None:
        self.domain = domain
        self._pieces = pieces
        # Keyed by the identity of an expression, which is stored with its enclosure.
        self._defined: dict[int, Expression] = {}
        self._enclosures: dict[tuple[int, int, int], tuple[Expression, _Enclosure]] = {}

    def define(self, expression: Expression) -> None:
        """Restrict the domain to integers for which an expression, with all its parts, has a value."""
        if not isinstance(expression, Operation) or id(expression) in self._defined:
            return
        for operand in expression.operands:
            self.define(operand)
        if self.domain and not self._fits(expression):
            self.domain = self._where(expression, MIN_INTEGER, MAX_INTEGER)
        self._defined[id(expression)] = expression

    def hold(self, comparison: Comparison) -> None:
        """Restrict the domain to integers for which a comparison holds."""
        self.define(comparison.left)
        self.define(comparison.right)
        # The difference of two sides need not fit into 64 bits, so this is not required.
        difference = Operation("-", (comparison.left, comparison.right))
        match comparison.operator:
            case "<=":
                self.domain = self._where(difference, None, 0)
            case "<":
                self.domain = self._where(difference, None, -1)
            case ">=":
                self.domain = self._where(difference, 0, None)
            case ">":
                self.domain = self._where(difference, 1, None)
            case "=":
                self.domain = self._where(difference, 0, 0)
            case "!=":
                self.domain -= self._where(difference, 0, 0)

    def _fits(self, expression: Expression) -> bool:
        """Return whether an expression obviously stays within 64 bits."""
        low, high = self.domain.parts[0][0], self.domain.parts[-1][1]
        below, above, _ = self._enclosed(expression, low, high)
        return (
            min(below.at(low), below.at(high)) >= MIN_INTEGER * below.over
            and max(above.at(low), above.at(high)) <= MAX_INTEGER * above.over
        )

    def _where(self, expression: Expression, least: int | None, most: int | None) -> Intervals:
        """Return the part of the domain where an expression is between two numbers."""
        found: list[Interval] = []
        for part in self.domain:
            parts = [part]
            if least is not None:
                parts = self._not_below_zero(expression, 1, -least, parts)
            if most is not None:
                parts = self._not_below_zero(expression, -1, most, parts)
            found += parts
        return Intervals.of(found)

    def _not_below_zero(
        self, expression: Expression, factor: int, number: int, parts: list[Interval]
    ) -> list[Interval]:
        """Return the parts of intervals where an expression, times a factor and plus a number, is
        at least 0.
        """
        found: list[Interval] = []
        added = _exactly(_Line(0, number))
        waiting = list(parts)
        for _ in range(self._pieces):
            if not waiting:
                return found
            low, high = waiting.pop()
            enclosure = self._enclosed(expression, low, high).times(factor).plus(added)
            surely = enclosure.low.not_below_zero(low, high)
            if surely is not None:
                found.append(surely)
            if enclosure.is_exact:
                continue
            perhaps = enclosure.high.not_below_zero(low, high)
            if perhaps is None:
                continue
            rest = Intervals((perhaps,)) - Intervals(() if surely is None else (surely,))
            for start, end in rest:
                # If the lines cut off little, the halves are enclosed again.
                halved = 2 * (end - start) < high - low
                waiting += [(start, end)] if halved else _divided(start, end, enclosure.bend)
        raise UnsolvedError("a comparison changes too often to be solved")

    def _enclosed(self, expression: Expression, low: int, high: int) -> _Enclosure:
        if isinstance(expression, Variable):
            return _UNKNOWN
        if isinstance(expression, Constant):
            assert isinstance(expression.value, int)
            return _exactly(_Line(0, expression.value))
        name = id(expression), low, high
        known = self._enclosures.get(name)
        if known is None:
            if expression.operator not in _SOLVED:
                raise UnsolvedError(f"`{expression.operator}` is not solved")
            left = self._enclosed(expression.left, low, high)
            right = self._enclosed(expression.right, low, high)
            known = self._enclosures[name] = (
                expression,
                _combined(expression.operator, left, right, low, high),
            )
        return known[1]


def _divided(low: int, high: int, bend: int | None) -> tuple[Interval, Interval]:
    place = (low + high) // 2 if bend is None or not low <= bend < high else bend
    return (low, place), (place + 1, high)


def _combined(operator: str, left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    """Return the enclosure of an operation, from the enclosures of its two sides."""
    match operator:
        case "+":
            return left.plus(right)
        case "-":
            return left.plus(right.times(-1))
        case "*":
            return _product(left, right, low, high)
        case "//":
            return _quotient(left, right, low, high)
        case "mod":
            return _remainder(left, right, low, high)
        case "min":
            return _smaller(left, right, low, high)
        case _:
            return _smaller(left.times(-1), right.times(-1), low, high).times(-1)


def _product(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    for one, other in ((left, right), (right, left)):
        if other.constant is not None:
            return one.times(other.constant)
        if other.is_exact and low == high:
            # At a single integer, a line that bounds the expression exactly has an integer value.
            return one.times(other.low.at(low) // other.low.over)
    corners = [one * other for one in _bounds(left, low, high) for other in _bounds(right, low, high)]
    bend = next((b for b in (left.bend, right.bend) if b is not None), None)
    return _Enclosure(_Line(0, min(corners)), _Line(0, max(corners)), bend)


def _bounds(enclosure: _Enclosure, low: int, high: int) -> Interval:
    """Return integers that an expression is not below and not above in an interval."""
    below, above, _ = enclosure
    return (
        min(below.at(end) // below.over for end in (low, high)),
        max(-(-above.at(end) // above.over) for end in (low, high)),
    )


def _quotient(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    divisor = right.constant
    if divisor is None or divisor <= 0:
        raise UnsolvedError("only a division by a positive number is solved")
    below, above = left.low, left.high
    ends = {line.at(end) // (line.over * divisor) for line in (below, above) for end in (low, high)}
    if len(ends) == 1:
        return _exactly(_Line(0, ends.pop()))
    over = above.over * divisor
    top = _Line(above.slope, above.offset, over)
    if left.is_exact and above.slope % over == 0 and above.offset % over == 0:
        return _exactly(_Line(above.slope // over, above.offset // over))
    bottom = _Line(below.slope, below.offset + (1 - divisor) * below.over, below.over * divisor)
    return _Enclosure(bottom, top, left.bend)


def _remainder(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    quotient, divisor = _quotient(left, right, low, high), right.low.offset
    if quotient.is_exact:
        return left.plus(quotient.times(-divisor))
    bend = left.bend
    slope, offset, over = left.low
    if left.is_exact:
        # The remainder is linear between two multiples of the divisor. One is near the middle.
        multiple = left.low.at((low + high) // 2) // (over * divisor) * over * divisor
        bend = (multiple - offset - 1) // slope if slope > 0 else (multiple - offset) // slope
    return _Enclosure(_Line(0, 0), _Line(0, divisor - 1), bend)


def _smaller(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    for one, other in ((left, right), (right, left)):
        if not any(one.high.is_over(other.low, end) for end in (low, high)):
            return one
    # The minimum of two lines lies above the chord between its ends.
    first, last = (right.low if left.low.is_over(right.low, end) else left.low for end in (low, high))
    length, under = max(high - low, 1), first.over * last.over
    rise = last.at(high) * first.over - first.at(low) * last.over
    chord = _Line(rise, first.at(low) * last.over * length - rise * low, under * length)
    middle = (low + high) // 2
    top = right.high if left.high.is_over(right.high, middle) else left.high
    bend = next((b for b in (left.bend, right.bend) if b is not None), None)
    if left.is_exact and right.is_exact:
        # Neither is the minimum everywhere, so they cross.
        (slope, offset, over), (rival, start, under) = left.low, right.low
        bend = (start * over - offset * under) // (slope * under - rival * over)
    return _Enclosure(chord, top, bend)
