"""Members for some games only. A command asks `implemented` or `isinstance` for them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from hornbook.kb.ast.terms import GameStatement
from hornbook.kb.ast.theory import GroundFact
from hornbook.theories.protocols.planning import Planning, Turn


@runtime_checkable
class StoneBoard(Protocol):
    """Boards with komi, handicap stones and groups of stones, as GTP sets them up."""

    def with_komi(self, text: str, komi: float) -> tuple[str, float]:
        """Return a state of a whole game with `komi` points for the second player.

        The second component is the part of the komi that the state cannot count, in the unit of outcomes.
        """

    def emptied(self, text: str) -> tuple[str, float]:
        """Return the initial state on a board like that of a state, and the komi there."""

    def handicap(self, text: str, stones: int, *, free: bool) -> Sequence[str] | None:
        """Return the points of `stones` handicap stones on an empty board, or None if there are none.

        The stones have fixed places, or `free` ones.
        """

    def with_handicap(self, text: str, points: Sequence[str]) -> str | None:
        """Return an empty board with handicap stones on points, or None if these points are not possible."""

    def has_stones(self, text: str) -> bool:
        """Return whether a board has stones that rule out handicap stones."""

    def groups(self, text: str) -> Sequence[Sequence[str]]:
        """Return the stones that are counted as alive, by groups."""

    def gtp_setup(self, text: str) -> list[str]:
        """Return the commands that set up a program that speaks GTP before a game."""


@runtime_checkable
class Planned(Protocol):
    """Plans for two players who move in turn."""

    ways: tuple[Path, ...]
    """Plans in the games of `planning`, besides the shipped plans, that propose moves when no gain is shown.
    """

    def planning(self) -> Planning:
        """Return the description of the plans of this domain."""

    def is_planned(self, state: Any) -> bool:
        """Return whether plans apply to a state: they can move every piece in it."""

    def write_play(self, play: Turn, name: str) -> str:
        """Return lines of play in a common file format. The first turn has no action."""


@runtime_checkable
class SearchRules(Protocol):
    """Conclusions of rules for the guided searches of the native step."""

    def closes(self, text: str, conclusion: GameStatement) -> tuple[int, str | None] | None:
        """Return the player of a conclusion and the first move for it, or None if searches cannot use it.

        The first move is None if the other side may move first.
        """

    def proved(self, text: str, conclusion: GameStatement, premises: Iterable[GroundFact]) -> str | None:
        """Return a conclusion that `closes` accepts, with its premises, as the native step's guided searches
        read it.

        Returns None if the searches cannot use it.
        """


@runtime_checkable
class RecordedYears(Protocol):
    """Years of a firm."""

    def read_year(self, folder: Path) -> Sequence[Any]:
        """Return the months of a year that is stored in a folder, for `report`."""
