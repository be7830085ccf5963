"""Explanations of clauses that cannot be parsed, in terms of the language.

The parser reports the position of the error and the expected tokens. Typical mistakes
(kb/parse/errors/typical_mistakes.py) are recognised first. All others are reported by the unexpected token
and the expected ones.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.kb.ast.terms import Span
from hornbook.kb.parse.errors.stop import END, ParseStop, place, place_after
from hornbook.kb.parse.errors.typical_mistakes import typical
from hornbook.kb.parse.errors.unreadable import shown, unreadable
from hornbook.kb.sources.diagnostics import Diagnostic, error, write_before, write_instead
from hornbook.kb.text.scanner import Token

_GROUPS = (
    ({"NAME", "VARIABLE", "ALL", "ABSENT"}, "a condition", {
        "NAME", "VARIABLE", "PARAMETER", "ALL", "ABSENT", "QUOTED", "WILDCARD", "INTEGER", "LITERAL", "MINUS",
        "LPAR", "MIN", "MAX", "TENSE", "PLAN",
    }),
    ({"NAME", "VARIABLE", "INTEGER", "LPAR"}, "a word or a calculation", {
        "NAME", "VARIABLE", "PARAMETER", "INTEGER", "LITERAL", "QUOTED", "WILDCARD", "MINUS", "LPAR",
        "MIN", "MAX",
    }),
    ({"NAME", "VARIABLE", "INTEGER"}, "a word, a `?variable` or an integer", {
        "NAME", "VARIABLE", "PARAMETER", "INTEGER", "LITERAL", "QUOTED", "WILDCARD", "MINUS",
    }),
    ({"VARIABLE", "INTEGER", "LPAR"}, "a calculation", {
        "VARIABLE", "PARAMETER", "INTEGER", "LITERAL", "WILDCARD", "MINUS", "LPAR", "MIN", "MAX",
    }),
    ({"KIND", "NAME"}, "a declaration or a rule", {
        "KIND", "NAME", "TENSE", "THEORY", "IMPORT", "SORT", "FRAME", "PERSISTS", "REPLIES", "EXAMPLE",
        "EXPECT", "PLAN", "LEMMA",
    }),
    ({"INTEGER", "LITERAL"}, "a number", {"INTEGER", "LITERAL"}),
    ({"COMPARE", "EQUAL"}, "a comparison", {"COMPARE", "EQUAL"}),
    ({"PLUS", "STAR"}, "`+`, `-`, `*` or `//`", {"PLUS", "MINUS", "STAR", "DIVIDE"}),
)  # fmt: skip
"""The tokens that must be expected for a group, its name, and all its members; widest first."""
_NAMES = {
    "NAME": "a name", "VARIABLE": "a `?variable`", "PARAMETER": "a `$parameter`", "WILDCARD": "`_`",
    "INTEGER": "an integer", "LITERAL": "a number",
    "QUOTED": "a quoted word", "PATH": "a text in double quotes", "COMMA": "`,`", "DOT": "`.`", "LPAR": "`(`",
    "RPAR": "`)`", "COLON": "`:`", "SEMICOLON": "`;`", "VBAR": "`|`", "EQUAL": "`=`",
    "COMPARE": "a comparison",
    "TENSE": "`before` or `after`", "TURN": "`alternates`, `fleeting`", "PLUS": "`+`", "MINUS": "`-`",
    "STAR": "`*`", "DIVIDE": "`//`", "IF": "`:-`",
    "ARROW": "`->`", "$END": "the end",
}  # fmt: skip


def explain(stop: ParseStop) -> Diagnostic:
    """Return the diagnostic for the error at which the parser stopped."""
    found = stop.found
    if is_foreign_comment(found):
        return explain_comment(found, stop.file)
    if found.type == "BAD":
        return unreadable(found, stop.following, place(found, stop.file))
    mistake = typical(stop)
    if mistake is not None:
        return mistake
    expected = f"expected {in_words(stop.accepts)}"
    if found is not END:
        return error("HB001", f"unexpected `{shown(found.text)}`", place(found, stop.file), expected)
    if not stop.tokens:
        span = Span(stop.file, 1, 1, 1, 1)
        return error("HB001", "the text is empty", span, "write a condition, such as `likes(anna, ?x)`")
    if "DOT" in stop.accepts:
        return no_period(stop.tokens[-1], stop.file)
    return error("HB001", "this ends too early", place_after(stop.tokens[-1], stop.file), expected)


def no_period(last: Token, file: str) -> Diagnostic:
    """Return HB002: the clause ends with `last` and not with a period."""
    span = place_after(last, file)
    fix = replace(write_before(span, "."), title="End the clause with `.`")
    return error("HB002", "the clause has no period at its end", span, "end it with `.`", (fix,))


def period_after(last: Token) -> Token:
    """Return the missing period after a token."""
    return Token("DOT", ".", last.line, last.end_column)


def is_foreign_comment(token: Token) -> bool:
    """Return whether a token is a comment of another language."""
    return token.type == "BAD" and token.text.startswith(("#", "//", "/*"))


def explain_comment(token: Token, file: str) -> Diagnostic:
    mark = token.text[0] if token.text.startswith("#") else token.text[:2]
    span = place(token, file)
    width = max(len(mark), len(token.text) - len(token.text.lstrip(mark[0])))
    fix = write_instead(span._replace(end_column=span.column + width), "%")
    return error("HB003", f"`{mark}` begins no comment", span, "a comment begins with `%`", (fix,))


def ending_of_an_import(token: Token, file: str) -> Diagnostic:
    help_line = "write the name alone: `import values.` finds `values.horn`"
    return error("HB001", "a theory is imported by its name, without ending", place(token, file), help_line)


def in_words(expected: frozenset[str]) -> str:
    """Return the expected types as a list in words, with related types grouped."""
    left, words = set(expected), []
    for needed, name, members in _GROUPS:
        if needed <= left:
            words.append(name)
            left -= members
    words += sorted(_NAMES.get(name, f"`{name.lower()}`") for name in left)
    return ", ".join(words[:-1]) + (" or " if len(words) > 1 else "") + words[-1] if words else "nothing more"
