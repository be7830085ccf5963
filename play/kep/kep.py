"""Knowledge Enabled Planning: the planner proposes moves, and the prover decides.

`plan` searches for a plan that survives the opponent's counter-plans. The plan is only a proposal, for two
reasons. Null moves replace irrelevant replies, although players may not pass in the game itself; and a goal
value does not determine who wins. So the plan's tree only orders the moves of the proof search. If there is
no proof, a heuristic search selects the first move. A win is reported only with a proof. It answers each
legal reply until rules conclude that the player has won.

Source: Tadepalli 1989, Table 2.
"""

from __future__ import annotations

from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Any, Literal

from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.planning import Planner, Plans
from hornbook.play.kep.preferring import Preference
from hornbook.play.kep.proof import KepProof, RuleVerdicts, check
from hornbook.play.kep.proving import BestFirstProver
from hornbook.play.kep.tree import PlanningTree
from hornbook.play.kep.watched import OutOfTimeError, Watched
from hornbook.theories.protocols.planning import PlanningGame

Verdict = Literal["won", "refuted", "proposed", "open"]
Stop = Literal["nodes", "seconds", "interrupted"]


@dataclass(frozen=True, slots=True)
class KepBounds:
    """Search limits: states of the planner's tree, states visited for a proof, and total seconds."""

    planned: int = 20_000
    proved: int = 20_000
    seconds: float = inf


@dataclass(frozen=True, slots=True)
class Result:
    """The result of planning.

    `action` comes from the proof if there is one. Otherwise it comes from the heuristic search among actions
    that are not refuted, then from the plan, and finally from the move order. So it is present whenever the
    player is to move and can.

    The verdict is `won` if there is a checked `proof`. It is `refuted` if the opponent provably does not
    lose, and `proposed` if a plan survives all counter-plans without a proof. Otherwise it is `open`. The
    field `value` is the minimax value of the planner's tree, in goal values. The field `stopped` is the limit
    that was reached before there was a proof, or `interrupted`. It is None if the search was complete.
    """

    verdict: Verdict
    action: GroundFact | None
    value: int
    proof: KepProof | None
    planned: int
    proved: int
    matches: int
    stopped: Stop | None
    tree: PlanningTree

    @property
    def nodes(self) -> int:
        """Return the number of states generated or matched, including those of the proof and of its check."""
        return self.planned + self.proved + self.matches


@dataclass(frozen=True, slots=True)
class Knowledge:
    """A player's knowledge of a game: o-plans, the rules for winning, and the rules for holding."""

    game: PlanningGame
    plans: Plans
    wins: RuleVerdicts
    holds: RuleVerdicts


def plan(
    knowledge: Knowledge,
    state: Any,
    player: str,
    expectation: int,
    complexity: int,
    bounds: KepBounds | None = None,
    progress: Callable[[int], None] = lambda _: None,
) -> Result:
    """Plan for a player with an expected value, and at most `complexity` o-plans of each side at once.

    Ctrl-C ends planning like a limit, with the results found until then. The callback `progress` gets the
    number of states generated from time to time.

    Raises ValueError for an unknown player, and for a complexity less than 1.
    """
    game = knowledge.game
    if player not in (game.to_move(state), game.opponent(game.to_move(state))):
        raise ValueError(f"`{player}` does not play here: {game.to_move(state)} and his opponent do")
    if complexity < 1:
        raise ValueError(f"the complexity of a plan is at least 1, not {complexity}")
    limits = bounds or KepBounds()
    work = _PlanningRun(
        knowledge, Watched(game, monotonic() + limits.seconds, progress), state, player, limits
    )
    try:
        work.run(expectation, complexity)
    except OutOfTimeError:
        work.stopped = "seconds"
    except KeyboardInterrupt:
        work.stopped = "interrupted"
    return work.result()


class _PlanningRun:
    """Planning, proving and refuting, in this order; a result is available at any time."""

    def __init__(
        self, knowledge: Knowledge, game: PlanningGame, state: Any, player: str, limits: KepBounds
    ) -> None:
        self.knowledge, self.game, self.limits = knowledge, game, limits
        self.state, self.player = state, player
        self.tree = PlanningTree(game, player, state)
        self.planner = Planner(game, knowledge.plans, self.tree, limits.planned)
        self.provers: list[BestFirstProver] = []
        self.preference = Preference(game, limits.proved // 3)
        self.verdict: Verdict = "open"
        self.action: GroundFact | None = None
        self.proof: KepProof | None = None
        self.checked = 0
        self.stopped: Stop | None = None

    def run(self, expectation: int, complexity: int) -> None:
        hints = self._plan(expectation, complexity)
        mine, other = self.knowledge.wins, self.knowledge.holds
        proof = self._proof(BestFirstProver(self.game, self.player, mine, other, hints, self.limits.proved))
        if proof is not None:
            self.checked += check(proof, self.game, mine)
            self.verdict, self.action, self.proof = "won", proof.action, proof
            return
        opponent, most = self.game.opponent(self.player), self.limits.proved // 10
        refuted = self._proof(BestFirstProver(self.game, opponent, other, mine, {}, most, holds=True))
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
        """Select the action that the heuristic search prefers among those not refuted.

        This is used if nothing is proved.
        """
        if self.game.to_move(self.state) != self.player:
            return
        self.preference.excluded = self.provers[0].refuted(self.state)
        try:
            self.preference.look(self.state)
        finally:
            self.action = self.preference.action or self.action

    def _proof(self, prover: BestFirstProver) -> KepProof | None:
        self.provers.append(prover)
        return prover.proof(self.state)

    def _first(self) -> GroundFact | None:
        """Return the player's first action, or None if the opponent is to move or no action is legal.

        If no search has selected an action, the move order decides, with actions that are not refuted first.
        The game is not watched here, so the time limit cannot interrupt.
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
