"""Functions on words and integers. A function without a value makes the condition false.

Characters are Unicode characters, counted from 1. No function returns the empty word, since tables cannot
contain it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hornbook.kb.ast.terms import MAX_INTEGER, MIN_INTEGER
from hornbook.matcher.program.errors import EngineError

Value = str | int
MOST_CHARACTERS = 1_000_000
"""The maximum length of a computed word. It stops rules that make words longer and longer."""


class TooLongWordError(EngineError):
    """A function would return a word of more than MOST_CHARACTERS."""

    def __init__(self) -> None:
        super().__init__(f"a word would have more than {MOST_CHARACTERS:,} characters; a rule may not end")


def _concat(*words: str) -> str:
    if sum(map(len, words)) > MOST_CHARACTERS:
        raise TooLongWordError
    return "".join(words)


def _part(word: str, first: int, last: int) -> str | None:
    return word[first - 1 : last] if 1 <= first <= last <= len(word) else None


def _split(word: str, between: str, number: int) -> str | None:
    pieces = word.split(between) if between else []
    return pieces[number - 1] if 1 <= number <= len(pieces) else None


def _integer(word: str) -> int | None:
    digits = word.removeprefix("-")
    # int() raises an error of its own for thousands of digits.
    if not (digits.isascii() and digits.isdigit() and len(digits) <= 4000):
        return None
    value = int(word)
    return value if MIN_INTEGER <= value <= MAX_INTEGER else None


def _matches(word: str, pattern: str) -> int:
    """Return whether a word matches a pattern. There, `*` is any text and `?` is one character.

    Only the last `*` is retried, so the time is at most proportional to the product of both lengths.
    """
    place = at = tried = 0
    star = -1
    while place < len(word):
        if at < len(pattern) and pattern[at] == "*":
            star, tried, at = at, place, at + 1
        elif at < len(pattern) and pattern[at] in ("?", word[place]):
            place, at = place + 1, at + 1
        elif star >= 0:
            tried += 1
            place, at = tried, star + 1
        else:
            return 0
    return int(all(each == "*" for each in pattern[at:]))


OF_WORDS: Mapping[str, Callable[..., Value | None]] = {
    "length": len,
    "concat": _concat,
    "part": _part,
    "split": _split,
    "upper": str.upper,
    "lower": str.lower,
    "starts_with": lambda word, start: int(word.startswith(start)),
    "ends_with": lambda word, end: int(word.endswith(end)),
    "contains": lambda word, inside: int(inside in word),
    "matches": _matches,
    "int": _integer,
    "word": str,
}
"""The functions by name. Their operands and results are declared in kb/ast/operators.py."""


def value_of(name: str, operands: tuple[Value, ...]) -> Value | None:
    """Return the value of a word function, or None. Raises TooLongWordError."""
    found = OF_WORDS[name](*operands)
    return None if found == "" else found
