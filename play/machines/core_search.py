"""The compiled searches of the planner as searches of games: UCT, and minimax with alpha-beta.

They maximise the goal of the role to move; the other role is assumed to minimise it. A goal of 100 is a won
game, and one of 0 a lost game. Their seconds are of the clock.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from math import isfinite
from typing import TYPE_CHECKING

from hornbook.matcher.program.dataclass import dataclass
from hornbook.planner import _core
from hornbook.play.machines.machine_search import SearchRequest
from hornbook.play.machines.machine_state import GREATEST, WIN, MachineState
from hornbook.play.machines.text_machine import TextMachine

if TYPE_CHECKING:
    from hornbook.play.native import SearchResult

SEED = 1
MEGABYTES = 256
"""The default memory of the tree or table of a search."""
DEEPEST = 1000
UNLIMITED = 2**62
FEWEST = 100
"""The number of random games if only a depth is given, which UCT does not use."""


@dataclass(frozen=True, slots=True)
class _Choice:
    """A decision of a search: the move, its value, and the reason why the search ended."""

    move: str
    value: int
    depth: int
    line: list[str]
    why: str


class TreeDecider:
    """UCT, with or without RAVE. The tree serves later decisions too."""

    def __init__(self, machine: TextMachine, *, rave: bool, megabytes: int | None = None) -> None:
        memory = MEGABYTES if megabytes is None else megabytes
        self._search = _core.TreeSearch(machine.core, rave=rave, seed=SEED, megabytes=memory)

    def decide(self, state: MachineState, request: SearchRequest, found: SearchResult) -> None:
        if _restricts(state, request.only):
            _decide_restricted(self, state, request, found)
            return
        playouts = UNLIMITED
        if isfinite(request.nodes):
            playouts = max(1, int(request.nodes) // 2)  # a random game is an expansion and an evaluation
        elif request.depth is not None and not isfinite(request.seconds):
            playouts = FEWEST
        result = self._search.run(
            state.words,
            state.mover,
            seconds=request.seconds,
            playouts=playouts,
            threads=1,
            stop=request.stop,
        )
        found["expansions"] += result.playouts
        found["evaluations"] += result.playouts
        exact = result.lower == result.upper
        why = "solved" if exact else _limit(request, nodes=result.playouts >= playouts)
        _take(_choice(state, result, exact=exact, why=why), request, found)


class BoundedDecider:
    """Alpha-beta to greater and greater depths, with a table that serves later decisions too."""

    def __init__(self, machine: TextMachine, *, megabytes: int | None = None) -> None:
        memory = MEGABYTES if megabytes is None else megabytes
        self._search = _core.BoundedSearch(machine.core, alpha_beta=True, megabytes=memory)

    def decide(self, state: MachineState, request: SearchRequest, found: SearchResult) -> None:
        if _restricts(state, request.only):
            _decide_restricted(self, state, request, found)
            return
        began = time.monotonic()
        deepest = min(DEEPEST, request.depth or DEEPEST)
        # Each depth is a run of its own only if it is reported.
        follows = request.trace or request.report is not None
        for depth in range(1, deepest + 1) if follows else (deepest,):
            left = request.nodes - found["expansions"]
            seconds = request.seconds - (time.monotonic() - began)
            if left < 1 or seconds <= 0:
                found["why"] = "nodes" if left < 1 else "seconds"
                return
            nodes = int(left) if isfinite(left) else UNLIMITED
            result = self._search.run(
                state.words,
                state.mover,
                seconds=seconds,
                nodes=nodes,
                depth=depth,
                stop=request.stop,
            )
            found["expansions"] += result.nodes
            is_complete = result.exact or result.depth >= depth
            why = (
                "solved"
                if result.exact
                else "depth"
                if is_complete
                else _limit(request, nodes=result.nodes >= nodes)
            )
            if result.move < 0 or (result.depth == 0 and not result.exact):
                found["why"] = why
                return
            _take(_choice(state, result, exact=result.exact, why=why), request, found)
            if why != "depth":
                return


def _limit(request: SearchRequest, *, nodes: bool) -> str:
    """Return the limit that ended a search; `nodes` says that it has spent them."""
    if nodes:
        return "nodes"
    return "stopped" if request.stop is not None and request.stop.is_set else "seconds"


def _choice(
    state: MachineState, result: _core.TreeResult | _core.BoundedResult, *, exact: bool, why: str
) -> _Choice:
    move = state.machine.move_text(state.mover, result.move)
    line = list(_moves(state, result.line))
    value = value_of(state, result.worth, exact=exact)
    return _Choice(move, value, result.depth, line if line[:1] == [move] else [move], why)


def value_of(state: MachineState, worth: float, *, exact: bool) -> int:
    """Return the evaluation for a goal value of the role to move. Only exact values are wins and losses."""
    if len(state.machine.players) == 1:
        value, least = round(WIN // GREATEST * worth), 0
    else:
        value, least = round(2 * WIN // GREATEST * worth) - WIN, -WIN
    return value if exact else max(least + 1, min(WIN - 1, value))


def _moves(state: MachineState, line: Sequence[Sequence[int]]) -> Iterator[str]:
    """Yield the moves of the roles to move in a line of joint moves."""
    for joint in line:
        if state.is_over:
            return
        move = state.machine.move_text(state.mover, joint[state.mover])
        yield move
        state = state.after(move)


def _take(choice: _Choice, request: SearchRequest, found: SearchResult) -> None:
    """Write a decision into the result of a search, and report it."""
    before = sum(step[0] for step in found["steps"])
    spent = found["expansions"] + found["evaluations"]
    found |= {
        "move": choice.move,
        "value": choice.value,
        "line": choice.line,
        "depth": choice.depth,
        "why": choice.why,
    }
    if request.trace:
        found["steps"].append((spent - before, choice.line, choice.value, 0.0, 0.0))
    if request.report is not None:
        request.report(max(1, choice.depth), spent, [(choice.value, choice.line)])


def _restricts(state: MachineState, only: Sequence[str]) -> bool:
    return bool(only) and not set(only) >= state.legal.keys()


def _decide_restricted(
    decider: TreeDecider | BoundedDecider, state: MachineState, request: SearchRequest, found: SearchResult
) -> None:
    """Choose among some of the legal moves, by searches after each of them."""
    moves = list(dict.fromkeys(request.only))
    part = SearchRequest(
        max(1.0, request.nodes / len(moves)),
        request.seconds / len(moves),
        None if request.depth is None else request.depth - 1,
        request.stop,
        (),
        trace=False,
        report=None,
    )
    choices = []
    for move in moves:
        after = state.after(move)
        below: SearchResult = {**found, "value": after.evaluation, "expansions": 0, "evaluations": 0}
        if not after.is_over and part.depth != 0:
            decider.decide(after, part, below)
        found["expansions"] += below["expansions"]
        found["evaluations"] += below["evaluations"]
        value = below["value"] if after.mover == state.mover else -below["value"]
        choices.append(_Choice(move, value, below["depth"] + 1, [move, *below["line"]], below["why"]))
    _take(max(choices, key=lambda choice: choice.value), request, found)
