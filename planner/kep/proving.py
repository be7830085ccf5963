"""Proving that a player wins: what seems to need least is looked into first, and each legal reply is answered, until rules say that he has won.

Best-first search by what a proof still seems to need, after proof-number search (Allis, van der Meulen and van den Herik 1994). A state that was
not looked into needs as much as its outlook says. Where the player moves, a state needs as much as the best of what it leads to; where
the opponent moves, as much as the hardest, and a little for each other, since what replies lead to is mostly the same (Ueda,
Hashimoto, Hashimoto and Iida 2008). So an action that fails is given up at the reply that refutes it. Actions are
carried out one by one: the next where those before seem to need more than it would.

States that arise in several ways are one node; one counts as proved only when what it leads to is, so no proof runs in a circle. Where a
way could only go in a circle, it seems to need more each time. Leaves are matches of rules, and mate.
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
"""What a proof needs where nobody stands better; the promises for which it needs 2.7 times less or more, and how often at most."""
LATER, OTHER, PLY, BACK, CIRCLE = 1.0, 0.7, 0.1, 3.0, 3.0
"""What needs more: each action that was thought less promising, each other reply, each ply, a way back to where one was sooner, and a circle."""


@dataclass(slots=True, eq=False)
class _Seen:
    """A state that was looked at: what a proof needs; `inf` where there is none, 0 where there is one."""

    state: Any
    is_mine: bool
    ply: int
    first: float
    """What it seemed to need before it was looked into."""
    needs: float
    actions: list[GroundFact] | None = None
    """Legal actions, the most promising first; None where it was not looked into."""
    after: list[_Seen] = field(default_factory=list)
    """What the first of these lead to."""
    before: list[_Seen] = field(default_factory=list)
    circles: float = 0.0
    node: Node | None = None
    """Why it is proved, if it is."""

    def left(self) -> int:
        """How many actions were not carried out."""
        return 0 if self.actions is None else len(self.actions) - len(self.after)

    def by_way_of(self, then: _Seen) -> float:
        """What it needs to be proved by what an action of the player leads to."""
        return then.needs + BACK if then.ply <= self.ply else then.needs

    def next(self) -> float:
        """What it seems to need by the next action that was not carried out."""
        return self.first + LATER * len(self.after) if self.is_mine else self.first


@dataclass(slots=True)
class Prover:
    """Looks for a proof for one player. `nodes` counts states that actions led to, those again that were met again.

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
    seen: dict[Any, _Seen] = field(default_factory=dict)
    worked: Counter[GroundFact] = field(default_factory=Counter)
    """How often an action of the player led to what is proved."""

    def proof(self, root: Any) -> Proof | None:
        """A proof, with the player's first action where he is to move; None where there is none or it costs too much."""
        top = self._new(root, 0)  # no rule is asked here, since it would not say what to do
        while top.node is None and self.nodes < self.most_nodes and top.needs < inf:
            path = self._path(top)
            if path[-1].actions is None:
                self._look_into(path[-1])
            elif path[-1].left():
                self._carry_out(path[-1], len(path))
            for one in reversed(path):
                self._count(one)
        return None if top.node is None else Proof(self.player, root, _reached(top))

    def is_proved(self, state: Any) -> bool:
        """Whether a state was met that is proved."""
        met = self.seen.get(state)
        return met is not None and met.node is not None

    def refuted(self, root: Any) -> list[GroundFact]:
        """The first actions after which there is nothing to be found."""
        top = self.seen.get(root)
        if top is None or top.actions is None:
            return []
        tried = zip(top.actions, top.after, strict=False)
        return [action for action, then in tried if then.needs == inf]

    def _path(self, top: _Seen) -> list[_Seen]:
        """The way to the state that is to be looked into, or from which the next action is to be carried out."""
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
                self.nodes += 1  # so that circles too come to an end
                break
            path.append(best)
            on_path.add(id(best))
        return path

    def _look_into(self, one: _Seen) -> None:
        """Finds the legal actions, and puts those first that are hinted at, and then those that appeal most."""
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

    def _carry_out(self, one: _Seen, ply: int) -> None:
        """Carries out the next action."""
        assert one.actions is not None
        self.nodes += 1
        state = self.game.after(one.state, one.actions[len(one.after)])
        then = self.seen.get(state) or self._met(state, ply)
        one.after.append(then)
        then.before.append(one)

    def _new(self, state: Any, ply: int) -> _Seen:
        """Notes a state that was not met before."""
        outlook = self.game.outlook(state, self.player) / MANIFOLD
        first = EVEN * exp(-max(-WIDEST, min(WIDEST, outlook))) + PLY * ply
        one = self.seen[state] = _Seen(state, self.game.to_move(state) == self.player, ply, first, first)
        return one

    def _met(self, state: Any, ply: int) -> _Seen:
        """Asks the rules about a state that was not met before."""
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
        """What a state needs, by what it leads to."""
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
        """Notes that a state is proved, and those before it that are proved by that."""
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
    """Why a state is proved by what it leads to, if it is."""
    ranks = [(then.node.rank, at) for at, then in enumerate(one.after) if then.node is not None]
    if one.actions is None or not ranks:
        return None
    if one.is_mine:
        rank, at = min(ranks)
        return Node(rank + 1, action=one.actions[at])
    return Node(max(ranks)[0] + 1) if len(ranks) == len(one.actions) else None


def _reached(top: _Seen) -> dict[Any, Node]:
    """The nodes that a proof needs."""
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
