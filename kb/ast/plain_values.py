"""Python values as words and integers of the language.

NumPy and pandas have their own scalar types. An integer of any width or a text is converted to `int` or
`str`. Other values (truth values, floating-point numbers, missing values) stay unchanged and are refused when
a value is checked.
"""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

from hornbook.kb.text.literals.forms import value_of_python
from hornbook.kb.text.literals.values import WrittenInteger

_PLAIN = (int, str)
_NO_INTEGERS = ("bool", "bool_", "timedelta64")
"""Types that are integers in Python or NumPy, but not in the language."""
_LONGEST = 60
"""The maximum number of characters of a text in a message."""


class OwnWord(str):
    """A word whose type carries more than its text. Checking and coding keep the object unchanged."""

    __slots__: ClassVar[tuple[str, ...]] = ()


def plain_value(value: Any) -> Any:
    """Return the `int` or `str` equal to a value, or any other value unchanged."""
    if type(value) in _PLAIN:
        return value
    if isinstance(value, str):
        return value if isinstance(value, OwnWord) else str.__str__(value)
    if isinstance(value, WrittenInteger):
        return value
    if isinstance(value, Integral) and type(value).__name__ not in _NO_INTEGERS:
        return int(value)
    return value if (written := value_of_python(value)) is None else written


def is_missing(value: object) -> bool:
    """Return whether a value is missing: None, a floating-point NaN, `pandas.NA` or `NaT`."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    try:
        return bool(value != value)  # noqa: PLR0124  # a NaN differs from itself
    except (TypeError, ValueError):
        return False


def described(value: object) -> str:
    """Return a value with its type, for a message: `the text '5'`, `the float 5.0`, `a missing
    value (NaN)`.
    """
    if is_missing(value):
        return f"a missing value ({_NAMES.get(type(value).__name__, value)})"
    if isinstance(value, str):
        text = str.__str__(value)
        return f"the text {text if len(text) <= _LONGEST else text[: _LONGEST - 1] + '…'!r}"
    if isinstance(value, WrittenInteger):
        return f"the {value.kind} {value}"
    if isinstance(value, int) and not isinstance(value, bool):
        return f"the integer {value}"
    if type(value).__name__ in ("bool", "bool_"):
        return f"the truth value {value}"
    return f"the {type(value).__name__} {value}"


_NAMES = {
    "NAType": "NA",
    "NaTType": "NaT",
    "NoneType": "None",
    "float": "NaN",
    "float64": "NaN",
    "float32": "NaN",
}
