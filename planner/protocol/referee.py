"""The referee of a player: the state of a match, from the joint moves of the manager.

Invariants: A refused task changes nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.ground import Ground, text_of
from hornbook.planner.protocol.tasks import (
    Finish,
    Finished,
    Judge,
    Judged,
    Load,
    Loaded,
    RefereeAnswer,
    RefereeTask,
    Refused,
)

_TOKEN = re.compile(r";.*|[^\s();]+")


class _WrongMovesError(ValueError):
    """Moves that the rules do not allow, or that are not those of one step."""


class Referee:
    """The referee of one match at a time. `read` returns the game of a text of rules."""

    def __init__(self, read: Callable[[str], Game] = Game) -> None:
        self._read = read
        self._game: Game | None = None
        self._state: State = frozenset()
        self._has_moved = False
        self._role = ""
        self._spellings: dict[str, str] = {}

    def answer(self, task: RefereeTask) -> RefereeAnswer:
        """Return the answer to a task."""
        try:
            match task:
                case Load():
                    return self._load(task)
                case Judge():
                    return self._judge(task)
                case Finish():
                    return self._finish(task)
        except TheoryError as problem:
            found = problem.diagnostics[0]
            return Refused(task.number, f"the rules have an error, {found.span}: {found.message}")
        except _WrongMovesError as problem:
            return Refused(task.number, str(problem))
        except Exception as problem:  # noqa: BLE001 - the rules come from others, and the player must go on
            return Refused(task.number, f"the rules cannot be evaluated: {type(problem).__name__}: {problem}")

    def _load(self, task: Load) -> RefereeAnswer:
        game = self._read(task.rules)
        if task.role is None:
            return Loaded(task.number)
        if task.role not in game.roles:
            some = ", ".join(game.roles)
            return Refused(task.number, f"the game has no role `{task.role}`; it has {some or 'none'}")
        game.legal(game.initial)  # an error is reported before the match
        self._game, self._state, self._has_moved, self._role = game, game.initial, False, task.role
        self._spellings = _spellings(task.rules)
        return Loaded(task.number)

    def _judge(self, task: Judge) -> RefereeAnswer:
        game, state = self._after(task.moves)
        if game.terminal(state):
            raise _WrongMovesError("the game is over after these moves; STOP ends the match")
        legal = game.legal(state)[self._role]
        self._state, self._has_moved = state, self._has_moved or task.moves is not None
        return Judged(task.number, state, tuple((move, self._written(move)) for move in legal))

    def _finish(self, task: Finish) -> RefereeAnswer:
        game, state = self._after(task.moves, is_last=True)
        worths = ", ".join(
            f"{role} {' and '.join(map(str, found)) or 'without a goal'}"
            for role, found in game.goal(state).items()
        )
        self._game = None
        return Finished(task.number, worths if game.terminal(state) else f"before its end: {worths}")

    def _after(self, moves: tuple[Ground, ...] | None, *, is_last: bool = False) -> tuple[Game, State]:
        """Return the game, and its state after the moves of a step. Raises _WrongMovesError."""
        game, state = self._game, self._state
        if game is None:
            raise _WrongMovesError("there is no match")
        if moves is None:
            if self._has_moved and not is_last:
                raise _WrongMovesError("the moves of the last step are missing")
            return game, state
        if len(moves) != len(game.roles):
            raise _WrongMovesError(
                f"the step has {len(moves)} moves, but the game has {len(game.roles)} roles:"
                f" {', '.join(game.roles)}"
            )
        legal = game.legal(state)
        for role, move in zip(game.roles, moves, strict=True):
            if move not in legal[role]:
                raise _WrongMovesError(f"{role} may not do `{text_of(move)[:100]}` in this state")
        return game, game.next(state, dict(zip(game.roles, moves, strict=True)))

    def _written(self, term: Ground) -> str:
        """Return a term in the spelling of the rules, because some managers distinguish case."""
        if isinstance(term, str):
            return self._spellings.get(term, term)
        return f"({' '.join(map(self._written, term))})"


def _spellings(rules: str) -> dict[str, str]:
    """Return the first spelling of each word that is not written in lower case."""
    found: dict[str, str] = {}
    for token in _TOKEN.findall(rules):
        if not token.startswith((";", "?")) and token != token.lower():
            found.setdefault(token.lower(), token)
    return found
