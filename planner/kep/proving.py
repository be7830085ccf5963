"""Best-first search for a proof that a player wins.

The state that seems to need the least effort is expanded first. Each legal reply is answered until rules
conclude that the player has won. The search follows proof-number search, with an estimate of the effort that
a proof still needs. The estimate of an unexpanded state comes from its heuristic value. If the player moves,
a state needs as much as its best successor. If the opponent moves, it needs as much as its hardest successor,
plus a little for each other one, because replies mostly lead to similar states. So a failing action is
abandoned at the reply that refutes it. Actions are executed one by one: the next one when all earlier ones
seem to need more than it would.

A state that is reached in several ways is a single node. It counts as proved only after its successors are,
so no proof is circular. If a path could only continue in a cycle, its estimate grows each time. Leaves are
matches of rules, and mate.

Source: Allis, van der Meulen and van den Herik 1994 (proof-number search); Ueda, Hashimoto, Hashimoto and
Iida 2008 (the sum over replies).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import exp, inf
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game
from hornbook.planner.kep.proof import Node, Proof, Saying

EVEN, MANIFOLD, WIDEST = 2.0, 150, 5.0
"""The effort of a proof in an equal position; the heuristic value that divides it by e; and the limit of the
exponent.
"""
LATER, OTHER, PLY, BACK, CIRCLE = 1.0, 0.7, 0.1, 3.0, 3.0
"""The additional effort for each less promising action, each other reply, each ply, a transposition to an
earlier ply, and a cycle.
"""


@dataclass(slots=True, eq=False)
class _Seen:
    """A visited state with the effort that its proof needs: `inf` if there is none, 0 if it is proved."""

    state: Any
    is_mine: bool
    ply: int
    first: float
    """The estimate before the state was expanded."""
    needs: float
    actions: list[GroundFact] | None = None
    """The legal actions, most promising first; None if the state is not expanded."""
    after: list[_Seen] = field(default_factory=list)
    """The successors by the first of these actions."""
    before: list[_Seen] = field(default_factory=list)
    circles: float = 0.0
    node: Node | None = None
    """The justification, if the state is proved."""

    def left(self) -> int:
        """Return the number of actions that were not executed."""
        return 0 if self.actions is None else len(self.actions) - len(self.after)

    def by_way_of(self, then: _Seen) -> float:
        """Return the effort of a proof by this successor of an action of the player."""
        return then.needs + BACK if then.ply <= self.ply else then.needs

    def next(self) -> float:
        """Return the estimated effort by the next action that was not executed."""
        return self.first + LATER * len(self.after) if self.is_mine else self.first


@dataclass(slots=True)
class Prover:
    """A search for a proof for one player. `nodes` counts the states that actions led to, with repetitions.

    The rules in `against` decide where the opponent does not lose, so that these states need no search. With
    `holds` the goal is that the player does not lose. Then a state without moves for a side that is not
    beaten is a success.
    """

    game: Game
    player: str
    saying: Saying
    against: Saying | None
    hints: Mapping[Any, Sequence[GroundFact]]
    most_nodes: int
    holds: bool = False
    nodes: int = 0
    seen: dict[Any, _Seen] = field(default_factory=dict)
    worked: Counter[GroundFact] = field(default_factory=Counter)
    """The number of times that an action of the player led to a proved state."""

    def proof(self, root: Any) -> Proof | None:
        """Return a proof, with the player's first action if the player is to move.

        The result is None if there is none or it costs too much.
        """
        top = self._new(root, 0)  # the root is not matched with rules, because they would not give an action
        while top.node is None and self.nodes < self.most_nodes and top.needs < inf:
            path = self._path(top)
            if path[-1].actions is None:
                self._look_into(path[-1])
            elif path[-1].left():
                self._execute(path[-1], len(path))
            for one in reversed(path):
                self._count(one)
        return None if top.node is None else Proof(self.player, root, _reached(top))

    def is_proved(self, state: Any) -> bool:
        """Return whether a state was visited and is proved."""
        met = self.seen.get(state)
        return met is not None and met.node is not None

    def refuted(self, root: Any) -> list[GroundFact]:
        """Return the first actions after which no proof exists."""
        top = self.seen.get(root)
        if top is None or top.actions is None:
            return []
        tried = zip(top.actions, top.after, strict=False)
        return [action for action, then in tried if then.needs == inf]

    def _path(self, top: _Seen) -> list[_Seen]:
        """Return the path to the state to expand, or to the state whose next action is to be executed."""
        path, on_path = [top], {id(top)}
        while (now := path[-1]).actions is not None:
            open_ = [
                one for one in now.after if one.node is None and one.needs < inf and id(one) not in on_path
            ]
            if now.is_mine:
                best = min(open_, key=now.by_way_of, default=None)
                is_next = best is None or now.next() <= now.by_way_of(best)
            else:
                best = max(open_, key=lambda one: one.needs, default=None)
                is_next = best is None or now.next() >= best.needs
            if now.left() and is_next:
                break
            if best is None:
                now.circles += CIRCLE + now.needs / 4
                self.nodes += 1  # count it as a node, so that cycles come to an end
                break
            path.append(best)
            on_path.add(id(best))
        return path

    def _look_into(self, one: _Seen) -> None:
        """Compute the legal actions: first those in `hints`, then by move order."""
        state, hinted = one.state, self.hints.get(one.state, ())
        one.actions = sorted(
            self.game.actions(state),
            key=lambda action: (
                action not in hinted,
                -self.game.appeal(state, action) - (self.worked[action] if one.is_mine else 0),
            ),
        )
        if not one.actions:
            beaten = self.game.beaten(state)
            if (self.holds and not beaten) or (beaten and not one.is_mine):
                self._prove(one, Node(0))
            else:
                one.needs = inf

    def _execute(self, one: _Seen, ply: int) -> None:
        """Execute the next action."""
        assert one.actions is not None
        self.nodes += 1
        state = self.game.after(one.state, one.actions[len(one.after)])
        then = self.seen.get(state) or self._met(state, ply)
        one.after.append(then)
        then.before.append(one)

    def _new(self, state: Any, ply: int) -> _Seen:
        """Record a new state."""
        outlook = self.game.outlook(state, self.player) / MANIFOLD
        first = EVEN * exp(-max(-WIDEST, min(WIDEST, outlook))) + PLY * ply
        one = self.seen[state] = _Seen(state, self.game.to_move(state) == self.player, ply, first, first)
        return one

    def _met(self, state: Any, ply: int) -> _Seen:
        """Record a new state and match the rules on it."""
        one = self._new(state, ply)
        rule = self.saying.says(state, self.player)
        if rule is not None:
            one.node, one.needs = Node(0, rule=rule), 0
        elif (
            self.against is not None and self.against.says(state, self.game.opponent(self.player)) is not None
        ):
            one.needs = inf
        return one

    def _count(self, one: _Seen) -> None:
        """Update the effort of a state from its successors."""
        if one.node is not None or one.actions is None or one.needs == inf:
            return
        node = _node(one)
        if node is not None:
            self._prove(one, node)
            return
        needed = [
            one.by_way_of(then) if one.is_mine else then.needs for then in one.after if then.node is None
        ]
        if one.left():
            needed.append(one.next())
        if one.is_mine:
            one.needs = min(needed) + one.circles
        else:
            others = len(needed) - 1 + max(one.left() - 1, 0)
            one.needs = max(needed) + OTHER * others + one.circles

    def _prove(self, one: _Seen, node: Node) -> None:
        """Record that a state is proved, and its predecessors that are proved by it."""
        waiting = [(one, node)]
        while waiting:
            now, why = waiting.pop()
            if now.node is not None:
                continue
            now.node, now.needs = why, 0
            if why.action is not None:
                self.worked[why.action] += 1
            for earlier in now.before:
                found = None if earlier.node is not None else _node(earlier)
                if found is not None:
                    waiting.append((earlier, found))


def _node(one: _Seen) -> Node | None:
    """Return the justification of a state by its successors, or None."""
    ranks = [(then.node.rank, at) for at, then in enumerate(one.after) if then.node is not None]
    if one.actions is None or not ranks:
        return None
    if one.is_mine:
        rank, at = min(ranks)
        return Node(rank + 1, action=one.actions[at])
    return Node(max(ranks)[0] + 1) if len(ranks) == len(one.actions) else None


def _reached(top: _Seen) -> dict[Any, Node]:
    """Return the nodes that a proof needs."""
    found: dict[Any, Node] = {}
    waiting = [top]
    while waiting:
        one = waiting.pop()
        if one.state in found:
            continue
        assert one.node is not None
        node = found[one.state] = one.node
        if node.action is not None:
            assert one.actions is not None
            waiting.append(one.after[one.actions.index(node.action)])
        elif node.rule is None:
            waiting += one.after
    return found
