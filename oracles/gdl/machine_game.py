"""A machine with the interface of Game, which answers in terms."""

from __future__ import annotations

from hornbook.planner.gdl.game import Moves, State
from hornbook.planner.gdl.ground import Ground
from hornbook.planner.machines.machine import GameMachine


class MachineGame:
    """A machine as a game; it returns only one worth, or none for a state with several."""

    def __init__(self, machine: GameMachine) -> None:
        self.machine = machine
        self.roles = machine.roles
        self.initial: State = machine.state(machine.core.initial())

    def legal(self, state: State) -> dict[str, tuple[Ground, ...]]:
        self._look(state)
        found = {}
        for place, role in enumerate(self.roles):
            moves = self.machine.core.legal(place)
            found[role] = tuple(sorted((self.machine.move(place, move) for move in moves), key=str))
        return found

    def next(self, state: State, moves: Moves) -> State:
        self._look(state)
        joint = [self.machine.number(place, moves[role]) for place, role in enumerate(self.roles)]
        return self.machine.state(self.machine.core.next([move for move in joint if move is not None]))

    def terminal(self, state: State) -> bool:
        self._look(state)
        return self.machine.core.terminal()

    def goal(self, state: State) -> dict[str, tuple[int, ...]]:
        self._look(state)
        worths = map(self.machine.core.goal, range(len(self.roles)))
        return {role: (worth,) if worth >= 0 else () for role, worth in zip(self.roles, worths, strict=True)}

    def _look(self, state: State) -> None:
        self.machine.core.look(self.machine.words(state))
