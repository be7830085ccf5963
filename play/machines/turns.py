"""The order of play in a game in GDL: which role is to move in a state.

The role with several legal moves is to move. If each role has a single one, a fluent that names the role to
move decides, such as `(control white)`. Without such a fluent, it is the role whose move is not one that it
makes while another role chooses. Both are found in the states of random games.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from random import Random

from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.hornbook_error import HornbookError
from hornbook.planner.gdl.flattening import Shape
from hornbook.planner.gdl.game import State
from hornbook.planner.machines.machine import GameMachine
from hornbook.planner.translation.induction.plays import flat
from hornbook.play.machines.text_machine import Legal, Words

GAMES = 20
STATES = 300
"""The numbers of random games and of states in all of them, after which no further game begins."""
CHANCE = "random"
"""The name of a role whose moves are random."""
PLIES = 200
"""The maximal number of moves of a random game."""

TurnFluent = tuple[Shape, int]
"""The shape of a fluent, and the number of the word that names the role to move."""


class NoTurnsError(HornbookError, ValueError):
    """A game whose roles do not take turns, or more than two roles."""


@dataclass(frozen=True, slots=True)
class Turns:
    """The order of play of a game. Raises NoTurnsError if several roles can choose in a state."""

    machine: GameMachine
    fluent: TurnFluent | None
    """The fluent that names the role to move, if one is found."""
    idle: Sequence[frozenset[int]]
    """For each role, the only moves that it had in states in which another role had a choice."""

    def mover(self, words: Words, legal: Legal) -> int:
        """Return the role to move in a state with these legal moves."""
        chooser = chooser_of(self.machine.roles, legal)
        if chooser is not None:
            return chooser
        if self.fluent is not None:
            named = named_roles(self.machine.state(words), self.machine.roles).get(self.fluent, [])
            if len(named) == 1:
                return self.machine.roles.index(named[0])
        busy = [role for role, moves in enumerate(legal) if self.idle[role].isdisjoint(moves)]
        return busy[0] if busy else 0


@dataclass(frozen=True, slots=True)
class WaitingTurns:
    """The order of play of a game where a role that is not to move has one move: to wait."""

    machine: GameMachine
    waiting: Sequence[int | None]
    """The number of the waiting move of each role; None if it never waits."""

    @classmethod
    def of(cls, machine: GameMachine, wait: str) -> WaitingTurns:
        """Return the order of play by the name of the waiting move."""
        return cls(machine, [machine.number(role, wait) for role in range(len(machine.roles))])

    def mover(self, words: Words, legal: Legal) -> int:
        """Return the role with a move besides waiting, or the first role if there is none."""
        busy = (role for role, moves in enumerate(legal) if any(m != self.waiting[role] for m in moves))
        return next(busy, 0)


def chooser_of(roles: Sequence[str], legal: Legal) -> int | None:
    """Return the role that has a choice of moves, or None if no role has. Raises NoTurnsError."""
    choosers = [role for role, moves in enumerate(legal) if len(moves) > 1]
    if len(choosers) > 1:
        raise _no_turns(
            f"{' and '.join(roles[role] for role in choosers)} move at the same time in this game"
        )
    return choosers[0] if choosers else None


def _no_turns(reason: str) -> NoTurnsError:
    return NoTurnsError(
        f"{reason}; `hornbook game strategy` finds what a role can guarantee, and `hornbook game play` plays"
        " given or random moves"
    )


def named_roles(state: State, roles: Sequence[str]) -> Mapping[TurnFluent, list[str]]:
    """Return the roles that fluents of each shape name in each of their words."""
    found: dict[TurnFluent, list[str]] = {}
    for shape, row in map(flat, state):
        for column, word in enumerate(row):
            if word in roles:
                found.setdefault((shape, column), []).append(word)
    return found


def turns_of(machine: GameMachine) -> Turns:
    """Return the order of play of a game with one or two roles. Raises NoTurnsError."""
    roles = machine.roles
    if len(roles) > 2:
        raise _no_turns(f"{len(roles)} roles play this game ({', '.join(roles)}), more than two")
    if CHANCE in roles:
        raise _no_turns(f"`{CHANCE}` moves by chance in this game")
    idle: list[set[int]] = [set() for _ in roles]
    fluents: set[TurnFluent] | None = None
    for words, legal in _random_states(machine):
        chooser = chooser_of(roles, legal)
        if chooser is None:
            continue
        for role, moves in enumerate(legal):
            if role != chooser:
                idle[role].update(moves)
        named = named_roles(machine.state(words), roles)
        agreeing = {fluent for fluent, names in named.items() if names == [roles[chooser]]}
        fluents = agreeing if fluents is None else fluents & agreeing
    return Turns(machine, min(fluents, default=None) if fluents else None, tuple(map(frozenset, idle)))


def _random_states(machine: GameMachine) -> Iterator[tuple[Sequence[int], Legal]]:
    """Yield the states of random games that are not over, with the legal moves."""
    random, core = Random(1), machine.core  # noqa: S311 - a game is no secret
    states = 0
    for _ in range(GAMES):
        words: Sequence[int] = core.initial()
        for _ in range(PLIES):
            core.look(words)
            legal = [core.legal(role) for role in range(len(machine.roles))]
            if core.terminal() or not all(legal):
                break
            yield words, legal
            states += 1
            core.look(words)  # the consumer may have selected another state
            words = core.next([random.choice(moves) for moves in legal])
        if states >= STATES:
            return
