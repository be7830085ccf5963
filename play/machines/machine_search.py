"""Searches of games on machines: alpha-beta to a depth, or to greater and greater depths."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.machines.machine_state import WIN, MachineState

if TYPE_CHECKING:
    from hornbook.play.native import Known, Report, SearchResult

SEARCHES = ("deepening", "alpha-beta", "ordered-alpha-beta")
DEEPEST = 100


class MachineStop:
    """Ends a search from another thread."""

    def __init__(self) -> None:
        self.is_set = False

    def set(self) -> None:
        self.is_set = True


class _SpentError(Exception):
    """The budget is spent; the message is the reason."""


@dataclass(slots=True)
class _Meter:
    """The cost of a search and its limits."""

    nodes: float
    seconds: float
    stop: MachineStop | None
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
class MachineSearch:
    """Alpha-beta to a depth, or to greater and greater depths."""

    deepens: bool
    ordered: bool
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
        stop: MachineStop | None = None,
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
        infinite = float("inf")
        meter = _Meter(
            infinite if nodes is None else nodes * share,
            infinite if seconds is None else seconds * share,
            stop,
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
            self._decide(state, depth or DEEPEST, only, meter, found, trace=trace, report=report)
        found["expansions"], found["evaluations"] = meter.expansions, meter.evaluations
        found["seconds"] = meter.spent
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

    def _decide(
        self,
        state: MachineState,
        depth: int,
        only: Sequence[str],
        meter: _Meter,
        found: SearchResult,
        *,
        trace: bool,
        report: Report | None,
    ) -> None:
        """Search to each depth in turn, or to the given one, and write the last result into `found`."""
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
            if trace:
                found["steps"].append((spent - before, line, value, 0.0, 0.0))
            if report is not None:
                report(at, spent, [(value, line)])
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
