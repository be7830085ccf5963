"""Values as text in the conventions of a locale: dates, times and decimal numbers.

A plain integer is unchanged, because it may be the number of a person or a year. The formats are those of the
Unicode Common Locale Data Repository, by Babel. Without a locale, values are written as in the language.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable
from decimal import Decimal
from typing import Any

from hornbook.kb.ast.terms import Constant
from hornbook.kb.format.printer import print_term
from hornbook.kb.sources.extras import extra_module
from hornbook.kb.text.literals.values import PercentValue, python_value
from hornbook.terminal.failure import ArgumentError


def constants_in(locale: str | None) -> Callable[[Constant], str]:
    """Return the function that writes a constant in a locale such as `de` or `en_GB`.

    Raises:
        ArgumentError: The locale is unknown.
        MissingExtraError: Babel is not installed.
    """
    if locale is None:
        return _plain
    babel = extra_module("babel", "report")
    try:
        known = babel.Locale.parse(locale, sep="-" if "-" in locale else "_")
    except (babel.UnknownLocaleError, ValueError):
        raise ArgumentError(
            f"there is no locale `{locale}`; write one as in `de` or `en_GB`", "--locale"
        ) from None

    def shown(constant: Constant) -> str:
        return _localized(constant, known)

    return shown


def _plain(constant: Constant) -> str:
    """Return a word without quotes, and any other value as the language writes it."""
    value = constant.value
    return value if isinstance(value, str) else print_term(constant)


def _localized(constant: Constant, locale: Any) -> str:
    from babel.dates import format_date, format_datetime  # noqa: PLC0415 - an extra
    from babel.numbers import format_decimal, format_percent  # noqa: PLC0415 - an extra

    try:
        value = python_value(constant.value)
    except OverflowError:  # a date beyond the years of Python
        return _plain(constant)
    match value:
        case datetime.datetime():
            text = format_datetime(value, "medium", locale=locale)
        case datetime.date():
            text = format_date(value, "long", locale=locale)
        case Decimal() if isinstance(constant.value, PercentValue):
            places = constant.value.digits
            pattern = locale.percent_formats[None].pattern
            pattern = pattern.replace("0", f"0.{'0' * places}", 1) if places else pattern
            text = format_percent(value.scaleb(-2), pattern, locale=locale)
        case Decimal():
            digits = "0" * -int(value.as_tuple().exponent)
            text = format_decimal(value, f"#,##0.{digits}" if digits else "#,##0", locale=locale)
        case _:
            return _plain(constant)
    return str(text)
