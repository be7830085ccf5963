"""Learning plans from failures: explanations of a teacher's line whose value planning misses.

A failure leads to new knowledge in three ways (Tadepalli 1989, section 4; the paper does not specify which
lines are explained):

- Each goal that a side reaches on the line yields o-plans of that side. Their moves are those that move the
  goal's
  objects, and those that make their conditions true. All other moves, of either side, count as null moves.
- If such a move cannot be part of the plan, the fact that it makes true becomes a goal. Later lessons yield
  o-plans for it.
- If planning succeeds but a reply without an answer in the proof ends the plan, this end is a goal of the
  opponent,
  with an o-plan for it.

Learned plans are proved by the theory, and stored only if no known plan subsumes them. They are never wrong,
so failures add plans and change none.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from pathlib import Path
from typing import Any

from hornbook.compiler.learn.driver import RuleAdmission, drive
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof
from hornbook.compiler.learn.plans import LineOfPlay, PlanStrategy, PlanTask
from hornbook.compiler.match.plans import PlanMatcher
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.provenance import Provenance
from hornbook.kb.ast.terms import WON, Atom, Constant, GameStatement, statements
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.play.kep.goals import Actor, LearnedGoal, by_name, lifted, with_goals
from hornbook.play.kep.planning import Planner
from hornbook.play.kep.relevance import RelevantPlans
from hornbook.play.kep.replies import Answers, unanswered
from hornbook.play.kep.tree import PlanningTree
from hornbook.theories.protocols.planning import PlanningGame

LONGEST = 3
"""The maximal length of a plan that is extended by a move that does not move its goal's objects.

A piece with many moves multiplies the cost of matching with each further move.
"""


@dataclass(frozen=True, slots=True)
class PlanLesson:
    """A state, and a teacher's legal moves from there, of both sides in turn."""

    name: str
    state: Any
    actions: tuple[GroundFact, ...]


@dataclass(frozen=True, slots=True)
class PlanLearningSetting:
    """The setting of learning: a game, its theory with goal rules, the facts of states, and the actor.

    The function `answers` decides which replies to a plan are harmless; with None, nothing is learned from
    replies. The file of the lessons is `source`. The file for the theory of learned goals is `goals`, if they
    are stored. The field `limits` ends the learning from one line.
    """

    game: PlanningGame
    theory: Theory
    facts: Callable[[Any], Sequence[GroundFact]]
    actor: Actor
    answers: Answers | None = None
    source: str = ""
    goals: Path | None = None
    limits: Limits | None = None

    def given(self, state: Any) -> list[GroundFact]:
        """Return the facts of a state that the theory's rules mention.

        They are far fewer than those of the whole game.
        """
        predicates, mentioned = self.theory.vocabulary.predicates, self._mentioned()
        return [
            fact
            for fact in self.facts(state)
            if fact.relation in mentioned or predicates[fact.relation].kind == "fluent"
        ]

    def fluents(self, state: Any) -> frozenset[GroundFact]:
        """Return the facts of a state that actions change, without tense."""
        predicates = self.theory.vocabulary.predicates
        facts = (fact for fact in self.facts(state) if predicates[fact.relation].kind == "fluent")
        return frozenset(fact._replace(tense=None) for fact in facts)

    def _mentioned(self) -> frozenset[str]:
        return frozenset(each.relation for rule in self.theory.rules for each in statements(rule.body))


@dataclass(frozen=True, slots=True)
class PlanLearner:
    """The learned knowledge: goals, the theory with them, and plans for learned and given goals."""

    setting: PlanLearningSetting
    base: RuleBase
    theory: Theory
    goals: Mapping[str, LearnedGoal] = field(default_factory=dict)

    @classmethod
    def new(cls, setting: PlanLearningSetting) -> PlanLearner:
        return cls(setting, RuleBase(setting.theory.name), setting.theory)

    def plans(self) -> RelevantPlans:
        """Return the learned plans for the planner."""
        matcher = PlanMatcher(self.theory, [entry.rule for entry in self.base])
        return RelevantPlans(matcher, self.goals, self.setting.actor)

    def extended(self, goals: Sequence[LearnedGoal]) -> PlanLearner:
        """Return a copy with more goals."""
        known = {**by_name(goals), **self.goals}
        if len(known) == len(self.goals):
            return self
        theory = with_goals(self.setting.theory, known.values(), self.setting.actor, self.setting.goals)
        return replace(self, goals=known, theory=theory)


