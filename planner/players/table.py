"""The table of players."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hornbook.planner.players.plain import LegalPlayer, RandomPlayer
from hornbook.planner.players.player import Player, PlayerSetting

PLAYERS: Mapping[str, Callable[[PlayerSetting], Player]] = {
    "legal": LegalPlayer,
    "random": RandomPlayer,
}
"""Each player's constructor, by its name."""
