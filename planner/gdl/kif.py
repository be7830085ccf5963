"""KIF, the notation of GDL: a text becomes expressions, each with its place.

An expression is a word, a variable, or a list of expressions in parentheses. A comment goes from `;` to the
end of its line. KIF ignores case: the `name` of a word is in lower case, and `written` is its spelling in the
text. No function here is recursive, because a text may have a hundred thousand open parentheses.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import field

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass

MAX_NESTING = 100
"""The maximal nesting depth of lists."""
MAX_TEXT = 64 * 1024 * 1024
"""The maximal number of characters in one file."""
MAX_MISTAKES = 200
"""The maximal number of errors that are reported for one sheet."""

RULE = "<="
"""The word with which a rule begins."""
TOKEN = re.compile(r";.*|[()]|[^\s();]+")


@dataclass(frozen=True, slots=True)
class KifWord:
    """A constant, or the name of a relation or function."""

    name: str
    span: Span = field(compare=False, repr=False)
    written: str = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KifVariable:
    """A variable; `name` omits the mark `?`."""

    name: str
    span: Span = field(compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class KifList:
    """A list, whose place goes from its opening parenthesis to its closing one."""

    items: tuple[Expression, ...]
    span: Span = field(compare=False, repr=False)


Expression = KifWord | KifVariable | KifList


@dataclass(slots=True)
class _Open:
    """A list that is not closed yet."""

    span: Span
    items: list[Expression] = field(default_factory=list)


def read(
    text: str,
    file: str,
    begins: Callable[[str], bool] = RULE.__eq__,
    depth: int = 0,
    tokens: re.Pattern[str] = TOKEN,
) -> tuple[tuple[Expression, ...], tuple[Diagnostic, ...]]:
    """Return the outermost expressions of a text, and errors: unmatched parentheses, and exceeded maxima.

    `begins` is whether a word begins a list that only occurs within exactly `depth` others. In GDL these are
    the rules. A list that is not closed ends before the next one of these, and the result omits it. `tokens`
    matches comments, parentheses, words and variables. Reading stops at MAX_MISTAKES errors, or at a list
    that is nested too deep.
    """
    if len(text) > MAX_TEXT:
        span = Span(file, 1, 1, 1, 1)
        return (), (error("HB004", f"the file has more than {MAX_TEXT:,} characters", span),)
    found: list[Expression] = []
    mistakes: list[Diagnostic] = []
    open_lists: list[_Open] = []
    for token, span in _tokens(text, file, tokens):
        if len(mistakes) >= MAX_MISTAKES:
            break
        if len(open_lists) > depth + 1 and not open_lists[-1].items and begins(token):
            mistakes.append(_unclosed(open_lists[depth:]))
            del open_lists[depth:-1]  # the list that begins here stays open
        if token == "(":  # noqa: S105 - not a password, but a part of the text
            if len(open_lists) == MAX_NESTING:
                mistakes.append(
                    error(
                        "HB004",
                        f"nested more than {MAX_NESTING} deep",
                        span,
                        "close some parentheses, or name a part",
                    )
                )
                return tuple(found), tuple(mistakes)
            open_lists.append(_Open(span))
            continue
        if token == ")":  # noqa: S105 - likewise
            if not open_lists:
                mistakes.append(error("HB101", "this parenthesis closes nothing", span, "delete it"))
                continue
            closed = open_lists.pop()
            whole = Span(file, closed.span.line, closed.span.column, span.end_line, span.end_column)
            expression: Expression = KifList(tuple(closed.items), whole)
        elif token.startswith("?"):
            expression = KifVariable(token[1:].lower(), span)
        else:
            expression = KifWord(token.lower(), span, token)
        (open_lists[-1].items if open_lists else found).append(expression)
    if open_lists:
        mistakes.append(_unclosed(open_lists))
    return tuple(found), tuple(mistakes)


def _tokens(text: str, file: str, tokens: re.Pattern[str]) -> Iterator[tuple[str, Span]]:
    for number, line in enumerate(lines_of(text), 1):
        for match in tokens.finditer(line):
            if not match.group().startswith(";"):
                yield match.group(), Span(file, number, match.start() + 1, number, match.end() + 1)


def _unclosed(open_lists: list[_Open]) -> Diagnostic:
    """Report the outermost open list: the inner ones took its closing parentheses."""
    return error(
        "HB101", "this parenthesis is never closed", open_lists[0].span, "add `)` where the list ends"
    )
