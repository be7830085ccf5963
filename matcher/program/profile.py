"""The measured times of an engine's updates, by rule, part of a rule, and node of its network."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal, NamedTuple

from hornbook.matcher.program.coded import PredicateId, RuleId
from hornbook.matcher.program.dataclass import dataclass

Part = int | Literal["beginning", "conclusion"]
"""A part of a rule: the index of a condition in its body, the steps before all conditions, or the processing
of its instances.
"""


class TrieName(NamedTuple):
    """The name of a trie.

    `whole` is full matching, `change` has the consequences of changed facts of a predicate, and `proof` their
    proofs.
    """

    kind: Literal["whole", "change", "proof"]
    predicate: PredicateId | None


@dataclass(frozen=True, slots=True)
class NodeTime:
    """The measurements of a node: accepted `rows`, `found` instances that end there, and own `seconds`."""

    trie: TrieName
    node: int
    visits: int
    rows: int
    found: int
    seconds: float


@dataclass(frozen=True, slots=True)
class RuleTime:
    """The cost of a rule, as the sum of its parts; `found` is the number of its instances."""

    rule: RuleId
    visits: int
    rows: int
    found: int
    seconds: float


@dataclass(frozen=True, slots=True)
class PartTime:
    """The cost of a part of a rule. If n rules share a node, each gets one n-th of its time."""

    rule: RuleId
    part: Part
    visits: int
    rows: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Profile:
    """The time of updates.

    The total is `seconds`. The time for entering conclusions is `storing`, and `rest` belongs to no rule. All
    other time is in `parts`. The list `nodes` has those that were visited at least once.
    """

    seconds: float
    storing: float
    rest: float
    nodes: tuple[NodeTime, ...]
    parts: tuple[PartTime, ...]

    def rules(self) -> tuple[RuleTime, ...]:
        """Return the sums by rule, the most expensive first."""
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
