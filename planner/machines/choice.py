"""The choice of the fastest machine for a game."""

from __future__ import annotations

from dataclasses import replace

from hornbook.matcher.program.coded import Limits
from hornbook.planner.gdl.game import Game
from hornbook.planner.grounding.grounding import BOUNDS, ground
from hornbook.planner.grounding.saturation import TooLarge
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.machines.network import NetworkMachine
from hornbook.planner.machines.resolution import ResolutionMachine


def machine_of(game: Game, limits: Limits = BOUNDS) -> GameMachine:
    """Return the network of the game's ground rules.

    If these exceed the limits, return a goal-directed machine instead.
    """
    try:
        return NetworkMachine(ground(game.program, limits))
    except TooLarge:
        return ResolutionMachine(game.program)


def limits_within(seconds: float | None) -> Limits:
    """Return limits for grounding a game that is to be searched within `seconds`: a third of the time.

    The construction of a network from the rules takes about as long again.
    """
    if seconds is None or BOUNDS.seconds is None:
        return BOUNDS
    return replace(BOUNDS, seconds=min(BOUNDS.seconds, seconds / 3))
