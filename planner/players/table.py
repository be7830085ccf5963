"""The table of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hornbook.planner.players.depth import BoundedDepthPlayer, DeliberatingPlayer, MinimaxPlayer
from hornbook.planner.players.monte_carlo import MonteCarloPlayer
from hornbook.planner.players.plain import LegalPlayer, RandomPlayer
from hornbook.planner.players.planned import SequentialPlayer
from hornbook.planner.players.player import Player, PlayerSetting
from hornbook.planner.players.solved import SolvingPlayer

PLAYERS: Mapping[str, Callable[[PlayerSetting], Player]] = {
    "legal": LegalPlayer,
    "random": RandomPlayer,
    "deliberation": DeliberatingPlayer,
    "minimax": MinimaxPlayer,
    "bounded": BoundedDepthPlayer,
    "mcts": MonteCarloPlayer,
    "sequential": SequentialPlayer,
    "solved": SolvingPlayer,
}
"""Each player's constructor, by its name."""
