"""The player for games in GDL of one role: the sequential planner finds a plan, whose first move is made."""

from __future__ import annotations

import time

from hornbook.kb.lower.budget import Budget
from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner.sequential.planner import plan
from hornbook.play.machines.move_texts import move_text
from hornbook.play.machines.sheet_machine import SheetMachine
from hornbook.play.whole.played import PlayedGame
from hornbook.play.whole.solving import NoWayError
from hornbook.play.whole.thinking import SearchArguments, Thought


@dataclass(frozen=True, slots=True)
class PlanSolver:
    """A search for a plan with the greatest goal value."""

    machine: SheetMachine

    def think(self, game: PlayedGame, budget: SearchArguments) -> Thought:
        """Return the best plan found within the nodes and seconds of a budget. Raises NoWayError."""
        began = time.process_time()
        found = plan(
            self.machine.game,
            Budget(seconds=budget.get("seconds"), steps=budget.get("nodes")),
            begins=self.machine.state(self.machine.words(str(game.state))),
        )
        if found.plan is None:
            raise NoWayError("no way to the end was found within the limits")
        line = tuple(map(move_text, found.plan.moves))
        value = game.native.EVALUATION_UNIT * found.plan.value
        return Thought(line[0], value, len(line), found.states, time.process_time() - began, line)
