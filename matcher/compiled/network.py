"""An engine's network as data: conditions of nodes, and the rules that share them.

Rules become plans with a step for each condition or part of one. Plans with a common prefix share its nodes
in a trie. There is a trie of full matching, and one for each predicate whose facts change; the latter begins
with the changed fact. A plan stores cells in slots, which are written as a `Var` with the slot's number.

Invariants: The nodes of a trie are ordered by number, the root first, so each follows its parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from hornbook.matcher.program.coded import CodedTerm, Compare, PredicateId, RuleId
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.profile import NodeTime, PartTime, Profile, TrieName

StepKind = Literal["scan", "lookup", "exact", "test", "calculate", "check", "assign", "guard"]


@dataclass(frozen=True, slots=True)
class NetworkStep:
    """The step of a node.

    `scan`, `lookup` and `exact` read the facts of `predicate`; other steps compare cells. A `guard` tests
    whether a guard of a rule may hold, for the set members given by `terms`, and fills nothing. The field
    `terms` has for each column the cell or slot that it is compared with or fills, or None if the column is
    ignored. The list `fills` has the slots that the step fills. If `is_other` is set, the changed fact itself
    is excluded.
    """

    kind: StepKind
    predicate: PredicateId | None
    terms: tuple[CodedTerm | None, ...]
    fills: tuple[int, ...]
    is_other: bool
    comparison: Compare | None


@dataclass(frozen=True, slots=True)
class NetworkNode:
    """A node of a trie.

    At the root `step` is None, and slots 0, 1, … contain the changed fact, if there is one. The number of
    rules through the node is `rules`, and `ends` are those that end there. Each visit finds `expected` rows
    (for a test: the share that passes). One traversal of the trie visits the node `visits` times. Both are
    estimates.
    """

    number: int
    parent: int | None
    step: NetworkStep | None
    rules: int
    ends: tuple[RuleId, ...]
    expected: float
    visits: float
    bytes: int

    @property
    def cost(self) -> float:
        """Return the expected number of rows and tests at the node in one traversal of the trie."""
        return self.visits * max(1.0, self.expected)


@dataclass(frozen=True, slots=True)
class Trie:
    """A trie; `steps` counts those of all plans, shared or not."""

    name: TrieName
    nodes: tuple[NetworkNode, ...]
    steps: int

    @property
    def rules(self) -> int:
        return self.nodes[0].rules

    @property
    def sharing(self) -> float:
        """Return the mean number of plans that share a step."""
        return self.steps / max(1, len(self.nodes) - 1)

    @property
    def bytes(self) -> int:
        return sum(node.bytes for node in self.nodes)

    @property
    def cost(self) -> float:
        return sum(node.cost for node in self.nodes[1:])


@dataclass(frozen=True, slots=True)
class RuleBody:
    """A rule that is evaluated separately, because its conditions are not only matches and comparisons.

    Its slots are its variables. `guards` are the indices of the conditions that are tested after the steps.
    """

    rule: RuleId
    steps: tuple[NetworkStep, ...]
    guards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Network:
    whole: Trie
    changes: tuple[Trie, ...]
    bodies: tuple[RuleBody, ...]

    @property
    def tries(self) -> tuple[Trie, ...]:
        return (self.whole, *self.changes)


# Conversion from the data of the compiled core


def network_of(raw: tuple[Any, ...], names: Mapping[int, RuleId]) -> Network:
    tries, bodies = raw
    whole, *changes = (_trie(trie, names) for trie in tries)
    read = tuple(
        RuleBody(names[rule], tuple(NetworkStep(*step) for step in steps), guards)
        for rule, steps, guards in bodies
    )
    return Network(whole, tuple(changes), read)


def _trie(raw: tuple[Any, ...], names: Mapping[int, RuleId]) -> Trie:
    name, nodes, steps = raw
    return Trie(
        TrieName(*name),
        tuple(
            NetworkNode(
                number,
                None if number == 0 else parent,
                None if step is None else NetworkStep(*step),
                rules,
                tuple(names[rule] for rule in ends),
                expected,
                visits,
                size,
            )
            for number, (parent, step, rules, ends, expected, visits, size) in enumerate(nodes)
        ),
        steps,
    )


_PARTS: Mapping[int, Literal["beginning", "conclusion"]] = {-1: "beginning", -2: "conclusion"}


def profile_of(raw: tuple[Any, ...], names: Mapping[int, RuleId]) -> Profile:
    seconds, storing, rest, nodes, parts = raw
    return Profile(
        seconds,
        storing,
        rest,
        tuple(NodeTime(TrieName(*trie), *counts) for trie, *counts in nodes),
        tuple(PartTime(names[rule], _PARTS.get(part, part), *counts) for rule, part, *counts in parts),
    )
