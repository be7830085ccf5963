"""The interface of a game's compiled module for allocation, defined in `play/core/allocation/python.hpp`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, cast, overload

from hornbook.play.native import NoNativeError, native_of

Row = tuple[int, int, int, int, float, float]
"""A node of a tree: its feature (-1 at a leaf), the threshold, the nodes up to it and above it, share of
boards, and worth.
"""


class AllocationSetting(Protocol):
    """The number of moves of each side, the number of deep searches among them, and both depths."""

    moves: int
    searches: int
    shallow: int
    deep: int


class AllocationTally(Protocol):
    """The results of a strategy against a player that never searches deeply.

    They include the search effort of the strategy's side.
    """

    won: int
    lost: int
    drawn: int
    moves: int
    asked: int
    """The number of moves for which the strategy was queried: it had a choice, and a deep search was left."""

    deep: int
    shallow_nodes: int
    deep_nodes: int
    deciding_nodes: int
    seconds: float
    """Processor seconds of both sides."""

    deciding_seconds: float


class Boards(Protocol):
    """Boards of games, each with the worth of a deeper search there."""

    def __len__(self) -> int: ...

    def worth(self) -> list[tuple[bool, float]]:
        """Return for each board its class (equation 3) and its utility in pieces (equation 4)."""

    def states(self) -> list[str]: ...

    def features(self, place: int, patterns: Sequence[int] = ()) -> list[int]: ...

    def first(self, number: int) -> Boards: ...

    def relief(self, samples: int, seed: int) -> list[float]:
        """Return the relevance of each feature to the class."""

    def information(self) -> list[float]:
        """Return for each pattern the entropy of the class in bits, given the number of its occurrences."""

    def best_patterns(self, number: int) -> list[int]: ...


class Classifier(Protocol):
    """A tree, with the patterns for its last features."""

    @property
    def rows(self) -> list[Row]: ...

    @property
    def patterns(self) -> list[int]: ...

    def refill(self, boards: Boards, by: str) -> None:
        """Replace the shares and worths of its leaves by those of other boards."""

    def decide_by(
        self, by: str, setting: AllocationSetting, with_choice: float = 1.0, ends: float = 0.0
    ) -> None:
        """Set the decision rule: `majority`, `context` or `program`.

        The last one needs the share of moves with a choice, and the share of games that end at each move.
        """


class Policy(Protocol):
    """A tree that predicts whether a deep search gains more than its price.

    Its features are the hand-made ones, the number of the move, and whether the previous move was searched
    deeply (1 or 0).
    """

    @property
    def rows(self) -> list[Row]: ...

    def decides(self, board: str, move: int, *, deep_before: bool) -> bool:
        """Return whether a deep search gains more than its price at a side's own move number `move`.

        Moves are counted from 1. Raises ValueError for an invalid board.
        """


class ExploredDecisions(Protocol):
    """Decisions that were made at random in games."""

    def __len__(self) -> int: ...

    def decision(self, place: int) -> tuple[list[int], bool, float, int, float]:
        """Return a decision.

        It has the features of a policy, the decision, the chance of a deep search, the nodes of the move, and
        the game's score.
        """

    def policy(self, price: float, least: int) -> Policy:
        """Return the policy for a price per node in units of the score.

        No leaf has fewer than `least` decisions. Raises ValueError if there are no decisions.
        """


# Within the class below these names denote functions.
_Setting: TypeAlias = AllocationSetting
_Classifier: TypeAlias = Classifier
_Policy: TypeAlias = Policy


class Allocation(Protocol):
    """The compiled module."""

    FEATURES: tuple[str, ...]
    BY_HAND: int
    """The number of hand-made features; they depend on the board alone. Other features need searches, which
    are counted.
    """

    PATTERNS: int

    def pattern_name(self, pattern: int) -> str: ...

    def Setting(  # noqa: N802 - a class, called
        self, moves: int = 40, searches: int = 8, shallow: int = 4, deep: int = 6
    ) -> _Setting: ...

    def boards(self, start: str, setting: _Setting, number: int, apart: int, seed: int) -> Boards:
        """Return boards with several moves, one in `apart` from games between two shallow players."""

    def Classifier(  # noqa: N802 - a class, called
        self, rows: Sequence[Row], patterns: Sequence[int], by: str
    ) -> _Classifier:
        """Return a classifier from its rows. Raises ValueError."""

    def grown(
        self,
        boards: Boards,
        features: Sequence[int],
        patterns: Sequence[int],
        least: int,
        by: str,
    ) -> _Classifier:
        """Return a tree for the `class` (ID3) or the `utility` (by variance).

        No leaf has fewer than `least` boards.
        """

    def Policy(self, rows: Sequence[Row]) -> _Policy:  # noqa: N802 - a class, called
        """Return a policy from its rows. Raises ValueError."""

    def explore(
        self, start: str, setting: _Setting, policy: _Policy | None, games: int, seed: int
    ) -> ExploredDecisions:
        """Return random decisions of games.

        They agree with the policy three times out of four, or with the previous decision if there is no
        policy.
        """

    @overload
    def play(
        self, start: str, setting: _Setting, strategy: str, number: float, games: int, seed: int
    ) -> AllocationTally: ...

    @overload
    def play(
        self, start: str, setting: _Setting, learned: _Classifier | _Policy, games: int, seed: int, /
    ) -> AllocationTally: ...


def allocation_of(domain: object) -> Allocation:
    """Return the allocation interface of a domain's native step. Raises NoNativeError if it has none."""
    found = getattr(native_of(domain), "allocation", None)
    if found is None:
        package = type(domain).__module__.rpartition(".")[0]
        raise NoNativeError(
            f"the native step of `{package}` has no `allocation` (play/core/allocation/python.hpp)"
        )
    return cast("Allocation", found)
