"""The game tree that all tests of plans extend (testing.py), and its minimax value.

Nodes are states with the number of plies that led to them: a state that several lines reach is one node. (The
paper hashes by the set of moves made. This is correct only if no capture, check or passing right depends on
their order.) The value of a node is the sum of goal values from there on, for the planning player, by the
best of the explored moves. A leaf adds nothing.

Source: Tadepalli 1989, Tables 2 and 3.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.planning import PlanningGame

Place = tuple[Any, int]
"""A state and its ply."""
Line = tuple[GroundFact | None, ...]
"""Actions from the first state; None is a null move."""


@dataclass(slots=True)
class PlanningTree:
    """The explored tree of a planning `player`, from the state `root`.

    The field `nodes` counts the generated states, with repetitions. The field `edges` has for each place the
    explored actions, with their values and successors; `lines` has the first line found to each place.
    """

    game: PlanningGame
    player: str
    root: Any
    nodes: int = 0
    edges: dict[Place, dict[GroundFact | None, tuple[int, Place]]] = field(default_factory=dict)
    lines: dict[Place, Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines[self.root, 0] = ()

    def sign(self, state: Any) -> int:
        """Return 1 if the planning player is to move, otherwise -1."""
        return 1 if self.game.to_move(state) == self.player else -1

    def extend(self, place: Place, action: GroundFact | None) -> tuple[int, Place] | None:
        """Return the value of an action for the planning player, and its successor.

        The result is None if a null move is impossible.
        """
        known = self.edges.setdefault(place, {}).get(action)
        if known is not None:
            return known
        state, ply = place
        then = self.game.passed(state) if action is None else self.game.after(state, action)
        if then is None:
            return None
        self.nodes += 1
        earned = 0 if action is None else self.sign(state) * self.game.promise(state, action)
        found = earned, (then, ply + 1)
        self.edges[place][action] = found
        self.lines.setdefault(found[1], (*self.lines[place], action))
        return found

    def value(self) -> int:
        """Return the minimax value of the first state."""
        return self._value((self.root, 0), {})

    def _value(self, place: Place, known: dict[Place, int]) -> int:
        if place not in known:
            sign = self.sign(place[0])
            below = [earned + self._value(to, known) for earned, to in self.edges.get(place, {}).values()]
            known[place] = sign * max(sign * value for value in below) if below else 0
        return known[place]

    def best(self) -> dict[Any, list[GroundFact]]:
        """Return the explored actions in each state where the planning player is to move, best first.

        A state with several places has the actions of the one with the smallest ply.
        """
        known: dict[Place, int] = {}
        found: dict[Any, list[GroundFact]] = {}
        for place, edges in sorted(self.edges.items(), key=lambda each: each[0][1]):
            if self.game.to_move(place[0]) == self.player:
                rated = [
                    (earned + self._value(to, known), action)
                    for action, (earned, to) in edges.items()
                    if action is not None
                ]
                rated.sort(key=lambda each: -each[0])
                found.setdefault(place[0], [action for _, action in rated])
        return found

    def places_of(self, player: str) -> Iterator[Place]:
        """Yield the places where a player is to move."""
        yield from [place for place in self.lines if self.game.to_move(place[0]) == player]
