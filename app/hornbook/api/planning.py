"""Planning from Python: the result of planning in a position, and whether it is proved."""

from __future__ import annotations

import sys
from math import inf
from pathlib import Path
from typing import Any, Literal

from hornbook.games import planned_files, planned_text
from hornbook.games.planning import (
    COMPLEXITY,
    NODES,
    SECONDS,
    PlannedSituation,
    PlanSettings,
    planning_knowledge,
)
from hornbook.inputs.states import State, state_of
from hornbook.inputs.theories import load
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.sources.deprecations import renamed_members, renamed_parameters
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass

PLANNING_LIMITS = Limits(seconds=SECONDS, nodes=NODES)
"""The default limits of `plan`."""


@renamed_members
@dataclass(frozen=True, slots=True)
class Plan:
    """The result of `plan`. `str` gives it as text."""

    found: PlannedSituation
    """The internal result. The other members are the public ones."""

    @property
    def verdict(self) -> Literal["won", "refuted", "proposed", "open"]:
        """The verdict on the position.

        `won`: the player's win is proved. `refuted`: it is proved that the opponent does not lose.
        `proposed`: a plan survives all known counter-plans of the opponent. `open`: no plan does. The last
        two verdicts prove nothing.
        """
        return self.found.result.verdict

    @property
    def player(self) -> str:
        """The player for whom the plan was made."""
        return self.found.player

    @property
    def action(self) -> GroundFact | None:
        """The player's first move.

        It is None if the position is refuted, the player is not to move, or has no move. If the verdict is
        `won`, the move is proved to win. Otherwise it is the preference of a search and nothing is proved.
        """
        return self.found.action

    @property
    def move(self) -> str | None:
        """The first move in the notation of the game."""
        return self.found.move

    @property
    def stopped(self) -> Literal["nodes", "seconds", "interrupted"] | None:
        """The reason why the search ended early; None if it was complete."""
        return self.found.result.stopped

    @property
    def nodes(self) -> int:
        """The number of positions that were generated or matched."""
        return self.found.result.nodes

    def variations(self) -> str:
        """Return the replies that the proof answers, or the surviving part of the plan.

        For chess, the format is PGN with variations.
        """
        return planned_files.play(self.found)

    def to_svg(self) -> str:
        """Return the lines as an SVG picture. Raise HornbookError if there are too many positions."""
        return planned_files.picture(self.found)

    def __str__(self) -> str:
        return "\n".join(planned_text.text(self.found))


@renamed_parameters
def plan(
    theory: Theory | str | Path,
    position: State | str | Path | Any,
    player: str | None = None,
    *,
    expectation: int | None = None,
    complexity: int = COMPLEXITY,
    plans: Path | None = None,
    rules: Path | None = None,
    limits: Limits = PLANNING_LIMITS,
) -> Plan:
    """Plan for a player in a position of a game whose domain describes planning, such as chess.

    Ctrl-C ends the search; the result then has all that is known.

    Args:
        theory: The theory, or its name or file.
        position: The position as an object, a text or a file with one position.
        player: The player, by default the one to move.
        expectation: The minimum worth of the goals that a plan must reach, in the units in which the theory
            declares it (`game … worth 200`).
        complexity: The maximum number of learned plans that may be combined. A learned plan is a sequence of
            moves that reaches a goal if the opponent does nothing relevant (an *optimistic plan*, o-plan).
        plans: A file of plans written by `hornbook learn`, instead of the shipped one.
        rules: A file of rules written by `hornbook learn`, instead of the shipped one.
        limits: The limits on seconds and nodes, by default 60 seconds and 20,000 positions.

    Raises:
        HornbookError: If the theory does not describe planning, or a file has no certified rules.
        TheoryError: If a text or a file cannot be read.
        ValueError: If `player` is not a player of the game, or the file does not have exactly one position.
    """
    theory = theory if isinstance(theory, Theory) else load(theory)
    known = planning_knowledge(theory, plans, rules)
    if not isinstance(position, Path):
        position = Path(known.domain.write_line(state_of(theory, position).value))
    situations = known.domain.situations(position)
    nodes = sys.maxsize if limits.nodes is None else limits.nodes
    seconds = inf if limits.seconds is None else limits.seconds
    settings = PlanSettings(player, expectation, complexity, nodes, seconds)
    if len(situations) != 1:
        raise ValueError(f"{position} has {len(situations)} positions: plan in one")
    return Plan(known.planned(situations[0], settings))
