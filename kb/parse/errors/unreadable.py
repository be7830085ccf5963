"""Characters that are no part of the language: the probable intention, and a suggestion."""

from __future__ import annotations

import unicodedata
from datetime import datetime

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error, write_instead
from hornbook.kb.text.escaping import masked
from hornbook.kb.text.scanner import Token

_RULE = "a rule is written `conclusion :- condition, condition.`"
ABSENT_HELP = "an absence is written `absent …`; its consequences are certain only if the table is `complete`"
OR_HELP = "write `or`, in parentheses if there are other conditions: `a, (b or c)`"
_BEGINS_FACT = frozenset(("NAME", "TENSE", "ABSENT", "LPAR"))
_INSTEAD = {
    "==": "=", "===": "=", "=:=": "=", "=<": "<=", "≤": "<=", "≥": ">=", "=>": ">=",
    "<>": "!=", "\\=": "!=", "\\==": "!=", "=\\=": "!=", "≠": "!=", "!": "!=",
    "&": ",", "&&": ",", "∧": ",",
    "×": "*", "÷": "//", "−": "-", "–": "-", "—": "-", "‐": "-",
}  # fmt: skip
"""The text that is probably meant by a mark."""
_MEANT = {
    "==": "equality is written `=`", "===": "equality is written `=`", "=:=": "equality is written `=`",
    "=>": "write `>=` for `at least`; " + _RULE, "!": "`differs from` is written `!=`",
    "==>": _RULE, "-->": _RULE, "<=>": _RULE, ":=": _RULE + "; equality is written `=`", "→": _RULE,
    "←": _RULE,
    "⇒": _RULE, "⇐": _RULE,
    "&": "conditions are joined by `,`", "&&": "conditions are joined by `,`",
    "∧": "conditions are joined by `,`",
    "||": OR_HELP, "∨": OR_HELP,
    "\\+": ABSENT_HELP, "~": ABSENT_HELP, "¬": ABSENT_HELP,
    "/": "`//` divides integers and rounds down, `divide_half_up(?a, ?b, 2)` divides decimal numbers; "
    "a date is written 2024-02-29",
    "**": "there are no powers; multiply", "^": "there are no powers; multiply",
    "[": "there are no lists: write one fact for each member",
    "]": "there are no lists: write one fact for each member",
    "{": "there are no braces: conditions are joined by `,` and grouped by `(…)`",
    "}": "there are no braces: conditions are joined by `,` and grouped by `(…)`",
    "‘": "write the straight quote `'`", "’": "write the straight quote `'`",
    "‚": "write the straight quote `'`",
    "“": "write the straight quote `'`", "”": "write the straight quote `'`",
    "„": "write the straight quote `'`",
    "…": "write out the part that the dots replace",
}  # fmt: skip


"""The help for a mark. The default is its replacement."""


def unreadable(token: Token, following: Token, span: Span) -> Diagnostic:
    """Return HB003 for a token of type BAD at a span, before another token."""
    message, help_line, *instead = _unreadable(token, following)
    return error("HB003", message, span, help_line, [write_instead(span, text) for text in instead])


def _unreadable(token: Token, following: Token) -> tuple[str, ...]:
    """Return the message, the help, and the text that is probably meant if there is one."""
    text = token.text
    first = text[0]
    if text == "!" and following.type in _BEGINS_FACT:
        return "`!` is no mark of the language", ABSENT_HELP
    if text in _INSTEAD:
        instead = _INSTEAD[text]
        return f"`{text}` is no mark of the language", _MEANT.get(text, f"write `{instead}`"), instead
    if text in _MEANT:
        return f"`{text}` is no mark of the language", _MEANT[text]
    if first in "'\"":
        return f"the quote `{first}` is not closed", _closing(first)
    if first.isascii() and first.isdigit():
        return _number(text)
    if first == "?":
        return (
            f"`{shown(text)}` is no variable",
            "a variable is `?` and, right after it, a name that begins with a letter: `?x`",
        )
    if first == "$" and len(text) > 1:
        return (
            f"`{shown(text)}` is no parameter",
            "a parameter of a query is `$` and, right after it, a name that begins with a letter: `$user`",
        )
    if first == "_":
        return f"`{shown(text)}` is no name", "a name begins with a letter; `_` alone matches anything"
    if unicodedata.combining(first):
        help_line = "write the letter and its accent as one character (Unicode normal form C)"
        return f"unexpected {described(first)}", help_line
    if not first.isprintable():
        return f"unexpected {described(first)}", "it cannot be seen; delete it"
    if first.isdigit():
        return f"unexpected {described(first)}", "numbers are written with the digits 0 to 9"
    return f"unexpected {described(first)}", "a word with such characters in it is quoted: 'like this'"


def _closing(quote: str) -> str:
    if quote == '"':
        return "double quotes enclose paths only; a word is quoted as in 'New York', on one line"
    return "close it on the same line, as in 'New York'; a quote inside is doubled: 'o''clock'"


def _date_with_points(text: str) -> str | None:
    """Return the date of a text such as `31.12.2024` in the form of the language, or None."""
    try:
        return str(datetime.strptime(text, "%d.%m.%Y").date())  # noqa: DTZ007 - a date has no time zone
    except ValueError:
        return None


def _number(text: str) -> tuple[str, ...]:
    if text.replace("_", "").isdecimal():
        return f"`{shown(text)}` is no integer", f"write `{shown(text.replace('_', ''))}`"
    if date := _date_with_points(text):
        return f"`{shown(text)}` is no number", f"a date is written `{date}`", date
    if text.replace(".", "").isdecimal():
        return f"`{shown(text)}` is no number", "a decimal number has one point, such as 12.50"
    return (
        f"`{shown(text)}` is neither a number nor a name",
        f"a word that begins with a digit is quoted: '{shown(text)}'",
        f"'{text}'",
    )


def described(char: str) -> str:
    """Return a description of a character: itself if it is visible, and its number and name."""
    number = f"U+{ord(char):04X}"
    name = unicodedata.name(char, "")
    what = f"{number} ({name.lower()})" if name else number
    if char.isascii() and char.isprintable():
        return f"character `{char}`"
    return (
        f"character `{char}`, {what}"
        if char.isprintable() and not unicodedata.combining(char)
        else f"character {what}"
    )


def shown(text: str, most: int = 40) -> str:
    """Return a piece of the text for a message: short, on one line, without invisible characters."""
    visible = masked(text[: most + 1])
    return visible if len(visible) <= most else visible[: most - 1] + "…"
