"""Unfinished text: the partial word or argument at its end, before it can be parsed."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hornbook.kb.text.scanner import Token

_IN_QUOTES = re.compile(r"(?:[^']|'(?:[^']|'')*+')*+(?P<part>'(?:[^']|'')*+)")
"""A line that ends within a quoted word."""


def partial_word(text: str) -> str:
    """Return the partial word, quoted word or variable at the end of a text."""
    line = text.rpartition("\n")[2]
    quoted = _IN_QUOTES.fullmatch(line)
    if quoted is not None:
        return quoted["part"]
    start = len(line)
    while start and (line[start - 1].isalnum() or line[start - 1] == "_"):
        start -= 1
    return line[start - line[:start].endswith("?") :]


def open_argument(tokens: Sequence[Token]) -> tuple[str, int] | None:
    """Return the predicate and the number of the argument at the end of the text."""
    open_at: list[int] = []
    for index, token in enumerate(tokens):
        if token.type == "LPAR":
            open_at.append(index)
        elif token.type == "RPAR" and open_at:
            open_at.pop()
    if not open_at or open_at[-1] == 0 or not tokens[open_at[-1] - 1].text.isidentifier():
        return None
    depth = commas = 0
    for token in tokens[open_at[-1] + 1 :]:
        depth += (token.type == "LPAR") - (token.type == "RPAR")
        commas += token.type == "COMMA" and depth == 0
    return tokens[open_at[-1] - 1].text, commas
