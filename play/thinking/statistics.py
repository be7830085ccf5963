"""The statistics that a game's searches use: the changes of values with search depth.

A file of statistics is JSON and records how it was gathered; `as_given` returns the form for a native search.
"""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any, Literal, get_args

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError

Tails = Literal["empirical", "normal", "laplace"]
TAILS: tuple[Tails, ...] = get_args(Tails)
SPAN = 8.0
"""A shape covers this many deviations below and above its mean."""
STEPS = 256
MARGIN = 1.4
"""Multi-ProbCut cuts if a bound is this many deviations outside of the window."""


class StatisticsError(HornbookError):
    """A file of statistics cannot be used; the message says where and why."""


@dataclass(frozen=True, slots=True)
class Errors:
    """Values after `plies` plies minus evaluations, for the player to move, by groups of states."""

    splits: tuple[tuple[int, int, int, int], ...]
    """A condition's number, a threshold, and the successors up to it and above it: a split, or the group ~n.
    """

    groups: tuple[tuple[float, float], ...]
    """The mean and the deviation of each group."""

    shape: tuple[float, ...]
    """E[(z - Z)+] of the errors Z, normalised by their group's mean and deviation, at STEPS + 1 places from
    -SPAN to SPAN.
    """

    explained: float
    """The part of the variance that the groups' means explain."""

    kurtosis: float
    """The kurtosis of the errors within their groups; 3 if they are normal."""

    plies: int

    def as_given(self, shape: tuple[float, ...]) -> dict[str, object]:
        """Return the form for a native search, with this shape."""
        return {"splits": list(self.splits), "groups": list(self.groups), "shape": list(shape), "span": SPAN}


@dataclass(frozen=True, slots=True)
class Cut:
    """Values of a deep search as linear functions of those of a shallow one.

    There is a function for each of the equal parts of a game's progress.
    """

    deep: int
    shallow: int
    rows: tuple[tuple[float, float, float], ...]
    """Slope, offset and deviation."""


