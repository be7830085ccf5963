"""Path searches in games of one player, by the compiled module `_native` in the package of a domain.

They are implemented in `play/core/paths/`. The argument `bound` names the heuristic, one of BOUNDS: a lower
bound on the number of moves to the goal. Nodes are generated states. The limits are `most_nodes` for the
whole search, `most_moves` for the path, and `most_a_move`, the nodes for choosing one move.
"""

from __future__ import annotations

from typing import Protocol, TypedDict, cast

from hornbook.play.native import Native, NativeState, NoNativeError, native_of


class PathResult(TypedDict):
    """A path to the goal, if `is_found`; otherwise the moves that were found within the limits."""

    moves: list[str]
    nodes: int
    is_found: bool


class Gathered(Protocol):
    """The statistics of continued searches (`StateOfOne.gather`)."""

    def rows(self) -> list[list[float]]:
        """Return the statistics as rows.

        A row has the size of M (its number of binary digits), the gap, the count, and the total gains and
        nodes.
        """


class StateOfOne(NativeState, Protocol):
    """A state of a game of one player. Invalid limits raise ValueError."""

    def bound(self, name: str) -> int:
        """Return the value of a heuristic in this state."""

    def ida_star(self, bound: str, most_nodes: int = ...) -> PathResult:
        """Return a shortest path (Korf 1985)."""

    def weighted_a_star(self, bound: str, weight: float, most_nodes: int = ...) -> PathResult:
        """Return a path that is at most `weight` times as long as a shortest one (Pohl 1970)."""

    def rta_star(
        self,
        bound: str,
        depth: int,
        weight: float = 1,
        seed: int = 1,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> PathResult:
        """Return moves that are each chosen by looking `depth` moves ahead; `seed` breaks ties.

        Source: Korf 1990 (RTA*).
        """

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
    ) -> PathResult:
        """Return moves that are each chosen by as much search as pays if a node costs `cost` moves.

        The list `rises` has possible increases of an estimate by an expansion, each with the probability of
        at least that increase.

        Source: Russell and Wefald 1988, section 5.2.2.
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
    ) -> PathResult:
        """Return moves as above, with an estimate that may be too high.

        Therefore leaves of other moves are also searched; `falls` is like `rises`.

        Source: Russell and Wefald 1988, section 5.2.3.
        """

    def gather(
        self,
        bound: str,
        into: Gathered,
        weight: float = 1,
        most_a_move: int = ...,
        most_moves: int = ...,
        most_nodes: int = ...,
    ) -> PathResult:
        """Return moves that are each chosen by a search of `most_a_move` nodes.

        The statistics of each search are added to `into`.
        """

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
    ) -> PathResult:
        """Return moves as above, based on gathered statistics.

        An advantage of 1 is assumed to save `factor` moves.
        """


class NativeOfOne(Native, Protocol):
    """The module of a game of one player."""

    BOUNDS: tuple[str, ...]

    def State(self, text: str) -> StateOfOne: ...  # noqa: N802 - a class, called

    def Gathered(self) -> Gathered: ...  # noqa: N802 - a class, called


def native_of_one(domain: object) -> NativeOfOne:
    """Return the native step of a domain. Raises NoNativeError if it has none for a game of one player."""
    native = native_of(domain)
    if native.PLAYERS != 1:
        raise NoNativeError(
            f"`{type(domain).__module__}` is of a game of {native.PLAYERS} players, not of one"
        )
    return cast("NativeOfOne", native)
