"""The texts of whole games in GDL, for the commands that play: positions, pictures, moves and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.adapters import Adapter
from hornbook.planner.gdl.game import Game, State
from hornbook.planner.gdl.user_input import state as read_state
from hornbook.play.machines.machine_state import MachineState
from hornbook.play.machines.move_texts import typed_move
from hornbook.play.machines.pictures import picture_lines
from hornbook.play.machines.sheet_machine import SheetMachine, state_text
from hornbook.theories.domain import Domain


class SheetReader(Adapter):
    """A reader of states in KIF: `(cell 1 1 b) (control white)`."""

    def __init__(self, game: Game) -> None:
        self.module = ModuleType("sheet")
        self._game = game

    def read(self, text: str, name: str) -> State:
        """Return the state of a text. Raises TheoryError."""
        return read_state(text, name, self._game)

    def facts(self, state: State) -> Iterator[GroundFact]:
        """Yield nothing: the rules of the sheet derive everything."""
        return iter(())


class SheetRules(Domain):
    """The domain of a game in GDL for whole games."""

    states = frozenset

    def __init__(self, machine: SheetMachine, reader: Adapter) -> None:
        """Make the domain. The reader is a SheetReader, or the adapter of a theory made of the sheet."""
        self.machine = machine
        self.reader = reader
        self.adapter = reader  # type: ignore[assignment]  # it has the functions of the module

    def starts(self) -> Sequence[State]:
        return [self.machine.game.initial]

    def write(self, state: State) -> str:
        return state_text(state)

    def position(self, text: str) -> State:
        return read_state(text, "<state>", self.machine.game)

    def to_move(self, state: State) -> str:
        return self.mover(self.write(state))

    def mover(self, text: str) -> str:
        return self.machine.roles[self._state(text).mover]

    def turns(self, state: State) -> Iterable[tuple[str, Any]]:
        now = self._state(self.write(state))
        return [(move, self.machine.state(after.words)) for move, after in now.next_states.items()]

    def typed(self, text: str, move: str) -> str | None:
        return typed_move(move, self._state(text).moves())

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return None: only the rules of the sheet end a game."""
        return None

    def over(self, text: str) -> str:
        goals = zip(self.machine.roles, self._state(text).goals, strict=True)
        return f"play is over with the goals {', '.join(f'{role} {goal}' for role, goal in goals)}"

    def shown(self, text: str) -> str:
        lines = picture_lines(self.position(text), self.machine.game.initial)
        return "\n".join([f"to move: {self.mover(text)}", *lines])

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        """Return a game of three lines as `record` writes it, or a game without moves from a state in KIF.

        A line of moves begins with no parenthesis.
        """
        second = text.split("\n")[1:2]
        if second and second[0].lstrip().startswith("("):
            return self.write_line(self.adapter.read(text, file)), []
        return super().recorded(text, file)

    def _state(self, text: str) -> MachineState:
        return MachineState(self.machine, tuple(self.machine.words(text)))
