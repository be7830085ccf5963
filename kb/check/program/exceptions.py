"""Exceptions: those that depend on incomplete relations, and those that certainly contradict each other."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence

from hornbook.kb.ast.terms import (
    Absent,
    Atom,
    Comparison,
    Constant,
    GameStatement,
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
from hornbook.kb.desugar.exceptions import written_label
from hornbook.kb.sources.diagnostics import Diagnostic, error

_MOST_STEPS = 2000
"""The maximum number of comparisons of conditions for one pair of rules."""


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
    those of the second, so wherever the second applies, the first applies too. An exception below the second
    rule is no conflict: it overrules that rule wherever it applies.
    """
    concluding: dict[str, list[Rule]] = {}
    below: dict[str | None, set[str]] = {}
    for prepared in unit.rules:
        if prepared.rule is not None and isinstance(prepared.rule.head, Atom):
            name = prepared.rule.head.predicate
            concluding.setdefault(name, []).append(prepared.rule)
            if found := _exceptions(prepared.rule, unit):
                head = unit.predicate(name)
                label = (
                    written_label(prepared.rule) if head is None or head.exception is None else head.exception
                )
                below.setdefault(label, set()).update(found)
    for name, rules in concluding.items():
        predicate = unit.predicate(name)
        if predicate is None or predicate.key is None or not any(_exceptions(rule, unit) for rule in rules):
            continue
        for first, second in _conflicts(rules, predicate.key):
            if first.span != second.span and not _reaches(below, written_label(second), written_label(first)):
                message = (
                    f"wherever `{second.name}` applies, `{first.name}` applies too, with another result "
                    "for the same subject"
                )
                help_ = f"make `{second.name}` an exception to `{first.name}`, or exclude its case there"
                yield error("HB080", message, second.span, help_)


def _conflicts(rules: Sequence[Rule], key: int) -> Iterator[tuple[Rule, Rule]]:
    """Yield each pair of rules of which the first has another value wherever the second one applies.

    The features of the first rule are a part of those of the second. So each rule is compared only with the
    rules that have its rarest feature.
    """
    features = [_features(rule, key) for rule in rules]
    numbers = Counter(feature for each in features for feature in each)
    by_rarest: dict[object, list[int]] = {}
    for index, each in enumerate(features):
        rarest = min(each, key=lambda feature: numbers[feature], default=None)
        by_rarest.setdefault(rarest, []).append(index)
    for index, second in enumerate(rules):
        for other in sorted(i for feature in (*features[index], None) for i in by_rarest.get(feature, ())):
            first = rules[other]
            if not features[other] <= features[index] or not _always_differs(first, second, key):
                continue
            if other < index or not _always_differs(second, first, key):
                yield first, second


def _features(rule: Rule, key: int) -> frozenset[object]:
    """Return the predicates, operators and constants of a rule that any instance of it has, too."""
    assert isinstance(rule.head, Atom)
    found: set[object] = {
        (place, term.value)
        for place, term in enumerate(rule.head.arguments[:key])
        if isinstance(term, Constant)
    }
    waiting: list[Node] = list(rule.body)
    while waiting:
        node = waiting.pop()
        kind = type(node), getattr(node, "predicate", None), getattr(node, "operator", None)
        found.add(kind)
        for place, part in enumerate(parts(node)):
            if isinstance(part, Constant):
                found.add((kind, place, part.value))
            elif not isinstance(part, Variable):
                waiting.append(part)
    return frozenset(found)


def _reaches(below: Mapping[str | None, set[str]], label: str | None, sought: str | None) -> bool:
    """Return whether a rule is a direct or indirect exception to another."""
    found: set[str | None] = {label}
    waiting = [label]
    while waiting:
        more = below.get(waiting.pop(), set()) - found
        if sought in more:
            return True
        waiting += more
        found |= more
    return False


def _exceptions(rule: Rule, unit: CheckUnit) -> set[str]:
    """Return the labels of the exceptions that a rule tests."""
    tested = (s for c in rule.body if isinstance(c, Absent) for s in statements(c.conditions))
    predicates = (unit.predicate(s.predicate) for s in tested if isinstance(s, Atom))
    return {p.exception for p in predicates if p is not None and p.exception is not None}


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
    return _contained(first, second, binding)


def _contained(first: Rule, second: Rule, binding: dict[str, Term]) -> bool:
    """Return whether every condition of a rule is one of another, with values for its variables.

    A variable that occurs only inside absences and aggregates stands for any value there. It must become
    such a variable of the other rule, and two of them must not become one.
    """
    conditions, among = first.body, second.body
    own, others = _local_variables(first), _local_variables(second)
    steps = 0

    def search(index: int, bound: dict[str, Term]) -> bool:
        nonlocal steps
        if index == len(conditions):
            images = {bound[variable.name] for variable in own}
            return len(images) == len(own) and images <= others
        for candidate in among:
            steps += 1
            if steps > _MOST_STEPS:
                return False
            extended = dict(bound)
            if _matches(conditions[index], candidate, extended) and search(index + 1, extended):
                return True
        return False

    return search(0, binding)


def _local_variables(rule: Rule) -> set[Variable]:
    """Return the variables that occur only inside absences and aggregates."""
    outside = [c for c in rule.body if isinstance(c, Atom | GameStatement | Comparison)]
    return _variables(rule.body) - _variables([rule.head, *outside])


def _variables(nodes: Iterable[Node]) -> set[Variable]:
    found: set[Variable] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        if isinstance(node, Variable):
            found.add(node)
        waiting += parts(node)
    return found


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