@dataclass(frozen=True, slots=True)
class Statistics:
    """The statistics of a game, and how they were gathered."""

    game: str
    command: str
    version: str
    seed: int
    positions: int
    unit: int
    """The unit of evaluations."""

    conditions: tuple[str, ...]
    errors: tuple[Errors, ...]
    """By plies, from 1 on."""

    cuts: tuple[Cut, ...]
    gain: float
    """The price: the mean expected gain of an expansion if MGSS* expands while any expansion has a positive
    worth.
    """

    moves_left: tuple[float, ...]
    """The number of choices that a player still has in a game, in equal parts of its progress."""

    def as_given(
        self,
        *,
        plies: int = 1,
        tails: Tails = "empirical",
        price: float = 1.0,
        margin: float = MARGIN,
        symmetric: bool = True,
        sets: bool = True,
    ) -> dict[str, object]:
        """Return the form for a native search.

        Args:
            plies: The number of plies of the errors to use.
            tails: The shape of their distribution.
            price: The factor of the gathered gain.
            margin: The margin of Multi-ProbCut.
            symmetric: Whether symmetric moves are treated as one.
            sets: Whether leaves without individual worth are expanded as sets.

        Raises StatisticsError if no errors were gathered for this number of plies.
        """
        found = next((each for each in self.errors if each.plies == plies), None)
        if found is None:
            raise StatisticsError(f"the statistics of `{self.game}` have no errors after {plies} plies")
        return {
            "errors": found.as_given(found.shape if tails == "empirical" else shape_of(tails)),
            "price": self.gain * price,
            "all": not symmetric,
            "sets": sets,
            "cuts": [(cut.deep, cut.shallow, list(cut.rows)) for cut in self.cuts],
            "margin": margin,
        }

    def choices_left(self, progress: int) -> float:
        """Return the number of choices that a player still has at this progress of a game.

        The current choice is included.
        """
        return max(1.0, self.moves_left[progress * len(self.moves_left) // 100])


@cache
def shape_of(tails: Tails) -> tuple[float, ...]:
    """Return E[(z - Z)+] for the normal or the Laplace distribution with mean 0 and deviation 1."""
    places = [SPAN * (2 * step / STEPS - 1) for step in range(STEPS + 1)]
    if tails == "normal":  # use the nearer tail: z is added if it is above 0
        return tuple(
            max(z, 0.0)
            + math.exp(-z * z / 2) / math.sqrt(2 * math.pi)
            - abs(z) * math.erfc(abs(z) / math.sqrt(2)) / 2
            for z in places
        )
    scale = 1 / math.sqrt(2)
    return tuple(max(z, 0.0) + scale / 2 * math.exp(-abs(z) / scale) for z in places)


def shape_found(errors: Sequence[float]) -> tuple[float, ...]:
    """Return E[(z - Z)+] of errors with deviation 1.

    The errors are clipped to the span, and their mean is subtracted.
    """
    bound = SPAN * (1 - 2 / STEPS)
    clipped = [min(max(error, -bound), bound) for error in errors]
    mean = math.fsum(clipped) / len(clipped)
    ordered = sorted(min(max(error - mean, -SPAN), SPAN) for error in clipped)
    found, below, total, place = [], 0, 0.0, 0
    for step in range(STEPS + 1):
        z = SPAN * (2 * step / STEPS - 1)
        while place < len(ordered) and ordered[place] <= z:
            total += ordered[place]
            below += 1
            place += 1
        found.append((z * below - total) / len(ordered))
    return tuple(found)


def write_statistics(statistics: Statistics) -> str:
    """Return the text of a file, with one line for each field."""
    lines = [f" {json.dumps(name)}: {json.dumps(value)}" for name, value in asdict(statistics).items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def read_statistics(path: Path, game: str, conditions: Sequence[str]) -> Statistics:
    """Return the statistics of a file, for that game. Raises StatisticsError, OSError."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError) as problem:
        where = f":{problem.lineno}:{problem.colno}" if isinstance(problem, json.JSONDecodeError) else ""
        raise StatisticsError(
            f"{path}{where}: this is no file of statistics (`hornbook search statistics` writes one)"
        ) from None
    try:
        found = _statistics(read)
    except (KeyError, TypeError, ValueError, IndexError):
        raise StatisticsError(
            f"{path}: something is missing or of a wrong form; "
            f"`hornbook search statistics {game} --into {path.name}` writes it again"
        ) from None
    if found.game != game or list(found.conditions) != list(conditions):
        raise StatisticsError(
            f"{path}: these are statistics of `{found.game}` by {', '.join(found.conditions)};"
            f" `hornbook search statistics {game}` gathers those of `{game}`"
        )
    return found


Distribution = tuple[
    tuple[tuple[int, int, int, int], ...], tuple[tuple[float, float], ...], tuple[float, ...], float, float
]
"""The fields of `Errors` but its plies."""


def _distributed(read: Any) -> Distribution:
    return (
        tuple((int(c), int(t), int(low), int(high)) for c, t, low, high in read["splits"]),
        tuple((float(mean), float(deviation)) for mean, deviation in read["groups"]),
        tuple(float(value) for value in read["shape"]),
        float(read["explained"]),
        float(read["kurtosis"]),
    )


def _statistics(read: Any) -> Statistics:
    errors = tuple(Errors(*_distributed(each), int(each["plies"])) for each in read["errors"])
    cuts = tuple(
        Cut(
            int(each["deep"]),
            int(each["shallow"]),
            tuple(
                (float(slope), float(offset), float(deviation)) for slope, offset, deviation in each["rows"]
            ),
        )
        for each in read["cuts"]
    )
    moves_left = tuple(float(number) for number in read["moves_left"])
    if not moves_left or any(len(each.shape) != STEPS + 1 for each in errors):
        raise ValueError("a table is too short")
    return Statistics(
        str(read["game"]),
        str(read["command"]),
        str(read["version"]),
        int(read["seed"]),
        int(read["positions"]),
        int(read["unit"]),
        tuple(str(name) for name in read["conditions"]),
        errors,
        cuts,
        float(read["gain"]),
        moves_left,
    )
