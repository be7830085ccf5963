"""A proof that a player wins, or holds: what he does in each state, whatever the opponent replies; and its checker.

A proof is a graph without circles. A node has a state, and either the rule that says the player has won there, or, where he is to
move, his action, or all legal replies of the opponent. Each node has a rank, which falls with each move, so the play ends.
`check` walks a proof again with nothing but the game and the rules; it trusts nothing of who made it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from hornbook.compiler.match.position import Matcher
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.hornbook_error import HornbookError
from hornbook.planner.kep.game import Game


class ProofError(HornbookError):
    """A proof has a fault in a state; the message says which."""

    def __init__(self, fault: str, state: Any) -> None:
        super().__init__(f"{fault}: {state}")
        self.fault, self.state = fault, state


class Saying(Protocol):
    """What proved rules say of a state."""

    def says(self, state: Any, player: str) -> str | None:
        """The rule by which a player wins, or holds, if who is to move moves first; None where none says so."""


@dataclass(slots=True)
class RulesSay:
    """Rules matched on states: which of some games, each about a side, is won. `matches` counts states."""

    game: Game
    matcher: Matcher
    names: tuple[str, ...]
    matches: int = 0

    @classmethod
    def of(
        cls, game: Game, theory: Theory, rules: Sequence[Rule], names: tuple[str, ...], focus: str
    ) -> RulesSay:
        """`focus` is the predicate by which rules say what they are about, which these need not have."""
        matcher = Matcher(theory, focus)
        for rule in rules:
            matcher.add(rule)
        return cls(game, matcher, names)

    def says(self, state: Any, player: str) -> str | None:
        self.matches += 1
        first = Constant("GI" if self.game.to_move(state) == player else "IG")
        asked = [Atom(name, (Constant(player),)) for name in self.names]
        for rule, said in self.matcher.said(self.game.parts(state), asked):
            if (
                said.value == first
                and said.game.terms == (Constant(player),)
                and said.game.predicate in self.names
            ):
                return rule
        return None


def claims_of(theory: Theory) -> list[Rule]:
    """A theory's rules on games that speak of a state alone, not of what an action changes."""
    return [r for r in theory.rules if isinstance(r.head, GameStatement) and r.head.game.tense is None]


@dataclass(frozen=True, slots=True)
class Node:
    """Why the player has won in a state: a rule, an action of his, or an answer to every reply (then both are None)."""

    rank: int
    rule: str | None = None
    action: GroundFact | None = None


@dataclass(frozen=True, slots=True)
class Proof:
    """A proof for a player from a state on; states that arise in several ways are one node."""

    player: str
    root: Any
    nodes: Mapping[Any, Node]

    @property
    def action(self) -> GroundFact | None:
        """The player's first action; None where the opponent is to move, or a rule says it without one."""
        return self.nodes[self.root].action


def check(proof: Proof, game: Game, saying: Saying, *, holds: bool = False) -> int:
    """Walks a proof and returns how many nodes it has.

    Raises ProofError where an action is illegal, a reply is missing, a rank does not fall, or a rule does not say what is claimed. With
    `holds`, who has no move and is not beaten has ended the game as the player wishes.
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
            raise ProofError("nothing is said of a state that can arise", state)
        if node.rule is not None:
            if saying.says(state, proof.player) is None:
                raise ProofError(f"no rule says what `{node.rule}` is said to say", state)
            continue
        for then in _next(proof, game, state, node, holds=holds):
            below = proof.nodes.get(then)
            if below is not None and below.rank >= node.rank:
                raise ProofError("the rank does not fall after this state", state)
            waiting.append(then)
    return len(seen)


def _next(proof: Proof, game: Game, state: Any, node: Node, *, holds: bool) -> list[Any]:
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
