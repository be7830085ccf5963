"""Formats of dates and times in texts, with the codes of `strptime`.

A format is text with codes: `%d` day, `%m` month, `%Y` year with four digits, `%H` hour, `%I` hour from 1 to
12, `%M` minute, `%S` second, `%p` AM or PM. Years with two digits and names of months are no codes, since
they are ambiguous.
"""

from __future__ import annotations

import datetime
import re
from functools import cache

from hornbook.kb.text.literals.forms import BadLiteralError
from hornbook.kb.text.literals.values import EPOCH, SECONDS, DateValue, TimeValue
from hornbook.matcher.program.hornbook_error import HornbookError

_CODES = {
    "d": "(?P<d>[0-9]{1,2})", "m": "(?P<m>[0-9]{1,2})", "Y": "(?P<Y>[0-9]{4})", "H": "(?P<H>[0-9]{1,2})",
    "I": "(?P<I>[0-9]{1,2})", "M": "(?P<M>[0-9]{2})", "S": "(?P<S>[0-9]{2})", "p": "(?P<p>[AaPp][Mm])",
}  # fmt: skip
_OF_DATES = {frozenset("dmY")}
_OF_TIMES = {frozenset("dmY" + hour + second) for hour in ("HM", "IMp") for second in ("", "S")}


class DateFormatError(HornbookError, ValueError):
    """A format of dates or times that cannot be read. The message is a sentence about it."""


@cache
def pattern_of(written: str, kind: str) -> re.Pattern[str]:
    """Return the pattern of a format of `date` or `time`. Raises DateFormatError."""
    parts = re.split(r"%(.?)", written, flags=re.DOTALL)
    codes = parts[1::2]
    for code in codes:
        if code not in _CODES:
            known = ", ".join(f"%{each}" for each in (_CODES if kind == "time" else "dmY"))
            raise DateFormatError(f"`%{code}` is no code; the codes are {known}")
    if len(set(codes)) < len(codes):
        raise DateFormatError("a code occurs twice")
    if frozenset(codes) not in (_OF_DATES if kind == "date" else _OF_TIMES):
        needed = "%d, %m and %Y" if kind == "date" else "%d, %m, %Y, %H and %M"
        raise DateFormatError(f"it needs the codes {needed}" + (", or %I and %p" if kind == "time" else ""))
    if any(not each for each in parts[2:-1:2]):
        raise DateFormatError("write a separator between two codes")
    return re.compile(
        "".join(_CODES[each] if place % 2 else re.escape(each) for place, each in enumerate(parts))
    )


def date_of(text: str, written: str) -> DateValue:
    """Return the date of a text in a format. Raises BadLiteralError."""
    found = pattern_of(written, "date").fullmatch(text.strip())
    if found is None:
        raise BadLiteralError(f"is not a date in the format `{written}`")
    return DateValue(_day(found))


def time_of(text: str, written: str) -> TimeValue:
    """Return the time of a text in a format, as a time of UTC. Raises BadLiteralError."""
    found = pattern_of(written, "time").fullmatch(text.strip())
    if found is None:
        raise BadLiteralError(f"is not a time in the format `{written}`")
    parts = found.groupdict()
    minute, second = int(parts["M"]), int(parts.get("S") or 0)
    hour = int(parts.get("H") or parts["I"])
    if "I" in parts:
        if not 1 <= hour <= 12:
            raise BadLiteralError("is not a time: hours with AM or PM go from 1 to 12")
        hour = hour % 12 + 12 * (parts["p"].upper() == "PM")
    if hour > 23 or minute > 59 or second > 59:
        raise BadLiteralError("is not a time: hours go to 23, minutes and seconds to 59")
    return TimeValue(_day(found) * SECONDS + hour * 3600 + minute * 60 + second)


def _day(found: re.Match[str]) -> int:
    try:
        date = datetime.date(int(found["Y"]), int(found["m"]), int(found["d"]))
    except ValueError as problem:
        raise BadLiteralError(f"is not a date: {problem}") from None
    return date.toordinal() - EPOCH
