"""The step of a game without a native one: its domain plays the moves, and plain searches in Python decide.

It has the interface of a native step (`hornbook.play.native`), and is some thousand times slower. It knows
only who wins: a win counts one, a loss minus one, a draw and a state that is not decided nothing. For the
latter, a domain may have an `evaluation`, in thousandths of a win.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import field
from functools import cached_property
from inspect import getfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.theories.protocols.missing_member import MissingMemberError

if TYPE_CHECKING:
    from hornbook.play.native import Guided, Known, Report, SearchResult
    from hornbook.theories.domain import Domain

SEARCHES = ("deepening", "alpha-beta", "ordered-alpha-beta")
WIN = 1000
"""The evaluation of a win."""
DEEPEST = 100


class NoPythonSearchError(HornbookError, ValueError):
    """A search is written for native steps only; the message names the others."""


def python_step(domain: Domain) -> PythonStep | None:
    """Return the step of a domain that names decisive games and has no files of a native step, or None."""
    return PythonStep(domain) if domain.decisive and not has_native_files(domain) else None


def has_native_files(domain: Domain) -> bool:
    """Return whether the folder of a domain has a native step, built or not."""
    folder = Path(getfile(type(domain))).parent
    return (folder / "native").is_dir() or any(folder.glob("_native*"))


class PythonStep:
    """The rules of a domain as a step for searches."""

    PLAYERS = 2
    EVALUATION_UNIT = WIN
    RANGE = (-WIN, WIN)
    FEATURES: tuple[str, ...] = ()
    CONDITIONS: tuple[str, ...] = ("progress", "moves", "evaluation")

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        first = domain.starts()[0]
        friends = (domain.friend(first, game) for game in domain.games(first) if self.is_decisive(game))
        self.players = tuple(dict.fromkeys([domain.to_move(first), *friends]))

    def is_decisive(self, game: Any) -> bool:
        return game.predicate in self.domain.decisive

    def State(self, text: str) -> PythonState:  # noqa: N802 - a class, called
        """Return the state of a text. Raises ValueError."""
        try:
            return PythonState(self, self.domain.position(text))
        except TheoryError as problem:
            raise ValueError(problem.diagnostics[0].message) from None

    def Stop(self) -> PythonStop:  # noqa: N802 - a class, called
        return PythonStop()

    def search(
        self,
        name: str,
        statistics: Mapping[str, object],
        known: Known | None = None,
        after: int = 0,
        *,
        megabytes: int | None = None,
    ) -> PythonSearch:
        """Return a search by its name; `known` is queried for the state to decide only. Raises ValueError."""
        if name not in SEARCHES:
            raise NoPythonSearchError(
                f"`{name}` needs a native step; a game without one is searched by {', '.join(SEARCHES)}"
            )
        return PythonSearch(name == "deepening", name == "ordered-alpha-beta", known)

    def guided(self, name: str, *, leaves: bool, order: bool, megabytes: int | None = None) -> Guided:
        """Raise NoPythonSearchError: no search in Python takes conclusions of rules about leaves or moves."""
        raise NoPythonSearchError(
            f"`{name}` in Python takes no conclusions of rules; that needs a native step"
        )


@dataclass(frozen=True)
class PythonState:
    """A state of a domain."""

    step: PythonStep = field(compare=False, repr=False)
    state: Any

    def __str__(self) -> str:
        return self.step.domain.write_line(self.state)

    @cached_property
    def next_states(self) -> Mapping[str, PythonState]:
        """The states after the legal moves."""
        if self._is_decided:
            return {}
        turns = self.step.domain.turns(self.state)
        return {text: PythonState(self.step, state) for text, state in turns if state is not None}

    @cached_property
    def _outcomes(self) -> list[tuple[int, bool | None]]:
        """The outcome of each decisive game, with the number of its friend."""
        domain, step = self.step.domain, self.step
        games = [game for game in domain.games(self.state) if step.is_decisive(game)]
        return [
            (step.players.index(domain.friend(self.state, game)), domain.outcome(self.state, game))
            for game in games
        ]

    @property
    def _is_decided(self) -> bool:
        return any(won for _, won in self._outcomes)

    @property
    def to_move(self) -> int:
        mover = self.step.domain.to_move(self.state)
        return self.step.players.index(mover) if mover in self.step.players else 0

    @property
    def is_over(self) -> bool:
        return not self.next_states

    @property
    def outcome(self) -> int:
        if not self.is_over:
            raise ValueError("the game is not over")
        winner = next((player for player, won in self._outcomes if won), None)
        return 0 if winner is None else 1 if winner == 0 else -1

    @cached_property
    def evaluation(self) -> int:
        if self.is_over:
            return self.outcome * WIN * (1 if self.to_move == 0 else -1)
        try:
            return max(1 - WIN, min(WIN - 1, self.step.domain.evaluation(self.state)))
        except MissingMemberError:
            return 0

    @property
    def features(self) -> list[int]:
        return []

    @property
    def conditions(self) -> list[int]:
        return [0, len(self.next_states), self.evaluation]

    def moves(self) -> list[str]:
        return list(self.next_states)

    def after(self, move: str) -> PythonState:
        if move not in self.next_states:
            raise ValueError(f"`{move}` is no legal move")
        return self.next_states[move]

    def perft(self, depth: int) -> int:
        if depth < 0:
            raise ValueError("a line of play has no moves or more")
        return 1 if depth == 0 else sum(each.perft(depth - 1) for each in self.next_states.values())

    @property
    def canonical(self) -> PythonState:
        return self


class PythonStop:
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
    stop: PythonStop | None
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
class PythonSearch:
    """Alpha-beta to a depth, or to greater and greater depths."""

    deepens: bool
    ordered: bool
    known: Known | None = None
    gives_lines = False

    def __call__(
        self,
        state: PythonState,
        *,
        nodes: int | None = None,
        seconds: float | None = None,
        depth: int | None = None,
        share: float = 1.0,
        stop: PythonStop | None = None,
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

    def _is_known(self, state: PythonState, only: Sequence[str], found: SearchResult) -> bool:
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
        state: PythonState,
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
        state: PythonState,
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


def _for(state: PythonState, below: PythonState, value: int) -> int:
    """Return a value of the player to move in `below` for the player to move in `state`."""
    return value if below.to_move == state.to_move else -value
