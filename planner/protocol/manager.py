"""A game manager: a whole match between players that answer the requests of the protocol.

A player that sends no legal move in time gets a random legal move, which the record counts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from threading import Thread
from time import monotonic
from typing import Literal

from hornbook.kb.text.lines import lines_of
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.game import Game, Moves, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.protocol.requests import Play, Request, Start, Stop, move_of, text_of_request

Ask = Callable[[str, float], str]
"""A function that sends a request to a player, and returns its reply. It has a clock, and raises OSError."""
_SHORT = 100
"""The number of characters of a wrong reply that are kept."""
STOP_SECONDS = 5.0
"""The clock in seconds for the reply to STOP."""


class StuckGameError(HornbookError):
    """A role has no legal move, although the game is not over."""


@dataclass(frozen=True, slots=True)
class ReplyFault:
    """A request without a right reply: the player was late, unreachable, or its move illegal."""

    step: int
    """The number of the step, from 1; 0 for the start of the match."""
    role: str
    kind: Literal["late", "unreachable", "illegal"]
    reply: str = ""


@dataclass(frozen=True, slots=True)
class ManagedStep:
    """The moves made in a step, the state after them, and the faults of the players."""

    moves: Moves
    """Empty for the start of the match."""
    state: State
    faults: tuple[ReplyFault, ...]


@dataclass(frozen=True, slots=True)
class ManagedMatch:
    """The clocks of a match in seconds, and its largest number of steps."""

    name: str
    start_clock: int
    play_clock: int
    most_steps: int = 1000


def steps_of_match(
    game: Game, rules: str, players: Sequence[Ask], match: ManagedMatch, random: Random
) -> Iterator[ManagedStep]:
    """Play a match, and yield its steps; the first one is the start, with the initial state.

    The players have the order of the roles. They receive the end even if the caller stops early. Raises
    StuckGameError.
    """
    by_role = dict(zip(game.roles, players, strict=True))
    text, state = one_line(rules), game.initial
    last: tuple[Ground, ...] | None = None
    try:
        starts = {
            role: Start(match.name, role, text, match.start_clock, match.play_clock) for role in by_role
        }
        replies = _ask(by_role, starts, match.start_clock)
        faults = (_fault(0, role, reply) for role, reply in replies.items() if not isinstance(reply, str))
        yield ManagedStep({}, state, tuple(faults))
        for number in range(1, match.most_steps + 1):
            if game.terminal(state):
                return
            legal = game.legal(state)
            stuck = [role for role, found in legal.items() if not found]
            if stuck:
                raise StuckGameError(f"after {number - 1} steps, {', '.join(stuck)} can do nothing")
            plays = dict.fromkeys(by_role, Play(match.name, last))
            replies = _ask(by_role, plays, match.play_clock)
            moves, found = _moves(replies, legal, number, random)
            last = tuple(moves.values())
            state = game.next(state, moves)
            yield ManagedStep(moves, state, found)
    finally:
        _ask(by_role, dict.fromkeys(by_role, Stop(match.name, last)), STOP_SECONDS)


def one_line(rules: str) -> str:
    """Return rules without comments in one line, as managers send them."""
    lines = (re.sub(r";.*", "", line).strip() for line in lines_of(rules))
    return " ".join(line for line in lines if line)


def _moves(
    replies: Mapping[str, str | OSError | None],
    legal: Mapping[str, Sequence[Ground]],
    step: int,
    random: Random,
) -> tuple[dict[str, Ground], tuple[ReplyFault, ...]]:
    """Return the move of each role, and the faults of the replies."""
    moves: dict[str, Ground] = {}
    faults: list[ReplyFault] = []
    for role, reply in replies.items():
        move = move_of(reply) if isinstance(reply, str) else None
        if move is None or move not in legal[role]:
            faults.append(_fault(step, role, reply))
            move = random.choice(legal[role])
        moves[role] = move
    return moves, tuple(faults)


def _fault(step: int, role: str, reply: str | OSError | None) -> ReplyFault:
    if isinstance(reply, str):
        return ReplyFault(step, role, "illegal", reply[:_SHORT])
    is_late = reply is None or isinstance(reply, TimeoutError)
    return ReplyFault(step, role, "late" if is_late else "unreachable")


def _ask(
    players: Mapping[str, Ask], requests: Mapping[str, Request], seconds: float
) -> dict[str, str | OSError | None]:
    """Send each player its request at the same time, and return the replies; None for a late one."""
    replies: dict[str, str | OSError] = {}

    def ask(role: str) -> None:
        try:
            replies[role] = players[role](text_of_request(requests[role]), seconds)
        except OSError as problem:
            replies[role] = problem

    until = monotonic() + seconds
    threads = [Thread(target=ask, args=(role,), daemon=True) for role in players]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(max(0.0, until - monotonic()))
    return {role: replies.get(role) for role in players}
