"""Random games on two implementations, such as the slow one and SWI-Prolog.

In each state, true facts, legal moves, the end and the worth must be equal.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from random import Random
from typing import Protocol, TypeVar

from hornbook.planner.gdl.game import Game, Moves, State
from hornbook.planner.gdl.ground import Ground
from oracles.gdl.prolog_game import PrologGame

MOST_STATES = 200
"""The limit of states of one game."""
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Compared:
    """The result; `difference` describes the first one, `own` and `other` are processor seconds."""

    games: int = 0
    ended: int = 0
    states: int = 0
    own: float = 0.0
    other: float = 0.0
    difference: str | None = None


class GdlPlayer(Protocol):
    """The interface of a game that plays: Game or another class with its methods."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def initial(self) -> State: ...
    def legal(self, state: State) -> dict[str, tuple[Ground, ...]]: ...
    def next(self, state: State, moves: Moves) -> State: ...
    def terminal(self, state: State) -> bool: ...
    def goal(self, state: State) -> dict[str, tuple[int, ...]]: ...


Looked = tuple[Mapping[str, Collection[Ground]], bool, Mapping[str, Collection[Ground]]]


class Judge(Protocol):
    """The interface of the second implementation: PrologGame or another class with its methods."""

    @property
    def roles(self) -> tuple[str, ...]: ...
    @property
    def initial(self) -> State: ...
    @property
    def seconds(self) -> float: ...
    def look(self, state: State) -> Looked: ...
    def next(self, state: State, moves: Moves) -> State: ...


class TwinJudge:
    """The slow implementation as a judge."""

    def __init__(self, game: Game) -> None:
        self.roles, self.initial, self.next = game.roles, game.initial, game.next
        self._game = game

    @property
    def seconds(self) -> float:
        return time.process_time()

    def look(self, state: State) -> Looked:
        game = self._game
        worths = {role: set(map(str, numbers)) for role, numbers in game.goal(state).items()}
        return game.legal(state), game.terminal(state), worths


def compare(text: str, random: Random, games: int, most: float) -> Compared:
    """Compare the slow implementation with SWI-Prolog."""
    with PrologGame(text) as other:
        return side_by_side(Game(text), other, random, games, most)


def side_by_side(game: GdlPlayer, other: Judge, random: Random, games: int, most: float) -> Compared:
    """Play random games until `games` are finished or `most` seconds have passed."""
    found = Compared()
    until = time.monotonic() + most
    began = other.seconds
    if game.roles != other.roles:
        found.difference = f"roles: {game.roles} and {other.roles}"
    if (difference := _between(game.initial, other.initial)) is not None:
        found.difference = f"init: {difference}"
    while found.games < games and found.difference is None and (not found.games or time.monotonic() < until):
        _play(game, other, random, found, until)
        found.games += 1
    found.other = other.seconds - began
    return found


def _play(game: GdlPlayer, other: Judge, random: Random, found: Compared, until: float) -> None:
    state = game.initial
    for _ in range(MOST_STATES):
        legal = _timed(found, game.legal, state)
        over = _timed(found, game.terminal, state)
        worth = _timed(found, game.goal, state)
        their_legal, their_over, their_worth = other.look(state)
        found.states += 1
        differences = {
            "legal": _between(
                {(role, move) for role in legal for move in legal[role]},
                {(role, move) for role in game.roles for move in their_legal.get(role, ())},
            ),
            "terminal": None if over == their_over else f"{over} and {their_over}",
            "goal": _between(
                {(role, str(number)) for role in worth for number in worth[role]},
                {
                    (role, number)
                    for role in game.roles
                    for number in their_worth.get(role, ())
                    # A machine has only one worth.
                    if isinstance(game, Game) or len(their_worth[role]) == 1
                },
            ),
        }
        if over:
            found.ended += 1
        stuck = not all(legal.values())
        if not (over or stuck):
            moves = {role: random.choice(legal[role]) for role in game.roles}
            after = _timed(found, game.next, state, moves)
            differences["next"] = _between(after, other.next(state, moves))
        for name, difference in differences.items():
            if difference is not None:
                found.difference = f"{name}: {difference}"
                return
        if over or stuck or time.monotonic() > until:
            return
        state = after


def _timed(found: Compared, ask: Callable[..., Answer], *arguments: object) -> Answer:
    began = time.process_time()
    answer = ask(*arguments)
    found.own += time.process_time() - began
    return answer


def _between(own: object, other: object) -> str | None:
    """Return an element in only one of two sets, as text."""
    ours, theirs = set(own), set(other)  # type: ignore[call-overload]
    if ours == theirs:
        return None
    return (
        f"only ours {sorted(map(str, ours - theirs))[:3]}, only theirs {sorted(map(str, theirs - ours))[:3]}"
    )
