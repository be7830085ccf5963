"""The setting of a search for a plan: a machine, and the fluents to remove from states."""

from __future__ import annotations

from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.grounding.grounding import BOUNDS, ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from hornbook.planner.sequential.clocks import SheetClock, clock_of
from hornbook.planner.sequential.ground_clocks import ground_clock_of


@dataclass(frozen=True, slots=True)
class SequentialSetting:
    machine: GameMachine
    clock: SheetClock

    @property
    def most(self) -> int:
        """Return an upper bound on the value of any state for the only role."""
        return self.machine.most(0)


def setting_of(game: Game, begins: State, limits: Limits = BOUNDS) -> SequentialSetting:
    """Return the fastest machine from a state on, with the clock that the game's rules prove there.

    `limits` are those of the ground program. Raises ValueError if the state contains a term that the game
    never makes true.
    """
    machine: GameMachine
    try:
        program = ground(game.program, limits)
        machine = NetworkMachine(program)
        machine.words(begins)
    except (TooLarge, ValueError):
        # There are too many ground rules, or they omit the given state. The rules of the sheet may still be
        # able to express it.
        machine = ResolutionMachine(game.program)
        machine.words(begins)
        return SequentialSetting(machine, clock_of(game, begins))
    return SequentialSetting(machine, ground_clock_of(game, program, begins))
