"""Numbers and dates in the texts of a table with a format, and the format that reads a text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cache

from hornbook.kb.tables.readers.date_formats import date_of, time_of
from hornbook.kb.tables.readers.table_format import NAMES, OPTION, TableFormat
from hornbook.kb.text.literals.forms import BadLiteralError, Form
from hornbook.kb.text.literals.values import WrittenInteger

_SPACES = " \u00a0\u202f"
"""The blanks that separate thousands: also the no-break space, and the narrow one."""


def is_plain(format_: TableFormat, form: Form | None) -> bool:
    """Return whether texts of a form, or of integers, are those of the language."""
    if form is None or not form.is_point:
        return format_.decimal == "." and not format_.thousands
    return not (format_.date if form.kind == "date" else format_.time)


def formatted_value(format_: TableFormat, text: str, form: Form) -> WrittenInteger:
    """Return the value of a text. Raises BadLiteralError."""
    if is_plain(format_, form):
        return form.of_text(text)
    if form.kind == "date":
        return date_of(text, format_.date)
    if form.kind == "time":
        return time_of(text, format_.time)
    return form.of_text(plain_number(format_, form.number_text(text), form.described))


def plain_number(format_: TableFormat, text: str, described: str) -> str:
    """Return the text of a number without groups and with a point. Raises BadLiteralError with the
    description of a number.
    """
    found = _number(format_.thousands, format_.decimal).fullmatch(text.strip())
    if found is None:
        raise BadLiteralError(f"is not {described} {_separated(format_)}")
    whole = re.sub("[^-+0-9]", "", found[1])
    return whole if found[2] is None else f"{whole}.{found[2]}"


def _separated(format_: TableFormat) -> str:
    thousands = f" and `{format_.thousands}` between thousands" if format_.thousands else ""
    return f"with the decimal separator `{format_.decimal}`{thousands}"


def remedy(format_: TableFormat, text: str, form: Form | None) -> str:
    """Return a clause on the options that would read a text, or an empty string. Without a form, it is
    that of an integer.
    """
    is_number = form is None or not form.is_point
    if is_number and form is not None:
        number = form.number_text(text).strip()
        if _number(format_.thousands, format_.decimal).fullmatch(number):
            return ""
    found = list(_options_for(format_, text, form))
    return f"; {' or '.join(found[: 1 if is_number else None])}" if found else ""


@cache
def _number(thousands: str, decimal: str) -> re.Pattern[str]:
    digits = _digits(thousands)
    return re.compile(rf"([+-]?{digits})(?:{re.escape(decimal)}([0-9]*))?")


def _digits(thousands: str) -> str:
    if not thousands:
        return "[0-9]++"
    mark = f"[{_SPACES}]" if thousands == " " else re.escape(thousands)
    return f"(?:[0-9]{{1,3}}(?:{mark}[0-9]{{3}})++|[0-9]++)"


def plain_numbers(form: Form | None, format_: TableFormat) -> re.Pattern[str]:
    """Return the pattern of lines with one number each, which have all their digits. Integers have no
    form.
    """
    digits = 0 if form is None else form.digits
    part = rf"{re.escape(format_.decimal)}[0-9]{{{digits}}}" if digits else ""
    mark = "(?: ?(?:percent|%))?" if _is_percentage(form) else ""
    cell = f"[+-]?{_digits(format_.thousands)}{part}{mark}"
    return re.compile(rf"{cell}(?:\n{cell})*+")


def separators(form: Form | None, format_: TableFormat) -> tuple[str, ...]:
    """Return the texts in plain numbers that are no digits."""
    marks = (" ", "%", "percent") if _is_percentage(form) else ()
    return format_.decimal, *(_SPACES if format_.thousands == " " else format_.thousands), *marks


def _is_percentage(form: Form | None) -> bool:
    return form is not None and form.kind == "percent"


# Remedies

_NUMBERS = ((",", ""), (".", ","), (",", "."), (".", "'"), (",", " "), (".", "’"), (",", "'"), (".", " "))
_DATES = ("%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%Y/%m/%d", "%d-%m-%Y")
_CLOCKS = ("%H:%M", "%H:%M:%S", "%I:%M %p", "%I:%M:%S %p")


def _options_for(format_: TableFormat, text: str, form: Form | None) -> Iterator[str]:
    """Yield options that read a text, each with the value."""
    tried: Iterable[TableFormat]
    if form is None or not form.is_point:
        separators = ((".", ""), *_NUMBERS)
        tried = (replace(format_, decimal=decimal, thousands=marks) for decimal, marks in separators)
    elif form.kind == "date":
        tried = (replace(format_, date=date) for date in ("", *_DATES))
    else:
        times = ("", *(f"{date} {clock}" for date in _DATES for clock in _CLOCKS))
        tried = (replace(format_, time=time) for time in times)
    for each in tried:
        try:
            value = int(plain_number(each, text, "")) if form is None else formatted_value(each, text, form)
        except ValueError:
            continue
        yield f"{_written(each, format_)} reads it as {value}"


def _written(wanted: TableFormat, there: TableFormat) -> str:
    """Return the options that make a format of another one."""
    changed = (name for name in NAMES if getattr(wanted, name) != getattr(there, name))
    pairs = [f"{name}={getattr(wanted, name)}" for name in changed]
    quoted = [f"'{pair}'" if " " in pair else f'"{pair}"' if "'" in pair else pair for pair in pairs]
    return f"`{' '.join(f'{OPTION} {pair}' for pair in quoted)}`"
