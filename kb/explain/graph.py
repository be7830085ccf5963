"""The dependency graph of a theory: the predicates that its rules read, and those that they conclude.

Nodes are predicates and rules. An edge leads from a predicate to each rule that reads it, and from a rule to
its head. If some rule of the theory mentions a moment, a changing predicate has two nodes, one for each
moment. A timeless rule then has two nodes as well if it can fire at both moments. In other theories moments
are left out.

An edge is dashed if the rule needs the complete predicate, for an absence or an aggregate. The stratum of a
node is the maximum number of such edges below it.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

import networkx as nx

from hornbook.kb.ast.terms import Rule, Tense, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.check.check_unit import empty_unit, prepare_rule
from hornbook.kb.check.closure import close
from hornbook.kb.check.program.dependencies import Dependency, Node, read_groups
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.matcher.program.dataclass import dataclass

_PREDICATE_KEYS = ("name", "tense", "kind", "stratum", "recursive")
_RULE_KEYS = ("name", "tense", "file", "line", "stratum", "recursive", "reachable")


@dataclass(frozen=True, slots=True)
class _TimedRule:
    """A rule at one of its moments."""

    number: int
    rule: Rule
    moment: Tense | None
    dependency: Dependency

    @property
    def node(self) -> str:
        return f"rule {self.number}" if self.moment is None else f"rule {self.number} {self.moment}"


def dependency_graph(theory: Theory) -> nx.DiGraph[str]:
    """Return the graph of a theory with its imports.

    Nodes have the attributes `label`, `kind` (`rule`, `unreachable`, or the predicate's kind), `name`,
    `tense`, `stratum` and `recursive`. Rules also have `file`, `line` and `reachable` (whether every needed
    predicate can hold). Edges have the attribute `style`: `solid` or `dashed`.
    """
    everything = list(_timed_rules(theory))
    reached = _reached(theory, everything)
    firing = {timed.number for timed in everything if timed.dependency.needs <= reached}
    # A timeless rule that can fire at only one moment is shown for this moment.
    timed_rules = [r for r in everything if r.number not in firing or r.dependency.needs <= reached]
    graph: nx.DiGraph[str] = nx.DiGraph()
    mentioned = {
        node
        for timed in timed_rules
        for node in (timed.dependency.head, *timed.dependency.reads, *timed.dependency.finished)
    }
    for node in _in_declared_order(mentioned, theory.vocabulary):
        _add_predicate(graph, node, theory.vocabulary)
    order = {name: number for number, name in enumerate(graph)}
    for timed in timed_rules:
        _add_rule(graph, timed, order, reachable=timed.dependency.needs <= reached)
    _add_strata(graph)
    return graph


def restricted(graph: nx.DiGraph[str], predicate: str) -> nx.DiGraph[str]:
    """Return the part of the graph that a predicate depends on. Raises ValueError if the predicate is
    unknown.
    """
    about = _nodes_of(graph, predicate)
    return _part(graph, {below for node in about for below in (node, *nx.ancestors(graph, node))})


def around(graph: nx.DiGraph[str], predicate: str) -> nx.DiGraph[str]:
    """Return the neighbourhood of a predicate: the rules that conclude or read it, and their other
    predicates.

    Raises:
        ValueError: The predicate is unknown.
    """
    about = _nodes_of(graph, predicate)
    rules = {rule for node in about for rule in (*graph.predecessors(node), *graph.successors(node))}
    neighbours = {node for rule in rules for node in (*graph.predecessors(rule), *graph.successors(rule))}
    return _part(graph, {*about, *rules, *neighbours})


def _nodes_of(graph: nx.DiGraph[str], predicate: str) -> list[str]:
    """Return the nodes of a predicate, one for each moment and kind of statement."""
    names: dict[str, str] = {node: graph.nodes[node]["name"] for node in graph if _is_predicate(graph, node)}
    about = [node for node, name in names.items() if predicate in (name, name.partition(" ")[0])]
    if not about:
        hint = did_you_mean(predicate, names.values())
        raise ValueError(f"no predicate is called `{predicate}`" + (f"; {hint}" if hint else ""))
    return about


def _part(graph: nx.DiGraph[str], selected: Container[str]) -> nx.DiGraph[str]:
    part: nx.DiGraph[str] = nx.DiGraph()
    part.add_nodes_from((node, graph.nodes[node]) for node in graph if node in selected)
    part.add_edges_from((a, b, graph.edges[a, b]) for a, b in graph.edges if a in selected and b in selected)
    return part


def as_json(graph: nx.DiGraph[str]) -> dict[str, Any]:
    """Return `{predicates, rules, recursion, strata}`. Each item of `recursion` lists mutually recursive
    predicates.

    A predicate is `{name, tense, kind, stratum, recursive}`. A rule is `{name, tense, file, line, stratum,
    recursive, reachable, concludes, reads, finished}`, where `finished` lists the predicates in absences and
    aggregates.
    """
    label = {node: str(graph.nodes[node]["label"]) for node in graph}
    strata: dict[int, list[str]] = {}
    predicates, rules = [], []
    for node in graph:
        attributes: dict[str, Any] = graph.nodes[node]
        if _is_predicate(graph, node):
            predicates.append({key: attributes[key] for key in _PREDICATE_KEYS})
            strata.setdefault(attributes["stratum"], []).append(label[node])
            continue
        read: dict[str, list[str]] = {"solid": [], "dashed": []}
        for below in graph.predecessors(node):
            read[graph.edges[below, node]["style"]].append(label[below])
        rules.append(
            {key: attributes[key] for key in _RULE_KEYS}
            | {
                "concludes": [label[above] for above in graph.successors(node)],
                "reads": read["solid"],
                "finished": read["dashed"],
            }
        )
    recursion = [sorted(label[n] for n in c if _is_predicate(graph, n)) for c in _circles(graph)]
    return {
        "predicates": predicates,
        "rules": rules,
        "recursion": sorted(recursion),
        "strata": [strata[number] for number in sorted(strata)],
    }


# Rules at their moments


def _timed_rules(theory: Theory) -> Iterator[_TimedRule]:
    around = empty_unit(theory.vocabulary)
    speaks_of_moments = any(s.tense for rule in theory.rules for s in (rule.head, *statements(rule.body)))
    for number, rule in enumerate(theory.rules):
        unit = replace(around, rules=(prepare_rule(rule),))
        dependencies = [d for group in read_groups(unit) for d in group.dependencies]
        if not speaks_of_moments:
            yield _TimedRule(number, rule, None, _without_moments(dependencies[0]))
            continue
        for dependency in dependencies:
            moment = dependency.head[1] if len(dependencies) > 1 else None
            yield _TimedRule(number, rule, moment, dependency)


def _without_moments(dependency: Dependency) -> Dependency:
    def plain(nodes: Iterable[Node]) -> frozenset[Node]:
        return frozenset((relation, None) for relation, _ in nodes)

    return Dependency(
        (dependency.head[0], None),
        plain(dependency.needs),
        plain(dependency.reads),
        plain(dependency.finished),
    )


def _reached(theory: Theory, timed_rules: Iterable[_TimedRule]) -> set[Node]:
    """Return the nodes that can hold: those of facts that may be given, and their consequences."""
    reached: set[Node] = set()
    for predicate in theory.vocabulary.predicates.values():
        if predicate.kind in ("static", "action", "fluent"):
            reached |= {(predicate.name, None), (predicate.name, "before")}
    for fact in map(ground_fact, theory.facts):
        reached |= {(fact.relation, None), (fact.relation, fact.tense or "before")}
    dependencies = [timed.dependency for timed in timed_rules]
    close(reached, ((dependency.head, dependency.needs) for dependency in dependencies))
    return reached


# Nodes


def _in_declared_order(nodes: Iterable[Node], vocabulary: Vocabulary) -> list[Node]:
    """Return the nodes in the order of their declarations, including predicates that no rule mentions."""
    by_name: dict[str, list[Node]] = {}
    for node in sorted(nodes, key=lambda n: (n[0], n[1] != "before")):
        by_name.setdefault(node[0].partition(" ")[0], []).append(node)
    return [node for name in vocabulary.predicates for node in by_name.get(name, [(name, None)])]


def _name(node: Node) -> str:
    relation, tense = node
    return relation if tense is None else f"{tense} {relation}"


def _add_predicate(graph: nx.DiGraph[str], node: Node, vocabulary: Vocabulary) -> None:
    relation, tense = node
    kind = vocabulary.predicates[relation.partition(" ")[0]].kind
    name = relation.removesuffix(" is")
    label = name if tense is None else f"{tense} {name}"
    graph.add_node(_name(node), label=label, kind=kind, name=name, tense=tense)


def _add_rule(
    graph: nx.DiGraph[str], timed: _TimedRule, order: Mapping[str, int], *, reachable: bool
) -> None:
    """Add a rule and its edges. `order` is the order of the predicates."""
    rule, dependency = timed.rule, timed.dependency
    graph.add_node(
        timed.node,
        label=rule.name.replace("_", " ") if rule.label else f"line {rule.span.line}",
        kind="rule" if reachable else "unreachable",
        name=rule.name,
        tense=timed.moment,
        file=rule.span.file,
        line=rule.span.line,
        reachable=reachable,
    )
    for read in sorted(map(_name, dependency.reads), key=order.__getitem__):
        graph.add_edge(read, timed.node, style="solid")
    # A predicate that is read in both ways must be complete.
    for read in sorted(map(_name, dependency.finished), key=order.__getitem__):
        graph.add_edge(read, timed.node, style="dashed")
    graph.add_edge(timed.node, _name(dependency.head), style="solid")


def _is_predicate(graph: nx.DiGraph[str], node: str) -> bool:
    return "line" not in graph.nodes[node]


# Strata and recursion


def _circles(graph: nx.DiGraph[str]) -> list[set[str]]:
    """Return the sets of predicates and rules that depend on each other."""
    return [component for component in nx.strongly_connected_components(graph) if len(component) > 1]


def _add_strata(graph: nx.DiGraph[str]) -> None:
    components = list(nx.strongly_connected_components(graph))
    place = {node: number for number, component in enumerate(components) for node in component}
    strata = dict.fromkeys(range(len(components)), 0)
    # Every component comes after all components that it reads.
    for number in nx.topological_sort(nx.condensation(graph, components)):
        for node in components[number]:
            for below in graph.predecessors(node):
                if place[below] != number:
                    step = 1 if graph.edges[below, node]["style"] == "dashed" else 0
                    strata[number] = max(strata[number], strata[place[below]] + step)
    for node in graph:
        graph.nodes[node]["stratum"] = strata[place[node]]
        graph.nodes[node]["recursive"] = len(components[place[node]]) > 1
