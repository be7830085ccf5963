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
from dataclasses import field
from math import exp, inf
from typing import Any

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.proof import KepProof, KepProofNode, RuleVerdicts
from hornbook.theories.protocols.planning import PlanningGame

EVEN_ESTIMATE, HEURISTIC_SCALE, MOST_EXPONENT = 2.0, 150, 5.0
"""The effort of a proof in an equal position; the heuristic value that divides it by e; and the limit of the
exponent.
"""
LATER_ACTION, OTHER_REPLY, PLY, TRANSPOSITION, CYCLE = 1.0, 0.7, 0.1, 3.0, 3.0
"""The additional effort for each less promising action, each other reply, each ply, a transposition to an
earlier ply, and a cycle.
"""


@dataclass(slots=True, eq=False)
class _Visited:
    """A visited state with the effort that its proof needs: `inf` if there is none, 0 if it is proved."""

    state: Any
    is_mine: bool
    ply: int
    first: float
    """The estimate before the state was expanded."""
    estimate: float
    actions: list[GroundFact] | None = None
    """The legal actions, most promising first; None if the state is not expanded."""
    after: list[_Visited] = field(default_factory=list)
    """The successors by the first of these actions."""
    before: list[_Visited] = field(default_factory=list)
    cycles: float = 0.0
    node: KepProofNode | None = None
    """The justification, if the state is proved."""

    def unexecuted(self) -> int:
        """Return the number of actions that were not executed."""
        return 0 if self.actions is None else len(self.actions) - len(self.after)

    def estimate_through(self, then: _Visited) -> float:
        """Return the effort of a proof by this successor of an action of the player."""
        return then.estimate + TRANSPOSITION if then.ply <= self.ply else then.estimate

    def estimate_of_next(self) -> float:
        """Return the estimated effort by the next action that was not executed."""
        return self.first + LATER_ACTION * len(self.after) if self.is_mine else self.first


