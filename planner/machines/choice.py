"""The fastest machine that plays a game."""

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
    """The network of the game's ground rules, or evaluation goal by goal where these are more than the limits let be."""
    try:
        return NetworkMachine(ground(game.program, limits))
    except TooLarge:
        return ResolutionMachine(game.program)


def limits_within(seconds: float | None) -> Limits:
    """The limits of a ground program whose game is to be searched, all in so many seconds: a third of them.

    To make a network of the rules takes about as long again.
    """
    if seconds is None or BOUNDS.seconds is None:
        return BOUNDS
    return replace(BOUNDS, seconds=min(BOUNDS.seconds, seconds / 3))
