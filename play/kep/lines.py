"""The justification of a result as lines of play.

The lines are the answered replies of a proof, or the surviving part of the planner's tree. If several lines
reach the same state, only the first continues; the others refer to it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hornbook.kb.ast.terms import Atom, Constant
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.format.printer import print_condition
from hornbook.play.kep.kep import Knowledge, Result
from hornbook.play.kep.proof import KepProof
from hornbook.play.kep.tree import Place, PlanningTree
from hornbook.theories.protocols.planning import PlanningGame, Turn

MET = "as in a line before"
"""The note on a line that joins an earlier one."""


Followers = Callable[[Any], list[tuple[GroundFact | None, Any]]]
"""The actions that continue a line at a place, each with the place that it leads to."""


def lines(knowledge: Knowledge, result: Result) -> Turn:
    """Return the lines of a result; the first turn has no action and the state of the query."""
    game, proof = knowledge.game, result.proof
    if proof is not None:
        root = _lines_from(proof.root, proof.root, _answers(game, proof), lambda state: state)
        for turn in turns(root):
            rule = proof.nodes[turn.state].rule
            turn.notes += [] if rule is None else [f"{rule}: {proof.player} {_outcome(result)}"]
    else:
        root = _lines_from(
            result.tree.root, (result.tree.root, 0), _surviving(result.tree), lambda place: place[0]
        )
    player = result.tree.player if proof is None else proof.player
    for turn in turns(root):
        for then in turn.after if game.to_move(turn.state) == player else ():
            then.notes[:0] = _plans(knowledge, turn.state, then.action)
    return root


def turns(root: Turn) -> Iterator[Turn]:
    """Yield all turns of some lines, each before its successors."""
    waiting = [root]
    while waiting:
        turn = waiting.pop()
        yield turn
        waiting += reversed(turn.after)


def _outcome(result: Result) -> str:
    return "wins" if result.verdict == "won" else "holds"


def _lines_from(state: Any, place: Any, followers: Followers, state_of: Callable[[Any], Any]) -> Turn:
    """Return the lines from a place; each place continues only at its first occurrence."""
    root = Turn(None, state)
    seen = {place}
    waiting = [(root, place)]
    while waiting:
        turn, at = waiting.pop()
        new = []
        for action, to in followers(at):
            then = Turn(action, state_of(to))
            turn.after.append(then)
            if to in seen:
                then.notes += [MET] if followers(to) else []
            else:
                seen.add(to)
                new.append((then, to))
        waiting += reversed(new)
    return root


def _answers(game: PlanningGame, proof: KepProof) -> Followers:
    """Return the proved player's action, and every legal reply of the other, the longest to answer first."""

    def followers(state: Any) -> list[tuple[GroundFact | None, Any]]:
        node = proof.nodes[state]
        if node.rule is not None:
            return []
        actions = game.actions(state) if node.action is None else [node.action]
        found = [(action, game.after(state, action)) for action in actions]
        return sorted(found, key=lambda each: -proof.nodes[each[1]].rank)

    return followers


def _surviving(tree: PlanningTree) -> Followers:
    """Return the planning player's best tried action, and all tried replies of the opponent, best first."""
    values: defaultdict[Place, int] = defaultdict(int)
    for place, edges in sorted(tree.edges.items(), key=lambda each: -each[0][1]):
        if edges:
            sign = tree.sign(place[0])
            values[place] = sign * max(sign * (earned + values[to]) for earned, to in edges.values())

    def followers(place: Any) -> list[tuple[GroundFact | None, Any]]:
        sign = tree.sign(place[0])
        tried = [
            (-sign * (earned + values[to]), action is None, action, to)
            for action, (earned, to) in tree.edges.get(place, {}).items()
            if action is not None or tree.edges.get(to)
        ]
        tried.sort(key=lambda each: each[:2])
        return [(action, to) for *_, action, to in (tried[:1] if sign == 1 else tried)]

    return followers


def _plans(knowledge: Knowledge, state: Any, action: GroundFact | None) -> list[str]:
    """Return a description of the shortest plan that proposes an action in a state."""
    if action is None:
        return []
    by = Atom(action.relation, tuple(map(Constant, action.values)))
    player = knowledge.game.to_move(state)
    for plan in knowledge.plans.plans(knowledge.game.parts(state)):
        if plan.action == by and knowledge.game.friend(state, plan.goal) == player:
            return [f"{plan.rule}: {print_condition(plan.goal)} in {plan.moves}"]
    return []


def rules_used(proof: KepProof) -> Sequence[tuple[str, int]]:
    """Return the rules at the leaves of a proof, most frequent first.

    Each has the number of states that it decides.
    """
    counts: dict[str, int] = {}
    for node in proof.nodes.values():
        if node.rule is not None:
            counts[node.rule] = counts.get(node.rule, 0) + 1
    return sorted(counts.items(), key=lambda each: (-each[1], each[0]))
