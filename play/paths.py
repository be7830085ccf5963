"""Searches for paths in games of one player, by the compiled module `_native` beside a domain, the same for every such game.

`play/core/paths/` has them. `bound` names what they go by, one of BOUNDS: a number of moves that a state needs at least. What is
counted as nodes is states that were generated, in all of them alike.
"""

from __future__ import annotations

from typing import Protocol, TypedDict, cast

from hornbook.play.native import Native, NoNativeError, State, native_of


class Found(TypedDict):
    """A path, or as much of one as was found with so many nodes and moves."""

    moves: list[str]
    nodes: int
    is_found: bool


class Gathered(Protocol):
    """What searches that went on came to (`StateOfOne.gather`)."""

    def rows(self) -> list[list[float]]:
        """The size of M (its number of binary digits), the gap, how often, the gains and the nodes in all."""


class StateOfOne(State, Protocol):
    """A state of a game of one player. Limits that are no limits raise ValueError."""

    def bound(self, name: str) -> int: ...

    def ida_star(self, bound: str, most_nodes: int = ...) -> Found:
        """A shortest path (Korf 1985)."""

    def weighted_a_star(self, bound: str, weight: float, most_nodes: int = ...) -> Found:
        """A path at most `weight` times as long as a shortest one (Pohl 1970)."""

    def rta_star(
        self,
        bound: str,
        depth: int,
        weight: float = 1,
        seed: int = 1,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> Found:
        """Moves that are each chosen by looking so many moves ahead (Korf 1990); `seed` chooses among equals."""

    def dta_star_by_single_steps(
        self,
        bound: str,
        rises: list[tuple[float, float]],
        cost: float,
        weight: float = 1,
        factor: float = 1,
        most_a_move: int = ...,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> Found:
        """Moves that are each chosen by as much search as pays where a node costs so many moves (Russell and Wefald 1988, 5.2.2).
        `rises` has by how much an estimate rises when it is expanded, and how probable it is to rise by that or more.
        """

    def dta_star_by_rises_and_falls(
        self,
        bound: str,
        rises: list[tuple[float, float]],
        falls: list[tuple[float, float]],
        cost: float,
        weight: float = 1,
        factor: float = 1,
        most_a_move: int = ...,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> Found:
        """The same with an estimate that may be too high (5.2.3), so that leaves of other moves are searched for falling; `falls` as `rises`."""

    def gather(
        self,
        bound: str,
        into: Gathered,
        weight: float = 1,
        most_a_move: int = ...,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> Found:
        """Moves that are each chosen by a search of `most_a_move` nodes, and what each came to."""

    def dta_star(
        self,
        bound: str,
        gathered: Gathered,
        cost: float,
        weight: float = 1,
        factor: float = 1,
        most_a_move: int = ...,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> Found:
        """The same by what was gathered. A move that seems better by one is taken to save `factor` moves."""


class NativeOfOne(Native, Protocol):
    """The module of a game of one player."""

    BOUNDS: tuple[str, ...]

    def State(self, text: str) -> StateOfOne: ...  # noqa: N802 - a class, called

    def Gathered(self) -> Gathered: ...  # noqa: N802 - a class, called


def native_of_one(domain: object) -> NativeOfOne:
    """The native step beside a domain. Raises NoNativeError where it brings none of a game of one player."""
    native = native_of(domain)
    if native.PLAYERS != 1:
        raise NoNativeError(
            f"`{type(domain).__module__}` is of a game of {native.PLAYERS} players, not of one"
        )
    return cast("NativeOfOne", native)
