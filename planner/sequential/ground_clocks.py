"""The clock of a ground program: clocks.py for single fluents, with idle fluents and kinds of phases.

Two phases are of one kind if the rules for the end and the goals become equal in both after the clock's
fluents are replaced by their truth in the phase. The comparison is syntactic, so phases that differ may still
be equivalent.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace

from hornbook.planner.gdl.game import Game, State
from hornbook.planner.grounding.ground_program import GroundProgram
from hornbook.planner.sequential.clocks import SheetClock, clock_with
from hornbook.planner.sequential.dependencies import Dependencies, parts, read_by

MOST_SPECIAL = 10_000_000
"""The maximal number of phases times rules to compare; in a larger clock, no two phases are of one kind."""
Rule = tuple[int, frozenset[int], frozenset[int]]
"""The head, and the atoms that are present and absent."""


def ground_clock_of(game: Game, program: GroundProgram, begins: State) -> SheetClock:
    """Return the clock that the ground program of a game proves, from a state on."""
    graph = dependencies(program)
    found = parts(graph)
    shown, driving = (
        frozenset(program.fluents[atom] for atom in atoms) for atoms in (found.clock, found.driving)
    )
    clock = clock_with(game, begins, shown.__contains__, driving.__contains__)
    return replace(
        clock,
        idle=frozenset(program.fluents[atom] for atom in found.idle),
        kinds=_kinds(program, graph, clock.phases) if len(clock.phases) > 1 else clock.kinds,
    )


def dependencies(program: GroundProgram) -> Dependencies[int]:
    """Return the dependencies among the atoms of a ground program."""
    conditions: dict[int, list[int]] = {}
    for head, positive, negative in _rules(program):
        conditions.setdefault(head, []).extend((*positive, *negative))
    return Dependencies(
        conditions,
        dict(enumerate(program.next_atoms)),
        frozenset((program.terminal, *(atom for worths in program.goals for _, atom in worths))),
        frozenset(atom for atoms in program.legal_atoms for atom in atoms),
        frozenset(atom for atoms in program.does_atoms for atom in atoms),
    )


def _rules(program: GroundProgram) -> Iterator[tuple[int, array[int], array[int]]]:
    for number, head in enumerate(program.heads):
        positive = program.positive[program.positive_starts[number] : program.positive_starts[number + 1]]
        negative = program.negative[program.negative_starts[number] : program.negative_starts[number + 1]]
        yield head, positive, negative


def _kinds(
    program: GroundProgram, graph: Dependencies[int], phases: Sequence[State]
) -> tuple[int | None, ...]:
    numbers = {fluent: atom for atom, fluent in enumerate(program.fluents)}
    clock = {numbers[fluent] for phase in phases for fluent in phase}
    readers = _clock_readers(graph, clock)
    rules = [
        (head, frozenset(positive), frozenset(negative))
        for head, positive, negative in _rules(program)
        if head in readers
    ]
    if len(rules) * len(phases) > MOST_SPECIAL:
        return (None,) * len(phases)
    known: dict[object, int] = {}
    found = []
    for phase in phases:
        shown = {numbers[fluent] for fluent in phase}
        meaning = _specialised(rules, readers, shown, clock - shown)
        found.append(known.setdefault(meaning, len(known)))
    often = Counter(found)
    return tuple(kind if often[kind] > 1 else None for kind in found)


def _clock_readers(graph: Dependencies[int], clock: set[int]) -> set[int]:
    """Return the nodes read by the end and the goals that read the clock."""
    behind = set(read_by(graph.conditions, graph.ends))
    readers: dict[int, list[int]] = {}
    for node in behind:
        for condition in graph.conditions.get(node, ()):
            readers.setdefault(condition, []).append(node)
    return set(read_by(readers, clock)) - clock


def _specialised(rules: Sequence[Rule], readers: set[int], present: set[int], absent: set[int]) -> object:
    """Return the rules simplified by present and absent atoms.

    The result also has the `readers` that become present or absent.
    """
    present, absent = set(present), set(absent)
    left = list(rules)
    before = -1
    while before != (before := len(present) + len(absent)):
        left = [
            (head, positive - present, negative - absent)
            for head, positive, negative in left
            if head not in present and positive.isdisjoint(absent) and negative.isdisjoint(present)
        ]
        present |= {head for head, positive, negative in left if not positive and not negative}
        absent |= readers - present - {head for head, _, _ in left}
    return frozenset(left), frozenset(present & readers), frozenset(absent & readers)
