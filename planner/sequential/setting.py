"""What a search for a plan works with: a machine, and what it may leave out of states."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.matcher.program.coded import Limits
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.grounding.grounding import BOUNDS, ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine
from hornbook.planner.sequential.clocks import Clock, clock_of
from hornbook.planner.sequential.ground_clocks import ground_clock_of


@dataclass(frozen=True, slots=True)
class Setting:
    machine: GameMachine
    clock: Clock

    @property
    def most(self) -> int:
        """No state is worth more to the role that plays."""
        return self.machine.most(0)


def setting_of(game: Game, begins: State, limits: Limits = BOUNDS) -> Setting:
    """The fastest machine from a state on, with the clock that the game's rules prove there.

    `limits` are those of the ground program. Raises ValueError where something is true in the state that the game never makes
    true.
    """
    machine: GameMachine
    try:
        program = ground(game.program, limits)
        machine = NetworkMachine(program)
        machine.words(begins)
    except (TooLarge, ValueError):
        # Too many ground rules, or a state that they leave out: the sheet's own rules may know it all the same.
        machine = ResolutionMachine(game.program)
        machine.words(begins)
        return Setting(machine, clock_of(game, begins))
    return Setting(machine, ground_clock_of(game, program, begins))
