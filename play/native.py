"""The native step of a game: the interface of the compiled module `_native` of a domain.

`play/core/python.hpp` makes such a module from a C++ struct that meets the concept `Game`
(`play/core/game.hpp`). States and moves are exchanged as the texts that the domain reads and writes, so that
both implementations can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from inspect import getfile
from pathlib import Path
from typing import Protocol, TypedDict, cast

from hornbook.matcher.program.hornbook_error import HornbookError


class NativeState(Protocol):
    """A state; two states that are indistinguishable are equal and have the same hash."""

    @property
    def to_move(self) -> int:
        """Return the player to move: 0 begins, the other is 1."""

    @property
    def is_over(self) -> bool: ...

    @property
    def outcome(self) -> int:
        """Return the result of player 0, in the game's own unit. Raises ValueError while the game goes on."""

    @property
    def evaluation(self) -> int:
        """Return the expected outcome for the player to move.

        It is in 1 / EVALUATION_UNIT of the game's own unit, within RANGE.
        """

    @property
    def features(self) -> list[int]:
        """Return the terms of the evaluation, named by FEATURES.

        This is for games whose evaluation is a sum (`Featured`).
        """

    def moves(self) -> list[str]:
        """Return the legal moves: none if the game is over, otherwise at least one."""

    def after(self, move: str) -> NativeState:
        """Return the state after a legal move. Raises ValueError for an illegal one."""

    def perft(self, depth: int) -> int:
        """Return the number of lines with exactly `depth` moves.

        Lines that end the game earlier are not counted. Raises ValueError for a negative depth.
        """

    @property
    def conditions(self) -> list[int]:
        """Return the values for grouping states in statistics, named by CONDITIONS.

        This is for games of two players.
        """

    @property
    def canonical(self) -> NativeState:
        """Return one representative of all symmetric states, for games with symmetries (`Symmetric`)."""


class SearchResult(TypedDict):
    """The result of a search. Both counts are for the whole search."""

    move: str | None
    """None if the game is over, or if nothing was decided within the budget."""

    value: int
    """For the player to move, as an evaluation."""

    expansions: int
    """The number of states whose moves were generated."""

    evaluations: int
    asked: int
    """The number of states for which `known` was queried."""

    seconds: float
    """Processor seconds."""

    depth: int
    why: str
    """The reason why the search stopped."""

    line: list[str]
    """The principal variation, beginning with this move."""

    steps: list[tuple[int, list[str], int, float, float]]
    """The steps of the search, if requested.

    A step has the nodes spent, the line to the expanded state or the principal variation at this depth, and
    the value. If steps are weighed, it also has the expected gain and the price that it was compared with.
    """


Known = Callable[[NativeState], tuple[int | None, int | None, str | None]]
"""The certain knowledge about a state for the player to move: lower and upper bounds of the value, and a move
that is worth at least the lower bound; None for unknown parts.
"""


class SearchStop(Protocol):
    """An object that ends a search from another thread."""

    def set(self) -> None: ...


Report = Callable[[int, int, Sequence[tuple[int, list[str]]]], None]
"""A callback with a completed depth, the nodes until then, and the best lines, each with its value for the
side to move.
"""


class Search(Protocol):
    """A search, with the tables that it keeps between decisions."""

    def __call__(
        self,
        state: NativeState,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        share: float = 1.0,
        stop: SearchStop | None = None,
        trace: bool = False,
        only: Sequence[str] = (),
        lines: int = 1,
        report: Report | None = None,
    ) -> SearchResult:
        """Decide within a number of nodes (expansions and evaluations), processor seconds and a depth.

        Args:
            share: The part of the nodes and seconds for this decision, if they are also for later ones.
            stop: Ends the search from another thread.
            trace: Whether the result contains the steps.
            only: If given, the only first moves to consider.
            report: Called after each completed depth with the best `lines`; a search without depths calls it
                at its end.

        Raises ValueError for an empty budget, for a missing limit that the search needs, for illegal moves,
        and for several lines if the search gives only one.
        """


