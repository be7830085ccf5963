"""Parts of PDDL that domains and problems share: sections, names, lists of typed names, and mistakes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.kb.sources.diagnostics import Diagnostic, error
from hornbook.planner.gdl.kif import Expression, KifList, KifVariable, KifWord, read
from hornbook.planner.pddl.syntax import OBJECT, TypedName

UNSUPPORTED, MISPLACED, UNKNOWN, UNFIT, REPEATED, INCOMPLETE = (
    "HB111",
    "HB112",
    "HB113",
    "HB114",
    "HB115",
    "HB116",
)
"""The codes of the mistakes in a text of PDDL."""
_TOKEN = re.compile(r";.*|[()]|\?[^\s();?]*|[^\s();?]+")
"""A comment, a parenthesis, a variable or a word. A variable may follow a word without a space."""


class RefusedPartError(Exception):
    """A part that cannot be read. The rest of the text is read nevertheless."""

    def __init__(self, code: str, message: str, span: Span, help_: str) -> None:
        super().__init__(message)
        self.diagnostic = error(code, message, span, help_)


def definition(text: str, file: str) -> tuple[KifList | None, tuple[Diagnostic, ...]]:
    """Return the list `(define …)` of a text, with the errors that prevent its reading."""
    found, mistakes = read(text, file, begins=_begins_section, depth=1, tokens=_TOKEN)
    begin = Span(file, 1, 1, 1, 1)
    if not found:
        if mistakes:
            return None, mistakes
        help_ = "write `(define (domain NAME) …)`, or `(define (problem NAME) (:domain NAME) …)`"
        return None, (error(INCOMPLETE, "the file has no definition", begin, help_),)
    first = found[0]
    if not (isinstance(first, KifList) and first.items and is_word(first.items[0], "define")):
        help_ = "write `(define (domain NAME) …)`, or `(define (problem NAME) (:domain NAME) …)`"
        message = "a file of PDDL begins with `(define`"
        if isinstance(first, KifList) and first.items and is_word(first.items[0], "role", "<=", "init"):
            message = "this is a game in GDL, not a file of PDDL"
            help_ = "use `hornbook game check`, and the other commands of `hornbook game`"
        return None, (*mistakes, error(MISPLACED, message, first.span, help_))
    more = tuple(
        error(MISPLACED, "a file has one definition, and this follows it", each.span, "write another file")
        for each in found[1:2]
    )
    return first, (*mistakes, *more)


def _begins_section(word: str) -> bool:
    return word.startswith(":")


def is_word(expression: Expression, *names: str) -> bool:
    return isinstance(expression, KifWord) and expression.name in names


def shown(expression: Expression) -> str:
    """Return an expression as text."""
    if isinstance(expression, KifList):
        return f"({' '.join(map(shown, expression.items))})"
    return expression.written if isinstance(expression, KifWord) else f"?{expression.name}"


def headed(expression: Expression, what: str, form: str) -> tuple[KifWord, tuple[Expression, ...]]:
    """Return the word with which a list begins, and the rest. Raises RefusedPartError."""
    if isinstance(expression, KifList) and expression.items and isinstance(expression.items[0], KifWord):
        return expression.items[0], expression.items[1:]
    raise RefusedPartError(MISPLACED, f"{what} is a list that begins with a word", expression.span, form)


def name_of(expression: Expression, what: str) -> str:
    """Return the name that an expression is. Raises RefusedPartError."""
    if isinstance(expression, KifWord) and is_name(expression.name):
        return expression.name
    message = f"`{shown(expression)}` cannot be the name of {what}"
    help_ = "write a letter, and letters, digits, `-` and `_` after it"
    raise RefusedPartError(MISPLACED, message, expression.span, help_)


def is_name(word: str) -> bool:
    return word not in ("-", "=") and not word.startswith(":") and integer(word) is None


def integer(word: str) -> int | None:
    """Return the integer that a word is, also with a zero fraction, as in `3.0`, or None."""
    whole, _, fraction = word.partition(".")
    if whole.lstrip("-").isdigit() and whole.isascii() and whole.count("-") <= 1 and len(whole) <= 18:
        return int(whole) if not fraction.strip("0") and (whole[0] != "-" or whole[1:].isdigit()) else None
    return None


def typed_names(
    items: Sequence[Expression], what: str, mistakes: list[Diagnostic], *, variables: bool
) -> tuple[TypedName, ...]:
    """Return a list such as `?x ?y - block ?z`. A name without a type has the type `object`.

    An item that is no name is reported and left out.
    """
    found: list[TypedName] = []
    open_names: list[tuple[str, Span]] = []
    todo = iter(items)
    for each in todo:
        if is_word(each, "-"):
            of = next(todo, None)
            if of is None or not open_names:
                message = "a type follows `-`" if of is None else f"no {what} precedes this `-`"
                mistakes.append(error(MISPLACED, message, each.span, "write `NAME … - TYPE`"))
                if of is None:
                    break
                continue
            try:
                types = _types(of)
            except RefusedPartError as problem:
                mistakes.append(problem.diagnostic)
                types = (OBJECT,)
            found += [TypedName(name, types, span) for name, span in open_names]
            open_names = []
        elif variables and isinstance(each, KifVariable) and each.name:
            open_names.append((f"?{each.name}", each.span))
        elif variables:
            message = f"`{shown(each)}` is no variable"
            help_ = f"write `?{shown(each)}`" if isinstance(each, KifWord) else "write `?NAME`"
            mistakes.append(error(MISPLACED, message, each.span, help_))
        else:
            try:
                open_names.append((name_of(each, f"{_article(what)} {what}"), each.span))
            except RefusedPartError as problem:
                mistakes.append(problem.diagnostic)
    found += [TypedName(name, (OBJECT,), span) for name, span in open_names]
    return tuple(found)


def _article(noun: str) -> str:
    return "an" if noun[0] in "aeiou" else "a"


def _types(expression: Expression) -> tuple[str, ...]:
    if not isinstance(expression, KifList):
        return (name_of(expression, "a type"),)
    if len(expression.items) < 2 or not is_word(expression.items[0], "either"):
        help_ = "write the name of a type, or `(either TYPE TYPE)`"
        raise RefusedPartError(MISPLACED, "this is no type", expression.span, help_)
    return tuple(dict.fromkeys(name_of(each, "a type") for each in expression.items[1:]))


def repeated(names: Iterable[TypedName], what: str) -> Iterator[Diagnostic]:
    """Yield an error for each name that occurs again."""
    first: dict[str, Span] = {}
    for each in names:
        if each.name in first:
            message = f"the {what} `{each.name}` is declared again (first in line {first[each.name].line})"
            yield error(REPEATED, message, each.span, "delete it, or choose another name")
        first.setdefault(each.name, each.span)
