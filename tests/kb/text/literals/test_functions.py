"""The functions of dates, times and decimal numbers, compared with the standard library."""

from __future__ import annotations

import calendar
import datetime
import decimal
from fractions import Fraction

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hornbook.kb.ast.evaluation import evaluated
from hornbook.kb.ast.terms import Constant, Expression, Operation, Variable
from hornbook.kb.lower.definitions import definition
from hornbook.kb.text.literals.functions import DEFINITIONS, MODES, OPERANDS, digits_operands, value_of
from hornbook.kb.text.literals.values import EPOCH

DATES = st.dates()
COUNTS = st.integers(-5_000, 5_000)
MODES_OF_DECIMAL = {
    "half_up": decimal.ROUND_HALF_UP, "half_even": decimal.ROUND_HALF_EVEN, "up": decimal.ROUND_UP,
    "down": decimal.ROUND_DOWN, "floor": decimal.ROUND_FLOOR, "ceiling": decimal.ROUND_CEILING,
}  # fmt: skip


def number(day: datetime.date) -> int:
    return day.toordinal() - EPOCH


@given(DATES)
def test_the_parts_of_a_date_are_those_of_the_standard_library(day: datetime.date) -> None:
    week = day.isocalendar()
    expected = {
        "year": day.year, "month": day.month, "day": day.day, "weekday": day.isoweekday(),
        "day_of_year": day.timetuple().tm_yday, "iso_year": week.year, "iso_week": week.week,
    }  # fmt: skip
    assert {name: value_of(name, (number(day),)) for name in expected} == expected


@given(DATES)
def test_the_first_and_last_day_of_a_month(day: datetime.date) -> None:
    last = calendar.monthrange(day.year, day.month)[1]
    assert value_of("first_of_month", (number(day),)) == number(day.replace(day=1))
    assert value_of("last_of_month", (number(day),)) == number(day.replace(day=last))


@given(DATES, COUNTS)
@example(datetime.date(2024, 1, 31), 1)
@example(datetime.date(2024, 2, 29), -12)
def test_months_are_added_to_the_same_day_or_the_last_of_the_month(day: datetime.date, count: int) -> None:
    year, month = divmod(day.year * 12 + day.month - 1 + count, 12)
    if 1 <= year <= 9999:
        last = calendar.monthrange(year, month + 1)[1]
        expected = datetime.date(year, month + 1, min(day.day, last))
        assert value_of("add_months", (number(day), count)) == number(expected)


@given(DATES, st.integers(-300, 300))
def test_years_are_twelve_months(day: datetime.date, count: int) -> None:
    expected = value_of("add_months", (number(day), 12 * count))
    assert value_of("add_years", (number(day), count)) == expected


@given(DATES)
def test_a_date_is_made_of_its_parts(day: datetime.date) -> None:
    assert value_of("date", (day.year, day.month, day.day)) == number(day)


def test_a_date_beyond_its_month_and_a_month_beyond_its_year() -> None:
    assert value_of("date", (2023, 2, 30)) == number(datetime.date(2023, 2, 28))
    assert value_of("date", (2023, 14, 1)) == number(datetime.date(2024, 2, 1))


@given(st.datetimes().map(lambda time: time.replace(microsecond=0)))
def test_the_parts_of_a_time(time: datetime.datetime) -> None:
    day = number(time.date())
    seconds = day * 86_400 + time.hour * 3600 + time.minute * 60 + time.second
    assert value_of("date_of", (seconds,)) == day
    assert value_of("midnight", (day,)) == day * 86_400
    parts = [value_of(name, (seconds,)) for name in ("hour", "minute", "second")]
    assert parts == [time.hour, time.minute, time.second]


@pytest.mark.parametrize("mode", MODES)
@given(st.integers(-(10**12), 10**12), st.integers(0, 8), st.integers(0, 8))
@example(25, 1, 0)
@example(-25, 1, 0)
@example(35, 1, 0)
def test_rounding_is_that_of_decimal(mode: str, units: int, digits: int, wanted: int) -> None:
    value = decimal.Decimal(units).scaleb(-digits)
    rounded = value.quantize(decimal.Decimal(1).scaleb(-wanted), MODES_OF_DECIMAL[mode])
    assert value_of(f"round_{mode}", (units, digits, wanted)) == int(rounded.scaleb(wanted))


@pytest.mark.parametrize("mode", MODES)
@given(st.integers(-(10**6), 10**6), st.integers(-(10**4), 10**4).filter(bool), st.integers(0, 5))
def test_division_is_rounded_as_decimal_rounds(mode: str, one: int, other: int, digits: int) -> None:
    exact = Fraction(one * 10**digits, other)
    # A part of a hundredth decides everything but a tie, which is exact with two digits or lies off it.
    low = exact.numerator * 100 // exact.denominator
    sticky = decimal.Decimal(low * 10 + (Fraction(low, 100) != exact)).scaleb(-3)
    expected = int(sticky.quantize(decimal.Decimal(1), MODES_OF_DECIMAL[mode]))
    assert value_of(f"divide_{mode}", (one, other, digits)) == expected


def test_a_division_by_zero_has_no_value() -> None:
    assert value_of("divide_down", (1, 0, 2)) is None
    assert value_of("average_down", (1, 0, 0, 2)) is value_of("average_down", (1, -1, 0, 2)) is None


def value(expression: Expression, given: dict[str, int]) -> int:
    """Return the value of an expression of integer arithmetic."""
    match expression:
        case Constant(value=int(found)):
            return found
        case Variable(name=name):
            return given[name]
        case Operation():
            found = evaluated(expression.operator, [value(each, given) for each in expression.operands])
            assert found is not None
            return found
    raise AssertionError(expression)


@pytest.mark.parametrize("name", DEFINITIONS)
@given(st.data())
def test_the_expression_for_an_engine_has_the_same_value(name: str, data: st.DataObject) -> None:
    fixed = digits_operands(name)
    counts = {1} if name.startswith("average_") else set()
    numbers = [data.draw(st.integers(0, 8) if place in fixed else st.integers(1, 99) if place in counts
                         else st.integers(-(10**5), 10**5).filter(bool))
               for place in range(OPERANDS[name])]  # fmt: skip
    operands = [Constant(n) if place in fixed else Variable(f"x{place}") for place, n in enumerate(numbers)]
    expression = definition(Operation(name, tuple(operands)))
    given_values = {f"x{place}": n for place, n in enumerate(numbers)}
    assert value(expression, given_values) == value_of(name, tuple(numbers))
