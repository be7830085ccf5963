"""Proving that a player wins: his plan proposes, and each legal reply is answered, until rules say that he has won.

The search looks one move of his deeper after another, so that a proof is short. In a state it tries what the plan's tree
proposes first, and then every other legal action. Leaves are matches of rules; nothing else ends a line but mate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.budget import SpentError
from hornbook.kb.text.counts import counted
from hornbook.planner.kep.game import Game
from hornbook.planner.kep.proof import Node, Proof, Saying

NEVER = 10**6
"""More moves than any proof has: where it is known that there is none."""


@dataclass(slots=True)
class Prover:
    """Looks for proofs for one player. `nodes` counts states that were looked at.

    `against` says where the opponent does not lose, so that nothing need be looked for; None where nobody says so. With `holds` it proves that the player does not lose: who has no move and is not beaten has ended the game as he wishes.
    """

    game: Game
    player: str
    saying: Saying
    against: Saying | None
    hints: Mapping[Any, Sequence[GroundFact]]
    most_nodes: int
    holds: bool = False
    nodes: int = 0
    proved: dict[Any, Node] = field(default_factory=dict)
    failed: dict[Any, int] = field(default_factory=dict)
    said: dict[Any, str | None] = field(default_factory=dict)
    refuting: dict[Any, GroundFact] = field(default_factory=dict)
    """The reply that had no answer last: it is tried first when it is looked deeper."""

    def proof(self, root: Any, most_moves: int) -> Proof | None:
        """A proof with as few moves of the player as are found, at most so many; None where there is none or it costs too much."""
        try:
            for moves in range(most_moves + 1):
                if self._wins(root, moves, is_root=True):
                    return Proof(self.player, root, self._reached(root))
        except SpentError:
            pass
        return None

    def _wins(self, state: Any, moves: int, *, is_root: bool = False) -> bool:
        """Whether a proof with so many more moves of the player was found; at the root, with his first move."""
        if state in self.proved:
            return True
        if self.failed.get(state, -1) >= moves:
            return False
        is_mine = self.game.to_move(state) == self.player
        if not (is_root and is_mine):
            rule = self._rule(state)
            if rule is not None:
                self.proved[state] = Node(0, rule=rule)
                return True
            if self.failed.get(state) == NEVER:
                return False
        node = self._by_an_action(state, moves) if is_mine else self._against_all(state, moves)
        if node is None:
            self.failed[state] = moves
            return False
        self.proved[state] = node
        return True

    def _rule(self, state: Any) -> str | None:
        if state not in self.said:
            self.nodes += 1
            if self.nodes > self.most_nodes:
                raise SpentError(f"more than {counted(self.most_nodes, 'state')}")
            rule = self.said[state] = self.saying.says(state, self.player)
            opponent = self.game.opponent(self.player)
            if rule is None and self.against is not None and self.against.says(state, opponent) is not None:
                self.failed[state] = NEVER
        return self.said[state]

    def _by_an_action(self, state: Any, moves: int) -> Node | None:
        legal = self.game.actions(state)
        if not legal:
            return Node(0) if self.holds and not self.game.beaten(state) else None
        if moves == 0:
            return None
        hinted = [action for action in self.hints.get(state, ()) if action in legal]
        for action in dict.fromkeys([*hinted, *legal]):
            then = self.game.after(state, action)
            if self._wins(then, moves - 1):
                return Node(self.proved[then].rank + 1, action=action)
        return None

    def _against_all(self, state: Any, moves: int) -> Node | None:
        legal = self.game.actions(state)
        if not legal:
            return Node(0) if self.holds or self.game.beaten(state) else None
        rank = 0
        first = [self.refuting[state]] if state in self.refuting else []
        for reply in dict.fromkeys([*first, *legal]):
            then = self.game.after(state, reply)
            if not self._wins(then, moves):
                self.refuting[state] = reply
                return None
            rank = max(rank, self.proved[then].rank)
        return Node(rank + 1)

    def _reached(self, root: Any) -> dict[Any, Node]:
        """The nodes that a proof needs."""
        found: dict[Any, Node] = {}
        waiting = [root]
        while waiting:
            state = waiting.pop()
            if state in found:
                continue
            node = found[state] = self.proved[state]
            if node.rule is None and node.action is not None:
                waiting.append(self.game.after(state, node.action))
            elif node.rule is None:
                waiting += [self.game.after(state, reply) for reply in self.game.actions(state)]
        return found
