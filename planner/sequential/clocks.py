"""The clock of a sheet: what it shows after each number of moves, and what of a state nothing asks for.

See dependencies.py for what a clock is, and why a search may leave it out of its states. Here the nodes are the relations
of flat rules, so fluents of one shape are in the clock together or not at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from hornbook.planner import _core
from hornbook.planner.gdl.coding import Program
from hornbook.planner.gdl.flattening import FlatAbsent, FlatAtom, FlatCondition, Relation
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, shape_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.sequential.dependencies import Dependencies, parts

MOST_PHASES = 4_000
"""A clock that shows more is treated as a part of the board."""


@dataclass(frozen=True, slots=True)
class Clock:
    """`phases` are what the clock shows after 0, 1, … moves; behind the last it shows phase number `again` anew.

    Two phases may show the same, if different phases follow them.
    In phases of one kind the same boards are terminal, and of the same worth; None is the kind of a phase like no other.
    `idle` are fluents that nothing asks for.
    """

    phases: tuple[State, ...]
    again: int
    kinds: tuple[int | None, ...]
    idle: State = frozenset()


NO_CLOCK = Clock((frozenset(),), 0, (None,))


def clock_of(game: Game, begins: State) -> Clock:
    """The clock that the rules of a sheet prove to be one, from a state on."""
    found = parts(dependencies(game.program))

    def among(relations: frozenset[Relation]) -> Callable[[Ground], bool]:
        return lambda fluent: ("true", (shape_of(fluent),)) in relations

    return clock_with(game, begins, among(found.clock), among(found.driving))


def clock_with(
    game: Game, begins: State, shows: Callable[[Ground], bool], drives: Callable[[Ground], bool]
) -> Clock:
    """The clock of the fluents for which `shows` is true, from a state on.

    `drives` is true for the fluents that determine what the clock shows next: the clock itself, and all that it reads.
    """
    numbers: dict[State, int] = {}
    now = _only(begins, drives)
    while now not in numbers:
        if len(numbers) == MOST_PHASES:
            return NO_CLOCK
        numbers[now] = len(numbers)
        # What comes next of these fluents reads no move, and no other fluent.
        now = _only(game.next(now, {}), drives)
    phases = tuple(_only(driving, shows) for driving in numbers)
    return Clock(phases, numbers[now], (None,) * len(phases))


def _only(state: State, shows: Callable[[Ground], bool]) -> State:
    return frozenset(fluent for fluent in state if shows(fluent))


def dependencies(program: Program) -> Dependencies[Relation]:
    """What rests on what among the flat relations of a sheet."""
    conditions: dict[Relation, set[Relation]] = {}
    for rule in program.origins:
        conditions.setdefault(rule.head.relation, set()).update(_relations(rule.body))
    relations = program.numbers.keys() | conditions.keys()

    def named(*names: str) -> frozenset[Relation]:
        return frozenset(relation for relation in relations if relation[0].split(" ")[0] in names)

    coming: dict[Relation, Relation] = {
        ("true", shapes): ("next", shapes) for name, shapes in relations if name in ("true", "next", "init")
    }
    return Dependencies(conditions, coming, named("terminal", "goal"), named("legal"), named("does"))


def _relations(conditions: Iterable[FlatCondition]) -> Iterator[Relation]:
    for condition in conditions:
        if isinstance(condition, FlatAtom):
            yield condition.relation
        elif isinstance(condition, FlatAbsent):
            yield from _relations(condition.conditions)


def compiled(clock: Clock, machine: GameMachine) -> _core.Clock:
    """A clock in the words of a machine."""
    # A machine whose states are bits has words for the state in which nothing is true; one whose states are numbers has none.
    numbers = not machine.words(frozenset())
    kinds = [-1 if kind is None else kind for kind in clock.kinds]
    return _core.Clock(
        numbers,
        machine.words(frozenset().union(*clock.phases)),
        machine.words(clock.idle),
        [machine.words(phase) for phase in clock.phases],
        clock.again,
        kinds,
    )
