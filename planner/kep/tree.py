"""The one game tree that all tests extend, and its min-max (Tadepalli 1989, Tables 2 and 3).

Nodes are states, with the number of plies that led to them: a state that several lines reach is one node. (The paper
hashes by the set of moves made, which is right only where no capture, check or passing right depends on their order.) The
value of a node is what is earned from there on, for the player who plans, by the best of the moves explored so far; a leaf is worth
nothing more.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game

Place = tuple[Any, int]
"""A state and its ply."""
Line = tuple[GroundFact | None, ...]
"""Actions from the first state on; None is a null move."""


@dataclass(slots=True)
class Tree:
    """What was explored; `nodes` counts the states that were generated, those again that were reached again."""

    game: Game
    player: str
    root: Any
    nodes: int = 0
    edges: dict[Place, dict[GroundFact | None, tuple[int, Place]]] = field(default_factory=dict)
    lines: dict[Place, Line] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.lines[self.root, 0] = ()

    def sign(self, state: Any) -> int:
        return 1 if self.game.to_move(state) == self.player else -1

    def extend(self, place: Place, action: GroundFact | None) -> tuple[int, Place] | None:
        """What an action earns the player who plans, and where it leads; None where a null move is impossible."""
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
        """The min-max of the first state."""
        return self._value((self.root, 0), {})

    def _value(self, place: Place, known: dict[Place, int]) -> int:
        if place not in known:
            sign = self.sign(place[0])
            below = [earned + self._value(to, known) for earned, to in self.edges.get(place, {}).values()]
            known[place] = sign * max(sign * value for value in below) if below else 0
        return known[place]

    def best(self) -> dict[Any, list[GroundFact]]:
        """The actions explored in each state where the player moves, the best first."""
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
        """Where a player is to move."""
        yield from [place for place in self.lines if self.game.to_move(place[0]) == player]
