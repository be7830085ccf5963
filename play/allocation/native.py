"""What the compiled module of a game offers for allocation, as `play/core/allocation/python.hpp` makes it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, cast, overload

from hornbook.play.native import NoNativeError, native_of

Condition = tuple[str, tuple[str | int, ...]]
"""A relation with its terms, variables as `?s`; or `=`, `!=`, `<`, `<=` with a left side, a right side and a number added to it."""

Row = tuple[int, int, int, int, float, float]
"""A node of a tree: its feature (-1 at a leaf), the threshold, the nodes up to it and above it, share of boards, and worth."""


class Setting(Protocol):
    """So many moves of each side, of which so many may be searched to the deep depth instead of the shallow one."""

    moves: int
    searches: int
    shallow: int
    deep: int


class Tally(Protocol):
    """Games of a strategy against a player that never looks deeper, and what the strategy's side looked at."""

    won: int
    lost: int
    drawn: int
    moves: int
    asked: int
    """Moves before which the strategy was asked: there were several, and a deep search was left."""

    deep: int
    shallow_nodes: int
    deep_nodes: int
    deciding_nodes: int
    seconds: float
    """Of the processor, for both sides."""

    deciding_seconds: float


class Rules(Protocol):
    """Conditions of rules, tested on boards."""

    def __len__(self) -> int: ...

    def speaking(self, board: str) -> list[int]:
        """Which speak. Raises ValueError for no board."""


class Boards(Protocol):
    """Boards of games, each with what a deeper search is worth there."""

    def __len__(self) -> int: ...

    def worth(self) -> list[tuple[bool, float]]:
        """Of each board its class (equation 3) and its utility in men (equation 4)."""

    def states(self) -> list[str]: ...

    def features(self, place: int, patterns: Sequence[int] = (), rules: Rules | None = None) -> list[int]: ...

    def spoken(self, rules: Rules) -> list[int]:
        """On how many boards each feature of rules is not 0: first of each rule whether it speaks, then whether it would if the other
        were to move, then after how many moves it does.
        """

    def first(self, number: int) -> Boards: ...

    def relief(self, samples: int, seed: int) -> list[float]:
        """How relevant each feature is to the class."""

    def information(self) -> list[float]:
        """Of each pattern, the bits that are needed to say the class where one knows how often it occurs."""

    def best_patterns(self, number: int) -> list[int]: ...


class Classifier(Protocol):
    """A tree, with the patterns and rules that its last features are about."""

    @property
    def rows(self) -> list[Row]: ...

    @property
    def patterns(self) -> list[int]: ...

    def refill(self, boards: Boards, by: str) -> None:
        """Takes the shares and worths of its leaves from other boards."""

    def decide_by(self, by: str, setting: Setting, asked: float = 1.0, ends: float = 0.0) -> None:
        """By `majority`, `context` or `program`; for the last, which share of moves is asked about, and of games ends at each."""


class Policy(Protocol):
    """A tree that says where a deep search gains more than its price, by the features by hand, which so-manieth move it is, and
    whether the move before was looked at deeply (1 or 0).
    """

    @property
    def rows(self) -> list[Row]: ...

    def decides(self, board: str, move: int, *, deep_before: bool) -> bool:
        """Whether a deep search gains more than its price, at a side's own so many-th move, from 1. Raises ValueError for no board."""


class Explored(Protocol):
    """Decisions that were made by lot in games."""

    def __len__(self) -> int: ...

    def decision(self, place: int) -> tuple[list[int], bool, float, int, float]:
        """What a policy goes by, what was decided, the chance of a yes, the nodes of the move, and the score of the game."""

    def policy(self, price: float, least: int) -> Policy:
        """The policy for a price of a node in scores; no leaf has fewer than `least` decisions. Raises ValueError without any."""


# Within the class below these names are those of functions.
_Setting: TypeAlias = Setting
_Classifier: TypeAlias = Classifier
_Rules: TypeAlias = Rules
_Policy: TypeAlias = Policy


class Allocation(Protocol):
    """The module."""

    FEATURES: tuple[str, ...]
    BY_HAND: int
    """So many features are of the board alone; the others are found by searches, which are counted."""

    PATTERNS: int

    def pattern_name(self, pattern: int) -> str: ...

    def Setting(  # noqa: N802 - a class, called
        self, moves: int = 40, searches: int = 8, shallow: int = 4, deep: int = 6
    ) -> _Setting: ...

    def boards(self, start: str, setting: _Setting, number: int, apart: int, seed: int) -> Boards:
        """Boards with several moves, one in `apart` of games between two players that look to the shallow depth."""

    def Classifier(  # noqa: N802 - a class, called
        self, rows: Sequence[Row], patterns: Sequence[int], by: str, rules: _Rules | None = None
    ) -> _Classifier:
        """A classifier that was written. Raises ValueError."""

    def grown(
        self,
        boards: Boards,
        features: Sequence[int],
        patterns: Sequence[int],
        least: int,
        by: str,
        rules: _Rules | None = None,
    ) -> _Classifier:
        """A tree for the `class` (ID3) or the `utility` (by variance), with no leaf of fewer boards."""

    def Rules(self, rules: Sequence[Sequence[Condition]], typical: str) -> _Rules:  # noqa: N802 - a class, called
        """Conditions, planned by the numbers of facts of a typical board. Raises ValueError for what the native step does not know."""

    def facts(self, board: str) -> list[tuple[str | int, ...]]:
        """What conditions are tested on, each the name of a relation with its values."""

    def Policy(self, rows: Sequence[Row]) -> _Policy:  # noqa: N802 - a class, called
        """A policy that was written. Raises ValueError."""

    def explore(
        self, start: str, setting: _Setting, policy: _Policy | None, games: int, seed: int
    ) -> Explored:
        """Decisions of games that agree with a policy three times of four, or with the decision before where there is none."""

    @overload
    def play(
        self, start: str, setting: _Setting, strategy: str, number: float, games: int, seed: int
    ) -> Tally: ...

    @overload
    def play(
        self, start: str, setting: _Setting, learned: _Classifier | _Policy, games: int, seed: int, /
    ) -> Tally: ...


def allocation_of(domain: object) -> Allocation:
    """What the native step beside a domain offers. Raises NoNativeError where it offers nothing."""
    found = getattr(native_of(domain), "allocation", None)
    if found is None:
        package = type(domain).__module__.rpartition(".")[0]
        raise NoNativeError(
            f"the native step of `{package}` has no `allocation` (play/core/allocation/python.hpp)"
        )
    return cast("Allocation", found)
