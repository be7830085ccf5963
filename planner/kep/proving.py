"""Proving that a player wins: his plan proposes, and each legal reply is answered, until rules say that he has won.

Proof-number search (Allis, van der Meulen and van den Herik 1994): the state that is looked at next is one that lies on the way to the
proof or to the refutation that seems to need least. What the plan's tree proposes counts as needing less. States that arise in several
ways are one node; a state counts as proved only once its successors are, so no proof runs in a circle. Leaves are matches of rules,
and mate.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game
from hornbook.planner.kep.proof import Node, Proof, Saying

NEVER = 10**9
"""A number that says that there is nothing to be found."""


@dataclass(slots=True)
class _Open:
    """What is known of a state that is not proved: how many states a proof, or a refutation, needs at least."""

    proof: int
    refutation: int
    after: dict[GroundFact, Any] | None = None
    """What each legal action leads to; None where it was not looked at."""


@dataclass(slots=True)
class Prover:
    """Looks for a proof for one player. `nodes` counts states that were looked at.

    `against` says where the opponent does not lose, so that nothing need be looked for; None where nobody says so.
    With `holds` it proves that the player does not lose: who has no move and is not beaten has ended the game as he wishes.
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
    open: dict[Any, _Open] = field(default_factory=dict)
    before: dict[Any, list[Any]] = field(default_factory=dict)
    """The states that were looked at of which one leads to a state."""

    def proof(self, root: Any) -> Proof | None:
        """A proof, with the player's first action where he is to move; None where there is none or it costs too much."""
        self.open[root] = _Open(1, 1)
        while root not in self.proved and self.nodes < self.most_nodes and self.open[root].proof < NEVER:
            path = self._path(root)
            if self.open[path[-1]].after is None:
                self._look_at(path[-1])
            for state in reversed(path):
                self._count(state)
        return Proof(self.player, root, self._reached(root)) if root in self.proved else None

    def _path(self, root: Any) -> list[Any]:
        """The way to the state that is to be looked at; a way that could only go in a circle ends before it."""
        path, on_path = [root], {root}
        while (after := self.open[path[-1]].after) is not None:
            choices = [then for then in after.values() if then not in self.proved and then not in on_path]
            choices = [then for then in choices if self.open[then].proof < NEVER]
            if not choices:
                self.nodes += 1  # so that circles too come to an end
                break
            if self._is_mine(path[-1]):
                chosen = min(choices, key=lambda then: self.open[then].proof)
            else:
                chosen = min(choices, key=lambda then: self.open[then].refutation)
            path.append(chosen)
            on_path.add(chosen)
        return path

    def _is_mine(self, state: Any) -> bool:
        return self.game.to_move(state) == self.player

    def _look_at(self, state: Any) -> None:
        """Finds what a state leads to."""
        known = self.open[state]
        known.after = {action: self.game.after(state, action) for action in self.game.actions(state)}
        hinted = set(self.hints.get(state, ()))
        if not known.after:
            mine, beaten = self._is_mine(state), self.game.beaten(state)
            if (self.holds and not beaten) or (beaten and not mine):
                self._prove(state, Node(0))
            else:
                known.proof, known.refutation = NEVER, 0
            return
        for action, then in known.after.items():
            self.before.setdefault(then, []).append(state)
            if then not in self.open and then not in self.proved:
                self._value(then, 1 if action in hinted or not self._is_mine(state) else 2)

    def _value(self, state: Any, effort: int) -> None:
        """Asks the rules about a state that was not met before."""
        self.nodes += 1
        rule = self.saying.says(state, self.player)
        self.open[state] = _Open(effort, 1)
        if rule is not None:
            self._prove(state, Node(0, rule=rule))
        elif (
            self.against is not None and self.against.says(state, self.game.opponent(self.player)) is not None
        ):
            self.open[state] = _Open(NEVER, 0)

    def _count(self, state: Any) -> None:
        """What a state needs, by what it leads to."""
        known = self.open[state]
        if state in self.proved or not known.after:
            return
        node = self._node(state)
        if node is not None:
            self._prove(state, node)
            return
        below = [self.open[then] for then in known.after.values() if then not in self.proved]
        proofs, refutations = [each.proof for each in below], [each.refutation for each in below]
        if self._is_mine(state):
            known.proof, known.refutation = min(proofs), min(sum(refutations), NEVER)
        else:
            known.proof, known.refutation = min(sum(proofs), NEVER), min(refutations)

    def _node(self, state: Any) -> Node | None:
        """Why a state is proved by what it leads to, if it is."""
        after = self.open[state].after
        assert after is not None
        ranks = {action: self.proved[then].rank for action, then in after.items() if then in self.proved}
        if self._is_mine(state):
            best = min(ranks, key=lambda action: ranks[action], default=None)
            return None if best is None else Node(ranks[best] + 1, action=best)
        return Node(max(ranks.values()) + 1) if len(ranks) == len(after) else None

    def _prove(self, state: Any, node: Node) -> None:
        """Notes that a state is proved, and those before it that are proved by that."""
        waiting = [(state, node)]
        while waiting:
            one, why = waiting.pop()
            if one in self.proved:
                continue
            self.proved[one] = why
            for earlier in self.before.get(one, ()):
                if earlier not in self.proved and self.open[earlier].after:
                    found = self._node(earlier)
                    if found is not None:
                        waiting.append((earlier, found))

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
