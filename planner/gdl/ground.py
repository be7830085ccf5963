"""Ground terms of a game: conversion to and from text, and matching against patterns with variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hornbook.planner.gdl.flattening import Shape
from hornbook.planner.gdl.kif import Expression, KifList, KifVariable, KifWord

Ground = str | tuple["str | Ground", ...]
"""A ground term: a word, or the name of a function and its arguments."""


def text_of(term: Ground) -> str:
    """Return the term in KIF."""
    return term if isinstance(term, str) else f"({' '.join(map(text_of, term))})"


_WORTHS = {str(worth): worth for worth in range(101)}


def words_of(term: Ground) -> Iterator[str]:
    """Yield the words of a term's columns. Together with its shape they determine the term."""
    if isinstance(term, str):
        yield term
    else:
        for part in term[1:]:
            yield from words_of(part)


def worth_of(term: Ground) -> int | None:
    """Return the worth of a goal, or None for a term that is not an integer from 0 to 100."""
    return _WORTHS.get(term) if isinstance(term, str) else None


def term_of(shape: Shape, words: Iterator[str]) -> Ground:
    """Return the term of a shape that has these words."""
    return next(words) if not shape else (shape[0], *(term_of(part, words) for part in shape[1]))


def shape_of(term: Ground) -> Shape:
    """Return the shape of a term, which gives the positions of its functions."""
    return () if isinstance(term, str) else (str(term[0]), tuple(map(shape_of, term[1:])))


def columns_of(shapes: Sequence[Shape], terms: Sequence[Expression | None]) -> list[str | None] | None:
    """Return the words of terms of these shapes, with None for a variable or a missing term.

    The result is None if the terms have other shapes.
    """
    found: list[str | None] = []
    todo = list(zip(reversed(shapes), reversed(terms), strict=True)) if len(shapes) == len(terms) else None
    while todo:
        shape, term = todo.pop()
        if isinstance(term, KifWord):
            if shape:
                return None
            found.append(term.name)
        elif isinstance(term, KifList):
            if not shape or not _is_of(term, shape[0], len(shape[1])):
                return None
            todo += zip(reversed(shape[1]), reversed(term.items[1:]), strict=True)
        elif shape:
            todo += ((part, None) for part in reversed(shape[1]))
        else:
            found.append(None)
    return None if todo is None else found


def _is_of(term: KifList, function: str, arguments: int) -> bool:
    first = term.items[0]
    return isinstance(first, KifWord) and first.name == function and len(term.items) == arguments + 1


def ground_of(expression: Expression) -> Ground | None:
    """Return the term that an expression denotes, or None if it has a variable."""
    if isinstance(expression, KifWord):
        return expression.name
    if isinstance(expression, KifVariable):
        return None
    parts = [part for each in expression.items if (part := ground_of(each)) is not None]
    return tuple(parts) if len(parts) == len(expression.items) else None


def matches(pattern: Expression, term: Ground, binding: dict[str, Ground]) -> bool:
    """Return whether a term matches a pattern under `binding`, which is extended."""
    if isinstance(pattern, KifVariable):
        return binding.setdefault(pattern.name, term) == term
    if isinstance(pattern, KifWord):
        return pattern.name == term
    return (
        isinstance(term, tuple)
        and len(term) == len(pattern.items)
        and all(matches(part, inner, binding) for part, inner in zip(pattern.items, term, strict=True))
    )


def order_of(term: Ground) -> tuple[object, ...]:
    """Return the sort key of a term for display: numbers by size, words alphabetically."""
    if isinstance(term, str):
        return (0, int(term), "") if term.isdecimal() and len(term) < 10 else (1, 0, term)
    return (2, len(term), tuple(map(order_of, term)))
