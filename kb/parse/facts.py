"""Facts from outside of a theory: validation against its vocabulary.

Facts from tables, adapters and the interactive prompt are plain tuples. Each is checked against the
declaration of its relation before it reaches the engine. Facts of relations that rules conclude cannot be
given, but they can be assumed explicitly.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from hornbook.kb.ast.declarations import Predicate, Sort
from hornbook.kb.ast.plain_values import described, plain_value
from hornbook.kb.ast.terms import Constant, Statement, predicate_of
from hornbook.kb.ast.theory import GroundFact, Vocabulary
from hornbook.kb.parse.syntax import MAX_INTEGER, MIN_INTEGER
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.kb.text.characters import why_not_unicode
from hornbook.kb.text.counts import counted
from hornbook.kb.text.literals.forms import BadLiteralError, Form
from hornbook.kb.text.literals.values import WrittenInteger
from hornbook.matcher.program.hornbook_error import HornbookError


class FactError(HornbookError):
    """A fact that does not fit the vocabulary. The message contains the reason and a suggestion."""


ONE_ACTION = (
    "a state is followed by one action at most: ask what each does in a state of its own, or take the "
    "other away first"
)
"""The help for a state with two actions."""


def ground_fact(statement: Statement) -> GroundFact:
    """Return the fact of a ground statement."""
    values = tuple(term.value for term in statement.terms if isinstance(term, Constant))
    assert len(values) == len(statement.terms), statement
    return GroundFact(statement.relation, values, statement.tense)


def with_forms(fact: GroundFact, sorts: tuple[str, ...], vocabulary: Vocabulary) -> GroundFact:
    """Return the fact with the dates, times and decimal numbers of Python objects and texts in such columns.

    Other values are unchanged, also plain integers, which have no form.
    """
    values: object = fact.values
    if not isinstance(values, tuple) or len(values) != len(sorts):
        return fact
    forms = (vocabulary.sorts[sort].form for sort in sorts)
    return fact._replace(
        values=tuple(
            value if form is None or type(value) is int else _with_form(value, form)
            for value, form in zip(fact.values, forms, strict=True)
        )
    )


def formed_facts(facts: Iterable[GroundFact], vocabulary: Vocabulary) -> tuple[GroundFact, ...]:
    """Return the facts of an adapter or a simulator as the engine reads them, `with_forms` of their columns.

    Facts that do not fit their declarations are unchanged. Their values can be compared with those of
    conclusions.
    """
    found = tuple(facts)
    if all(sort.form is None for sort in vocabulary.sorts.values()):
        return found
    sorts = {
        name: tuple(column.name for column in predicate.columns)
        for name, predicate in vocabulary.predicates.items()
    }
    return tuple([with_forms(fact, sorts.get(fact.relation, ()), vocabulary) for fact in found])


def _with_form(value: Any, form: Form) -> Any:
    try:
        return form.of_python(value)
    except BadLiteralError:
        return value


def plain_fact(fact: GroundFact) -> GroundFact:
    """Return the fact with `int` and `str` values instead of other scalars, such as those of NumPy."""
    values: object = fact.values
    if isinstance(values, str) or (
        isinstance(values, tuple) and all(type(value) in (int, str) for value in values)
    ):
        return fact
    return fact._replace(values=tuple(map(plain_value, fact.values)))


def why_never_given(statement: Statement, vocabulary: Vocabulary) -> str | None:
    """Return the reason why a statement may not be given, or None for statics, actions, and fluents before
    the action.
    """
    name = predicate_of(statement)
    predicate = vocabulary.predicates[name]
    kind = predicate.kind
    if kind == "game":
        return f"`{name}` is a game: its values are concluded by rules, never given"
    if kind in ("derived", "meta"):
        return f"`{name}` is {kind}: its facts are concluded by rules, never given"
    if statement.tense == "after" and predicate.has_tense:
        return f"`{name}` is after the action: such facts are concluded by rules, never given"
    return None


def why_stated_only(predicate: Predicate | None) -> str | None:
    """Return the reason why only the theory may change facts of a predicate, or None."""
    if predicate is None or not predicate.stated:
        return None
    return (
        f"`{predicate.name}` is declared `stated`: only the theory states it, and other facts cannot "
        "be added or retracted"
    )


STATED_ONLY = "write it into the theory, or delete `stated` at its declaration"
"""The help for outside facts and rules of `stated` predicates."""


def check_fact(fact: GroundFact, sorts: tuple[str, ...], vocabulary: Vocabulary) -> None:
    """Raise FactError if a value does not belong to its column's sort. `sorts` are those of the columns."""
    values: object = fact.values
    if isinstance(values, str):
        raise FactError(f"`{fact.relation}`: the values of a fact are a tuple, not the text `{values}`")
    if len(fact.values) != len(sorts):
        raise FactError(f"`{fact.relation}` has {counted(len(sorts), 'column')}, not {len(fact.values)}")
    for value, sort in zip(fact.values, sorts, strict=True):
        problem = value_problem(value, vocabulary.sorts[sort])
        if problem is not None:
            raise FactError(f"`{fact.relation}`: {problem}")


def value_problem(value: str | int, sort: Sort) -> str | None:
    """Return the reason why a value does not belong to a sort, or None."""
    if sort.form is not None and type(value) is not sort.form.number:
        return f"{described(value)} is not {sort.form.described} (sort `{sort.name}`)"
    if sort.form is None and isinstance(value, WrittenInteger):
        return f"{described(value)} is no value of sort `{sort.name}`"
    if sort.kind == "integer":
        if isinstance(value, bool) or not isinstance(value, int):
            return f"{described(value)} is not an integer of sort `{sort.name}`"
        return None if MIN_INTEGER <= value <= MAX_INTEGER else f"{value} does not fit into 64 bits"
    if sort.kind == "mixed" and isinstance(value, int) and not isinstance(value, bool):
        return None if MIN_INTEGER <= value <= MAX_INTEGER else f"{value} does not fit into 64 bits"
    if not isinstance(value, str):
        what = "neither a word nor an integer" if sort.kind == "mixed" else "not a word"
        return f"{described(value)} is {what} of sort `{sort.name}`"
    if (problem := why_not_unicode(value)) is not None:
        return f"`{value}` is no word: {problem}"
    if sort.kind == "enumerated" and value not in sort.constants:
        hint = did_you_mean(value, sort.constants)
        return f"`{value}` is not one of the constants of `{sort.name}`" + (f"; {hint}" if hint else "")
    return None
