"""The order of finishing predicates: the strongly connected components of their dependencies.

A stratum is one component: predicates that are concluded from one another. Absence and aggregates read only
finished strata, so that their answers cannot change. `AllOf` and `CountOf` are monotonic in the facts, and
may be part of a recursion.

Source: Apt, Blair and Walker 1988; Tarjan 1972.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, TypeVar

from hornbook.matcher.program.coded import CodedRule, PredicateId
from hornbook.matcher.program.errors import NotStratifiedError
from hornbook.matcher.program.scope import predicates_read

if TYPE_CHECKING:
    import networkx as nx

Node = TypeVar("Node", bound=Hashable)
Reads = Mapping[PredicateId, Mapping[PredicateId, bool]]
"""The predicates that rules read by the predicate that they conclude, each with whether some rule needs it
finished first.
"""


def _reads(rules: Iterable[CodedRule]) -> Reads:
    """Return the predicates that rules read. Every predicate has an entry."""
    found: dict[PredicateId, dict[PredicateId, bool]] = {}
    for rule in rules:
        reads = found.setdefault(rule.head.predicate, {})
        for read, finished in predicates_read(rule.body):
            found.setdefault(read, {})
            reads[read] = finished or reads.get(read, False)
    return found


def dependencies(rules: Iterable[CodedRule]) -> nx.DiGraph[PredicateId]:
    """Return a graph with an edge from each predicate that a rule concludes to each that it reads.

    The edge's attribute `finished` tells whether some rule needs the second one finished first.
    """
    import networkx as nx  # noqa: PLC0415 - slow to import

    graph: nx.DiGraph[PredicateId] = nx.DiGraph()
    reads = _reads(rules)
    graph.add_nodes_from(reads)
    for head, each in reads.items():
        for read, finished in each.items():
            graph.add_edge(head, read, finished=finished)
    return graph


def strata(rules: Iterable[CodedRule]) -> tuple[frozenset[PredicateId], ...]:
    """Return the components of the predicates that rules mention, each after all that it is concluded from.

    Raises NotStratifiedError if a predicate needs itself finished first.
    """
    rules = tuple(rules)
    reads = _reads(rules)
    components = strong_components(reads)
    component_of = {predicate: component for component in components for predicate in component}
    for head, each in reads.items():
        for read, finished in each.items():
            if finished and component_of[head] is component_of[read]:
                import networkx as nx  # noqa: PLC0415 - slow to import

                path = nx.shortest_path(dependencies(rules), read, head)
                raise NotStratifiedError((head, *path[:-1]))
    return tuple(_by_generation(components, component_of, reads))


def _by_generation(
    components: list[frozenset[PredicateId]],
    component_of: Mapping[PredicateId, frozenset[PredicateId]],
    reads: Reads,
) -> list[frozenset[PredicateId]]:
    """Return the components in reverse order of Kahn's algorithm: those that are read by none come last."""
    below: dict[frozenset[PredicateId], dict[frozenset[PredicateId], None]] = {c: {} for c in components}
    for head, each in reads.items():
        own = component_of[head]
        below[own].update((component_of[read], None) for read in each if component_of[read] is not own)
    readers = dict.fromkeys(components, 0)
    for others in below.values():
        for other in others:
            readers[other] += 1
    order = [component for component in components if not readers[component]]
    for component in order:
        for other in below[component]:
            readers[other] -= 1
            if not readers[other]:
                order.append(other)
    return order[::-1]


def strong_components(graph: Mapping[Node, Iterable[Node]]) -> list[frozenset[Node]]:
    """Return the strongly connected components of a graph, each after all that it leads to."""
    found: list[frozenset[Node]] = []
    order: dict[Node, int] = {}
    lowest: dict[Node, int] = {}
    open_nodes: list[Node] = []
    is_open: set[Node] = set()
    for root in graph:
        if root in order:
            continue
        path = [(root, iter(graph[root]))]
        while path:
            node, others = path[-1]
            if node not in order:
                order[node] = lowest[node] = len(order)
                open_nodes.append(node)
                is_open.add(node)
            other = next(others, None)
            if other is None:
                path.pop()
                if path:
                    before = path[-1][0]
                    lowest[before] = min(lowest[before], lowest[node])
                if lowest[node] == order[node]:
                    component: list[Node] = []
                    while not component or component[-1] != node:
                        component.append(open_nodes.pop())
                    is_open.difference_update(component)
                    found.append(frozenset(component))
            elif other not in order:
                path.append((other, iter(graph[other])))
            elif other in is_open:
                lowest[node] = min(lowest[node], order[other])
    return found
