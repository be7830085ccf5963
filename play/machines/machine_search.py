"""Searches of games on machines: what all of them share, in the form of the searches of native steps."""

from __future__ import annotations

import time
from collections.abc import Sequence
from math import inf
from typing import TYPE_CHECKING, Protocol

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.play.machines.machine_state import MachineState
from hornbook.play.machines.text_machine import TextMachine

if TYPE_CHECKING:
    from hornbook.play.native import Known, Report, SearchResult


@dataclass(frozen=True, slots=True)
class SearchRequest:
    """The limits of a search, and what it reports."""

    nodes: float
    """The maximal number of expansions and evaluations; infinite without a limit, as the seconds are."""
    seconds: float
    depth: int | None
    stop: _core.StopSignal | None
    only: Sequence[str]
    """The only first moves to consider; all if there are none."""
    trace: bool
    report: Report | None


class Decider(Protocol):
    """An algorithm that chooses a move."""

    def decide(self, state: MachineState, request: SearchRequest, found: SearchResult) -> None:
        """Write the decision in a state that is not over, and its cost, into `found`."""


@dataclass(frozen=True, slots=True)
class MachineSearch:
    """A search on a machine. `known` is queried for the state to decide only."""

    machine: TextMachine
    decider: Decider
    known: Known | None = None
    gives_lines = False

    def __call__(
        self,
        state: MachineState,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        share: float = 1.0,
        stop: _core.StopSignal | None = None,
        trace: bool = False,
        only: Sequence[str] = (),
        lines: int = 1,
        report: Report | None = None,
    ) -> SearchResult:
        """Decide as `hornbook.play.native.Search` describes. Raises ValueError."""
        if lines != 1:
            raise ValueError("this search gives one line")
        if any(limit is not None and limit <= 0 for limit in (nodes, seconds, depth)) or share <= 0:
            raise ValueError("a budget is more than nothing")
        for move in only:
            state.after(move)
        if state.machine is not self.machine:  # its words may have another meaning here
            state = MachineState(self.machine, tuple(self.machine.words(str(state))))
        began = time.process_time()
        request = SearchRequest(
            inf if nodes is None else nodes * share,
            inf if seconds is None else seconds * share,
            depth,
            stop,
            only,
            trace,
            report,
        )
        found: SearchResult = {
            "move": None,
            "value": state.evaluation,
            "expansions": 0,
            "evaluations": 0,
            "asked": 0,
            "seconds": 0.0,
            "depth": 0,
            "why": "the game is over",
            "line": [],
            "steps": [],
        }
        if not state.is_over and not self._is_known(state, only, found):
            self.decider.decide(state, request, found)
        found["seconds"] = time.process_time() - began
        return found

    def _is_known(self, state: MachineState, only: Sequence[str], found: SearchResult) -> bool:
        """Return whether a move is known to win, which is then the result."""
        if self.known is None:
            return False
        least, _, move = self.known(state)
        found["asked"] = 1
        if least is None or move is None or (only and move not in only):
            return False
        found |= {"move": move, "value": least, "line": [move], "why": "proved"}
        return True
