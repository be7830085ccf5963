"""Closed sets: the sets in `all` and `count`, their listed variables, and the declarations that close a set.

A declaration such as `fluent COUNT(key -> int) counts SET.` closes the set, and `COUNT` is its *counter*. A
declaration with `but` leaves members out of its count and closes no set. A condition over a set lists exactly
the columns of the set after its key. Listed variables are local.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import Predicate, SortName
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.check.scopes import VariableScope
from hornbook.kb.parse.vocabulary import declaration, kind_of
from hornbook.kb.sources.diagnostics import Diagnostic, did_you_mean, error, spelling_fixes
from hornbook.kb.text.counts import counted

COUNTING_KINDS = ("static", "fluent", "derived")
"""The kinds of predicates that can count a set, or be counted."""


def check_sets(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB031, HB032 and HB033."""
    yield from _declarations(unit)
    for prepared in unit.prepared_clauses():
        for inner in prepared.scope.all_inner():
            if isinstance(inner.opener, t.All | t.CountIn) or prepared.absence_allowed:
                problem = _condition_error(inner, unit)
                if problem is not None:
                    yield problem


def ranges_over_closed_sets(inner: VariableScope, unit: CheckUnit) -> bool:
    """Return whether an `all` or `count` ranges over closed sets and lists the right variables.

    `inner` is the scope that this condition opens.
    """
    opener = inner.opener
    assert opener is not None
    for member in t.member_atoms(opener):
        if unit.fits(member) is None or closing_counter(member.predicate, unit) is None:
            return False
    return _condition_error(inner, unit) is None


# Conditions


def _condition_error(inner: VariableScope, unit: CheckUnit) -> Diagnostic | None:
    """Return the first mistake in a condition with listed variables, or None.

    Mistakes in declarations are reported elsewhere.
    """
    opener = inner.opener
    if opener is None or isinstance(opener, t.Absent):
        return None
    listed = t.listed_variables(opener)
    wrong = _listing_error(listed, inner)
    if wrong is None and isinstance(opener, t.Aggregate):
        return _aggregate_error(opener, unit)
    for member in t.member_atoms(opener):
        wrong = wrong or _member_error(member, opener, listed, unit)
    if wrong is None and isinstance(opener, t.CountIn) and opener.excluded and len(listed) > 1:
        message = "only members of one column can be left out of a count"
        wrong = error("HB032", message, opener.excluded[0].span, "count the set without `but`")
    return wrong


def _listing_error(listed: tuple[t.Variable, ...], inner: VariableScope) -> Diagnostic | None:
    """Return the first mistake among the listed variables of a condition: each is new, and listed once."""
    names: set[str] = set()
    for variable in listed:
        if variable.is_wildcard:
            return error("HB032", "a wildcard cannot be listed", variable.span, "give the column a variable")
        if variable.name in names:
            return error(
                "HB032", f"`?{variable.name}` is listed twice", variable.span, "list each variable once"
            )
        names.add(variable.name)
    if inner.hiding:
        variable = inner.hiding[0]
        message = f"`?{variable.name}` is listed here, so it is not the `?{variable.name}` outside"
        return error("HB032", message, variable.span, "list a variable of another name")
    return None


def _aggregate_error(aggregate: t.Aggregate, unit: CheckUnit) -> Diagnostic | None:
    """Return the mistake of a `sum`, `min` or `max` that lists several variables, or None."""
    if aggregate.function == "count" or len(aggregate.variables) == 1:
        return None
    message = f"`{aggregate.function}` is of one variable, not of {len(aggregate.variables)}"
    numbers = {
        term
        for atom in t.statements(aggregate.conditions)
        if isinstance(atom, t.Atom) and (predicate := unit.fits(atom)) is not None
        for term, column in zip(atom.arguments, predicate.columns, strict=True)
        if unit.is_integer(column.name)
    }
    chosen = next((each for each in aggregate.variables if each in numbers), aggregate.variables[0])
    help_ = (
        f"write `{aggregate.function} ?{chosen.name} where …`; every answer counts, those with equal "
        "numbers too"
    )
    return error("HB032", message, aggregate.variables[1].span, help_)


