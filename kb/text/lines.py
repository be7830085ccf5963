"""The lines of a text, as every reader and every message counts them.

A line ends with LF, CR LF or CR. Other marks at which `str.splitlines` breaks (U+0085, U+2028, U+2029, form feed …) can stand
in a word, and end nothing.
"""

from __future__ import annotations


def with_plain_ends(text: str) -> str:
    """The text with LF at the end of each line."""
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def lines_of(text: str) -> list[str]:
    """The lines without their ends; after the last end there is none."""
    return with_plain_ends(text).removesuffix("\n").split("\n") if text else []
