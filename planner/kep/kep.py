"""Knowledge Enabled Planning: the planner proposes, and the prover disposes.

`plan` looks for a plan that survives the opponent's counter-plans (Tadepalli 1989, Table 2). Such a plan is a proposal: null
moves stand for replies that do not matter, and nobody may pass in the game itself; and what a goal promises is not who wins. So the plan's tree
only says which moves a proof tries first. Where there is no proof, a search by outlooks prefers a first move. Only a proof in which each legal reply is answered, until rules say that the player has
won, is announced as won.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from time import monotonic
from typing import Any, Literal

from hornbook.kb.ast.theory import GroundFact
from hornbook.planner.kep.game import Game, Plans
from hornbook.planner.kep.planning import Planner
from hornbook.planner.kep.preferring import Preference
from hornbook.planner.kep.proof import Proof, Saying, check
from hornbook.planner.kep.proving import Prover
from hornbook.planner.kep.tree import Tree
from hornbook.planner.kep.watched import OutOfTimeError, Watched

Verdict = Literal["won", "refuted", "proposed", "open"]
Stop = Literal["nodes", "seconds", "interrupted"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far is looked: states of the planner's tree, states that are looked at for a proof, and seconds in all."""

    planned: int = 20_000
    proved: int = 20_000
    seconds: float = inf


@dataclass(frozen=True, slots=True)
class Result:
    """What came of planning.

    `action` is that of the proof; else the one that a search by outlooks prefers among those not refuted; else that of the plan;
    else the one that appeals most. So it is there whenever the player is to move and can.
    `won`: proved, `proof` is checked. `refuted`: it is proved that the opponent does not lose. `proposed`: a plan survives all
    counter-plans, but was not proved. `open`: neither. `value` is the min-max of the planner's tree, in promises. `stopped` is the
    bound that was passed, or that it was interrupted, before there was a proof; None where nothing more was to be looked at.
    """

    verdict: Verdict
    action: GroundFact | None
    value: int
    proof: Proof | None
    planned: int
    proved: int
    matches: int
    stopped: Stop | None
    tree: Tree

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
    told: Callable[[int], None] = lambda _: None,
) -> Result:
    """Plans for a player, who expects so much in promises, with at most so many o-plans of each side at once.

    Ctrl-C ends it as a bound does, with what is known by then. `told` hears now and then how many states were made. Raises
    ValueError for a player whom the game does not know, or a complexity less than 1.
    """
    game = knowledge.game
    if player not in (game.to_move(state), game.opponent(game.to_move(state))):
        raise ValueError(f"`{player}` does not play here: {game.to_move(state)} and his opponent do")
    if complexity < 1:
        raise ValueError(f"the complexity of a plan is at least 1, not {complexity}")
    limits = bounds or Bounds()
    work = _Work(knowledge, Watched(game, monotonic() + limits.seconds, told), state, player, limits)
    try:
        work.run(expectation, complexity)
    except OutOfTimeError:
        work.stopped = "seconds"
    except KeyboardInterrupt:
        work.stopped = "interrupted"
    return work.result()


class _Work:
    """Planning, proving and refuting, in this order; what is known at any moment is a result."""

    def __init__(self, knowledge: Knowledge, game: Game, state: Any, player: str, limits: Bounds) -> None:
        self.knowledge, self.game, self.limits = knowledge, game, limits
        self.state, self.player = state, player
        self.tree = Tree(game, player, state)
        self.planner = Planner(game, knowledge.plans, self.tree, limits.planned)
        self.provers: list[Prover] = []
        self.preference = Preference(game, limits.proved // 3)
        self.verdict: Verdict = "open"
        self.action: GroundFact | None = None
        self.proof: Proof | None = None
        self.checked = 0
        self.stopped: Stop | None = None

    def run(self, expectation: int, complexity: int) -> None:
        hints = self._plan(expectation, complexity)
        mine, other = self.knowledge.wins, self.knowledge.holds
        proof = self._proof(Prover(self.game, self.player, mine, other, hints, self.limits.proved))
        if proof is not None:
            self.checked += check(proof, self.game, mine)
            self.verdict, self.action, self.proof = "won", proof.action, proof
            return
        opponent, most = self.game.opponent(self.player), self.limits.proved // 10
        refuted = self._proof(Prover(self.game, opponent, other, mine, {}, most, holds=True))
        if refuted is not None:
            self.checked += check(refuted, self.game, other, holds=True)
            self.verdict, self.proof = "refuted", refuted
            return
        self._prefer()
        if self.tree.nodes >= self.limits.planned or any(one.nodes >= one.most_nodes for one in self.provers):
            self.stopped = "nodes"

    def _plan(self, expectation: int, complexity: int) -> dict[Any, list[GroundFact]]:
        survives = self.planner.run(expectation, complexity)
        hints = self.tree.best()
        if survives:
            self.verdict, self.action = "proposed", next(iter(hints.get(self.state, ())), None)
        return hints

    def _prefer(self) -> None:
        """Where nothing is proved, the action that outlooks prefer, unless it is refuted."""
        if self.game.to_move(self.state) != self.player:
            return
        self.preference.barred = self.provers[0].refuted(self.state)
        try:
            self.preference.look(self.state)
        finally:
            self.action = self.preference.action or self.action

    def _proof(self, prover: Prover) -> Proof | None:
        self.provers.append(prover)
        return prover.proof(self.state)

    def _first(self) -> GroundFact | None:
        """The player's first action; None where the opponent is to move, or nobody can.

        Where no search has come to an action, it is the one that appeals most, if possible one that is not refuted. The game
        is not watched here, so that the time cannot be up.
        """
        game = self.knowledge.game
        if self.action is not None or game.to_move(self.state) != self.player:
            return self.action
        refuted = self.provers[0].refuted(self.state) if self.provers else []

        def key(action: GroundFact) -> tuple[bool, int]:
            return action in refuted, -game.appeal(self.state, action)

        return min(game.actions(self.state), key=key, default=None)

    def result(self) -> Result:
        return Result(
            self.verdict,
            self._first(),
            self.tree.value(),
            self.proof,
            self.tree.nodes,
            sum(one.nodes for one in self.provers) + self.preference.nodes + self.checked,
            self.planner.matches,
            self.stopped,
            self.tree,
        )
