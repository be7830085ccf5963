"""States of a domain: their facts, parts and actions, and their texts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, Protocol

from hornbook.kb.ast.parts import Part, part_of_fact
from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.adapters import state_of_file
from hornbook.kb.text.dataclass import dataclass
from hornbook.theories.protocols.missing_member import missing

FocusSet = frozenset[str | int]
"""Focus set of a body: the things of a state that it mentions."""
LONGEST = 200
"""Maximal number of actions of a random game."""


@dataclass(frozen=True, slots=True)
class FileState:
    """State of a file, with its best actions and a line of play if the file gives them.

    The line starts at the state and contains the actions of both sides in turn.
    """

    name: str
    state: Any
    best: tuple[GroundFact, ...] = ()
    line: tuple[GroundFact, ...] = ()


class States(Protocol):
    """States that an adapter reads, and the actions in them."""

    adapter: ModuleType
    states: type = object
    """Class of the states that the adapter reads. Commands use the domain only for instances of it."""

    def __hash__(self) -> int:
        return object.__hash__(self)

    def facts(
        self, state: Any, game: Atom | None = None, about: FocusSet | None = None
    ) -> Iterable[GroundFact]:
        """Return the facts of a state, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.facts(state)
        return found

    def parts(self, state: Any) -> Sequence[Part]:
        """Return the facts of a state as pairwise disjoint parts."""
        return [part_of_fact(fact) for fact in dict.fromkeys(self.facts(state))]

    def actions(self, state: Any) -> Iterable[GroundFact]:
        """Return the legal actions of the player to move, by default the adapter's."""
        found: Iterable[GroundFact] = self.adapter.actions(state)
        return found

    def after(self, state: Any, action: GroundFact) -> Any | None:
        """Return the state after an action, or None if it is illegal; by default the adapter's `step`."""
        return self.adapter.step(state, action)

    def played(self, state: Any, action: GroundFact) -> Any | None:
        """Return the state after an arbitrary action, or None if the action is illegal or belongs to another
        state.
        """
        return self.after(state, action) if action in self.actions(state) else None

    def turns(self, state: Any) -> Iterable[tuple[str, Any]]:
        """Yield the moves of a whole turn as a native step plays them, each as text with the state after it.

        By default a turn is one action. In games where a player may have to move on, a turn is several
        actions.
        """
        for action in self.actions(state):
            yield self.write_move(state, action), self.after(state, action)

    def to_move(self, state: Any) -> str | int:
        """Return the player to move."""
        missing(self, States.to_move)

    def write(self, state: Any) -> str:
        """Return a state as text that the adapter reads."""
        missing(self, States.write)

    def write_line(self, state: Any) -> str:
        """Return a state as one line for the adapter and the native step; by default as `write` does."""
        return self.write(state)

    def starts(self) -> Sequence[Any]:
        """Return the initial states."""
        missing(self, States.starts)

    def random_game(self, random: Random) -> list[Any]:
        """Return the states of one random game."""
        states = [random.choice(self.starts())]
        while len(states) < LONGEST and (actions := list(self.actions(states[-1]))):
            states.append(self.after(states[-1], random.choice(actions)))
        return states

    def situations(self, path: Path) -> Sequence[FileState]:
        """Return the states of a file; by default the one that the adapter reads.

        `path` may also be a text.
        """
        return [FileState(str(path), state_of_file(self.adapter, path))]

    def write_move(self, state: Any, action: GroundFact) -> str:
        """Return an action in the usual notation; by default in the syntax of theories."""
        return print_condition(Atom(action.relation, tuple(map(Constant, action.values))))

    def read_move(self, state: Any, text: str) -> GroundFact | None:
        """Return the legal action with this notation, or None."""
        return next((each for each in self.actions(state) if self.write_move(state, each) == text), None)
