"""The messages between a player's dialogue and its two processes: the referee, and the thinker.

The referee knows the rules and the state of the match; the thinker has the player. Each answer has the number
of its task. All messages are frozen and can be pickled.
"""

from __future__ import annotations

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.gdl.game import State
from hornbook.planner.gdl.ground import Ground

# Tasks of the referee


@dataclass(frozen=True, slots=True)
class Load:
    """Read the rules of a match, for a role; for a preview, the role is None."""

    number: int
    rules: str
    role: str | None


@dataclass(frozen=True, slots=True)
class Judge:
    """Make the moves of the last step; None before the first step."""

    number: int
    moves: tuple[Ground, ...] | None


@dataclass(frozen=True, slots=True)
class Finish:
    """Make the moves of the last step, and tell the result."""

    number: int
    moves: tuple[Ground, ...] | None


RefereeTask = Load | Judge | Finish

# Answers of the referee


@dataclass(frozen=True, slots=True)
class Loaded:
    """The rules are right, and the role exists."""

    number: int


@dataclass(frozen=True, slots=True)
class Refused:
    """The rules or moves of a task are wrong; the match is as before."""

    number: int
    message: str


@dataclass(frozen=True, slots=True)
class Judged:
    """The state after the moves, and the legal moves of the role, each with its text."""

    number: int
    state: State
    legal: tuple[tuple[Ground, str], ...]


@dataclass(frozen=True, slots=True)
class Finished:
    """The result of a match as a text."""

    number: int
    result: str


RefereeAnswer = Loaded | Refused | Judged | Finished

# Tasks of the thinker


@dataclass(frozen=True, slots=True)
class Prepare:
    """Prepare for a match, within `seconds`."""

    number: int
    rules: str
    role: str
    seconds: float


@dataclass(frozen=True, slots=True)
class Think:
    """Choose a move in a state, within `seconds`."""

    number: int
    state: State
    seconds: float


@dataclass(frozen=True, slots=True)
class Rest:
    """Stop thinking, and forget the match."""

    number: int


ThinkerTask = Prepare | Think | Rest

# The answer of the thinker


@dataclass(frozen=True, slots=True)
class Thought:
    """A task of the thinker is done; `move` is the chosen move, and `failure` describes an error."""

    number: int
    move: Ground | None = None
    failure: str = ""
