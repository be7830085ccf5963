"""The order of finishing predicates: the strongly connected components of their dependencies.

A stratum is one component: predicates that are concluded from one another. Absence and aggregates read only
finished strata, so that their answers cannot change. `AllOf` and `CountOf` are monotonic in the facts, and
may be part of a recursion.

Source: Apt, Blair and Walker 1988.
"""

from __future__ import annotations

from collections.abc import Iterable

import networkx as nx

from hornbook.matcher.program.coded import CodedRule, PredicateId
from hornbook.matcher.program.errors import NotStratifiedError
from hornbook.matcher.program.scope import predicates_read


def dependencies(rules: Iterable[CodedRule]) -> nx.DiGraph[PredicateId]:
    """Return a graph with an edge from each predicate that a rule concludes to each that it reads.

    The edge's attribute `finished` tells whether some rule needs the second one finished first.
    """
    graph: nx.DiGraph[PredicateId] = nx.DiGraph()
    for rule in rules:
        head = rule.head.predicate
        graph.add_node(head)
        for read, finished in predicates_read(rule.body):
            before = graph.has_edge(head, read) and graph.edges[head, read]["finished"]
            graph.add_edge(head, read, finished=finished or before)
    return graph


def strata(rules: Iterable[CodedRule]) -> tuple[frozenset[PredicateId], ...]:
    """Return the components of the predicates that rules mention, each after all that it is concluded from.

    Raises NotStratifiedError if a predicate needs itself finished first.
    """
    graph = dependencies(rules)
    components = [frozenset(component) for component in nx.strongly_connected_components(graph)]
    component_of = {predicate: component for component in components for predicate in component}
    for head, read in graph.edges:
        if graph.edges[head, read]["finished"] and component_of[head] is component_of[read]:
            raise NotStratifiedError((head, *nx.shortest_path(graph, read, head)[:-1]))
    condensed = nx.condensation(graph, components)
    return tuple(components[number] for number in reversed(list(nx.topological_sort(condensed))))