@dataclass(frozen=True, slots=True)
class LessonPlay:
    """A lesson with the states before and after each move, and their given facts."""

    states: tuple[Any, ...]
    facts: tuple[Sequence[GroundFact], ...]
    fluents: tuple[frozenset[GroundFact], ...]
    actions: tuple[GroundFact, ...]

    @classmethod
    def of(cls, setting: PlanLearningSetting, state: Any, actions: Sequence[GroundFact]) -> LessonPlay:
        states = [state]
        for action in actions:
            states.append(setting.game.after(states[-1], action))
        given = tuple(map(setting.given, states))
        return cls(tuple(states), given, tuple(map(setting.fluents, states)), tuple(actions))

    def line(self, goals: Sequence[tuple[Atom, int]]) -> LineOfPlay:
        """Return the line of the moves at these places; its goal is the one before the first move."""
        places = [place for _, place in goals]
        return LineOfPlay(
            goals[0][0],
            tuple(self.facts[place] for place in places),
            tuple(self.actions[place] for place in places),
        )

    def made(self, place: int) -> frozenset[GroundFact]:
        """Return the facts that the move at a place makes true."""
        return self.fluents[place + 1] - self.fluents[place]


def value_of_line(game: PlanningGame, lesson: PlanLesson, player: str) -> int:
    """Return the goal values that the line gives to a player, minus those of the opponent."""
    state, total = lesson.state, 0
    for action in lesson.actions:
        total += game.promise(state, action) * (1 if game.to_move(state) == player else -1)
        state = game.after(state, action)
    return total


def learn_from_lesson(
    learner: PlanLearner, lesson: PlanLesson, player: str, complexity: int, most_nodes: int
) -> PlanLearner:
    """Return the knowledge after a lesson.

    It is unchanged if the player's plan reaches the value of the line and survives.
    """
    setting = learner.setting
    expected = value_of_line(setting.game, lesson, player)
    tree = PlanningTree(setting.game, player, lesson.state)
    planner = Planner(setting.game, learner.plans(), tree, most_nodes)
    succeeds = planner.run(expected, complexity)
    if not succeeds or tree.value() != expected:
        return learn_from_play(learner, LessonPlay.of(setting, lesson.state, lesson.actions), lesson.name)
    if setting.answers is None:
        return learner
    ended = unanswered(planner, setting.answers, setting.fluents)
    if ended is None:
        return learner
    play = LessonPlay.of(setting, lesson.state, ended.actions)
    return learn_from_counter(learner, play, ended.facts, lesson.name)


def learn_from_play(learner: PlanLearner, play: LessonPlay, name: str) -> PlanLearner:
    """Return the knowledge extended by the goals that are reached in a play."""
    game = learner.setting.game
    new_goals: list[LearnedGoal] = []
    for place, action in enumerate(play.actions):
        if game.promise(play.states[place], action):
            for goal in _goals_reached(learner, play, place):
                learner, more = _learn_goal(learner, play, _goal_steps(learner, play, goal, place), name)
                new_goals += more
    return learner.extended(new_goals)


def learn_from_counter(
    learner: PlanLearner, play: LessonPlay, facts: Sequence[GroundFact], name: str
) -> PlanLearner:
    """Return the knowledge learned from a last move that ends facts needed by a plan of the other side."""
    game, place = learner.setting.game, len(play.actions) - 1
    state = play.states[place]
    if game.promise(state, play.actions[place]):
        goals = _goals_reached(learner, play, place)
    else:
        who = game.to_move(state)
        aims = [lifted(fact, who, game.opponent(who), learner.theory.vocabulary, ends=True) for fact in facts]
        learner = learner.extended(aims)
        goals = [aim.of(who, fact) for aim, fact in zip(aims, facts, strict=True)]
    for goal in goals[:1]:
        learner, _ = _learn_goal(learner, play, _goal_steps(learner, play, goal, place), name)
    return learner


def _goals_reached(learner: PlanLearner, play: LessonPlay, place: int) -> list[Atom]:
    """Return the goals that the move at a place reaches, according to the theory."""
    action, theory, game = play.actions[place], learner.setting.theory, learner.setting.game
    base = KnowledgeBase(theory, derivations="none")
    base.add([*play.facts[place], action])
    by = Atom(action.relation, tuple(map(Constant, action.values)))
    known = theory.vocabulary.predicates
    return [
        goal
        for goal in game.goals(play.states[place])
        if goal.predicate in known and base.holds(GameStatement(replace(goal, tense="before"), by, WON))
    ]


