"""Text that others wrote, escaped so that no terminal, browser or drawing program interprets it.

A name may hold whatever a file can: an escape sequence that changes the terminal's title, a letter that turns the direction
in which a line is read, a piece of HTML. Whatever shows text passes it through the function of its medium here.
"""

from __future__ import annotations

import re
from html import escape

_OBEYED = re.compile(
    "["
    "\x00-\x08\x0b-\x1f\x7f-\x9f"  # control characters, but for tab and line feed
    "\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"  # unseen, or turning directions
    "\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e007f"
    "\ud800-\udfff"  # halves of a character, which no encoding has
    "\ufffe\uffff"  # what XML cannot hold
    "]"
)
"""What a medium obeys, or does not show at all. Letters that join others, as Persian and emoji need them, are none of it."""


def visible(text: str) -> str:
    r"""The text with `\u202e` written out for a character that would be obeyed or not be seen; line feeds and tabs stay.

    JSON reads what is written so, so that nothing is lost of what is printed as JSON.
    """
    return _OBEYED.sub(written_out, text)


def on_one_line(text: str) -> str:
    """The same of what must not begin a line of its own: `⏎` for a line break, a blank for a tab."""
    return visible(without_line_ends(text))


def without_line_ends(text: str) -> str:
    """The text with `⏎` for a line break and a blank for a tab, as a cell of a table for people has it."""
    return re.sub(r"\r\n|\r|\n", "⏎", text).replace("\t", " ")


def markup(text: str) -> str:
    """The text as HTML, SVG and XML have it, between tags or within the quotes of an attribute."""
    return escape(visible(text))


def graphviz(text: str) -> str:
    """The text as it stands between double quotes in the language of Graphviz."""
    return visible(text).replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")


def flowchart(text: str) -> str:
    """The text as it stands between double quotes in Mermaid, which else finds markdown and HTML in it."""
    # Mermaid reads `#35;` as the character with that number.
    numbered = re.sub(r'["#&<>`*\\;]', lambda found: f"#{ord(found[0])};", visible(text))
    return numbered.replace("\n", "<br>")


def masked(text: str) -> str:
    """The text with one mark for each character that cannot be seen, so that a caret below it points at the right one."""
    return "".join(
        char if char.isprintable() or char == "\t" else "\N{REPLACEMENT CHARACTER}" for char in text
    )


NO_SCRIPTS = (
    "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
)
"""For the head of a page: nothing runs and nothing is fetched, whatever the page says."""


def written_out(found: re.Match[str]) -> str:
    r"""A character as `\u202e`, as JSON has it; one beyond that as two."""
    code = ord(found[0])
    if code < 0x10000:
        return f"\\u{code:04x}"
    code -= 0x10000
    return f"\\u{0xD800 + (code >> 10):04x}\\u{0xDC00 + (code & 0x3FF):04x}"
