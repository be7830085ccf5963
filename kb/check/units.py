"""Units and forms: the integer sorts of a theory, and the units and forms of calculations.

A sum, a difference, `min` and `max` have the unit of their operands, and so has the other side of a
comparison. Other results, such as products and quotients, have no unit: they are plain integers, which are
compatible with every unit.

A form says what integers mean: dates, times, decimal numbers or percentages with some digits. Each operation
and function takes and returns certain forms. So a date plus an integer is a date, the difference of two dates
is an integer, and a product has the digits of both factors, where a percentage is a number with two more.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from hornbook.kb.ast.declarations import INTEGER_SORT
from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.terms import Constant, Expression, Operation, Variable
from hornbook.kb.text.literals.forms import Form
from hornbook.kb.text.literals.functions import DEFINITIONS, digits_operands
from hornbook.kb.text.literals.values import MOST_DIGITS, DateValue, DecimalValue, PercentValue, TimeValue
from hornbook.matcher.program.dataclass import dataclass

_OF_ONE_UNIT = frozenset(("+", "-", "min", "max"))
DATE, TIME = Form("date"), Form("time")
MOST_DIGITS_OF_PRODUCTS = 2 * MOST_DIGITS
NAMELESS: Mapping[str, Form] = MappingProxyType(
    {
        f"({form.written})": form
        for form in (
            DATE,
            TIME,
            *(Form("decimal", digits) for digits in range(1, MOST_DIGITS_OF_PRODUCTS + 1)),
            *(Form("percent", digits) for digits in range(MOST_DIGITS + 1)),
        )
    }
)
"""The sorts of calculated values that have a form but no declared sort, by name."""


def bearers(expression: Expression) -> Iterator[Variable]:
    """Yield the variables whose unit is that of the expression, in order."""
    match expression:
        case Variable():
            yield expression
        case Operation() if expression.operator in _OF_ONE_UNIT:
            for operand in expression.operands:
                yield from bearers(operand)
        case Operation() | Constant():
            pass


def factors(expression: Expression) -> Iterator[Expression]:
    """Yield the operands of all products and quotients in an expression. Each has a unit of its own."""
    if isinstance(expression, Operation):
        if expression.operator not in _OF_ONE_UNIT:
            yield from expression.operands
        for operand in expression.operands:
            yield from factors(operand)


class Measure(NamedTuple):
    """The sort of an integer, or INTEGER_SORT, and its form."""

    sort: str = INTEGER_SORT
    form: Form | None = None

    @property
    def described(self) -> str:
        form = "an integer" if self.form is None else self.form.named
        return form if self.sort in (INTEGER_SORT, *NAMELESS) else f"{form} (sort `{self.sort}`)"


PLAIN = Measure()


def nameless(form: Form) -> Measure:
    """Return the measure of a value with a form but without a declared sort."""
    return Measure(f"({form.written})", form)


@dataclass(frozen=True, slots=True)
class WrongOperand:
    """A mistake in a calculation: the operand, and the reason."""

    operand: Expression
    message: str
    help: str
    instead: str | None = None
    """The text to write instead."""


Measures = Callable[[Variable], Measure | None]
Report = Callable[[WrongOperand], None]


def measure_of(expression: Expression, measures: Measures, report: Report = lambda _: None) -> Measure | None:
    """Return the measure of an integer expression, or None if it is a word or not known.

    `measures` returns those of variables. Mistakes inside the expression are passed to `report`.
    """
    match expression:
        case Variable():
            return measures(expression)
        case Constant():
            return measure_of_constant(expression)
    operands = expression.operands
    found = [measure_of(operand, measures, report) for operand in operands]
    if signature(expression.operator).result != "integer":
        return None
    call = _Call(expression, found, report)
    if expression.operator in DEFINITIONS:
        return call.of_function()
    return call.of_operator()


def measure_of_constant(constant: Constant) -> Measure | None:
    """Return the measure of a constant, or None for a word."""
    match constant.value:
        case DateValue():
            return nameless(DATE)
        case TimeValue():
            return nameless(TIME)
        case PercentValue(digits=digits):
            return nameless(Form("percent", digits))
        case DecimalValue(digits=digits):
            return nameless(Form("decimal", digits))
        case int():
            return PLAIN
    return None


def common(one: Measure, other: Measure) -> Measure:
    """Return the measure of values that have one form: that with a declared sort."""
    return other if one.sort in (INTEGER_SORT, *NAMELESS) else one


_TAKEN: Mapping[str, tuple[tuple[Form | None, ...], Form | None]] = MappingProxyType(
    {
        **dict.fromkeys(
            ("year", "month", "day", "weekday", "day_of_year", "iso_year", "iso_week"), ((DATE,), None)
        ),
        **dict.fromkeys(("first_of_month", "last_of_month"), ((DATE,), DATE)),
        **dict.fromkeys(("add_months", "add_years"), ((DATE, None), DATE)),
        "date": ((None, None, None), DATE),
        "date_of": ((TIME,), DATE),
        "midnight": ((DATE,), TIME),
        **dict.fromkeys(("hour", "minute", "second"), ((TIME,), None)),
    }
)  # fmt: skip
"""The forms of the operands and of the result of each function of dates and times; None for an integer."""
_KEEPS_THE_SORT = ("first_of_month", "last_of_month", "add_months", "add_years")


class _Call:
    """An operation with the measures of its operands, None for those that are not known."""

    def __init__(self, operation: Operation, found: list[Measure | None], report: Report) -> None:
        self.operation, self.found, self.report = operation, found, report
        self.operands = operation.operands

    def _wrong(self, place: int, message: str, help_: str) -> None:
        self.report(WrongOperand(self.operands[place], message, help_))

    def _require(self, place: int, form: Form | None) -> None:
        """Report an operand that has another form."""
        known = self.found[place]
        if known is not None and known.form != form:
            expected = "an integer" if form is None else form.named
            name = self.operation.operator
            self._wrong(
                place, f"`{name}` takes {expected} here, and this is {known.described}", _help(form, known)
            )

    def of_function(self) -> Measure | None:
        name = self.operation.operator
        if name in _TAKEN:
            taken, result = _TAKEN[name]
            for place, form in enumerate(taken):
                self._require(place, form)
            first = self.found[0]
            if name in _KEEPS_THE_SORT and first is not None and first.form == DATE:
                return first
            return PLAIN if result is None else nameless(result)
        places = digits_operands(name)
        numbers = [self._digits(place) for place in places]
        if None in numbers:
            return None
        last = numbers[-1] or 0
        if name.startswith("percent_"):
            self._same_form(0, 1)
            return nameless(Form("percent", last))
        if name.startswith("average_"):
            self._require(1, None)
        if len(places) == 2:
            if self._rounds_percent(numbers[0] or 0, places[0]):
                return nameless(Form("percent", last))
        else:
            self._same_form(0, 1)
        return nameless(Form("decimal", last)) if last else PLAIN

    def _rounds_percent(self, digits: int, place: int) -> bool:
        """Return whether a percentage is rounded. Report a number that has other digits than those at a
        place.
        """
        first = self.found[0]
        if first is None:
            return False
        if is_point(first):
            self._require(0, Form("decimal", digits) if digits else None)
            return False
        right = 0 if first.form is None else first.form.digits
        if right != digits:
            name = self.operation.operator
            message = f"`{name}` takes the digits of its number here, which are {right} and not {digits}"
            self.report(WrongOperand(self.operands[place], message, f"write `{right}`", str(right)))
        return first.form is not None and first.form.kind == "percent"

    def _digits(self, place: int) -> int | None:
        """Return the number of digits that an operand states, or report that it states none."""
        operand = self.operands[place]
        if isinstance(operand, Constant) and type(operand.value) is int and 0 <= operand.value <= MOST_DIGITS:
            return operand.value
        what = f"write a number of digits after the point, from 0 to {MOST_DIGITS}"
        self._wrong(place, f"`{self.operation.operator}` takes a number of digits here", what)
        return None

    def _same_form(self, one: int, other: int) -> bool:
        first, second = self.found[one], self.found[other]
        if first is None or second is None or first.form == second.form:
            return True
        self._wrong(other, *unlike(first, second))
        return False

    def of_operator(self) -> Measure | None:
        operator, found = self.operation.operator, self.found
        if len(found) == 2 and operator in ("+", "-"):
            return self._of_sum()
        if operator == "*":
            return self._of_product()
        if operator in ("min", "max"):
            first, second = found
            self._same_form(0, 1)
            return second if first is None else first if second is None else common(first, second)
        if operator == "abs" and not (found[0] is not None and is_point(found[0])):
            return found[0]
        for place, known in enumerate(found):
            if known is not None and known.form is not None:
                self._wrong(
                    place, f"`{operator}` takes integers, and this is {known.described}", _no_division(known)
                )
                return None
        return PLAIN

    def _of_sum(self) -> Measure | None:
        first, second = self.found
        if first is None or second is None:
            return first if second is None else second
        if not (is_point(first) or is_point(second)):
            self._same_form(0, 1)
            return common(first, second)
        if self.operation.operator == "-" and is_point(first) and is_point(second):
            self._same_form(0, 1)
            return PLAIN
        place = 1 if is_point(first) else 0
        if self.operation.operator == "-" and place == 0:
            self._wrong(1, f"{second.described} is not subtracted from {first.described}", POINTS)
            return None
        other = second if place else first
        if other.form is not None:
            self._wrong(place, f"{first.described} and {second.described} are not added", POINTS)
            return None
        return first if place else second

    def _of_product(self) -> Measure | None:
        digits = 0
        for place, known in enumerate(self.found):
            if known is None:
                return None
            if is_point(known):
                self._wrong(place, f"{known.described} is not multiplied", POINTS)
                return None
            digits += 0 if known.form is None else known.form.places
        if digits > MOST_DIGITS_OF_PRODUCTS:
            self._wrong(1, f"the product has {digits} digits after the point", "round a factor before")
            return None
        return nameless(Form("decimal", digits)) if digits else PLAIN


POINTS = "add days to a date or seconds to a time, or subtract two of them"


def is_point(known: Measure) -> bool:
    return known.form is not None and known.form.is_point


def unlike(first: Measure, second: Measure) -> tuple[str, str]:
    """Return the message and the help for two values of different forms."""
    return f"this is {second.described}, and the other is {first.described}", _help(first.form, second)


def _help(expected: Form | None, known: Measure) -> str:
    kinds = [form.kind for form in (expected, known.form) if form is not None]
    if "percent" in kinds and kinds != ["percent", "percent"]:
        return "`?x * 1` is a percentage as a number; `percent_half_up(?part, ?whole, 1)` gives a percentage"
    if "percent" in kinds and expected is not None and known.form is not None:
        return f"write `round_half_up(?x, {known.form.digits}, {expected.digits})`, which may also add digits"
    is_decimal = known.form is None or known.form.kind == "decimal"
    if expected is None and is_decimal:
        return "round it to 0 digits, such as `round_half_up(?x, 2, 0)`"
    if expected is not None and expected.kind == "decimal" and is_decimal:
        digits = 0 if known.form is None else known.form.digits
        if digits > expected.digits:
            return f"round it, such as `round_half_up(?x, {digits}, {expected.digits})`"
        return f"write a constant with all digits, or multiply by `1.{'0' * (expected.digits - digits)}`"
    if expected is not None and expected.kind == "date" and known.form == TIME:
        return "`date_of` gives the date of a time"
    if expected is not None and expected.kind == "time" and known.form == DATE:
        return "`midnight` gives the first time of a date"
    if expected is not None and expected.is_point and known.form is None:
        return f"write {expected.described}"
    return "use a value of the same form"


def _no_division(known: Measure) -> str:
    if is_point(known):
        return POINTS
    return "`divide_half_up(?x, ?y, 2)` divides numbers with equally many digits, and rounds to 2"