class Guided(Search, Protocol):
    """A search that uses conclusions of rules, for games that offer it."""

    def know(self, state: NativeState, conclusions: Sequence[str]) -> None:
        """Add conclusions of rules about a state, in the form of `Domain.proved`, and forget obsolete ones.

        Raises ValueError for a text that is no conclusion about the state.
        """

    @property
    def known(self) -> int:
        """Return the number of known conclusions."""

    def evaluation(self, state: NativeState) -> int:
        """Return the evaluation of a state that uses the known conclusions."""


class Native(Protocol):
    """The compiled module."""

    PLAYERS: int
    EVALUATION_UNIT: int
    RANGE: tuple[int, int]
    """The least and the greatest evaluation."""

    FEATURES: tuple[str, ...]
    """The names of a state's features, if it has any."""

    CONDITIONS: tuple[str, ...]
    """The names of a state's conditions, in a game of two players."""

    def search(
        self,
        name: str,
        statistics: Mapping[str, object],
        known: Known | None = None,
        after: int = 0,
        *,
        megabytes: int | None = None,
    ) -> Search:
        """Return a search of a game of two players by its name (`play/core/search/python.hpp`).

        Args:
            statistics: The statistics of the game (`hornbook.play.thinking.statistics`).
            known: Queried for the state to decide, and for others once `after` nodes were spent below them.
            megabytes: The maximal size of the table of states, which takes the greatest size within it.

        Raises ValueError for an unknown name or unsuitable arguments.
        """

    def guided(self, name: str, *, leaves: bool, order: bool, megabytes: int | None = None) -> Guided:
        """Return a search by its name that uses conclusions of rules, for games that offer it.

        The conclusions can improve the evaluation of `leaves`, and `order` moves. Raises ValueError.
        """

    def Stop(self) -> SearchStop:  # noqa: N802 - a class, called
        """Return an object that ends each search that received it, once it is set."""

    def State(self, text: str) -> NativeState:  # noqa: N802 - a class, called
        """Return the state of a text in the form of the domain's `write_line`. Raises ValueError."""


class NoNativeError(HornbookError):
    """A game has no native step; the message names the missing part."""


class NoSearchError(HornbookError, ValueError):
    """A step does not offer a search; the message names the searches that it offers."""


def require_search(native: object, name: str) -> None:
    """Raise NoSearchError if a step names its searches and this is none of them."""
    if not offered(native, (name,)):
        known = ", ".join(getattr(native, "SEARCHES", ()))
        raise NoSearchError(f"`{name}` needs a native step; this game is searched by {known}")


def offered(native: object, names: Sequence[str]) -> list[str]:
    """Return those of some searches that a step offers; all if it does not name its searches."""
    known = getattr(native, "SEARCHES", names)
    return [name for name in names if name in known]


_NEEDED = ("PLAYERS", "EVALUATION_UNIT", "RANGE")
"""The attributes that every native step has. The others depend on the number of players."""


def native_of(domain: object) -> Native:
    """Return the native step of a domain. Raises NoNativeError if it has none, or none was built."""
    package = type(domain).__module__.rpartition(".")[0]
    name = f"{package}._native"
    if not package or find_spec(name) is None:
        raise NoNativeError(
            f"`{package or type(domain).__module__}` has no compiled `_native` (native/module.cpp)"
        )
    module = import_module(name)
    missing = [each for each in _NEEDED if not hasattr(module, each)]
    if missing:
        raise NoNativeError(f"{module.__file__}: the native step has no `{missing[0]}`")
    return cast("Native", module)


def has_native_files(domain: object) -> bool:
    """Return whether the folder of a domain has a native step, built or not."""
    folder = Path(getfile(type(domain))).parent
    return (folder / "native").is_dir() or any(folder.glob("_native*"))
