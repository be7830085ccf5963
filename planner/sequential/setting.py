"""What a search for a plan works with: a machine, what it may leave out of states, and a bound on every plan's value."""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.matcher.program.coded import Limits
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import worth_of
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
    most: int
    """No state is worth more to the role that plays."""


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
        return Setting(machine, clock_of(game, begins), greatest_worth(game))
    worths = [worth for worth, _ in program.goals[0]]
    return Setting(machine, ground_clock_of(game, program, begins), max(worths, default=0))


def greatest_worth(game: Game) -> int:
    """A bound from the sheet: no state is worth more to anybody."""
    worths = {0}
    for rule in game.program.origins:
        if rule.head.relation[0].split(" ")[0] == "goal":
            worth = rule.head.columns[-1]
            # What a variable stands for is a word of the sheet.
            words = (worth,) if isinstance(worth, str) else game.program.words
            worths.update(number for word in words if (number := worth_of(word)) is not None)
    return max(worths)
