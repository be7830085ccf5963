"""Integers with a text of their own: dates, times, decimal numbers and percentages.

Each value *is* the integer that engines, keys and certificates use. It compares and hashes like this integer.
Only its text and its Python value differ.

- A date is the number of days since 1970-01-01 in the proleptic Gregorian calendar.
- A time is the number of seconds since 1970-01-01T00:00:00 UTC, without leap seconds.
- A decimal number with `d` digits is the number of its units of 10 to the power of -d.
- A percentage with `d` digits is the number of units of 10 to the power of -d in its number of percent.
"""

from __future__ import annotations

import datetime
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    import decimal

EPOCH = datetime.date(1970, 1, 1).toordinal()
FIRST_DAY, LAST_DAY = 1 - EPOCH, datetime.date.max.toordinal() - EPOCH
"""The days that have a text: those of the years 1 to 9999."""
SECONDS = 86_400
MOST_DIGITS = 15
"""The maximum number of digits after the point."""


class WrittenInteger(int):
    """An integer with a text of its own, which `str` returns."""

    __slots__: ClassVar[tuple[str, ...]] = ()

    kind: ClassVar[str] = ""
    """The form as in a declaration of a sort."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}('{self}')"

    def __format__(self, specification: str) -> str:
        return format(str(self), specification)

    @property
    def python(self) -> Any:
        """The value as an object of the standard library. Raises OverflowError if that has none."""
        raise NotImplementedError


class DateValue(WrittenInteger):
    """A day, as days since 1970-01-01."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    kind = "date"

    def __str__(self) -> str:
        return _date_text(int(self))

    @property
    def python(self) -> datetime.date:
        return _date(self, int(self))


class TimeValue(WrittenInteger):
    """A time of UTC, as seconds since 1970-01-01T00:00:00."""

    __slots__: ClassVar[tuple[str, ...]] = ()
    kind = "time"

    def __str__(self) -> str:
        day, second = divmod(int(self), SECONDS)
        return f"{_date_text(day)}T{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}"

    @property
    def python(self) -> datetime.datetime:
        """The time without a time zone, as NumPy, pandas and Arrow have it."""
        day, second = divmod(int(self), SECONDS)
        date = _date(self, day)
        return datetime.datetime(date.year, date.month, date.day) + datetime.timedelta(seconds=second)  # noqa: DTZ001


class DecimalValue(WrittenInteger):
    """A decimal number, as a number of units of its last digit. `decimal_class` has a class for each number
    of digits.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()
    digits: ClassVar[int] = 0

    def __str__(self) -> str:
        return self.number

    @property
    def number(self) -> str:
        """The digits, with the sign and the point."""
        whole, part = divmod(abs(int(self)), 10**self.digits)
        sign = "-" if self < 0 else ""
        return f"{sign}{whole}.{part:0{self.digits}}" if self.digits else f"{sign}{whole}"

    @property
    def python(self) -> decimal.Decimal:
        import decimal  # noqa: PLC0415 - slow to import

        return decimal.Decimal(self.number)

    def __reduce__(self) -> tuple[Any, ...]:
        return decimal_value, (int(self), self.digits)


class PercentValue(DecimalValue):
    """A percentage, as a number of units of the last digit of its number of percent. Its Python value is this
    number: 19.0 for 19.0 percent.
    """

    __slots__: ClassVar[tuple[str, ...]] = ()

    def __str__(self) -> str:
        return f"{self.number} percent"

    def __reduce__(self) -> tuple[Any, ...]:
        return percent_value, (int(self), self.digits)


@cache
def percent_class(digits: int) -> type[PercentValue]:
    """Return the class of percentages with this many digits after the point."""
    own = {"__slots__": (), "digits": digits, "kind": f"percent({digits})" if digits else "percent"}
    return type(f"Percent{digits}Value", (PercentValue,), own)


def percent_value(units: int, digits: int) -> PercentValue:
    return percent_class(digits)(units)


@cache
def decimal_class(digits: int) -> type[DecimalValue]:
    """Return the class of decimal numbers with this many digits after the point."""
    own = {"__slots__": (), "digits": digits, "kind": f"decimal({digits})"}
    return type(f"Decimal{digits}Value", (DecimalValue,), own)


def decimal_value(units: int, digits: int) -> DecimalValue:
    return decimal_class(digits)(units)


def python_value(value: Any) -> Any:
    """Return the object of the standard library for a value with a text of its own, or any other value
    unchanged.
    """
    return value.python if isinstance(value, WrittenInteger) else value


def _date(value: WrittenInteger, day: int) -> datetime.date:
    if not FIRST_DAY <= day <= LAST_DAY:
        raise OverflowError(f"the {value.kind} {value} is outside of the years 1 to 9999 of Python")
    return datetime.date.fromordinal(day + EPOCH)


def _date_text(day: int) -> str:
    """Return the date in ISO 8601. A year outside of 1 to 9999 has a sign, and is no literal."""
    if FIRST_DAY <= day <= LAST_DAY:
        return datetime.date.fromordinal(day + EPOCH).isoformat()
    # 400 years have 146,097 days.
    cycles, day = divmod(day - FIRST_DAY, 146_097)
    date = datetime.date.fromordinal(day + 1)
    return f"{date.year + 400 * cycles:+06}-{date.month:02}-{date.day:02}"
