"""Functions of dates, times, decimal numbers and percentages, each defined by integer arithmetic.

A definition takes integers, and calculates with `+`, `-`, `*`, `//`, `%`, `least` and `most` only. So one
definition gives both the value for integers and the expression that an engine evaluates. Dates follow the
proleptic Gregorian calendar, as in ISO 8601. Their arithmetic is that of Neri and Schneider (2023), which
counts years from March.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from types import MappingProxyType
from typing import Any

from hornbook.kb.text.literals.values import MOST_DIGITS, SECONDS

MODES = ("half_up", "half_even", "up", "down", "floor", "ceiling")
"""The modes of rounding.

`half_up` and `half_even` give the nearest number; a tie goes away from zero, or to the even neighbour. `up`
goes away from zero, and `down` towards it. `floor` and `ceiling` go down and up the number line.
"""
_MARCH = 719_468
"""The days from 0000-03-01 to 1970-01-01."""
_CYCLE = 146_097
"""The days of 400 years."""

Number = Any
"""An integer, or an expression with the same operators."""


def least(one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return min(one, other)
    return _of(one, other).min(one, other)


def most(one: Number, other: Number) -> Number:
    if isinstance(one, int) and isinstance(other, int):
        return max(one, other)
    return _of(one, other).max(one, other)


def _of(one: Number, other: Number) -> Any:
    return type(other if isinstance(one, int) else one)


# Dates. A year begins in March here, and its months are numbered from 0, so that the leap day comes last.


def _century(day: Number) -> Number:
    return (4 * (day + _MARCH) + 3) // _CYCLE


def _quarter_days(day: Number) -> Number:
    """Return four times the number of the day in its century, from 0, and 3 more."""
    return (4 * (day + _MARCH) + 3) % _CYCLE // 4 * 4 + 3


def _day_from_march(day: Number) -> Number:
    """Return the number of the day in its year, from 0."""
    return _quarter_days(day) % 1461 // 4


def _month_from_march(day: Number) -> Number:
    return (5 * _day_from_march(day) + 2) // 153


def _year_from_march(day: Number) -> Number:
    return 100 * _century(day) + _quarter_days(day) // 1461


def _months(day: Number) -> Number:
    """Return the number of months from March of the year 0."""
    return 12 * _year_from_march(day) + _month_from_march(day)


def _first_of_month(months: Number) -> Number:
    """Return the first day of a month that is numbered from March of the year 0."""
    return (
        _CYCLE * (months // 1200) // 4
        + 1461 * (months // 12 % 100) // 4
        + (153 * (months % 12) + 2) // 5
        - _MARCH
    )


def year(day: Number) -> Number:
    return _year_from_march(day) + _month_from_march(day) // 10


def month(day: Number) -> Number:
    return (_month_from_march(day) + 2) % 12 + 1


def day_of_month(day: Number) -> Number:
    return _day_from_march(day) - (153 * _month_from_march(day) + 2) // 5 + 1


def weekday(day: Number) -> Number:
    """Return 1 for Monday to 7 for Sunday."""
    return (day + 3) % 7 + 1


def day_of_year(day: Number) -> Number:
    return day - _first_of_month(12 * year(day) - 2) + 1


def iso_year(day: Number) -> Number:
    """Return the year of the Thursday of the week."""
    return year(_thursday(day))


def iso_week(day: Number) -> Number:
    return (day_of_year(_thursday(day)) + 6) // 7


def _thursday(day: Number) -> Number:
    return (day + 3) // 7 * 7


def first_of_month(day: Number) -> Number:
    return day - day_of_month(day) + 1


def last_of_month(day: Number) -> Number:
    return _first_of_month(_months(day) + 1) - 1


def add_months(day: Number, count: Number) -> Number:
    """Return the same day of the month `count` months later, or the last day of a shorter month."""
    months = _months(day) + count
    return least(_first_of_month(months) + day_of_month(day), _first_of_month(months + 1)) - 1


def add_years(day: Number, count: Number) -> Number:
    return add_months(day, 12 * count)


def date(year_: Number, month_: Number, day: Number) -> Number:
    """Return a day. Month 13 is January of the next year. A day after the last of the month is the last."""
    months = 12 * year_ + month_ - 3
    return least(_first_of_month(months) + day, _first_of_month(months + 1)) - 1


# Times


def date_of(time: Number) -> Number:
    return time // SECONDS


def midnight(day: Number) -> Number:
    return day * SECONDS


def hour(time: Number) -> Number:
    return time % SECONDS // 3600


def minute(time: Number) -> Number:
    return time % 3600 // 60


def second(time: Number) -> Number:
    return time % 60


# Decimal numbers


def _is_positive(number: Number) -> Number:
    """Return 1 for a positive number, else 0."""
    return most(0, least(1, number))


def quotient(mode: str, dividend: Number, divisor: Number) -> Number:
    """Return the quotient, rounded to an integer."""
    sign = most(-1, least(1, divisor))
    return _of_positive(mode, dividend * sign, divisor * sign)


def _of_positive(mode: str, dividend: Number, divisor: Number) -> Number:
    """Return the rounded quotient by a number above 0."""
    low, rest = dividend // divisor, dividend % divisor
    match mode:
        case "floor":
            return low
        case "ceiling":
            return low + least(1, rest)
        case "down":
            return low + least(1, rest) * _is_positive(0 - dividend)
        case "up":
            return low + least(1, rest) * _is_positive(dividend)
        case "half_up":
            return low + _is_positive(2 * rest - divisor + _is_positive(dividend))
        case "half_even":
            return low + _is_positive(2 * rest - divisor + low % 2)
    raise ValueError(mode)


def rounded(mode: str, number: Number, given: int, digits: int) -> Number:
    """Return a decimal number with `given` digits as one with `digits` digits."""
    if digits >= given:
        return number * 10 ** (digits - given)
    return quotient(mode, number, 10 ** (given - digits))


def divided(mode: str, dividend: Number, divisor: Number, digits: int) -> Number:
    """Return the quotient of two numbers with equally many digits, with `digits` digits."""
    return quotient(mode, dividend * 10**digits, divisor)


def percent(mode: str, part: Number, whole: Number, digits: int) -> Number:
    """Return how many percent of the second number the first one is, with `digits` digits.

    Both numbers have equally many digits.
    """
    return divided(mode, part, whole, digits + 2)


def averaged(mode: str, total: Number, count: Number, given: int, digits: int) -> Number:
    """Return the quotient of a sum with `given` digits and a count, with `digits` digits.

    There is no quotient by a number below 1.
    """
    count = most(0, count)
    if digits >= given:
        return _of_positive(mode, total * 10 ** (digits - given), count)
    return _of_positive(mode, total, count * 10 ** (given - digits))


DEFINITIONS: Mapping[str, Callable[..., Number]] = MappingProxyType(
    {
        "year": year, "month": month, "day": day_of_month, "weekday": weekday, "day_of_year": day_of_year,
        "iso_year": iso_year, "iso_week": iso_week, "first_of_month": first_of_month,
        "last_of_month": last_of_month, "add_months": add_months, "add_years": add_years, "date": date,
        "date_of": date_of, "midnight": midnight, "hour": hour, "minute": minute, "second": second,
        **{f"round_{mode}": partial(rounded, mode) for mode in MODES},
        **{f"divide_{mode}": partial(divided, mode) for mode in MODES},
        **{f"percent_{mode}": partial(percent, mode) for mode in MODES},
        **{f"average_{mode}": partial(averaged, mode) for mode in MODES},
    }
)  # fmt: skip
"""The functions by name."""


OPERANDS: Mapping[str, int] = MappingProxyType(
    {
        **dict.fromkeys(DEFINITIONS, 1), **dict.fromkeys(("add_months", "add_years"), 2), "date": 3,
        **{f"{name}_{mode}": 3 for name in ("round", "divide", "percent") for mode in MODES},
        **{f"average_{mode}": 4 for mode in MODES},
    }
)  # fmt: skip
"""The number of operands of each function."""


_DIGITS = {"round": (1, 2), "divide": (2,), "percent": (2,), "average": (2, 3)}


def digits_operands(name: str) -> tuple[int, ...]:
    """Return the places of the operands that are numbers of digits. They must be constants."""
    return _DIGITS.get(name.partition("_")[0], ()) if name in DEFINITIONS else ()


def is_number_of_digits(value: object) -> bool:
    return type(value) is int and 0 <= value <= MOST_DIGITS


def value_of(name: str, operands: tuple[int, ...]) -> int | None:
    """Return the exact value of a function of integers, or None if there is none."""
    if not all(is_number_of_digits(operands[place]) for place in digits_operands(name)):
        return None
    try:
        found: int = DEFINITIONS[name](*map(int, operands))
    except ZeroDivisionError:
        return None
    return found