def _member_error(
    member: t.Atom, opener: t.Condition, listed: tuple[t.Variable, ...], unit: CheckUnit
) -> Diagnostic | None:
    """Return the first mistake in one set of an `all` or `count`: it is closed, and its members are the
    listed variables, in order.
    """
    predicate = unit.fits(member)
    if predicate is None:
        return None
    counter = closing_counter(member.predicate, unit)
    if counter is None:
        # If a counting declaration for the set exists but does not fit, that declaration is the mistake.
        return None if member.predicate in unit.counters else _not_closed(member, predicate, opener)
    closed = f"it is closed by `{declaration(counter)}`"
    assert counter.key is not None
    key, own = member.arguments[: counter.key], member.arguments[counter.key :]
    if len(own) != len(listed):
        message = f"`{member.predicate}` has {counted(len(own), 'column')} after its key, not {len(listed)}"
        return error("HB032", message, listed[0].span, closed)
    for term, variable in zip(own, listed, strict=True):
        if term != variable:
            message = (
                f"the members of `{member.predicate}` are listed as `?{variable.name}`, so it must stand here"
            )
            return error("HB032", message, term.span, closed)
    for term in key:
        if term in listed:
            assert isinstance(term, t.Variable)
            message = f"the key of `{member.predicate}` cannot be the member `?{term.name}`"
            return error("HB032", message, term.span, closed)
    return None


def _not_closed(member: t.Atom, predicate: Predicate, opener: t.Condition) -> Diagnostic:
    name = member.predicate
    kind = predicate.kind if predicate.kind in COUNTING_KINDS else "fluent"
    key = ", ".join(column.name for column in predicate.columns[:-1]) or "…"
    help_ = f"declare what counts it, such as `{kind} count_of_{name}({key} -> int) counts {name}.`"
    if isinstance(opener, t.CountIn):
        help_ += f"; `count … where {name}(…)` counts its known facts"
    return error(
        "HB031", f"`{name}` is not a closed set: no fact states how many members it has", member.span, help_
    )


# Declarations


