"""The forms of integer sorts: how the integers of a sort are written, and read from texts and Python values.

`sort day = date.`, `sort moment = time.`, `sort euro = decimal(2).` and `sort rate = percent(1).` declare
sorts with a form.
"""

from __future__ import annotations

import datetime
import re
import sys
from typing import Any, Literal

from hornbook.kb.text.literals.values import (
    EPOCH,
    SECONDS,
    DateValue,
    TimeValue,
    WrittenInteger,
    decimal_class,
    percent_class,
)
from hornbook.matcher.program.dataclass import dataclass

_DATE = re.compile(r"([0-9]{4})-([0-9]{2})-([0-9]{2})")
_TIME = re.compile(
    r"([0-9]{4}-[0-9]{2}-[0-9]{2})[T ]([0-9]{2}):([0-9]{2})(?::([0-9]{2})(\.0+)?)?(Z|[+-][0-9]{2}:?[0-9]{2})?"
)
_DECIMAL = re.compile(r"([+-]?)([0-9]+)(?:\.([0-9]*))?")
_PERCENT = ("percent", "%")
"""The signs after the number of a percentage."""
_LEAST, _GREATEST = -(2**63), 2**63 - 1


def _without_sign(text: str) -> str:
    """Return a text without the sign of a percentage at its end."""
    written = text.rstrip()
    sign = next((each for each in _PERCENT if written.endswith(each)), None)
    return text if sign is None else written.removesuffix(sign).rstrip()


class BadLiteralError(ValueError):
    """A text or value that is none of a form. The message is the end of a sentence that names the text."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form of an integer sort. `digits` are those after the point of a decimal number or percentage."""

    kind: Literal["date", "time", "decimal", "percent"]
    digits: int = 0

    @property
    def written(self) -> str:
        """The form as in a declaration."""
        return f"{self.kind}({self.digits})" if self.digits else self.kind

    @property
    def is_point(self) -> bool:
        """Whether the values are points in time."""
        return self.kind in ("date", "time")

    @property
    def places(self) -> int:
        """The digits after the point of a value as a number: 0.190 for 19.0 percent."""
        return self.digits + 2 * (self.kind == "percent")

    @property
    def named(self) -> str:
        """The name of a value in messages: `a date`."""
        if not self.is_point:
            what = "number" if self.kind == "decimal" else "percentage"
            return f"a {what} with {self.digits or 'no'} digit{'s' * (self.digits != 1)} after the point"
        return f"a {self.kind}"

    @property
    def described(self) -> str:
        """The name of a value, with an example of a date or time."""
        examples = {"date": " such as 2024-02-29", "time": " such as 2024-02-29T12:30:00"}
        return self.named + examples.get(self.kind, "")

    @property
    def number(self) -> type[WrittenInteger]:
        """The class of the values."""
        if self.kind == "decimal":
            return decimal_class(self.digits)
        if self.kind == "percent":
            return percent_class(self.digits)
        return DateValue if self.kind == "date" else TimeValue

    def of_text(self, text: str) -> WrittenInteger:
        """Return the value of a text, such as a cell of CSV. Raises BadLiteralError."""
        if self.kind == "date":
            return date_of_text(text)
        if self.kind == "time":
            return time_of_text(text)
        return self._of_number(self.number_text(text))

    def number_text(self, text: str) -> str:
        """Return the text of a number without the word or the mark of a percentage."""
        return _without_sign(text) if self.kind == "percent" else text

    def of_python(self, value: Any) -> WrittenInteger:
        """Return the value of a Python object: a text, one of `datetime`, of `decimal`, or an integer of
        decimal numbers or percent.

        Raises BadLiteralError.
        """
        if isinstance(value, WrittenInteger):
            if type(value) is not self.number:
                raise BadLiteralError(f"is not {self.described}")
            return value
        if isinstance(value, str):
            return self.of_text(value)
        if not self.is_point:
            if is_decimal(value) and (text := _decimal_text(value)) is not None:
                return self._of_number(text)
            if isinstance(value, bool) or not isinstance(value, int):
                raise BadLiteralError(f"is not {self.described}")
            return self._of_number(str(value))
        if self.kind == "date":
            if type(value) is datetime.date or (isinstance(value, datetime.datetime) and _is_midnight(value)):
                return DateValue(value.toordinal() - EPOCH)
            raise BadLiteralError(f"is not {self.described}")
        if isinstance(value, datetime.datetime):
            return _time_of(value)
        raise BadLiteralError(f"is not {self.described}")

    def _of_number(self, text: str) -> WrittenInteger:
        found = _DECIMAL.fullmatch(text.strip())
        if found is None or len(text) > 4000:
            raise BadLiteralError(f"is not {self.described}")
        part = (found[3] or "").rstrip("0")
        if len(part) > self.digits:
            digits = f"{self.digits} digit{'s' * (self.digits != 1)}"
            raise BadLiteralError(f"has more than {digits} after the point")
        units = int(found[1] + found[2] + part.ljust(self.digits, "0"))
        if not _LEAST <= units <= _GREATEST:
            raise BadLiteralError("does not fit into 64 bits")
        return self.number(units)