def _goal_steps(learner: PlanLearner, play: LessonPlay, goal: Atom, last: int) -> list[tuple[Atom, int]]:
    """Return the moves that move a goal's objects, each with the goal before the move.

    The last one is the move that reaches the goal.
    """
    game = learner.setting.game
    steps, now = [(goal, last)], goal
    for place in range(last - 1, -1, -1):
        before = _goal_one_move_before(game, play, place, now)
        if before is None:
            break
        if before != now and game.friend(play.states[place], before) == game.to_move(play.states[place]):
            steps.insert(0, (before, place))
        now = before
    return steps


def _goal_one_move_before(game: PlanningGame, play: LessonPlay, place: int, goal: Atom) -> Atom | None:
    """Return a goal before the move at a place, or None if its objects did not exist."""
    if game.stays(goal):
        return goal
    state, action = play.states[place], play.actions[place]
    return next((each for each in game.goals(state) if game.followed(state, each, action) == goal), None)


def _learn_goal(
    learner: PlanLearner, play: LessonPlay, steps: list[tuple[Atom, int]], name: str
) -> tuple[PlanLearner, list[LearnedGoal]]:
    """Return the knowledge after a goal with these moves is explained, and new goals for later lessons."""
    game = learner.setting.game
    base, found = _plans_of(learner, play, steps, name)
    while plans := [each for each in found if isinstance(each, ProvedExample)]:
        learner = replace(learner, base=base)
        first_step = len(steps) - len(plans)
        needed = _enabling_move(game, play, steps[first_step], plans[-1])
        if needed is None:
            break
        place, facts = needed
        goal = _goal_before(game, play, steps[first_step], place)
        if first_step > 0 or goal is None:
            return _learn_enabling_move(learner, play, place, facts, name)
        steps = [(goal, place), *steps]
        base, found = _plans_of(learner, play, steps, name)
        if not isinstance(found[-1], ProvedExample):
            return _learn_enabling_move(learner, play, place, facts, name)
        if len(steps) > LONGEST:
            break
    return learner, []


def _plans_of(
    learner: PlanLearner, play: LessonPlay, steps: list[tuple[Atom, int]], name: str
) -> tuple[RuleBase, tuple[ProvedExample | RefusedProof, ...]]:
    """Return the rule base with the plans for the moves at some places, and the result of each move."""
    origin = Provenance(name, learner.setting.source, print_condition(steps[0][0]), ())
    rules = RuleAdmission(learner.theory, learner.base)
    strategy = PlanStrategy(learner.theory, learner.setting.limits)
    (progress,) = drive(strategy, [PlanTask(play.line(steps), origin)], rules)
    if progress.outcome.fault is not None:
        raise progress.outcome.fault
    return progress.base, progress.outcome.found


def _goal_before(game: PlanningGame, play: LessonPlay, step: tuple[Atom, int], place: int) -> Atom | None:
    """Return a goal before an earlier move."""
    goal: Atom | None = step[0]
    for between in range(step[1] - 1, place - 1, -1):
        goal = None if goal is None else _goal_one_move_before(game, play, between, goal)
    return goal


def _enabling_move(
    game: PlanningGame, play: LessonPlay, step: tuple[Atom, int], plan: ProvedExample
) -> tuple[int, list[GroundFact]] | None:
    """Return the last earlier move that makes conditions of the plan true, with these facts.

    The result is None unless the plan's player made that move.
    """
    player = game.to_move(play.states[step[1]])
    needs = {
        GroundFact(leaf.predicate, tuple(t.value for t in leaf.terms if isinstance(t, Constant)))
        for leaf in plan.explanation.leaves
        if isinstance(leaf, Atom) and leaf.tense == "before"
    }
    for place in range(step[1] - 1, -1, -1):
        facts = sorted(needs & play.made(place))
        if facts:
            return (place, facts) if game.to_move(play.states[place]) == player else None
    return None


def _learn_enabling_move(
    learner: PlanLearner, play: LessonPlay, place: int, facts: Sequence[GroundFact], name: str
) -> tuple[PlanLearner, list[LearnedGoal]]:
    """Learn from a move that achieves no goal but makes conditions of a later move true.

    Return new plans if the result is already a goal, otherwise new goals.
    """
    game, state = learner.setting.game, play.states[place]
    if game.promise(state, play.actions[place]):
        return learner, []
    who = game.to_move(state)
    new_goals: list[LearnedGoal] = []
    for fact in facts:
        aim = lifted(fact, who, game.opponent(who), learner.theory.vocabulary, ends=False)
        if aim.name in learner.goals:
            learner, more = _learn_goal(learner, play, [(aim.of(who, fact), place)], name)
            new_goals += more
        else:
            new_goals.append(aim)
    return learner, new_goals
