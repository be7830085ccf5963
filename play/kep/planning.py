"""Planning against counter-plans: new plans of either side are generated and tested in turn.

Each side has old plans that were tested, beginning with the null plan. A new plan is an old one extended by
an applicable o-plan. An o-plan has one goal; a plan of several o-plans is a c-plan (`cplans.py`). The
planning player uses the o-plans that apply now. Both sides also use those that apply in any state of the tree
with the side to move. The reason is that an o-plan of the opponent that waits for a move is a counter-plan to
the plan with that move.

A side whose value is too low generates new plans until it is sufficient; then it is the other side's turn.
Planning ends when a side has no new plan.

Optimisations of section 3.3: a plan is relevant if its goal has a value; states are nodes of one tree; each
pair of plans is tested once; MESH subsumes SEQ (`cplans.py`); a test uses alpha-beta.

Source: Tadepalli 1989, Table 2 and section 3.3.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from typing import Any, Protocol

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.parts import Part
from hornbook.kb.ast.terms import Atom
from hornbook.kb.ast.theory import GroundFact
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.cplans import NULL, CPlan, OPlan
from hornbook.play.kep.testing import CPlanTest
from hornbook.play.kep.tree import Line, PlanningTree
from hornbook.theories.protocols.planning import PlanningGame


class Plans(Protocol):
    """A matcher of plans, such as `hornbook.compiler.match.plans.PlanMatcher`."""

    def plans(self, state: Iterable[GroundFact | Part]) -> Sequence[PlanInstance]: ...

    def premises(self, plan: PlanInstance) -> Sequence[GroundFact]:
        """Return the given facts used by the derivation of a plan in the last state passed to `plans`."""


@dataclass(slots=True)
class PlanningSide:
    """The plans of a player: `old` ones, which were tested, and `new` ones.

    The field `pointer` is the index of the old plan that is extended next; `active` is the plan tested last.
    """

    player: str
    old: list[CPlan] = field(default_factory=lambda: [NULL])
    new: list[CPlan] = field(default_factory=list)
    pointer: int = 0
    active: CPlan = NULL


@dataclass(slots=True)
class Planner:
    """Planning for the player of a tree, in the state at its root.

    The field `matches` counts the states on which plans were matched, and `known` has the plans that apply in
    them. The field `tested` has pairs of a plan of the planning player and one of the opponent.
    """

    game: PlanningGame
    plans: Plans
    tree: PlanningTree
    most_nodes: int
    matches: int = 0
    known: dict[Any, tuple[PlanInstance, ...]] = field(default_factory=dict)
    tested: set[tuple[CPlan, CPlan]] = field(default_factory=set)

    def run(self, expectation: int, complexity: int) -> bool:
        """Plan until a side has no new plan or the node limit is reached.

        Return whether the explored tree then has at least the value `expectation`. No plan has more than
        `complexity` o-plans.
        """
        me = PlanningSide(self.tree.player)
        side, other = me, PlanningSide(self.game.opponent(me.player))
        self._test(NULL, NULL)
        while self.tree.nodes < self.most_nodes:
            if not self._reaches_expectation(side, other, expectation, complexity, is_me=side is me):
                break
            side, other = other, side
        return self.tree.value() >= expectation

    def _reaches_expectation(
        self, side: PlanningSide, other: PlanningSide, expectation: int, complexity: int, *, is_me: bool
    ) -> bool:
        """Return whether a side's value is sufficient, now or with new plans."""
        side.pointer = 0  # the tree has grown: old plans may be extended by o-plans that did not apply before
        while not self._is_sufficient(expectation, is_me=is_me):
            if not side.new:
                if side.pointer >= len(side.old):
                    return False
                side.new = self._extended_plans(side, complexity)
                side.pointer += 1
                continue
            plan = side.new.pop(0)
            side.old.append(plan)
            side.active = plan
            for against in dict.fromkeys([other.active, *other.old]):
                self._test(*((plan, against) if is_me else (against, plan)))
                if self.tree.nodes >= self.most_nodes:
                    return self._is_sufficient(expectation, is_me=is_me)
        return True

    def _is_sufficient(self, expectation: int, *, is_me: bool) -> bool:
        return (self.tree.value() >= expectation) is is_me

    def _extended_plans(self, side: PlanningSide, complexity: int) -> list[CPlan]:
        """Return the old plan at the pointer, extended by each applicable o-plan."""
        old = side.old[side.pointer]
        if len(old) >= complexity:
            return []
        goals = {one.goal for one in old}
        made = (old | {one} for one in self._applicable_of(side.player) if one.goal not in goals)
        seen = {*side.old, *side.new}
        return [plan for plan in dict.fromkeys(made) if plan not in seen]

    def _applicable_of(self, player: str) -> Iterator[OPlan]:
        """Yield a player's o-plans that apply in any state with the player to move.

        Their goals are traced back to the root.
        """
        for place in list(self.tree.places_of(player)):
            instances = self.applicable(place[0])
            if instances:
                first = dict(self._goals_after(self.tree.lines[place]))
                for instance in instances:
                    goal = instance.goal if self.game.stays(instance.goal) else first.get(instance.goal)
                    if goal is not None and self.game.friend(place[0], instance.goal) == player:
                        yield OPlan(goal, instance.moves)

    def _goals_after(self, line: Line) -> Iterator[tuple[Atom, Atom]]:
        """Yield each goal after a line, with the goal at the root that it comes from."""
        for goal in self.game.goals(self.tree.root):
            state, now = self.tree.root, goal
            for action in line:
                if action is None:
                    state = self.game.passed(state)
                    continue
                then = self.game.followed(state, now, action)
                if then is None:
                    break
                state, now = self.game.after(state, action), then
            else:
                yield now, goal

    def _test(self, mine: CPlan, other: CPlan) -> None:
        if (mine, other) not in self.tested:
            self.tested.add((mine, other))
            CPlanTest(self.tree, self.applicable).run(mine, other)

    def applicable(self, state: Any) -> Sequence[PlanInstance]:
        """Return the plans of the player to move that apply in a state."""
        found = self.known.get(state)
        if found is None:
            self.matches += 1
            player = self.game.to_move(state)
            instances = self.plans.plans(self.game.parts(state))
            found = tuple(each for each in instances if self.game.friend(state, each.goal) == player)
            self.known[state] = found
        return found
