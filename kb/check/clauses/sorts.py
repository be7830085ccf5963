"""Sorts: each variable has one sort, and each constant belongs to the sort of its place.

A column that disagrees with the settled sort of a variable (kb/check/uses.py) is the mistake. Integer sorts
are compatible with plain integers but not with each other, in columns as well as in comparisons, additions
and sums.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from hornbook.kb.ast.declarations import INTEGER_SORT
from hornbook.kb.ast.notation import print_expression
from hornbook.kb.ast.terms import Condition, Constant, Rule, Span, Statement, Term, Variable
from hornbook.kb.ast.theory import Vocabulary
from hornbook.kb.check.check_unit import CheckUnit, empty_unit
from hornbook.kb.check.clauses.constants import misplaced, problem_of, right_text
from hornbook.kb.check.scopes import outermost
from hornbook.kb.check.units import DATE, NAMELESS, POINTS, TIME, WrongOperand, common, is_point, unlike
from hornbook.kb.check.uses import ScopedVariable, VariableUse, VariableUses, uses_of
from hornbook.kb.parse.vocabulary import declaration
from hornbook.kb.sources.diagnostics import Diagnostic, error, write_instead
from hornbook.kb.text.literals.forms import BadLiteralError, Form


def variable_sorts(rule: Rule, vocabulary: Vocabulary) -> dict[str, str]:
    """Return the sort of every variable of a rule, including local ones, as far as columns and arithmetic
    determine it.

    If two conditions have local variables of the same name and different sorts, the first counts. A
    calculated date, time or decimal number of no declared sort has the sort `int`.
    """
    scope = outermost(rule.body, [rule.head])
    sorts: dict[str, str] = {}
    for (_, name), sort in uses_of(rule.head, scope, empty_unit(vocabulary)).sorts.items():
        sorts.setdefault(name, INTEGER_SORT if sort in NAMELESS else sort)
    return sorts


def variable_forms(
    head: Statement | None, conditions: Sequence[Condition], vocabulary: Vocabulary
) -> dict[str, Form]:
    """Return the forms of the variables that are dates, times or decimal numbers."""
    unit = empty_unit(vocabulary)
    scope = outermost(tuple(conditions), [] if head is None else [head])
    forms = ((name, unit.form(sort)) for (_, name), sort in uses_of(head, scope, unit).sorts.items())
    return {name: form for name, form in forms if form is not None}


def check_sorts(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB013, HB014, HB017, HB019, HB036, HB047 and HB077."""
    given = [fact.head for fact in unit.facts]
    given += [each for example in unit.examples for each in example.statements]
    for statement in given:
        yield from misplaced(statement, unit)
    for prepared in unit.prepared_clauses():
        for statement in prepared.everything():
            yield from misplaced(statement, unit)
        yield from _mistakes(uses_of(prepared.head, prepared.scope, unit))


def _mistakes(uses: VariableUses) -> Iterator[Diagnostic]:
    conflicts: dict[int, list[tuple[ScopedVariable, VariableUse]]] = {}
    for scoped, several in uses.of.items():
        wrong = _disagreeing(several, uses.sorts[scoped], uses.unit)
        if wrong is not None:
            conflicts.setdefault(id(wrong.atom), []).append((scoped, wrong))
    for disagreeing in conflicts.values():
        yield _conflict(disagreeing, uses)
    for constant, sort, member in uses.excluded:
        yield from _found(problem_of(constant, sort, f"a member of `{member.predicate}`", uses.unit))
    for constant, scoped in uses.compared:
        yield from _found(problem_of(constant, uses.sorts.get(scoped, ""), f"`?{scoped[1]}`", uses.unit))
    yield from _not_integers(uses)
    yield from _never_equal(uses)
    yield from _mixed_units(uses)
    yield from _mixed_forms(uses)
    yield from _no_words(uses)


def _found(problem: Diagnostic | None) -> tuple[Diagnostic, ...]:
    return () if problem is None else (problem,)


# Columns that disagree


def _disagreeing(several: list[VariableUse], sort: str, unit: CheckUnit) -> VariableUse | None:
    """Return the first column of another sort."""
    integer = unit.is_integer(sort) and unit.form(sort) is None
    columns = (use for use in several if use.atom is not None and use.sort != sort)
    return next((use for use in columns if use.sort != INTEGER_SORT or not integer), None)


