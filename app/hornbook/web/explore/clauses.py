"""Text of the language as HTML: each token with the class of its colour, each predicate with a link."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator

from markupsafe import Markup, escape
from pygments.token import STANDARD_TYPES, Token, _TokenType

from hornbook.kb.format.pygments_lexer import HornLexer
from hornbook.kb.text.escaping import visible

_LEXER = HornLexer(stripnl=False, ensurenl=False)


def clause_html(text: str, predicates: Container[str], link: Callable[[str], str]) -> Markup:
    """Return a text with syntax colours; `link` returns the page of a predicate."""
    return Markup("").join(_pieces(text, predicates, link))


def lines_html(text: str, predicates: Container[str], link: Callable[[str], str]) -> list[Markup]:
    """Return the coloured lines of a text; no token spans several lines."""
    lines = [Markup("")]
    for piece in _pieces(text, predicates, link):
        first, *others = piece.split("\n")
        lines[-1] += first
        lines += map(Markup, others)
    return lines


def _pieces(text: str, predicates: Container[str], link: Callable[[str], str]) -> Iterator[Markup]:
    for kind, value in _LEXER.get_tokens(visible(text)):
        escaped = escape(value)
        if kind is Token.Name.Function and value in predicates:
            yield Markup('<a class="nf" href="{}">{}</a>').format(link(value), escaped)
        elif name := _class(kind):
            yield Markup('<span class="{}">{}</span>').format(name, escaped)
        else:
            yield escaped


def _class(kind: _TokenType) -> str:
    """Return the short name of a kind of token; empty for plain text and blanks."""
    return "" if kind is Token.Text.Whitespace else STANDARD_TYPES.get(kind, "")
