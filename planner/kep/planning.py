"""Planning against counter-plans: new plans of either side are made and tested in turn (Tadepalli 1989, Table 2).

Each side has old plans, which were tested, beginning with the null plan. A new plan is an old one together with an o-plan that
applies. For the player who plans these are the ones that apply now; for either also those that apply somewhere in the tree so
far where he is to move, since an o-plan of the opponent that waits for a move is a counter-plan to the plan with that move.
A side that does not do well enough makes new plans until it does, and then it is the other's turn; the end is when a
side has nothing new.

Optimisations of section 3.3: a plan is relevant if its goal promises something; states are nodes of one tree; a pair
of plans is tested once, and MESH stands for SEQ (`cplans.py`); alpha-beta within a test.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from hornbook.compiler.match.plans import PlanInstance
from hornbook.kb.ast.terms import Atom
from hornbook.planner.kep.cplans import NULL, CPlan, OPlan
from hornbook.planner.kep.game import Game, Plans
from hornbook.planner.kep.testing import Test
from hornbook.planner.kep.tree import Line, Tree


@dataclass(slots=True)
class Side:
    """The plans of a player: old ones, new ones, and the old one from which the next new ones are made."""

    player: str
    old: list[CPlan] = field(default_factory=lambda: [NULL])
    new: list[CPlan] = field(default_factory=list)
    pointer: int = 0
    active: CPlan = NULL


@dataclass(slots=True)
class Planner:
    """Plans for one player in one state. `matches` counts the states that plans were matched on."""

    game: Game
    plans: Plans
    tree: Tree
    most_nodes: int
    matches: int = 0
    known: dict[Any, tuple[PlanInstance, ...]] = field(default_factory=dict)
    tested: set[tuple[CPlan, CPlan]] = field(default_factory=set)

    def run(self, expectation: int, complexity: int) -> bool:
        """Whether what was explored gives the player what he expects when nobody has a new plan, or nodes are spent."""
        me = Side(self.tree.player)
        side, other = me, Side(self.game.opponent(me.player))
        self._test(NULL, NULL)
        while self.tree.nodes < self.most_nodes:
            if not self._improved(side, other, expectation, complexity, is_me=side is me):
                break
            side, other = other, side
        return self.tree.value() >= expectation

    def _improved(self, side: Side, other: Side, expectation: int, complexity: int, *, is_me: bool) -> bool:
        """Whether a side does well enough, now or with new plans."""
        side.pointer = (
            0  # the tree has grown, so that old plans may be joined by o-plans that did not apply before
        )
        while not self._content(expectation, is_me=is_me):
            if not side.new:
                if side.pointer >= len(side.old):
                    return False
                side.new = self._composed(side, complexity)
                side.pointer += 1
                continue
            plan = side.new.pop(0)
            side.old.append(plan)
            side.active = plan
            for against in dict.fromkeys([other.active, *other.old]):
                self._test(*((plan, against) if is_me else (against, plan)))
                if self.tree.nodes >= self.most_nodes:
                    return self._content(expectation, is_me=is_me)
        return True

    def _content(self, expectation: int, *, is_me: bool) -> bool:
        return (self.tree.value() >= expectation) is is_me

    def _composed(self, side: Side, complexity: int) -> list[CPlan]:
        """The old plan that is pointed at, with each o-plan that applies."""
        old = side.old[side.pointer]
        if len(old) >= complexity:
            return []
        goals = {one.goal for one in old}
        made = (old | {one} for one in self._applicable_of(side.player) if one.goal not in goals)
        seen = {*side.old, *side.new}
        return [plan for plan in dict.fromkeys(made) if plan not in seen]

    def _applicable_of(self, player: str) -> Iterator[OPlan]:
        """The o-plans of a player that apply where he is to move, about what their goals are about at first."""
        for place in list(self.tree.places_of(player)):
            instances = self.applicable(place[0])
            if instances:
                first = dict(self._followed(self.tree.lines[place]))
                for instance in instances:
                    goal = instance.goal if self.game.stays(instance.goal) else first.get(instance.goal)
                    if goal is not None and self.game.friend(place[0], instance.goal) == player:
                        yield OPlan(goal, instance.moves)

    def _followed(self, line: Line) -> Iterator[tuple[Atom, Atom]]:
        """The goals after a line, each with what it was at first."""
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
            Test(self.tree, self.applicable).run(mine, other)

    def applicable(self, state: Any) -> Sequence[PlanInstance]:
        """The plans of who is to move that apply in a state."""
        found = self.known.get(state)
        if found is None:
            self.matches += 1
            player = self.game.to_move(state)
            instances = self.plans.plans(self.game.parts(state))
            found = tuple(each for each in instances if self.game.friend(state, each.goal) == player)
            self.known[state] = found
        return found