def _declarations(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB033 for each declaration with `counts` that has a mistake."""
    for predicate in unit.predicates:
        if predicate.counts is not None:
            problem = _counter_error(predicate, predicate.counts.name, unit)
            if problem is not None:
                yield problem


def _counter_error(counter: Predicate, name: str, unit: CheckUnit) -> Diagnostic | None:
    """Return the first mistake in the declaration `counter counts name`, or None."""
    assert counter.counts is not None
    place = counter.counts.span
    closed = unit.predicate(name)
    if closed is None:
        if unit.broken.declares("predicate", name):
            return None
        help_ = did_you_mean(name, unit.vocabulary.predicates) or f"declare `{name}`"
        fixes = spelling_fixes(place, name, unit.vocabulary.predicates)
        return error("HB033", f"`{counter.name}` counts the unknown predicate `{name}`", place, help_, fixes)
    problem = _kind_error(counter, closed) or _shape_error(counter, closed, unit)
    if counter.but is not None:
        return problem or _exclusion_error(counter, counter.but, closed, unit)
    first = closing_counter(name, unit)
    if problem is None and first is not None and first.name != counter.name:
        message = f"`{name}` is already counted by `{first.name}`"
        return error("HB033", message, place, f"it is declared `{declaration(first)}`")
    return problem


def _exclusion_error(
    counter: Predicate, excluded: SortName, closed: Predicate, unit: CheckUnit
) -> Diagnostic | None:
    """Return the first mistake about the predicate after `but`, whose values a count leaves out, or None."""
    name, place = excluded.name, excluded.span
    predicate = unit.predicate(name)
    member = closed.columns[-1].name
    help_declare = f"declare `static {name}({member}).`"
    if predicate is None:
        if unit.broken.declares("predicate", name):
            return None
        help_ = did_you_mean(name, unit.vocabulary.predicates) or help_declare
        fixes = spelling_fixes(place, name, unit.vocabulary.predicates)
        message = f"`{counter.name}` leaves out the unknown predicate `{name}`"
        return error("HB033", message, place, help_, fixes)
    declared = f"it is declared `{declaration(predicate)}`"
    if closed.arity != counter.arity:
        message = f"`{counter.name}` can leave out members of one column only"
        return error("HB033", message, place, f"`{closed.name}` is declared `{declaration(closed)}`")
    if predicate.kind != "static":
        message = f"`{name}` is {kind_of(predicate)}, and a count excludes only values that a static names"
        return error("HB033", message, place, help_declare)
    if predicate.arity != 1:
        message = (
            f"`{name}` has {counted(predicate.arity, 'column')}, and a count excludes only values that "
            "one column names"
        )
        return error("HB033", message, place, declared)
    if (
        predicate.columns[0].name != member
        and {member, predicate.columns[0].name} <= unit.vocabulary.sorts.keys()
    ):
        message = (
            f"`{name}` names a `{predicate.columns[0].name}`, and a member of `{closed.name}` is a `{member}`"
        )
        return error("HB033", message, place, declared)
    return None


def closing_counter(name: str, unit: CheckUnit) -> Predicate | None:
    """Return the predicate that counts a set: the first one with a fitting declaration, or None."""
    closed = unit.predicate(name)
    if closed is None:
        return None
    for counter in unit.counters.get(name, ()):
        if _kind_error(counter, closed) is None and _shape_error(counter, closed, unit) is None:
            return counter
    return None


def _kind_error(counter: Predicate, closed: Predicate) -> Diagnostic | None:
    """Return the mistake in the kinds of a counter and its set, or None."""
    assert counter.counts is not None
    for predicate, span in ((counter, counter.span), (closed, counter.counts.span)):
        if predicate.kind not in COUNTING_KINDS:
            message = f"`{predicate.name}` is {kind_of(predicate)}, which neither counts nor is counted"
            return error(
                "HB033", message, span, "only static, fluent and derived predicates count each other"
            )
    if counter.has_tense == closed.has_tense:
        return None
    changing, fixed = (counter, closed) if counter.has_tense else (closed, counter)
    message = f"`{changing.name}` changes and `{fixed.name}` does not, so one cannot count the other"
    return error("HB033", message, counter.counts.span, "declare both static, or both as fluents")


def _shape_error(counter: Predicate, closed: Predicate, unit: CheckUnit) -> Diagnostic | None:
    """Return the mistake in the columns of a counter: they are the key of the set, and an integer."""
    assert counter.counts is not None
    help_shape = f"write `{counter.kind} {counter.name}(key -> int) counts {closed.name}.`"
    if counter.key is None or counter.arity != counter.key + 1:
        message = (
            f"`{counter.name}` needs exactly one column after `->`: how many `{closed.name}` facts there are"
        )
        return error("HB033", message, counter.span, help_shape)
    value = counter.columns[-1]
    if value.name in unit.vocabulary.sorts and not unit.is_integer(value.name):
        return error("HB033", f"a count is an integer, not a `{value.name}`", value.span, help_shape)
    if closed.arity <= counter.key:
        message = f"`{closed.name}` has no column after the key of `{counter.name}`"
        return error("HB033", message, counter.counts.span, f"it is declared `{declaration(closed)}`")
    for own, other in zip(counter.columns[:-1], closed.columns, strict=False):
        known = own.name in unit.vocabulary.sorts and other.name in unit.vocabulary.sorts
        if known and own.name != other.name:
            message = (
                f"the key of `{counter.name}` has a `{own.name}` where `{closed.name}` has a `{other.name}`"
            )
            return error("HB033", message, own.span, f"`{closed.name}` is declared `{declaration(closed)}`")
    return None