@dataclass(slots=True)
class BestFirstProver:
    """A search for a proof for one player. `nodes` counts the states that actions led to, with repetitions.

    The rules in `against` decide where the opponent does not lose, so that these states need no search. With
    `holds` the goal is that the player does not lose. Then a state without moves for a side that is not
    beaten is a success.
    """

    game: PlanningGame
    player: str
    saying: RuleVerdicts
    against: RuleVerdicts | None
    hints: Mapping[Any, Sequence[GroundFact]]
    most_nodes: int
    holds: bool = False
    nodes: int = 0
    seen: dict[Any, _Visited] = field(default_factory=dict)
    successes: Counter[GroundFact] = field(default_factory=Counter)
    """The number of times that an action of the player led to a proved state."""

    def proof(self, root: Any) -> KepProof | None:
        """Return a proof, with the player's first action if the player is to move.

        The result is None if there is none or it costs too much.
        """
        top = self._record(
            root, 0
        )  # the root is not matched with rules, because they would not give an action
        while top.node is None and self.nodes < self.most_nodes and top.estimate < inf:
            path = self._path(top)
            if path[-1].actions is None:
                self._expand(path[-1])
            elif path[-1].unexecuted():
                self._execute(path[-1], len(path))
            for one in reversed(path):
                self._update_estimate(one)
        return None if top.node is None else KepProof(self.player, root, _needed_nodes(top))

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
        return [action for action, then in tried if then.estimate == inf]

    def _path(self, top: _Visited) -> list[_Visited]:
        """Return the path to the state to expand, or to the state whose next action is to be executed."""
        path, on_path = [top], {id(top)}
        while (now := path[-1]).actions is not None:
            open_ = [
                one for one in now.after if one.node is None and one.estimate < inf and id(one) not in on_path
            ]
            if now.is_mine:
                best = min(open_, key=now.estimate_through, default=None)
                is_next = best is None or now.estimate_of_next() <= now.estimate_through(best)
            else:
                best = max(open_, key=lambda one: one.estimate, default=None)
                is_next = best is None or now.estimate_of_next() >= best.estimate
            if now.unexecuted() and is_next:
                break
            if best is None:
                now.cycles += CYCLE + now.estimate / 4
                self.nodes += 1  # count it as a node, so that cycles come to an end
                break
            path.append(best)
            on_path.add(id(best))
        return path

    def _expand(self, one: _Visited) -> None:
        """Compute the legal actions: first those in `hints`, then by move order."""
        state, hinted = one.state, self.hints.get(one.state, ())
        one.actions = sorted(
            self.game.actions(state),
            key=lambda action: (
                action not in hinted,
                -self.game.appeal(state, action) - (self.successes[action] if one.is_mine else 0),
            ),
        )
        if not one.actions:
            beaten = self.game.beaten(state)
            if (self.holds and not beaten) or (beaten and not one.is_mine):
                self._record_proof(one, KepProofNode(0))
            else:
                one.estimate = inf

    def _execute(self, one: _Visited, ply: int) -> None:
        """Execute the next action."""
        assert one.actions is not None
        self.nodes += 1
        state = self.game.after(one.state, one.actions[len(one.after)])
        then = self.seen.get(state) or self._record_and_match(state, ply)
        one.after.append(then)
        then.before.append(one)

    def _record(self, state: Any, ply: int) -> _Visited:
        """Record a new state."""
        outlook = self.game.outlook(state, self.player) / HEURISTIC_SCALE
        first = EVEN_ESTIMATE * exp(-max(-MOST_EXPONENT, min(MOST_EXPONENT, outlook))) + PLY * ply
        one = self.seen[state] = _Visited(state, self.game.to_move(state) == self.player, ply, first, first)
        return one

    def _record_and_match(self, state: Any, ply: int) -> _Visited:
        """Record a new state and match the rules on it."""
        one = self._record(state, ply)
        rule = self.saying.says(state, self.player)
        if rule is not None:
            one.node, one.estimate = KepProofNode(0, rule=rule), 0
        elif (
            self.against is not None and self.against.says(state, self.game.opponent(self.player)) is not None
        ):
            one.estimate = inf
        return one

    def _update_estimate(self, one: _Visited) -> None:
        """Update the effort of a state from its successors."""
        if one.node is not None or one.actions is None or one.estimate == inf:
            return
        node = _node(one)
        if node is not None:
            self._record_proof(one, node)
            return
        needed = [
            one.estimate_through(then) if one.is_mine else then.estimate
            for then in one.after
            if then.node is None
        ]
        if one.unexecuted():
            needed.append(one.estimate_of_next())
        if one.is_mine:
            one.estimate = min(needed) + one.cycles
        else:
            others = len(needed) - 1 + max(one.unexecuted() - 1, 0)
            one.estimate = max(needed) + OTHER_REPLY * others + one.cycles

    def _record_proof(self, one: _Visited, node: KepProofNode) -> None:
        """Record that a state is proved, and its predecessors that are proved by it."""
        waiting = [(one, node)]
        while waiting:
            now, why = waiting.pop()
            if now.node is not None:
                continue
            now.node, now.estimate = why, 0
            if why.action is not None:
                self.successes[why.action] += 1
            for earlier in now.before:
                found = None if earlier.node is not None else _node(earlier)
                if found is not None:
                    waiting.append((earlier, found))


def _node(one: _Visited) -> KepProofNode | None:
    """Return the justification of a state by its successors, or None."""
    ranks = [(then.node.rank, at) for at, then in enumerate(one.after) if then.node is not None]
    if one.actions is None or not ranks:
        return None
    if one.is_mine:
        rank, at = min(ranks)
        return KepProofNode(rank + 1, action=one.actions[at])
    return KepProofNode(max(ranks)[0] + 1) if len(ranks) == len(one.actions) else None


def _needed_nodes(top: _Visited) -> dict[Any, KepProofNode]:
    """Return the nodes that a proof needs."""
    found: dict[Any, KepProofNode] = {}
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
