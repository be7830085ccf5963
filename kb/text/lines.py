"""The lines of a text, counted in the same way by every reader and message.

A line ends with LF, CR LF or CR. Other separators of `str.splitlines` (U+0085, U+2028, U+2029, form feed …)
can occur in words and end no line.
"""

from __future__ import annotations


def with_plain_ends(text: str) -> str:
    """Return the text with LF at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines_of(text: str) -> list[str]:
    """Return the lines without their ends. There is no line after the last end."""
    return with_plain_ends(text).removesuffix("\n").split("\n") if text else []


def first_line(problem: Exception) -> str:
    """Return the first line of the message of an exception."""
    return str(problem).strip().partition("\n")[0]
