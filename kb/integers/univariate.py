"""Comparisons with one unknown integer, solved exactly: for which integers does one hold.

An expression is enclosed between two lines over an interval of the unknown: one line where it is linear, two where a
`min`, `max` or `//` bends it. Where the lower line is not below 0 the expression is not, and where the upper one is
below 0 it is; what lies between is divided until nothing does. No number is tried: an interval ends where a line
crosses 0, rounded to the integer inside. As everywhere in the language, an expression has no value where it or a part
of it leaves 64 bits, and a comparison without values does not hold.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from hornbook.kb.ast.terms import Comparison, Constant, Expression, Operation, Variable
from hornbook.kb.integers.intervals import Interval, Intervals
from hornbook.matcher.program.arithmetic import GREATEST, LEAST

Number = int | Fraction
MOST_PIECES = 20_000
"""Pieces into which an interval is divided before it is given up."""


class UnsolvedError(Exception):
    """A comparison that this does not solve: a product of two parts with the unknown, or too many pieces."""


@dataclass(frozen=True, slots=True)
class _Line:
    slope: Number
    offset: Number

    def at(self, unknown: int) -> Number:
        return self.slope * unknown + self.offset

    def plus(self, other: _Line) -> _Line:
        return _Line(self.slope + other.slope, self.offset + other.offset)

    def times(self, factor: Number) -> _Line:
        return _Line(self.slope * factor, self.offset * factor)

    def not_below_zero(self, low: int, high: int) -> Interval | None:
        """Where in an interval of integers the line is not below 0."""
        if self.slope == 0:
            return (low, high) if self.offset >= 0 else None
        crossing = Fraction(-self.offset) / self.slope
        if self.slope > 0:
            low = max(low, -(-crossing.numerator // crossing.denominator))
        else:
            high = min(high, crossing.numerator // crossing.denominator)
        return (low, high) if low <= high else None


@dataclass(frozen=True, slots=True)
class _Enclosure:
    """Lines that an expression does not leave, over an interval; `bend` is where it had better be divided."""

    low: _Line
    high: _Line
    bend: int | None = None

    @property
    def is_exact(self) -> bool:
        return self.low == self.high

    @property
    def constant(self) -> Number | None:
        return self.low.offset if self.is_exact and self.low.slope == 0 else None

    def times(self, factor: Number) -> _Enclosure:
        ends = self.low.times(factor), self.high.times(factor)
        return _Enclosure(*(ends if factor >= 0 else ends[::-1]), self.bend)


def solutions(comparison: Comparison, domain: Intervals) -> Intervals:
    """The integers of a domain for which a comparison, whose only variable is the unknown, holds.

    Raises UnsolvedError where it cannot tell.
    """
    left, right = comparison.left, comparison.right
    domain = defined(right, defined(left, domain))
    # The difference of two sides need not fit into 64 bits, and is not asked to.
    difference = Operation("-", left, right)
    match comparison.operator:
        case "<=":
            return _where(difference, None, 0, domain)
        case "<":
            return _where(difference, None, -1, domain)
        case ">=":
            return _where(difference, 0, None, domain)
        case ">":
            return _where(difference, 1, None, domain)
        case "=":
            return _where(difference, 0, 0, domain)
        case "!=":
            return domain - _where(difference, 0, 0, domain)


def defined(expression: Expression, domain: Intervals) -> Intervals:
    """The integers of a domain for which an expression has a value."""
    for part in _operations(expression):
        if domain and not _fits(part, domain):
            domain = _where(part, LEAST, GREATEST, domain)
    return domain


def _fits(expression: Expression, domain: Intervals) -> bool:
    """Whether an expression plainly stays within 64 bits."""
    low, high = domain.parts[0][0], domain.parts[-1][1]
    enclosure = _enclosed(expression, low, high)
    return all(enclosure.low.at(end) >= LEAST and enclosure.high.at(end) <= GREATEST for end in (low, high))


def _operations(expression: Expression) -> Iterator[Operation]:
    """The operations of an expression, innermost first."""
    if isinstance(expression, Operation):
        yield from _operations(expression.left)
        yield from _operations(expression.right)
        yield expression


def _where(expression: Expression, least: int | None, most: int | None, domain: Intervals) -> Intervals:
    """Where an expression is between two numbers."""
    found: list[Interval] = []
    for low, high in domain:
        parts = [(low, high)]
        if least is not None:
            parts = _not_below_zero(Operation("-", expression, Constant(least)), parts)
        if most is not None:
            parts = _not_below_zero(Operation("-", Constant(most), expression), parts)
        found += parts
    return Intervals.of(found)


def _not_below_zero(expression: Expression, parts: list[Interval]) -> list[Interval]:
    found: list[Interval] = []
    waiting = list(parts)
    for _ in range(MOST_PIECES):
        if not waiting:
            return found
        low, high = waiting.pop()
        enclosure = _enclosed(expression, low, high)
        surely = enclosure.low.not_below_zero(low, high)
        perhaps = enclosure.high.not_below_zero(low, high)
        if surely is not None:
            found.append(surely)
        if perhaps is None or enclosure.is_exact:
            continue
        rest = Intervals((perhaps,)) - Intervals(() if surely is None else (surely,))
        for least, most in rest:
            # Lines that cut off little are left to those over the halves.
            halved = 2 * (most - least) < high - low
            waiting += [(least, most)] if halved else _divided(least, most, enclosure.bend)
    raise UnsolvedError("a comparison changes too often to be solved")


def _divided(low: int, high: int, bend: int | None) -> tuple[Interval, Interval]:
    place = (low + high) // 2 if bend is None or not low <= bend < high else bend
    return (low, place), (place + 1, high)


def _enclosed(expression: Expression, low: int, high: int) -> _Enclosure:
    match expression:
        case Variable():
            line = _Line(1, 0)
            return _Enclosure(line, line)
        case Constant(value):
            assert isinstance(value, int)
            line = _Line(0, value)
            return _Enclosure(line, line)
    left, right = _enclosed(expression.left, low, high), _enclosed(expression.right, low, high)
    match expression.operator:
        case "+":
            return _sum(left, right)
        case "-":
            return _sum(left, right.times(-1))
        case "*":
            return _product(left, right, low, high)
        case "//":
            return _quotient(left, right, low, high)
        case "min":
            return _smaller(left, right, low, high)
        case "max":
            return _smaller(left.times(-1), right.times(-1), low, high).times(-1)


def _sum(left: _Enclosure, right: _Enclosure) -> _Enclosure:
    bend = right.bend if left.bend is None else left.bend
    return _Enclosure(left.low.plus(right.low), left.high.plus(right.high), bend)


def _product(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    for one, other in ((left, right), (right, left)):
        if other.constant is not None:
            return one.times(other.constant)
        if other.is_exact and low == high:
            return one.times(other.low.at(low))
    raise UnsolvedError("a product of two parts with the unknown is not solved")


def _quotient(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    divisor = right.constant
    if divisor is None or divisor <= 0:
        raise UnsolvedError("only a division by a positive number is solved")
    ends = [left.low.at(end) // divisor for end in (low, high)] + [
        left.high.at(end) // divisor for end in (low, high)
    ]
    if len(set(ends)) == 1:
        line = _Line(0, ends[0])
        return _Enclosure(line, line)
    exact = Fraction(1) / divisor
    top = left.high.times(exact)
    if left.is_exact and all(Fraction(part).denominator == 1 for part in (top.slope, top.offset)):
        return _Enclosure(top, top)
    bottom = left.low.plus(_Line(0, 1 - divisor)).times(exact)
    return _Enclosure(bottom, top, left.bend)


def _smaller(left: _Enclosure, right: _Enclosure, low: int, high: int) -> _Enclosure:
    for one, other in ((left, right), (right, left)):
        if all(one.high.at(end) <= other.low.at(end) for end in (low, high)):
            return one
    # The smaller of two lines lies over the chord between its ends.
    first, last = (min(left.low.at(end), right.low.at(end)) for end in (low, high))
    slope = Fraction(last - first) / (high - low) if high > low else 0
    chord = _Line(slope, first - slope * low)
    middle = (low + high) // 2
    top = min(left.high, right.high, key=lambda line: line.at(middle))
    bend = next((b for b in (left.bend, right.bend) if b is not None), None)
    if left.is_exact and right.is_exact:
        # Neither is the smaller one everywhere, so they cross.
        steeper = left.low.slope - right.low.slope
        crossing = (right.low.offset - left.low.offset) / Fraction(steeper)
        bend = crossing.numerator // crossing.denominator
    return _Enclosure(chord, top, bend)
