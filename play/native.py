"""The native step of a game: what the compiled module `_native` beside a domain offers, the same for every game.

`play/core/python.hpp` makes such a module of a C++ struct that meets the concept `Game` (`play/core/game.hpp`). States and
moves are exchanged as the texts that the domain reads and writes, so that both can be compared.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol, TypedDict, cast

from hornbook.matcher.program.hornbook_error import HornbookError


class State(Protocol):
    """A state; two are equal where nothing tells them apart, and then have one hash."""

    @property
    def to_move(self) -> int:
        """Which player is to move: 0 begins, the other is 1."""

    @property
    def is_over(self) -> bool: ...

    @property
    def outcome(self) -> int:
        """What player 0 has reached, in the game's own unit. Raises ValueError while the game goes on."""

    @property
    def evaluation(self) -> int:
        """The outcome that is expected for who is to move, in 1 / EVALUATION_UNIT of that unit, within RANGE."""

    @property
    def features(self) -> list[int]:
        """What the evaluation sums up, as FEATURES names it, for games whose evaluation does (`Featured`)."""

    def moves(self) -> list[str]:
        """The legal moves: none where the game is over, and at least one elsewhere."""

    def after(self, move: str) -> State:
        """The state after a legal move. Raises ValueError where it is none."""

    def perft(self, depth: int) -> int:
        """The number of lines of exactly so many moves; lines that end the game before are not counted. Raises ValueError below 0."""

    @property
    def conditions(self) -> list[int]:
        """By what statistics group states of a game of two players, as CONDITIONS names it."""

    @property
    def canonical(self) -> State:
        """One state for all that symmetries of the game make of this one, for games that tell (`Symmetric`)."""


class Found(TypedDict):
    """What a search gives back. Both counts are of the whole search, whatever they were for."""

    move: str | None
    """None where the game is over, or where nothing was decided within the budget."""

    value: int
    """For who is to move, as an evaluation."""

    expansions: int
    """How often the moves of a state were listed."""

    evaluations: int
    asked: int
    """About how many states it was asked what is known of them."""

    seconds: float
    """Of the processor."""

    depth: int
    why: str
    """Why the search stopped."""

    line: list[str]
    """The moves that are expected, from this one on."""

    steps: list[tuple[int, list[str], int, float, float]]
    """Where asked for, what was done one after another: the nodes that were spent with it; the line to what was expanded, or
    that is expected by this depth; the value then; and the gain that was expected with the price that it was held against,
    where steps are weighed."""


Known = Callable[[State], tuple[int | None, int | None, str | None]]
"""What is known of a state for certain: the least and the greatest value that it can have, for who is to move, and a move that is worth
the least one or more; None for what is not known."""


class Stop(Protocol):
    """What ends a search from another thread."""

    def set(self) -> None: ...


Report = Callable[[int, int, Sequence[tuple[int, list[str]]]], None]
"""Takes a completed depth, the nodes so far, and the best lines, each with its value for the side to move."""


class Search(Protocol):
    """A search, with the tables that it keeps from one decision to the next."""

    def __call__(
        self,
        state: State,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        share: float = 1.0,
        stop: Stop | None = None,
        trace: bool = False,
        only: Sequence[str] = (),
        lines: int = 1,
        report: Report | None = None,
    ) -> Found:
        """Decides within a number of nodes (expansions and evaluations), seconds of the processor and a depth in moves.

        `share` is the part of the nodes and seconds that this decision should take, where they are for later ones too;
        `stop` ends it from another thread, and `trace` asks for the steps. With `only`, no other first moves are considered.
        `report` is called after each completed depth, with so many `lines`; a search without depths calls it at its end.
        Raises ValueError for a budget of nothing, where a search needs a limit that was not given, for moves that are not
        legal, and for several lines from a search that gives one.
        """


class Guided(Search, Protocol):
    """A search that knows what rules proved, of games that offer such."""

    def know(self, state: State, conclusions: Sequence[str]) -> None:
        """What rules proved of a state, as the game's domain writes it (`Domain.proved`), besides what is known; what can no longer be of use is forgotten.

        Raises ValueError for what is no conclusion about the state.
        """

    @property
    def known(self) -> int:
        """How many conclusions are known."""

    def evaluation(self, state: State) -> int:
        """The evaluation of a state by what is known."""


class Native(Protocol):
    """The module."""

    PLAYERS: int
    EVALUATION_UNIT: int
    RANGE: tuple[int, int]
    """The least and the greatest evaluation."""

    FEATURES: tuple[str, ...]
    """The names of a state's features, where it has any."""

    CONDITIONS: tuple[str, ...]
    """The names of a state's conditions, in a game of two players."""

    def search(
        self,
        name: str,
        statistics: Mapping[str, object],
        known: Known | None = None,
        after: int = 0,
        *,
        only: bool = False,
        megabytes: int | None = None,
    ) -> Search:
        """A search of a game of two players by its name (`play/core/search/python.hpp`). Raises ValueError.

        Of the game's statistics (`hornbook.play.thinking.statistics`) it takes what it needs. `known` is asked about the state that is
        decided about, and about others once `after` nodes were spent below them; with `only`, no move is searched beside one that is
        known to be worth the least value. A table of states has the greatest size within `megabytes`.
        """

    def guided(
        self, name: str, *, leaves: bool, order: bool, prunes: bool, megabytes: int | None = None
    ) -> Guided:
        """A search by its name that knows what rules prove, for games that offer it: to look at leaves, to order moves, and to leave out
        such as the rules prove to be in vain. Raises ValueError.
        """

    def Stop(self) -> Stop:  # noqa: N802 - a class, called
        """Ends a search that it is given to once it is set."""

    def State(self, text: str) -> State:  # noqa: N802 - a class, called
        """The state of a text such as the domain's `write_line` gives. Raises ValueError."""


class NoNativeError(HornbookError):
    """A game brings no native step; the message says what is missing."""


_NEEDED = ("PLAYERS", "EVALUATION_UNIT", "RANGE")
"""Attributes that every native step has. The others depend on the number of players."""


def native_of(domain: object) -> Native:
    """The native step beside a domain. Raises NoNativeError where it brings none, or none was built."""
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