def _decimal_text(value: Any) -> str | None:
    """Return the digits of a decimal number, or None if they are infinitely or immensely many."""
    is_short = value.is_finite() and abs(value.as_tuple().exponent) < 4000
    return format(value, "f") if is_short else None


def is_decimal(value: object) -> bool:
    """Return whether a value is a `decimal.Decimal`. Does not import that module."""
    module = sys.modules.get("decimal")
    return module is not None and isinstance(value, module.Decimal)


def value_of_python(value: Any) -> WrittenInteger | None:
    """Return the date, time or decimal number of an object of the standard library, or None for another
    object, and for one that has no such value.
    """
    try:
        if isinstance(value, datetime.datetime):
            return Form("time").of_python(value)
        if isinstance(value, datetime.date):
            return Form("date").of_python(value)
        if is_decimal(value) and (text := _decimal_text(value)) is not None:
            return Form("decimal", max(1, len(text.partition(".")[2]))).of_text(text)
    except BadLiteralError:
        pass
    return None


def form_of_kind(kind: str) -> Form:
    """Return the form of a declaration: `date`, `time`, `decimal(2)`, `percent` or `percent(1)`.

    Raises ValueError for others.
    """
    for plain in ("date", "time", "percent"):
        if kind == plain:
            return Form(plain)
    found = re.fullmatch(r"(decimal|percent)\(([0-9]{1,2})\)", kind)
    if found is None:
        raise ValueError(f"{kind!r} is no form")
    return Form(found[1], int(found[2]))  # type: ignore[arg-type]


def literal_value(text: str) -> WrittenInteger:
    """Return the value of a literal in a file: a date, a time, a decimal number or a percentage.

    Raises BadLiteralError.
    """
    if text.endswith("percent"):
        number = _without_sign(text)
        return Form("percent", len(number.partition(".")[2])).of_text(number)
    if "-" in text.lstrip("-"):
        return time_of_text(text) if "T" in text else date_of_text(text)
    return Form("decimal", len(text.partition(".")[2])).of_text(text)


def date_of_text(text: str) -> DateValue:
    """Return a date from its text in ISO 8601. Raises BadLiteralError."""
    found = _DATE.fullmatch(text.strip())
    if found is None:
        raise BadLiteralError("is not a date such as 2024-02-29")
    try:
        date = datetime.date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError as problem:
        raise BadLiteralError(f"is not a date: {problem}") from None
    return DateValue(date.toordinal() - EPOCH)


def time_of_text(text: str) -> TimeValue:
    """Return a time from its text in ISO 8601. Without an offset it is a time of UTC. Raises
    BadLiteralError.
    """
    found = _TIME.fullmatch(text.strip())
    if found is None:
        raise BadLiteralError("is not a time such as 2024-02-29T12:30:00")
    hour, minute, second = int(found[2]), int(found[3]), int(found[4] or 0)
    if hour > 23 or minute > 59 or second > 59:
        raise BadLiteralError("is not a time: hours go to 23, minutes and seconds to 59")
    value = date_of_text(found[1]) * SECONDS + hour * 3600 + minute * 60 + second
    offset = found[6]
    if offset is not None and offset != "Z":
        ahead = int(offset[1:3]) * 3600 + int(offset[-2:]) * 60
        value += ahead if offset[0] == "-" else -ahead
    return TimeValue(value)


def _is_midnight(value: datetime.datetime) -> bool:
    return value.tzinfo is None and value.time() == datetime.time() and not getattr(value, "nanosecond", 0)


def _time_of(value: datetime.datetime) -> TimeValue:
    if value.microsecond or getattr(value, "nanosecond", 0):  # nanoseconds of pandas
        raise BadLiteralError("has a fraction of a second")
    if value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    seconds = value.hour * 3600 + value.minute * 60 + value.second
    return TimeValue((value.toordinal() - EPOCH) * SECONDS + seconds)
