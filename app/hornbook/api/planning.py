"""Planning from Python: what comes of plans in a position, and whether it is proved."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from hornbook.games import planned_files, planned_shown
from hornbook.games.planning import COMPLEXITY, NODES, SECONDS, Planned, Wanted, known_of
from hornbook.inputs.states import State, state_of
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load


@dataclass(frozen=True, slots=True)
class Plan:
    """What came of planning; made by `plan`. `str` says it in words."""

    found: Planned

    @property
    def verdict(self) -> Literal["won", "refuted", "proposed", "open"]:
        """`won`: proved that the player wins. `refuted`: proved that the opponent does not lose. `proposed`: a plan survives all
        counter-plans that are known. `open`: none does. Of the last two nothing is proved.
        """
        return self.found.result.verdict

    @property
    def player(self) -> str:
        return self.found.player

    @property
    def action(self) -> GroundFact | None:
        """The player's first move; None where the position is refuted, or the player is not to move or cannot.

        It is proved to win if the verdict is `won`. Else it is what a search prefers, and nothing is proved of it.
        """
        return self.found.action

    @property
    def move(self) -> str | None:
        """The same as people write it."""
        return self.found.move

    @property
    def stopped(self) -> Literal["nodes", "seconds", "interrupted"] | None:
        """What ended the search before all was looked at."""
        return self.found.result.stopped

    @property
    def nodes(self) -> int:
        """How many positions were made or matched."""
        return self.found.result.nodes

    def lines(self) -> str:
        """The replies that the proof answers, or what survives of the plan; of chess as PGN with variations."""
        return planned_files.play(self.found)

    def svg(self) -> str:
        """The same as a picture. Raises HornbookError where there are too many positions for one."""
        return planned_files.picture(self.found)

    def __str__(self) -> str:
        return "\n".join(planned_shown.text(self.found))


def plan(
    theory: Theory | str | Path,
    position: State | str | Path | Any,
    player: str | None = None,
    *,
    expectation: int | None = None,
    complexity: int = COMPLEXITY,
    plans: Path | None = None,
    rules: Path | None = None,
    nodes: int = NODES,
    seconds: float = SECONDS,
) -> Plan:
    """Plans for a player, by default who is to move, in a position of a game that says how one plans in it, as chess does.

    A plan is to earn the `expectation`, in what goals are worth, with so many o-plans at once as `complexity` says. `plans` and
    `rules` are files that `hornbook learn` wrote, instead of what ships. Ctrl-C ends it with what is known. Raises
    HornbookError where the theory does not say how to plan or a file has nothing that is certified, TheoryError where a text or a
    file cannot be read, ValueError for a player who does not play.
    """
    theory = theory if isinstance(theory, Theory) else load(theory)
    known = known_of(theory, plans, rules)
    if not isinstance(position, Path):
        position = Path(known.domain.write_line(state_of(theory, position).value))
    situations = known.domain.situations(position)
    if len(situations) != 1:
        raise ValueError(f"{position} has {len(situations)} positions: plan in one")
    return Plan(known.planned(situations[0], Wanted(player, expectation, complexity, nodes, seconds)))
