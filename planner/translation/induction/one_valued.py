"""Fluents with one value, proved by induction for the first state and every step.

The number of facts with the same key is at most 1, or exactly 1, in every state. The induction step assumes
all candidates together and proves each of them. Candidates that fail are removed, and the rest is proved
again, until none fails.

Source: Flanagan and Leino 2001 (Houdini).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import combinations
from time import process_time

from hornbook.planner.gdl.flattening import Relation
from hornbook.planner.translation.grounding import PossibleFacts, Row
from hornbook.planner.translation.induction.one_step import AtomDefinitions, InductionStep, Single, Unknown

MOST_SECONDS = 30.0
MOST_KEYS = 5_000
"""The maximal number of keys of one fluent."""
States = Sequence[frozenset[tuple[Relation, Row]]]


def one_valued(definitions: AtomDefinitions, states: States) -> tuple[Single, ...]:
    """Return the proved properties of the fluents.

    `states` are reachable ones; candidates that they contradict are not tried.
    """
    ground = definitions.ground
    candidates = list(_candidates(ground, states))
    end = process_time() + MOST_SECONDS
    while True:
        failed = [each for each in candidates if not _stays(definitions, each, candidates, end)]
        if not failed:
            return tuple(candidates)
        weaker = [replace(each, exactly=False) for each in failed if each.exactly and process_time() < end]
        candidates = [each for each in candidates if each not in failed] + weaker
        if process_time() > end:
            return ()


def _candidates(ground: PossibleFacts, states: States) -> Iterator[Single]:
    for relation, rows in ground.facts.items():
        if relation[0] != "true" or not rows:
            continue
        width = len(next(iter(rows)))
        found: list[tuple[int, ...]] = []
        columns = range(width)
        sizes = range(width) if width <= 4 else (0, width - 1)
        keys = [key for size in sizes for key in combinations(columns, size)]
        for key in keys:
            if any(set(smaller) <= set(key) for smaller in found):
                continue
            single = Single(relation, tuple(key), exactly=True)
            most = len({single.of(row) for row in rows})
            if most > MOST_KEYS or most == len(rows) > 1:
                continue
            counts = [_counts(single, state) for state in states]
            if any(number > 1 for count in counts for number in count.values()):
                continue
            found.append(tuple(key))
            yield replace(single, exactly=all(len(count) == most for count in counts))


def _counts(single: Single, state: frozenset[tuple[Relation, Row]]) -> dict[Row, int]:
    found: dict[Row, int] = {}
    for relation, row in state:
        if relation == single.fluent:
            found[single.of(row)] = found.get(single.of(row), 0) + 1
    return found


def _stays(definitions: AtomDefinitions, single: Single, assumed: Iterable[Single], end: float) -> bool:
    """Return whether a property holds initially, and after every step from a state with the assumptions."""
    ground = definitions.ground
    shapes = single.fluent[1]
    groups: dict[Row, list[Row]] = {}
    for row in ground.has(single.fluent):
        groups.setdefault(single.of(row), []).append(row)
    first: dict[Row, int] = {}
    for row in ground.has(("init", shapes)):
        first[single.of(row)] = first.get(single.of(row), 0) + 1
    if any(number > 1 for number in first.values()) or (single.exactly and first.keys() != groups.keys()):
        return False
    coming = ("next", shapes)
    possible = ground.has(coming)
    step = InductionStep(definitions, assumed)
    for key in sorted(groups):
        try:
            literals = [step.number((coming, row)) for row in sorted(groups[key]) if row in possible]
            if single.exactly and step.can_hold([-literal for literal in literals]):
                return False
            if len(literals) > 1 and step.can_hold([step.two_of(literals)]):
                return False
        except Unknown:
            return False
        if process_time() > end:
            return False
    return True