def _conflict(disagreeing: list[tuple[ScopedVariable, VariableUse]], uses: VariableUses) -> Diagnostic:
    """Return HB017 for variables whose sorts differ from those of their columns in one atom."""
    scoped, use = disagreeing[0]
    sort, atom = uses.sorts[scoped], use.atom
    assert atom is not None
    predicate = uses.unit.predicate(atom.predicate)
    declared = "" if predicate is None else f"it is declared `{declaration(predicate)}`"
    if len(disagreeing) > 1:
        names = " and ".join(f"`{other.variable.written}`" for _, other in disagreeing)
        message = f"{names} do not have the sorts that `{atom.predicate}` needs here"
        help_ = f"are its arguments in the right order? {declared}".strip()
        return error("HB017", message, atom.span, help_)
    other = next(u for u in uses.of[scoped] if u.sort == sort and u.atom is not None)
    assert other.atom is not None
    seen = f"in `{other.atom.predicate}` ({_place(other.variable.span, use.variable.span)})"
    message = f"`{use.variable.written}` is a `{use.sort}` in `{atom.predicate}` but a `{sort}` {seen}"
    way_out = _mixed_sort_help(sort, use.sort, uses.unit) or "use another variable"
    help_ = "; ".join(part for part in (way_out, declared) if part)
    return error("HB017", message, use.variable.span, help_)


def _place(span: Span, seen_from: Span) -> str:
    return f"column {span.column}" if span.line == seen_from.line else f"line {span.line}"


# Comparisons and calculations


def _not_integers(uses: VariableUses) -> Iterator[Diagnostic]:
    """Yield HB019 for the first word in each comparison or calculation of integers, once for each
    variable.
    """
    reported: set[ScopedVariable] = set()
    for terms in uses.calculated:
        for term, scoped in terms:
            if isinstance(term, Constant) and isinstance(term.value, str):
                yield _word_in_a_calculation(term.value, term.span)
                break
            if scoped is not None and not uses.unit.is_integer(sort := uses.sorts[scoped]):
                if scoped not in reported:
                    also = ", which has words too" if uses.unit.is_mixed(sort) else ""
                    yield _not_a_number(_what_it_is(term, sort, also), term.span)
                reported.add(scoped)
                break


def _what_it_is(term: Term, sort: str, also: str) -> str:
    if isinstance(term, Variable) and term.calculation is not None:
        return f"`{term.written}` stands where a `{sort}`{also} does"
    return f"`{term.written if isinstance(term, Variable) else term.value}` is a `{sort}`{also}"


def _word_in_a_calculation(word: str, span: Span) -> Diagnostic:
    """Return HB019 for a word. A quoted date or time is written without quotes."""
    for form in (DATE, TIME):
        with suppress(BadLiteralError):
            right = str(form.of_text(word))
            return _not_a_number(f"`{word}` is a word", span, right)
    return _not_a_number(f"`{word}` is a word", span)


def _not_a_number(what: str, span: Span, right: str = "") -> Diagnostic:
    """Return HB019. `right` is the date or time that is probably meant."""
    message = f"{what}, and only numbers, dates and times are ordered and calculated with"
    if right:
        return error(
            "HB019", message, span, f"write `{right}`, without quotes", (write_instead(span, right),)
        )
    return error("HB019", message, span, "words are compared with `=` and `!=`")


def _never_equal(uses: VariableUses) -> Iterator[Diagnostic]:
    """Yield HB019 for comparisons of values of two sorts."""
    for comparison in uses.unlike:
        yield _unlike("a word and an integer", comparison.span)
    for one, other, comparison in uses.equal:
        first, second = uses.sorts.get(one), uses.sorts.get(other)
        if first is None or second is None or first == second:
            continue
        if not (uses.unit.is_integer(first) and uses.unit.is_integer(second)):
            what = f"`?{one[1]}` is a `{first}` and `?{other[1]}` a `{second}`"
            help_ = _mixed_sort_help(first, second, uses.unit)
            yield _unlike(what, comparison.span, help_ or "compare things of one sort")


def _unlike(what: str, span: Span, help_: str = "compare things of one sort") -> Diagnostic:
    return error("HB019", f"{what}: they are never equal", span, help_)


def _mixed_sort_help(first: str, second: str, unit: CheckUnit) -> str:
    """Return a suggestion if one of two sorts is mixed, or else an empty text."""
    mixed = next((sort for sort in (first, second) if unit.is_mixed(sort)), None)
    if mixed is None:
        return ""
    return f"declare both columns as `{mixed}`: a sort of words and integers goes with itself alone"


