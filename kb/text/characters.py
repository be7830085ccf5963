"""Characters that no encoding can represent: lone surrogates, and bytes that are not UTF-8.

Files are decoded with `surrogateescape` if a message has to name the cell with the bad byte. Python then
represents the byte 0xFF by the lone surrogate U+DCFF.
"""

from __future__ import annotations

_ESCAPED_BYTES = range(0xDC80, 0xDD00)


def first_half_character(text: str) -> int | None:
    """Return the place of the first lone surrogate in a text, or None."""
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as problem:
        return problem.start
    return None


def why_not_unicode(text: str) -> str | None:
    """Return the reason why a text is not Unicode, with a remedy, or None."""
    place = first_half_character(text)
    return None if place is None else half_character(text[place])


def half_character(character: str) -> str:
    """Return a description of a lone surrogate, with a remedy."""
    code = ord(character)
    if code in _ESCAPED_BYTES:
        return f"byte 0x{code - 0xDC00:02X} is not valid UTF-8; save the text as UTF-8"
    return f"U+{code:04X} is half a character, which no file can hold; write the whole character"
