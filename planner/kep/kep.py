"""Knowledge Enabled Planning: the planner proposes, and the prover disposes.

`plan` looks for a plan that survives the opponent's counter-plans (Tadepalli 1989, Table 2). Such a plan is a proposal: null
moves stand for replies that do not matter, and nobody may pass in the game itself; and what a goal promises is not who wins. So the plan's tree
only says which moves a proof tries first. Only a proof in which each legal reply is answered, until rules say that the player has
won, is announced as won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game, Plans
from hornbook.planner.kep.planning import Planner
from hornbook.planner.kep.proof import Proof, Saying, check
from hornbook.planner.kep.proving import Prover
from hornbook.planner.kep.tree import Tree

Verdict = Literal["won", "refuted", "proposed", "open"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far is looked: states of the planner's tree, and states that are looked at for a proof."""

    planned: int = 20_000
    proved: int = 20_000


@dataclass(frozen=True, slots=True)
class Result:
    """What came of planning.

    `won`: proved, `proof` is checked. `refuted`: it is proved that the opponent does not lose. `proposed`: a plan survives all
    counter-plans, but was not proved. `open`: neither. `value` is the min-max of the planner's tree, in promises.
    """

    verdict: Verdict
    action: GroundFact | None
    value: int
    proof: Proof | None
    planned: int
    proved: int
    matches: int

    @property
    def nodes(self) -> int:
        """States generated or matched, those of the proof and of its check included."""
        return self.planned + self.proved + self.matches


@dataclass(frozen=True, slots=True)
class Knowledge:
    """What a player knows of a game: o-plans, the rules by which one wins, and those by which one holds."""

    game: Game
    plans: Plans
    wins: Saying
    holds: Saying


def plan(
    knowledge: Knowledge,
    state: Any,
    player: str,
    expectation: int,
    complexity: int,
    bounds: Bounds | None = None,
) -> Result:
    """Plans for a player, who expects so much in promises, with at most so many o-plans of each side at once.

    Raises ValueError for a player whom the game does not know, or a complexity less than 1.
    """
    game = knowledge.game
    if player not in (game.to_move(state), game.opponent(game.to_move(state))):
        raise ValueError(f"`{player}` does not play here: {game.to_move(state)} and his opponent do")
    if complexity < 1:
        raise ValueError(f"the complexity of a plan is at least 1, not {complexity}")
    limits = bounds or Bounds()
    tree = Tree(game, player, state)
    planner = Planner(game, knowledge.plans, tree, limits.planned)
    survives = planner.run(expectation, complexity)
    hints = tree.best()
    prover = Prover(game, player, knowledge.wins, knowledge.holds, hints, limits.proved)
    proof = prover.proof(state)
    checked = 0 if proof is None else check(proof, game, knowledge.wins)
    proposed = hints.get(state, [None])[0] if survives else None
    verdict: Verdict = "proposed" if survives else "open"
    proved = prover.nodes + checked
    if proof is not None:
        verdict, proposed = "won", proof.action
    else:
        against = Prover(
            game, game.opponent(player), knowledge.holds, knowledge.wins, {}, limits.proved // 10, holds=True
        )
        refuted = against.proof(state)
        proved += against.nodes
        if refuted is not None:
            proved += check(refuted, game, knowledge.holds, holds=True)
            verdict, proof = "refuted", refuted
    return Result(verdict, proposed, tree.value(), proof, tree.nodes, proved, planner.matches)
