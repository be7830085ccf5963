"""From atoms and instances to numbered ground rules: constants vanish, and so do rules twice and what nothing rests on."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import networkx as nx

from hornbook.matcher.program.coded import PredicateId

Atom = tuple[PredicateId, tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class GroundRule:
    head: Atom
    positive: frozenset[Atom]
    negative: frozenset[Atom]


@dataclass(frozen=True, slots=True)
class Constants:
    """What can hold in some state, and what holds in every one."""

    possible: frozenset[Atom]
    certain: frozenset[Atom]


def constants(
    rules: Sequence[GroundRule], given: Iterable[Atom], carried: Mapping[Atom, Iterable[Atom]]
) -> Constants:
    """What rules make possible and certain. `given` are possible first, and what can hold makes what it carries possible."""
    given = list(given)
    over = [
        GroundRule(target, frozenset([source]), frozenset())
        for source, targets in carried.items()
        for target in targets
    ]
    found = Constants(frozenset(), frozenset())
    while True:
        alive = [rule for rule in rules if rule.negative.isdisjoint(found.certain)]
        possible = _least([*alive, *over], given)
        sure = [rule for rule in alive if rule.negative.isdisjoint(possible)]
        certain = _least(sure, ())
        if Constants(possible, certain) == found:
            return found
        found = Constants(possible, certain)


def _least(rules: Iterable[GroundRule], given: Iterable[Atom]) -> frozenset[Atom]:
    """What follows where nothing is absent."""
    waits: dict[Atom, list[int]] = defaultdict(list)
    left: list[int] = []
    heads: list[Atom] = []
    found = set(given)
    for number, rule in enumerate(rules):
        left.append(len(rule.positive))
        heads.append(rule.head)
        for atom in rule.positive:
            waits[atom].append(number)
        if not rule.positive:
            found.add(rule.head)
    todo = list(found)
    while todo:
        for number in waits[todo.pop()]:
            left[number] -= 1
            if left[number] == 0 and heads[number] not in found:
                found.add(heads[number])
                todo.append(heads[number])
    return frozenset(found)


def without_constants(rules: Iterable[GroundRule], known: Constants) -> list[GroundRule]:
    """The rules that may or may not hold, of what changes alone, each once."""
    found: dict[GroundRule, None] = {}
    for rule in rules:
        if (
            rule.head not in known.certain
            and rule.positive <= known.possible
            and rule.negative.isdisjoint(known.certain)
            and rule.positive.isdisjoint(rule.negative)
            and rule.head not in rule.positive
        ):
            positive, negative = rule.positive - known.certain, rule.negative & known.possible
            found[GroundRule(rule.head, positive, negative)] = None
    return list(found)


def needed(rules: Iterable[GroundRule], asked: Iterable[Atom]) -> list[GroundRule]:
    """The rules on which some atoms rest."""
    by_head: dict[Atom, list[GroundRule]] = defaultdict(list)
    for rule in rules:
        by_head[rule.head].append(rule)
    found, todo = set(asked), list(asked)
    while todo:
        for rule in by_head[todo.pop()]:
            for atom in (*rule.positive, *rule.negative):
                if atom not in found:
                    found.add(atom)
                    todo.append(atom)
    return [rule for head, of_head in by_head.items() if head in found for rule in of_head]


def components(rules: Iterable[GroundRule]) -> list[list[Atom]]:
    """The atoms of rules, those that rest on one another together, each after all that it rests on."""
    graph: nx.DiGraph[Atom] = nx.DiGraph()
    for rule in rules:
        graph.add_node(rule.head)
        graph.add_edges_from((rule.head, atom) for atom in (*rule.positive, *rule.negative))
    return [list(component) for component in nx.strongly_connected_components(graph)]


def rows(of: Iterable[Sequence[int]]) -> tuple[array[int], array[int]]:
    """Rows of numbers one behind another, and where each begins, and the last ends."""
    starts, cells = array("i", [0]), array("i")
    for row in of:
        cells.extend(row)
        starts.append(len(cells))
    return starts, cells
