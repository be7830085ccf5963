"""Cost of the engine itself on board patterns: positions and changes by rules and by facts, and memory.

The rules are those of the workload `many-rules` (benchmarks/engine/patterns.py): random walks over boards.
Most of them match in a few places. Facts are those of one board of 9 × 9, or of several unrelated boards.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from random import Random
from statistics import median

from benchmarks.costs.figures import CostLine, CostTable, Measurement, Panel, number
from benchmarks.engine import patterns
from benchmarks.engine.program_text import Condition, Update
from benchmarks.study import timed
from hornbook.matcher.compiled.engine import CompiledEngine
from hornbook.matcher.program.coded import (
    Change,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Fact,
    Limits,
    Match,
    Var,
)
from hornbook.theories.go.states.board import GoBoard

PREDICATES = [
    CodedPredicate(2, 1), CodedPredicate(2), CodedPredicate(2, 1),
    *(CodedPredicate(width + 1) for width in range(1, patterns.MOST_VARIABLES + 1)),
]  # fmt: skip
"""Colours, neighbours and liberties, with one fact per point except for neighbours, then matches by width."""
FIRST_MATCH = 3
COUNTED = 20
"""Number of changes whose visited nodes are counted."""
BOARDS = 20
COPIES = (1, 4, 16, 64, 256)
RULES_ON_COPIES = 1000


def rules(number_of: int, seed: int) -> list[CodedRule]:
    """Return `number_of` patterns as coded rules, the same ones for the same seed."""
    bodies = patterns.rules(Random(seed), number_of)
    return [coded(place, body) for place, body in enumerate(bodies)]


def coded(place: int, body: Sequence[Condition]) -> CodedRule:
    clause = patterns.clause_of(place, tuple(body), FIRST_MATCH)
    head, *conditions = (
        Match(_predicate(c), tuple(map(_term, c.terms))) for c in (clause.head, *clause.body)
    )
    return CodedRule(place, head, tuple(conditions), len(clause.head.terms) - 1)


def _predicate(condition: Condition) -> int:
    assert isinstance(condition.predicate, int)
    return condition.predicate


def _term(term: int) -> CodedTerm:
    return term if term >= 0 else Var(-1 - term)


def engine() -> CompiledEngine:
    return CompiledEngine(PREDICATES, derivations="none", limits=Limits(facts=None))


def facts(state: GoBoard, copy: int = 0) -> frozenset[Fact]:
    """Return the facts of a board, with separate point numbers in each copy."""
    moved = copy * patterns.POINTS
    return frozenset(
        Fact(p, (row[0] + moved, row[1] + (moved if p == patterns.NEIGHBOUR else 0)))
        for p, row in patterns.facts_of(state)
    )


def exchanged(
    matcher: CompiledEngine, removed: Iterable[Fact], added: Iterable[Fact]
) -> tuple[float, Change]:
    """Return the seconds of an update, and its changes."""
    return timed(lambda: matcher.update(add=added, retract=removed))


def by_tries_for_changes(matcher: CompiledEngine, moves: Iterable[tuple[Fact, Fact]]) -> list[float]:
    """Return the seconds of changes while the engine counts, which makes it build the tries
    for changes at once.
    """
    matcher.profile(True)
    took = [exchanged(matcher, [removed], [added])[0] for removed, added in moves]
    matcher.profile(False)
    return took


def changes(state: GoBoard, random: Random) -> Iterator[tuple[Fact, Fact]]:
    """Yield the removed and the added fact when one point at a time takes another colour."""
    for each in patterns.updates(state, random):
        yield _facts_of(each)


def _facts_of(update: Update) -> tuple[Fact, Fact]:
    return Fact(*update.removed), Fact(*update.added)


@dataclass(frozen=True, slots=True)
class PatternCost:
    """Costs of rules on facts: seconds, and bytes of the rules before and after changes."""

    rules: int
    facts: int
    first: float
    """Seconds from the rules to all their matches."""
    matches: int
    first_change: float
    update: float
    changed: float
    """Mean number of matches that change in an update."""
    visited: float
    """Visited trie nodes of a change for each such match."""
    position: float
    matched_bytes: int
    changed_bytes: int


def cost(some: Sequence[CodedRule], seed: int, copies: int = 1, boards: int = BOARDS) -> PatternCost:
    """Return the costs of matching rules on boards. Only the first board changes."""
    random = Random(f"{seed} boards")
    state, *others = (patterns.board(random) for _ in range(copies + boards))
    given = facts(state)
    rest = frozenset(f for copy, each in enumerate(others[: copies - 1], 1) for f in facts(each, copy))
    matcher = engine()
    matcher.update(add=given | rest)
    empty = matcher.bytes()
    first, change = timed(lambda: matcher.update(add_rules=some))
    matches, matched_bytes = len(change.added), matcher.bytes() - empty
    every = list(changes(state, Random(f"{seed} changes")))
    moves, last = every[:-COUNTED], every[-COUNTED:]
    first_change = _changed(matcher, *moves[0])[0]
    by_tries_for_changes(matcher, [moves[1]])
    updates = [_changed(matcher, *each) for each in moves[2:]]
    changed_bytes = matcher.bytes() - empty
    matcher.profile(True)
    found = sum(_changed(matcher, *each)[1] for each in last)
    visited = sum(node.visits for node in matcher.profile_report().nodes) / max(found, 1)
    matcher.profile(False)
    now = given
    for removed, added in every:
        now = now - {removed} | {added}
    positions = []
    for each in others[copies - 1 :]:
        new = facts(each)
        positions.append(exchanged(matcher, now - new, new - now)[0])
        now = new
    return PatternCost(
        len(some), len(given | rest), first, matches, first_change,
        median(seconds for seconds, _ in updates),
        sum(number for _, number in updates) / len(updates), visited,
        median(positions) if positions else 0.0, matched_bytes, changed_bytes,
    )  # fmt: skip


def _changed(matcher: CompiledEngine, removed: Fact, added: Fact) -> tuple[float, int]:
    """Return the seconds of a change, and the number of changed matches."""
    took, change = exchanged(matcher, [removed], [added])
    return took, len(change.added) + len(change.removed) - 2


def by_rules(sizes: Sequence[int], seed: int) -> Measurement:
    """Measure one board: a new position, and a change of one point."""
    every = rules(max(sizes), seed)
    found = []
    for size in sizes:
        found.append(cost(every[:size], seed))
        gc.collect()
    table = CostTable(
        "patterns",
        (
            "patterns", "matches", "ms the first time", "ms a position", "µs a change", "matches a change",
            "µs a match changed", "nodes a match changed",
        ),
        tuple(
            (
                number(each.rules), number(each.matches), number(1e3 * each.first),
                number(1e3 * each.position), number(1e6 * each.update), number(each.changed),
                number(1e6 * each.update / max(each.changed, 1e-9)),
                number(each.visited),
            )
            for each in found
        ),
    )  # fmt: skip
    memory = CostTable(
        "memory",
        (
            "patterns", "bytes a pattern, matched once", "bytes a pattern, after changes",
            "ms of the first change",
        ),
        tuple(
            (
                number(each.rules), number(each.matched_bytes / each.rules),
                number(each.changed_bytes / each.rules), number(1e3 * each.first_change),
            )
            for each in found
        ),
    )  # fmt: skip
    panels = (
        _panel(
            "a board of patterns", "rules", "milliseconds", found,
            ("a new position", "position", 1e3), ("the first time", "first", 1e3),
        ),
        Panel(
            "a change of one point", "rules", "microseconds",
            (
                CostLine("a change", tuple((each.rules, 1e6 * each.update) for each in found)),
                CostLine(
                    "for each match changed",
                    tuple((e.rules, 1e6 * e.update / max(e.changed, 1e-9)) for e in found),
                ),
            ),
        ),
        Panel(
            "memory", "rules", "bytes a rule",
            (
                CostLine("matched once", tuple((e.rules, e.matched_bytes / e.rules) for e in found)),
                CostLine("after changes", tuple((e.rules, e.changed_bytes / e.rules) for e in found)),
            ),
        ),
    )  # fmt: skip
    return Measurement((table, memory), (("costs-patterns", panels),))


def _panel(
    title: str, x: str, y: str, found: Sequence[PatternCost], *curves: tuple[str, str, float]
) -> Panel:
    """Return costs by rules, each curve with its label, the name of its cost, and a factor."""
    lines = (
        CostLine(label, tuple((each.rules, factor * getattr(each, name)) for each in found))
        for label, name, factor in curves
    )
    return Panel(title, x, y, tuple(lines))


def by_facts(copies: Sequence[int], size: int, seed: int) -> Measurement:
    """Measure growing numbers of boards: all matched initially, and a change of one point of one board."""
    some = rules(size, seed)
    found = [cost(some, seed, each, boards=0) for each in copies]
    table = CostTable(
        "boards",
        (
            "boards", "facts", "ms the first time", "µs a fact", "µs a change", "µs a match changed",
            "nodes a match changed",
        ),
        tuple(
            (
                number(boards), number(each.facts), number(1e3 * each.first),
                number(1e6 * each.first / each.facts),
                number(1e6 * each.update), number(1e6 * each.update / max(each.changed, 1e-9)),
                number(each.visited),
            )
            for boards, each in zip(copies, found, strict=True)
        ),
    )  # fmt: skip
    panel = Panel(
        f"{size:,} patterns", "facts", "milliseconds",
        (
            CostLine("all facts for the first time", tuple((each.facts, 1e3 * each.first) for each in found)),
            CostLine("a change of one point", tuple((each.facts, 1e3 * each.update) for each in found)),
        ),
    )  # fmt: skip
    return Measurement((table,), (("costs-boards", (panel,)),))
