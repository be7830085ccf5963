"""The step of a game whose machine plays the moves: a game in GDL, or a domain in Python.

It has the interface of a native step (`hornbook.play.native`). The outcome of a game of two roles is the goal
of the role that begins, less that of the other, in units of the machine's `point`. The outcome of a game of
one role is its goal.
"""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.planner import _core
from hornbook.play.machines.core_search import BoundedDecider, TreeDecider
from hornbook.play.machines.machine_search import Decider, MachineSearch
from hornbook.play.machines.machine_state import GREATEST, WIN, MachineState
from hornbook.play.machines.plain_search import PlainDecider
from hornbook.play.machines.text_machine import TextMachine
from hornbook.play.native import Known, require_search

SAMPLED = ("uct", "uct-rave")
"""The searches by random games."""
BOUNDED = ("deepening", "alpha-beta")
"""The searches to a depth, without estimates of the machine."""
ESTIMATED = (*BOUNDED, "ordered-alpha-beta")
"""The searches to a depth with such estimates."""


class MachineStep:
    """A machine of a game of one or two roles that take turns, as a step for searches."""

    FEATURES: tuple[str, ...] = ()
    CONDITIONS: tuple[str, ...] = ("progress", "moves", "evaluation")

    def __init__(self, machine: TextMachine) -> None:
        self.machine = machine
        self.SEARCHES = (*(ESTIMATED if machine.has_estimates else BOUNDED), *SAMPLED)
        self.PLAYERS = len(machine.players)
        self.EVALUATION_UNIT = WIN // GREATEST * machine.point
        self.RANGE = (0 if self.PLAYERS == 1 else -WIN, WIN)

    def State(self, text: str) -> MachineState:  # noqa: N802 - a class, called
        """Return the state of a text. Raises ValueError."""
        return MachineState(self.machine, tuple(self.machine.words(text)))

    def Stop(self) -> _core.StopSignal:  # noqa: N802 - a class, called
        return _core.StopSignal()

    def search(
        self,
        name: str,
        statistics: Mapping[str, object],
        known: Known | None = None,
        after: int = 0,
        *,
        megabytes: int | None = None,
    ) -> MachineSearch:
        """Return a search by its name; `known` is queried for the state to decide only. Raises ValueError."""
        require_search(self, name)
        return MachineSearch(self.machine, self._decider(name, megabytes), known)

    def _decider(self, name: str, megabytes: int | None) -> Decider:
        if name in SAMPLED:
            return TreeDecider(self.machine, rave=name == "uct-rave", megabytes=megabytes)
        if self.machine.has_estimates:
            return PlainDecider(name == "deepening", name == "ordered-alpha-beta")
        return BoundedDecider(self.machine, megabytes=megabytes)
