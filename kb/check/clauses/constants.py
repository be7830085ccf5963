"""Constants: each must belong to the sort of its column."""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.declarations import VALUE_SORT, Sort
from hornbook.kb.ast.terms import Constant, Expression, GameStatement, Statement
from hornbook.kb.ast.values import is_value
from hornbook.kb.check.check_unit import CheckUnit, parts
from hornbook.kb.sources.diagnostics import (
    Diagnostic,
    did_you_mean,
    error,
    spelling_fixes,
    write_instead,
)
from hornbook.kb.text.literals.forms import BadLiteralError, Form
from hornbook.kb.text.literals.values import DecimalValue

SHOWN = 6
"""The maximum number of constants of a sort in a message."""


def misplaced(statement: Statement, unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB013, HB014 and HB036 for the constants of a statement."""
    for atom in parts(statement):
        predicate = unit.fits(atom)
        if predicate is None:
            continue
        for number, (term, column) in enumerate(zip(atom.arguments, predicate.columns, strict=True), 1):
            if isinstance(term, Constant):
                place = f"argument {number} of `{atom.predicate}`"
                problem = problem_of(term, column.name, place, unit)
                if problem is not None:
                    yield problem
    if isinstance(statement, GameStatement) and isinstance(statement.value, Constant):
        predicate = unit.predicate(statement.game.predicate)
        if (predicate is None or predicate.kind == "game") and not is_value(str(statement.value.value)):
            yield _no_value(statement.value)


def problem_of(constant: Constant, sort_name: str, place: str, unit: CheckUnit) -> Diagnostic | None:
    """Return the diagnostic for a constant in a place of a sort, or None."""
    sort = unit.vocabulary.sorts.get(sort_name)
    if sort is None:
        return None
    value = constant.value
    if sort.name == VALUE_SORT:
        return None if is_value(str(value)) else _no_value(constant)
    if sort.kind == "mixed":
        return _of_another_form(constant, sort, place) if isinstance(value, int) else None
    if sort.kind == "integer":
        if isinstance(value, int):
            return _of_another_form(constant, sort, place)
        return _word_instead_of_a_number(constant, sort, place)
    if isinstance(value, int):
        message = f"`{value}` is an integer, but {place} is a word (sort `{sort_name}`)"
        return error("HB013", message, constant.span, _word_instead(value, sort))
    if sort.kind == "open" or value in unit.constants[sort_name]:
        return None
    near = did_you_mean(value, sort.constants)
    message = f"`{value}` is not a constant of the sort `{sort_name}`"
    fixes = spelling_fixes(constant.span, value, sort.constants)
    return error("HB014", message, constant.span, near or f"its constants are {listed(sort)}", fixes)


def _of_another_form(constant: Constant, sort: Sort, place: str) -> Diagnostic | None:
    """Return HB013 for an integer, date, time or decimal number in a place of another form, or None."""
    value, form = constant.value, sort.form
    if type(value) is (int if form is None else form.number):
        return None
    expected = "an integer" if form is None else form.described
    message = f"`{value}` stands where {place} is {expected} (sort `{sort.name}`)"
    right = right_text(constant, form)
    if right is None:
        return error("HB013", message, constant.span, f"write {expected}")
    return error("HB013", message, constant.span, f"write `{right}`", (write_instead(constant.span, right),))


def right_text(expression: Expression, form: Form | None) -> str | None:
    """Return the text of a number as an integer or with as many digits as a form of decimal numbers has, or
    None.
    """
    if not isinstance(expression, Constant):
        return None
    if form is None:
        whole, point, part = str(expression.value).partition(".")
        return whole if point and isinstance(expression.value, DecimalValue) and not part.strip("0") else None
    value = expression.value
    if form.is_point:
        return None
    if isinstance(value, DecimalValue) and type(value) is not form.number and form.kind not in value.kind:
        return None
    try:
        return str(form.of_text(str(value)))
    except BadLiteralError:
        return None


def _word_instead_of_a_number(constant: Constant, sort: Sort, place: str) -> Diagnostic:
    """Return HB013 for a word in a place of integers, dates, times or decimal numbers."""
    expected = "an integer" if sort.form is None else sort.form.described
    message = f"`{constant.value}` is a word, but {place} is {expected} (sort `{sort.name}`)"
    try:
        right = None if sort.form is None else str(sort.form.of_text(str(constant.value)))
    except BadLiteralError:
        right = None
    if right is None:
        return error(
            "HB013", message, constant.span, f"write {expected} or a variable, which begins with `?`"
        )
    return error("HB013", message, constant.span, f"write `{right}`", (write_instead(constant.span, right),))


def listed(sort: Sort) -> str:
    """Return the constants of an enumerated sort in words. A long list is abbreviated."""
    shown = [f"`{constant}`" for constant in sort.constants[:SHOWN]]
    more = len(sort.constants) - len(shown)
    if more:
        return f"{', '.join(shown)} and {more} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def _word_instead(value: int, sort: Sort) -> str:
    if sort.kind == "enumerated":
        return f"its constants are {listed(sort)}"
    return f"quote it, `'{value}'`, or declare `sort {sort.name} = int.`, or `= word | int.` for both"


def _no_value(constant: Constant) -> Diagnostic:
    word = str(constant.value)
    message = f"`{word}` is not the value of a game"
    upper = word.upper()
    if is_value(upper):
        fix = write_instead(constant.span, upper)
        return error("HB036", message, constant.span, f"did you mean `{upper}`?", (fix,))
    help_ = "a value is one, two or four of the letters G (won), I (unknown) and P (lost)"
    return error("HB036", message, constant.span, help_)
