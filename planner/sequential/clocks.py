"""The clock of a sheet: its fluents after each number of moves, and the irrelevant fluents of a state.

dependencies.py defines a clock and proves that a search may remove it from its states. Here the nodes are
relations of flat rules, so either all fluents of one shape are in the clock or none.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.planner.gdl.coding import CodedGame
from hornbook.planner.gdl.flattening import FlatAbsent, FlatAtom, FlatCondition, Relation
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, shape_of
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.sequential.dependencies import Dependencies, parts

MOST_PHASES = 4_000
"""The maximal number of phases; a clock with more is treated as a part of the board."""


@dataclass(frozen=True, slots=True)
class SheetClock:
    """A clock.

    `phases` are the clock's fluents after 0, 1, … moves; phase number `again` follows the last one. Two
    phases may have the same fluents if different phases follow them. In phases of one kind the same boards
    are terminal, with the same value; None is the kind of a phase that equals no other. `idle` are fluents
    that no rule needs.
    """

    phases: tuple[State, ...]
    again: int
    kinds: tuple[int | None, ...]
    idle: State = frozenset()


NO_CLOCK = SheetClock((frozenset(),), 0, (None,))


def clock_of(game: Game, begins: State) -> SheetClock:
    """Return the clock that the rules of a sheet prove, from a state on."""
    found = parts(dependencies(game.program))

    def among(relations: frozenset[Relation]) -> Callable[[Ground], bool]:
        return lambda fluent: ("true", (shape_of(fluent),)) in relations

    return clock_with(game, begins, among(found.clock), among(found.driving))


def clock_with(
    game: Game, begins: State, shows: Callable[[Ground], bool], drives: Callable[[Ground], bool]
) -> SheetClock:
    """Return the clock of the fluents for which `shows` is true, from a state on.

    `drives` is true for the fluents that determine the next phase: the clock itself, and everything that it
    reads.
    """
    numbers: dict[State, int] = {}
    now = _restricted(begins, drives)
    while now not in numbers:
        if len(numbers) == MOST_PHASES:
            return NO_CLOCK
        numbers[now] = len(numbers)
        # The next values of these fluents depend on no move and on no other fluent.
        now = _restricted(game.next(now, {}), drives)
    phases = tuple(_restricted(driving, shows) for driving in numbers)
    return SheetClock(phases, numbers[now], (None,) * len(phases))


def _restricted(state: State, shows: Callable[[Ground], bool]) -> State:
    return frozenset(fluent for fluent in state if shows(fluent))


def dependencies(program: CodedGame) -> Dependencies[Relation]:
    """Return the dependencies among the flat relations of a sheet."""
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


def compiled_clock(clock: SheetClock, machine: GameMachine) -> _core.Clock:
    """Return a clock in the words of a machine."""
    # The empty state has words in a machine whose states are bits, and none in one whose states are numbers.
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
