"""The texts of whole games in GDL and of theories: positions, pictures, moves and records."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from types import ModuleType
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.load.adapters import Adapter
from hornbook.planner.gdl.game import State
from hornbook.play.machines.machine_state import MachineState
from hornbook.play.machines.move_texts import typed_move
from hornbook.play.machines.notation import Notation
from hornbook.play.machines.sheet_machine import SheetMachine
from hornbook.theories.domain import Domain


class SheetReader(Adapter):
    """A reader of states in a notation."""

    def __init__(self, notation: Notation) -> None:
        self.module = ModuleType("sheet")
        self._notation = notation

    def read(self, text: str, name: str) -> State:
        """Return the state of a text. Raises TheoryError."""
        return self._notation.read(text, name)

    def facts(self, state: State) -> Iterator[GroundFact]:
        """Yield nothing: the rules of the game derive everything."""
        return iter(())


class SheetRules(Domain):
    """The domain of a game in GDL, or of a theory that is played by its rules, for whole games."""

    states: type = frozenset

    def __init__(self, machine: SheetMachine, reader: Adapter) -> None:
        """Make the domain. The reader is a SheetReader, or the adapter of a theory made of the sheet."""
        self.machine = machine
        self.reader = reader
        self.adapter = reader  # type: ignore[assignment]  # it has the functions of the module

    def starts(self) -> Sequence[Any]:
        return [self.machine.game.initial]

    def write(self, state: Any) -> str:
        return self.machine.notation.write(state)

    def position(self, text: str) -> Any:
        return self.machine.notation.read(text, "<state>")

    def to_move(self, state: Any) -> str:
        return self.mover(self.write(state))

    def mover(self, text: str) -> str:
        return self.machine.roles[self._state(text).mover]

    def turns(self, state: Any) -> Iterable[tuple[str, Any]]:
        now = self._state(self.write(state))
        return [(move, self.machine.state(after.words)) for move, after in now.next_states.items()]

    def typed(self, text: str, move: str) -> str | None:
        return typed_move(move, self._state(text).moves())

    def drawn(self, states: Sequence[str]) -> str | None:
        """Return None: only the rules of the game end it."""
        return None

    def over(self, text: str) -> str:
        goals = zip(self.machine.roles, self._state(text).goals, strict=True)
        return f"play is over with the goals {', '.join(f'{role} {goal}' for role, goal in goals)}"

    def shown(self, text: str) -> str:
        lines = self.machine.notation.lines(self.position(text), self.machine.game.initial)
        return "\n".join([f"to move: {self.mover(text)}", *lines])

    def recorded(self, text: str, file: str) -> tuple[str, Sequence[str]]:
        """Return a game of three lines as `record` writes it, or a game without moves from a state.

        A line of moves begins with no parenthesis.
        """
        second = text.split("\n")[1:2]
        if second and second[0].lstrip().startswith("("):
            return self.write_line(self.adapter.read(text, file)), []
        return super().recorded(text, file)

    def _state(self, text: str) -> MachineState:
        return MachineState(self.machine, tuple(self.machine.words(text)))
