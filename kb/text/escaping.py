"""Escaping of foreign text for terminals, browsers and drawing programs.

A name may contain any character of a file: escape sequences of terminals, marks that change the direction of
writing, HTML. Every display of text must use the function for its medium.
"""

from __future__ import annotations

import re

_OBEYED = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, except tab and line feed
    # invisible, or changing directions
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    "\ud800-\udfff"  # halves of a character, which no encoding has
    "\ufffe\uffff"  # characters that XML cannot contain
    "]"
)
"""Characters that control a medium or are invisible. Joiners, as in Persian and emoji, are not included."""


def visible(text: str) -> str:
    r"""Return the text with escapes such as `\u202e` for control and invisible characters. Line feeds and
    tabs are kept.

    These are escapes of JSON, so that printed JSON loses no information.
    """
    return _OBEYED.sub(written_out, text)


def on_one_line(text: str) -> str:
    """Return the escaped text on one line: `⏎` for a line break, a blank for a tab."""
    return visible(without_line_ends(text))


def without_line_ends(text: str) -> str:
    """Return the text with `⏎` for a line break and a blank for a tab, for a table cell."""
    return re.sub(r"\r\n|\r|\n", "⏎", text).replace("\t", " ")


def markup(text: str) -> str:
    """Return the text escaped for HTML, SVG and XML, between tags or in a quoted attribute."""
    from html import escape  # noqa: PLC0415 - slow to import

    return escape(visible(text))


def graphviz(text: str) -> str:
    """Return the text escaped for double quotes in the language of Graphviz."""
    return visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def flowchart(text: str) -> str:
    """Return the text escaped for double quotes in Mermaid, which otherwise interprets markdown and HTML."""
    # Mermaid reads `#35;` as the character with that number.
    numbered = re.sub(r'["#&<>`*\\;]', lambda found: f"#{ord(found[0])};", visible(text))
    return numbered.replace("\n", "<br>")


def masked(text: str) -> str:
    """Return the text with one mark for each invisible character, so that a caret below it has the right
    column.
    """
    return "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


NO_SCRIPTS = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)
"""An element for the head of a page that disables scripts and external resources."""


def written_out(found: re.Match[str]) -> str:
    r"""Return a character as the escape `\u202e` of JSON, or as two escapes beyond U+FFFF."""
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
