"""Recursion without a meaning (through an absence) or without an end (through arithmetic).

Absences and aggregates read complete relations. A relation that depends on its own absence at the same moment
is never complete (stratification: Apt, Blair and Walker 1988). Recursion through arithmetic may compute new
numbers forever.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from itertools import pairwise

from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.terms import Operation, Statement, Tense
from hornbook.kb.check.check_unit import CheckUnit, PreparedClause
from hornbook.kb.check.program.dependencies import (
    BOTH,
    Dependency,
    DependencyGroup,
    Node,
    nodes,
    shown,
    span_of,
)
from hornbook.kb.check.program.growth import BOTH_WAYS, UP, Growth, unbounded_growth
from hornbook.kb.sources.diagnostics import Diagnostic, error, warning
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.stratify import strong_components

MOST_CIRCLES = 100
"""The maximum number of absences in cycles that are examined."""


@dataclass(frozen=True, slots=True)
class Circles:
    """The dependency graph, with the number of the strongly connected component of each node."""

    graph: Mapping[Node, AbstractSet[Node]]
    component_of: dict[Node, int]


def circles(unit: CheckUnit, groups: list[DependencyGroup]) -> Circles:
    """Return the graph of the cycles that checked rules may belong to."""
    graph: dict[Node, set[Node]] = {}
    for group in _possibly_cyclic_groups(unit, groups):
        for dependency in group.dependencies:
            nodes_read = dependency.reads | dependency.finished
            graph.setdefault(dependency.head, set()).update(nodes_read)
            for node in nodes_read:
                graph.setdefault(node, set())
    component_of: dict[Node, int] = {}
    for number, component in enumerate(strong_components(graph)):
        component_of.update(dict.fromkeys(component, number))
    return Circles(graph, component_of)


def check_recursion(
    unit: CheckUnit, groups: list[DependencyGroup], known: Circles | None = None
) -> Iterator[Diagnostic]:
    """Yield HB027 and HB030. `known` is the result of `circles` for these groups."""
    known = circles(unit, groups) if known is None else known
    yield from _absence(unit, groups, known)
    for prepared in unit.rules:
        yield from _arithmetic(prepared, unit, known.component_of)


def _possibly_cyclic_groups(unit: CheckUnit, groups: list[DependencyGroup]) -> list[DependencyGroup]:
    """Return the groups that can belong to a cycle with checked rules.

    If no import reads a conclusion of these rules, only the groups of the file itself remain.
    """
    concluded = {prepared.head.relation for prepared in unit.rules if prepared.head is not None}
    are_read = any(
        node[0] in concluded
        for group in groups
        if not group.own
        for dependency in group.dependencies[:1]
        for nodes_ in (dependency.reads, dependency.finished)
        for node in nodes_
    )
    return groups if are_read else [group for group in groups if group.own]


# Absence


def _absence(unit: CheckUnit, groups: list[DependencyGroup], known: Circles) -> Iterator[Diagnostic]:
    """Yield one diagnostic for each cycle of relations with an absence."""
    component_of = known.component_of
    reported: set[frozenset[str]] = set()
    looked = 0
    for group in groups:
        for dependency in group.dependencies:
            for node in sorted(dependency.finished, key=str):
                circle_of = component_of.get(node)
                if (
                    circle_of is None
                    or circle_of != component_of.get(dependency.head)
                    or looked == MOST_CIRCLES
                ):
                    continue
                looked += 1
                import networkx as nx  # noqa: PLC0415 - slow to import

                graph: nx.DiGraph[Node] = nx.DiGraph(
                    (head, read) for head, reads in known.graph.items() for read in reads
                )
                path = nx.shortest_path(graph, node, dependency.head)
                closing = _closing(group, path, groups)
                circle = frozenset(relation for relation, _ in path)
                if closing is not None and circle not in reported:
                    reported.add(circle)
                    yield _circle(group, dependency, closing, path, unit)


def _closing(
    group: DependencyGroup, path: list[Node], groups: list[DependencyGroup]
) -> DependencyGroup | None:
    """Return the checked rules that close a cycle, or None if the whole cycle is imported."""
    if group.own:
        return group
    steps = set(pairwise(path))
    for other in groups:
        for dependency in other.dependencies if other.own else ():
            if any((dependency.head, node) in steps for node in dependency.reads | dependency.finished):
                return other
    return None


def _circle(
    group: DependencyGroup,
    dependency: Dependency,
    closing: DependencyGroup,
    path: list[Node],
    unit: CheckUnit,
) -> Diagnostic:
    head, *others = (shown(node, timeless=group.timeless) for node in (dependency.head, *path))
    circle = " → ".join([head, f"absent or counted {others[0]}", *others[1:]])
    span = span_of(closing.rule, path[0], unit, finished=True)
    help_ = "let the absence, or the aggregate, read something that does not depend on this conclusion"
    return error("HB030", f"{head} depends on its own absence: {circle}", span, help_)


# Arithmetic


def _arithmetic(
    prepared: PreparedClause, unit: CheckUnit, component_of: dict[Node, int]
) -> Iterator[Diagnostic]:
    head = prepared.head
    assert head is not None
    moments: tuple[Tense | None, ...] = (None,)
    if all(statement.tense is None for statement in prepared.everything()):
        moments = BOTH
    components = {component_of.get(node) for moment in moments for node in nodes(head, moment, unit)} - {None}

    def feeds_itself(statement: Statement) -> bool:
        found = (node for moment in moments for node in nodes(statement, moment, unit))
        return any(component_of.get(node) in components for node in found)

    for growth in unbounded_growth(prepared, feeds_itself):
        yield _endless(growth)


def _endless(growth: Growth) -> Diagnostic:
    name = growth.variable.written
    ways = {BOTH_WAYS: "from both sides", UP: "from above"}.get(growth.unstopped, "from below")
    bound = {BOTH_WAYS: f"`{name} >= 0, {name} <= 100`", UP: f"`{name} <= 100`"}.get(
        growth.unstopped, f"`{name} >= 0`"
    )
    message = f"the rule feeds itself ever new values of `{name}`, so it may not end"
    help_ = (
        f"bound it {ways} in this rule, such as {bound}, by a number or by a variable from outside the "
        "recursion"
    )
    sides = (growth.computed.left, growth.computed.right)
    if any(isinstance(side, Operation) and signature(side.operator).result == "word" for side in sides):
        help_ = f"bound its length in this rule, such as `length({name}) <= 100`"
    return warning("HB027", message, growth.computed.span, help_)
