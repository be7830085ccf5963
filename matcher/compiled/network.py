"""An engine's network as data: the conditions of its nodes, which rules share them, and where time was spent.

Rules become plans, a step for each condition or part of one, and plans that begin alike share their nodes in a
trie. There is a trie of full matching, and one for each predicate whose facts change, which begins with the
changed fact. A slot is what a plan keeps a cell in; it is written as a `Var` with the slot's number.

Always true: the nodes of a trie stand by number, the root first, so each comes after its parent.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple

from hornbook.matcher.program.coded import CodedTerm, Compare, PredicateId, RuleId

StepKind = Literal["scan", "lookup", "exact", "test", "calculate", "check", "assign", "guard"]
Part = int | Literal["beginning", "conclusion"]
"""Part of a rule: the place of a condition in its body, what it takes to come to the rule at all, or what its
instances lead to."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a node does. `scan`, `lookup` and `exact` read the facts of `predicate`; others compare cells.

    A `guard` asks whether a guard of a rule may hold, whose set has the members that `terms` tell, and fills nothing.

    `terms` has for each column the cell or slot that it is compared with or fills, None where its cell is of no
    interest; `fills` are the slots that the step fills. `is_other`: the changed fact itself does not count.
    """

    kind: StepKind
    predicate: PredicateId | None
    terms: tuple[CodedTerm | None, ...]
    fills: tuple[int, ...]
    is_other: bool
    comparison: Compare | None


class TrieName(NamedTuple):
    """`whole`: full matching; `change`: what changed facts of a predicate lead to; `proof`: proofs of them."""

    kind: Literal["whole", "change", "proof"]
    predicate: PredicateId | None


@dataclass(frozen=True, slots=True)
class Node:
    """A node of a trie: `step` is None at the root, where slots 0, 1, … hold the changed fact if there is one.

    `rules` go through it and `ends` end there. Each time that it is visited it finds `expected` rows (of a
    test: the share that passes); one walk of the trie visits it `visits` times. Both are estimates.
    """

    number: int
    parent: int | None
    step: Step | None
    rules: int
    ends: tuple[RuleId, ...]
    expected: float
    visits: float
    bytes: int

    @property
    def cost(self) -> float:
        """Rows and tests to expect here in one walk of the trie."""
        return self.visits * max(1.0, self.expected)


@dataclass(frozen=True, slots=True)
class Trie:
    """`steps` counts those of all plans, shared or not."""

    name: TrieName
    nodes: tuple[Node, ...]
    steps: int

    @property
    def rules(self) -> int:
        return self.nodes[0].rules

    @property
    def sharing(self) -> float:
        """How many plans a step stands for, on the average."""
        return self.steps / max(1, len(self.nodes) - 1)

    @property
    def bytes(self) -> int:
        return sum(node.bytes for node in self.nodes)

    @property
    def cost(self) -> float:
        return sum(node.cost for node in self.nodes[1:])


@dataclass(frozen=True, slots=True)
class RuleBody:
    """A rule that is read by itself, since not all of its conditions are matches and comparisons.

    Its slots are its variables. `guards` are the places of the conditions that are read after the steps.
    """

    rule: RuleId
    steps: tuple[Step, ...]
    guards: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Network:
    whole: Trie
    changes: tuple[Trie, ...]
    bodies: tuple[RuleBody, ...]

    @property
    def tries(self) -> tuple[Trie, ...]:
        return (self.whole, *self.changes)


@dataclass(frozen=True, slots=True)
class NodeTime:
    """What a node did: `rows` were accepted there, `found` instances ended there, `seconds` are its own."""

    trie: TrieName
    node: int
    visits: int
    rows: int
    found: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RuleTime:
    """What a rule cost, as the sum of its parts; `found` are its instances."""

    rule: RuleId
    visits: int
    rows: int
    found: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PartTime:
    """What a part of a rule cost. A node that n rules share costs each of them an n-th of its time."""

    rule: RuleId
    part: Part
    visits: int
    rows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Profile:
    """Where the time of updates went.

    `seconds` is the whole; `storing` went into entering what rules conclude, `rest` into what no rule is to
    blame for, all else is that of `parts`. `nodes` were visited at least once.
    """

    seconds: float
    storing: float
    rest: float
    nodes: tuple[NodeTime, ...]
    parts: tuple[PartTime, ...]

    def rules(self) -> tuple[RuleTime, ...]:
        """The sums by rule, the dearest first."""
        sums: dict[RuleId, RuleTime] = {}
        for part in self.parts:
            known = sums.get(part.rule) or RuleTime(part.rule, 0, 0, 0, 0.0)
            sums[part.rule] = replace(
                known,
                visits=known.visits + part.visits,
                rows=known.rows + part.rows,
                found=known.found + (part.visits if part.part == "conclusion" else 0),
                seconds=known.seconds + part.seconds,
            )
        return tuple(sorted(sums.values(), key=lambda one: -one.seconds))


# From what the compiled core tells


def network_of(raw: tuple[Any, ...], names: Mapping[int, RuleId]) -> Network:
    tries, bodies = raw
    whole, *changes = (_trie(trie, names) for trie in tries)
    read = tuple(
        RuleBody(names[rule], tuple(Step(*step) for step in steps), guards) for rule, steps, guards in bodies
    )
    return Network(whole, tuple(changes), read)


def _trie(raw: tuple[Any, ...], names: Mapping[int, RuleId]) -> Trie:
    name, nodes, steps = raw
    return Trie(
        TrieName(*name),
        tuple(
            Node(
                number,
                None if number == 0 else parent,
                None if step is None else Step(*step),
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
