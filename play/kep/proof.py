"""Proofs that a player wins or holds, whatever the opponent replies, and their checker.

A proof is an acyclic graph. A node has a state and a justification. It is a rule that the player has won
there, an action of the player to move, or all legal replies of the opponent. Each node has a rank that
decreases with each move, so the play ends. The function `check` verifies a proof with only the game and the
rules, and trusts nothing from the prover.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from hornbook.compiler.match.position import RuleMatcher
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.hornbook_error import HornbookError
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.protocols.planning import PlanningGame


class ProofError(HornbookError):
    """A fault of a proof in a state; the message describes it."""

    def __init__(self, fault: str, state: Any) -> None:
        super().__init__(f"{fault}: {state}")
        self.fault, self.state = fault, state


class RuleVerdicts(Protocol):
    """The interface to proved rules about states."""

    def says(self, state: Any, player: str) -> str | None:
        """Return the rule that a player wins, or holds, with the current player to move.

        The result is None if there is none.
        """


@dataclass(slots=True)
class MatchedRules:
    """Rules matched on states to decide which of some games, each about a side, is won.

    `matches` counts the matched states.
    """

    game: PlanningGame
    matcher: RuleMatcher
    names: tuple[str, ...]
    matches: int = 0

    @classmethod
    def of(
        cls, game: PlanningGame, theory: Theory, rules: Sequence[Rule], names: tuple[str, ...], focus: str
    ) -> MatchedRules:
        """Make a matcher for rules. `focus` is the predicate of the focus set in rules, which is optional."""
        matcher = RuleMatcher(theory, focus)
        for rule in rules:
            matcher.add(rule)
        return cls(game, matcher, names)

    def says(self, state: Any, player: str) -> str | None:
        self.matches += 1
        first = Constant("GI" if self.game.to_move(state) == player else "IG")
        queries = [Atom(name, (Constant(player),)) for name in self.names]
        for rule, conclusion in self.matcher.statements(self.game.parts(state), queries):
            if (
                conclusion.value == first
                and conclusion.game.terms == (Constant(player),)
                and conclusion.game.predicate in self.names
            ):
                return rule
        return None


def claims_of(theory: Theory) -> list[Rule]:
    """Return a theory's rules on games that refer to a single state, not to the changes of an action."""
    return [r for r in theory.rules if isinstance(r.head, GameStatement) and r.head.game.tense is None]


@dataclass(frozen=True, slots=True)
class KepProofNode:
    """The justification of a state: a rule, an action, or an answer to every reply (then both are None)."""

    rank: int
    rule: str | None = None
    action: GroundFact | None = None


@dataclass(frozen=True, slots=True)
class KepProof:
    """A proof for a player from a state; a state that is reached in several ways is a single node."""

    player: str
    root: Any
    nodes: Mapping[Any, KepProofNode]

    @property
    def action(self) -> GroundFact | None:
        """Return the player's first action.

        The result is None if the opponent is to move, or if a rule decides without an action.
        """
        return self.nodes[self.root].action


def check(proof: KepProof, game: PlanningGame, saying: RuleVerdicts, *, holds: bool = False) -> int:
    """Verify a proof and return the number of its nodes.

    With `holds`, the proof also succeeds if the player to move has no move and is not beaten.

    Raises ProofError if an action is illegal, a reply is missing, a rank does not decrease, or no rule
    concludes the claim.
    """
    seen: set[Any] = set()
    waiting = [proof.root]
    while waiting:
        state = waiting.pop()
        if state in seen:
            continue
        seen.add(state)
        node = proof.nodes.get(state)
        if node is None:
            raise ProofError("a reachable state has no node", state)
        if node.rule is not None:
            if saying.says(state, proof.player) is None:
                raise ProofError(f"no rule concludes what `{node.rule}` should conclude", state)
            continue
        for then in _next(proof, game, state, node, holds=holds):
            below = proof.nodes.get(then)
            if below is not None and below.rank >= node.rank:
                raise ProofError("the rank does not fall after this state", state)
            waiting.append(then)
    return len(seen)


def _next(proof: KepProof, game: PlanningGame, state: Any, node: KepProofNode, *, holds: bool) -> list[Any]:
    legal = game.actions(state)
    if not legal:
        if game.to_move(state) != proof.player and game.beaten(state):
            return []
        if holds and not game.beaten(state):
            return []
        raise ProofError("the game is over, and not as the player wishes", state)
    if game.to_move(state) == proof.player:
        if node.action not in legal or node.action is None:
            raise ProofError("no legal action is given", state)
        return [game.after(state, node.action)]
    return [game.after(state, reply) for reply in legal]
