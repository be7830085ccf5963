"""What only meta rules and queries may use: absence, aggregates and meta predicates.

A rule that rests on an absence says too much as soon as more becomes known (Cazenave 1996, section 3.1), so
a theory says what is absent by a fact: a count, a closed set, a value.
"""

from __future__ import annotations

from collections.abc import Iterator

from hornbook.kb.ast.terms import Absent, Aggregate, All, Atom, Condition
from hornbook.kb.check.clauses.names import name_span
from hornbook.kb.check.subject import Reading, Subject, first_word, parts
from hornbook.kb.sources.diagnostics import Diagnostic, error


def check_absence(subject: Subject) -> Iterator[Diagnostic]:
    """HB026, HB037 and HB039."""
    for reading in subject.readings():
        if not reading.absence_allowed:
            if reading.level.inner:
                yield from _nested(reading.body, subject)
            yield from _meta_predicates(reading, subject)


def _nested(conditions: tuple[Condition, ...], subject: Subject) -> Iterator[Diagnostic]:
    """The outermost absences and aggregates: what stands inside them falls with them."""
    for condition in conditions:
        match condition:
            case Absent():
                message = "absence in a theory rule: what is not derived yet may still become true"
                yield error(
                    "HB026", message, first_word(condition.span, "absent"), _instead(condition, subject)
                )
            case Aggregate():
                message = (
                    f"`{condition.function} … where` in a theory rule: its result changes as more is derived"
                )
                help_ = "read a count that is given as a fact, or count a closed set: `?n = count ?x in set(key, ?x)`"
                yield error("HB037", message, condition.span, help_)
            case All():
                yield from _nested(condition.conditions, subject)
            case _:
                pass


def _instead(absent: Absent, subject: Subject) -> str:
    """What to say instead of an absence, by what is absent."""
    first = absent.conditions[0]
    if isinstance(first, Atom):
        predicate = subject.fits(first)
        counters = subject.counters.get(first.predicate)
        if counters:
            return (
                f"say how many there are: `{counters[0].name}(…, 0)`, or `all … in {first.predicate}(…): …`"
            )
        if predicate is not None and predicate.key is not None and predicate.key < predicate.arity:
            return (
                f"say which other value `{first.predicate}` has, such as `{first.predicate}(…, ?x), ?x != …`"
            )
    return "say it by a fact that is positive: a count, a closed set (`all … in …`) or a value"


def _meta_predicates(reading: Reading, subject: Subject) -> Iterator[Diagnostic]:
    for statement in reading.statements:
        for atom in parts(statement):
            predicate = subject.predicate(atom.predicate)
            if predicate is not None and predicate.kind == "meta":
                message = f"the meta predicate `{atom.predicate}` in a theory rule: it may rest on an absence"
                help_ = "only meta rules and queries read it; say in the theory what it follows from"
                yield error("HB039", message, name_span(atom), help_)
