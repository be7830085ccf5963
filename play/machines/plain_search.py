"""Alpha-beta in Python, for machines with estimates of their own."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.play.machines.machine_search import SearchRequest
from hornbook.play.machines.machine_state import WIN, MachineState

if TYPE_CHECKING:
    from hornbook.play.native import SearchResult

DEEPEST = 100


class _SpentError(Exception):
    """The budget is spent; the message is the reason."""


@dataclass(slots=True)
class _Meter:
    """The cost of a search and its limits."""

    nodes: float
    seconds: float
    stop: _core.StopSignal | None
    expansions: int = 0
    evaluations: int = 0
    began: float = field(default_factory=time.process_time)
    saw_horizon: bool = False

    @property
    def spent(self) -> float:
        return time.process_time() - self.began

    def check(self) -> None:
        if self.stop is not None and self.stop.is_set:
            raise _SpentError("stopped")
        if self.expansions + self.evaluations >= self.nodes:
            raise _SpentError("nodes")
        if self.spent >= self.seconds:
            raise _SpentError("seconds")


@dataclass(frozen=True, slots=True)
class PlainDecider:
    """Alpha-beta to a depth, or to greater and greater depths. It uses the estimates of the machine."""

    deepens: bool
    ordered: bool

    def decide(self, state: MachineState, request: SearchRequest, found: SearchResult) -> None:
        meter = _Meter(request.nodes, request.seconds, request.stop)
        self._search(state, request, meter, found)
        found["expansions"], found["evaluations"] = meter.expansions, meter.evaluations

    def _search(
        self, state: MachineState, request: SearchRequest, meter: _Meter, found: SearchResult
    ) -> None:
        """Search to each depth in turn, or to the given one, and write the last result into `found`."""
        depth, only = request.depth or DEEPEST, request.only
        for at in range(1, depth + 1) if self.deepens else (depth,):
            meter.saw_horizon = False
            before = meter.expansions + meter.evaluations
            first = found["line"][:1]
            try:
                value, line = self._value(state, at, -WIN - 1, WIN + 1, meter, [*first, *only], only)
            except _SpentError as problem:
                found["why"] = str(problem)
                return
            why = "depth" if meter.saw_horizon and abs(value) < WIN else "solved"
            found |= {"move": line[0], "value": value, "line": line, "depth": at, "why": why}
            spent = meter.expansions + meter.evaluations
            if request.trace:
                found["steps"].append((spent - before, line, value, 0.0, 0.0))
            if request.report is not None:
                request.report(at, spent, [(value, line)])
            if why == "solved":
                return

    def _value(
        self,
        state: MachineState,
        depth: int,
        least: int,
        most: int,
        meter: _Meter,
        first: Sequence[str] = (),
        only: Sequence[str] = (),
    ) -> tuple[int, list[str]]:
        """Return the value for the player to move, and the principal variation."""
        if state.is_over or depth == 0:
            meter.evaluations += 1
            meter.saw_horizon |= not state.is_over
            return state.evaluation, []
        meter.check()
        meter.expansions += 1
        after = state.next_states
        moves = [move for move in after if not only or move in only]
        if self.ordered:
            meter.evaluations += len(moves)
            moves.sort(key=lambda move: _for(state, after[move], after[move].evaluation), reverse=True)
        moves.sort(key=lambda move: move not in first)
        best: list[str] = []
        for move in moves:
            below = after[move]
            turns = below.to_move != state.to_move
            window = (-most, -least) if turns else (least, most)
            value, line = self._value(below, depth - 1, *window, meter)
            value = _for(state, below, value)
            if value > least or not best:
                best = [move, *line]
            least = max(least, value)
            if least >= most:
                break
        return least, best


def _for(state: MachineState, below: MachineState, value: int) -> int:
    """Return a value of the player to move in `below` for the player to move in `state`."""
    return value if below.to_move == state.to_move else -value