# Calculated words


def _no_words(uses: VariableUses) -> Iterator[Diagnostic]:
    """Yield HB062 for operands and results of word functions that are of another sort."""
    for side in uses.no_numbers:
        message = f"`{print_expression(side)}` is a word, and stands where a number belongs"
        yield error("HB062", message, side.span, "`length` and `int` give numbers of words")
    for term, scoped in uses.spelled:
        if isinstance(term, Constant):
            if isinstance(term.value, int):
                yield error(
                    "HB062", f"`{term.value}` is a number, {_NEEDED}", term.span, f"write `'{term.value}'`"
                )
            continue
        sort = "" if scoped is None else uses.sorts.get(scoped, "")
        if uses.unit.is_integer(sort):
            help_line = f"`word(?{term.name})` is the word that is written like it"
            yield error(
                "HB062", f"`?{term.name}` is a number (sort `{sort}`), {_NEEDED}", term.span, help_line
            )
        elif uses.unit.is_mixed(sort):
            message = f"`?{term.name}` is a `{sort}`, which has integers too, {_NEEDED}"
            yield error("HB062", message, term.span, "give the word a column of its own, of a sort of words")
    for variable, scoped in uses.given_words:
        sort = uses.sorts.get(scoped, "")
        declared = uses.unit.vocabulary.sorts.get(sort)
        if declared is not None and declared.kind == "enumerated":
            message = (
                f"`?{variable.name}` is a `{sort}`, and a word that is calculated may be no constant of it"
            )
            help_line = f"take words of an open sort, and say by facts which `{sort}` each of them stands for"
            yield error("HB062", message, variable.span, help_line)


_NEEDED = "and a word is needed here"


# Units


def _mixed_units(uses: VariableUses) -> Iterator[Diagnostic]:
    """Yield HB047 for the first variable of another unit in each comparison, sum or aggregate."""
    for together in uses.measured:
        measures = ((variable, uses.sorts.get(scoped, INTEGER_SORT)) for variable, scoped in together)
        known = [
            (v, measure)
            for v, measure in measures
            if measure != INTEGER_SORT and uses.unit.is_integer(measure)
        ]
        if not known:
            continue
        first, measure = known[0]
        for variable, other in known:
            if other != measure and uses.unit.form(other) is None:
                message = (
                    f"`{variable.written}` is in `{other}` and `{first.written}` in `{measure}`, which "
                    "are not mixed"
                )
                yield error("HB047", message, variable.span, _ONE_UNIT)
                break


# Forms


def _mixed_forms(uses: VariableUses) -> Iterator[Diagnostic]:
    """Yield HB077 for calculations and comparisons of values whose forms do not go together."""
    found: list[WrongOperand] = []
    for left, right in uses.equations:
        one, other = (uses.measure(side, report=found.append) for side in (left, right))
        if one is None or other is None:
            continue
        if one.form != other.form:
            wrong, form = (left, other.form) if isinstance(left.expression, Constant) else (right, one.form)
            measures = (other, one) if wrong is left else (one, other)
            found.append(
                WrongOperand(wrong.expression, *unlike(*measures), right_text(wrong.expression, form))
            )
        elif one.form is not None and common(one, other) != common(other, one):
            message = f"this is {other.described}, and the other is {one.described}"
            found.append(WrongOperand(right.expression, message, "compare and add values of one sort"))
    for scoped in uses.summed:
        known = uses.measure(scoped)
        if known is not None and is_point(known):
            found.append(WrongOperand(scoped.expression, f"{known.described} is not added up", POINTS))
    for scoped in uses.counted:
        known = uses.measure(scoped)
        if known is not None and known.form is not None:
            found.append(WrongOperand(scoped.expression, f"a count is never {known.described}", _COUNT))
    for each in dict.fromkeys(found):
        if each.instead is None:
            yield error("HB077", each.message, each.operand.span, each.help)
        else:
            fix = write_instead(each.operand.span, each.instead)
            yield error("HB077", each.message, each.operand.span, f"write `{each.instead}`", (fix,))


_COUNT = "a count is an integer; multiply it by a number such as `1.00`"
_ONE_UNIT = "compare and add values of one unit; a product or a quotient is a plain integer"
