"""Error recovery: the end of a clause without a period, and the point where parsing continues after a
mistake.

A clause visibly begins with a declaration keyword and a name, with a label, or at the start of a line that is
not further right than the preceding clause. The last sign does not count if the body of that clause is not
indented.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

from hornbook.kb.text.scanner import DECLARING, KEYWORDS, MARKS, Token

_UNFINISHED = frozenset(MARKS) - {")", ".", "?-"}
_LOOK_AHEAD = 400
"""The number of tokens that are searched for the `:-` of a rule."""


def next_clause_before(tokens: Sequence[Token], stop: int) -> int | None:
    """Return the index of a token that visibly begins a clause on the line of the error, up to the error, or
    None.
    """
    if stop >= len(tokens):
        return None
    index = stop
    while index > 0 and tokens[index - 1].line == tokens[index].line:
        index -= 1
    depth = sum((token.type == "LPAR") - (token.type == "RPAR") for token in tokens[:index])
    begins = index > 0 and _begins_a_clause(tokens, index, depth, _flat_from(tokens, index))
    return index if begins else None


def next_clause_after(tokens: Sequence[Token], stop: int) -> int:
    """Return the index of the token that visibly begins a clause after a mistake, or the number of tokens."""
    flat_from, depth = _flat_from(tokens, stop), 0
    for index in range(stop + 1, len(tokens)):
        before = tokens[index - 1]
        depth += (before.type == "LPAR") - (before.type == "RPAR")
        if tokens[index].line != before.line and _begins_a_clause(tokens, index, depth, flat_from):
            return index
    return len(tokens)


def _begins_a_clause(tokens: Sequence[Token], index: int, depth: int, flat_from: int) -> bool:
    """Return whether a clause begins with a token that is the first of its line, inside `depth`
    parentheses.
    """
    token, before = tokens[index], tokens[index - 1]
    following = tokens[index + 1] if index + 1 < len(tokens) else None
    if following is not None and following.line == token.line and _is_word(token):
        if KEYWORDS.get(token.text) in DECLARING and _is_word(following):
            return True
        if following.type == "COLON":
            return True
    if token.column > tokens[0].column or not _is_word(token) or (index == 2 and before.type == "COLON"):
        return False
    if index > flat_from:
        return _holds_a_rule(tokens, index)
    return depth > 0 or before.text not in _UNFINISHED


def _is_word(token: Token) -> bool:
    return token.text.isidentifier() and token.text != "_"


def _flat_from(tokens: Sequence[Token], end: int) -> int:
    """Return the first token of the first line of the body if that is not indented, or else a number beyond
    all tokens.

    The body is searched before `end`, and its first line soon after that.
    """
    opening = next((i for i in range(min(end, len(tokens))) if tokens[i].type == "IF"), None)
    if opening is not None:
        for i in range(opening + 1, min(end + _LOOK_AHEAD, len(tokens))):
            if tokens[i].line != tokens[i - 1].line:
                return i if tokens[i].column <= tokens[0].column else sys.maxsize
    return sys.maxsize


def _holds_a_rule(tokens: Sequence[Token], index: int) -> bool:
    """Return whether a `:-` follows before the next period."""
    for token in tokens[index : index + _LOOK_AHEAD]:
        if token.type in ("IF", "DOT"):
            return token.type == "IF"
    return False
