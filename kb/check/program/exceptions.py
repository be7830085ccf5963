"""Exceptions: those that depend on incomplete relations, and those that certainly contradict each other."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from hornbook.kb.ast.terms import (
    Absent,
    Atom,
    Condition,
    Constant,
    Node,
    Rule,
    Tense,
    Term,
    Variable,
    parts,
    statements,
)
from hornbook.kb.check.check_unit import CheckUnit
from hornbook.kb.check.clauses.absence import suggested_declaration
from hornbook.kb.check.program.completeness import Completeness
from hornbook.kb.check.program.dependencies import Node as Relation
from hornbook.kb.sources.diagnostics import Diagnostic, error

_MOST_STEPS = 2000
"""The maximum number of comparisons of conditions for one pair of rules."""

Binding = Mapping[str, Term]


def check_open_exceptions(unit: CheckUnit, known: Completeness) -> Iterator[Diagnostic]:
    """Yield HB079 for each exception that may apply when more facts become known."""
    own = {predicate.name: predicate for predicate in unit.predicates if predicate.exception is not None}
    found: dict[str, set[Relation]] = {}
    moments: dict[str, set[Tense | None]] = {}
    for dependency in known.dependencies:
        name, moment = dependency.head
        if name in own:
            read = (dependency.reads | dependency.finished) & (known.unsure | known.unproved)
            relations = {each for each in read if not _is_exception(each[0], unit)}
            if relations:
                found.setdefault(name, set()).update(relations)
                moments.setdefault(name, set()).add(moment)
    for name, relations in found.items():
        predicate = own[name]
        message = (
            f"the exception `{predicate.exception}` depends on a relation that is not complete, so it may "
            "apply when more facts are known"
        )
        help_ = suggested_declaration(sorted(relations, key=str), known)
        if moments[name] == {"after"}:
            help_ = "write `before` in the heads of both rules and in front of all that changes"
        yield error("HB079", message, predicate.span, help_)


def _is_exception(name: str, unit: CheckUnit) -> bool:
    predicate = unit.predicate(name)
    return predicate is not None and predicate.exception is not None


def check_conflicts(unit: CheckUnit) -> Iterator[Diagnostic]:
    """Yield HB080 for two rules with different results for a subject, whenever the second one applies.

    Only rules of predicates with exceptions are compared. The conditions of the first rule are a part of
    those of the second, so wherever the second applies, the first applies too.
    """
    concluding: dict[str, list[Rule]] = {}
    for prepared in unit.rules:
        if prepared.rule is not None and isinstance(prepared.rule.head, Atom):
            concluding.setdefault(prepared.rule.head.predicate, []).append(prepared.rule)
    for name, rules in concluding.items():
        predicate = unit.predicate(name)
        if (
            predicate is None
            or predicate.key is None
            or not any(map(_has_exception, rules, [unit] * len(rules)))
        ):
            continue
        for one, other in combinations(rules, 2):
            if one.span == other.span:
                continue
            for first, second in ((one, other), (other, one)):
                if _always_differs(first, second, predicate.key):
                    message = (
                        f"wherever `{second.name}` applies, `{first.name}` applies too, with another result "
                        "for the same subject"
                    )
                    help_ = f"make `{second.name}` an exception to `{first.name}`, or exclude its case there"
                    yield error("HB080", message, second.span, help_)
                    break


def _has_exception(rule: Rule, unit: CheckUnit) -> bool:
    tested = (s for c in rule.body if isinstance(c, Absent) for s in statements(c.conditions))
    return any(_is_exception(s.predicate, unit) for s in tested if isinstance(s, Atom))


def _always_differs(first: Rule, second: Rule, key: int) -> bool:
    """Return whether the first rule has another value for the same key wherever the second one applies."""
    one, other = first.head, second.head
    assert isinstance(one, Atom)
    assert isinstance(other, Atom)
    if one.tense != other.tense or len(one.arguments) != len(other.arguments):
        return False
    values = zip(one.arguments[key:], other.arguments[key:], strict=True)
    differing = (isinstance(a, Constant) and isinstance(b, Constant) and a != b for a, b in values)
    if not any(differing):
        return False
    binding: dict[str, Term] = {}
    for a, b in zip(one.arguments[:key], other.arguments[:key], strict=True):
        if not _matches(a, b, binding):
            return False
    return _contained(first.body, second.body, binding)


def _contained(conditions: Sequence[Condition], among: Sequence[Condition], binding: dict[str, Term]) -> bool:
    """Return whether every condition is one of some others, with values for its variables."""
    steps = 0

    def search(index: int, bound: dict[str, Term]) -> bool:
        nonlocal steps
        if index == len(conditions):
            return True
        for candidate in among:
            steps += 1
            if steps > _MOST_STEPS:
                return False
            extended = dict(bound)
            if _matches(conditions[index], candidate, extended) and search(index + 1, extended):
                return True
        return False

    return search(0, binding)


def _matches(one: Node, other: Node, binding: dict[str, Term]) -> bool:
    """Return whether a node becomes another with values for its variables, which are added to `binding`."""
    if isinstance(one, Variable):
        if not isinstance(other, Variable | Constant):
            return False
        return binding.setdefault(one.name, other) == other
    if isinstance(one, Constant):
        return one == other
    if type(one) is not type(other):
        return False
    same = all(
        getattr(one, name, None) == getattr(other, name, None)
        for name in ("predicate", "tense", "operator", "function", "moves")
    )
    mine, others = parts(one), parts(other)
    if not same or len(mine) != len(others):
        return False
    return all(_matches(a, b, binding) for a, b in zip(mine, others, strict=True))
