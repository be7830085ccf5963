"""Learning macro-operators: from sequences of actions in examples to lemmas for each action.

A macro-operator is a sequence of actions that reaches a goal (Fikes, Hart and Nilsson 1972, *Learning and
executing generalized robot plans*; Korf 1985, *Macro-operators: a weak method for learning*). The goal is
regressed through the last action. The result is an invented predicate about the state before this action
(invented_predicates.py), with a lemma:

    after ready(?m) :- clean(?t, ?p), before ready_by_clean(?m, ?t, ?p).

The clauses of this predicate mention no action, so a fact of it is regressed through the action before:

    after ready_by_clean(?m, ?t, ?p) :-
      replace(?u, ?q), before ready_by_replace_then_clean(?m, ?t, ?p, ?u, ?q).

So the last predicate holds in a state if the sequence of actions reaches the goal from there.

The stages of learning go from the last actions of all sequences to their first ones.

Invariants: the checker accepted every lemma. Later stages do not change the invented predicates of a stage.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from hornbook.compiler.checker.checker import verify
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.operational import condition_vocabulary, state_predicates
from hornbook.compiler.learn.effects.effect_learner import Certification
from hornbook.compiler.learn.effects.frame_lemmas import FrameLemmas
from hornbook.compiler.learn.invented_predicates import InventedPredicate, PredicateInvention, all_steps
from hornbook.compiler.learn.learner import doubtful, solve
from hornbook.compiler.match.macros import macros_in
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.definitions import NO_DEFINITIONS, Definitions
from hornbook.kb.ast.terms import Atom, Constant, Rule
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.parse.facts import ground_fact
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ActionSequence:
    """A goal after the last of several actions, and the state before each action, with the action."""

    goal: Atom
    states: tuple[tuple[GroundFact, ...], ...]


class SequenceLearner:
    """A learner of macro-operators; each sequence adds to what the earlier ones gave."""

    def __init__(self, theory: Theory, base: RuleBase, frames: FrameLemmas, limits: Limits | None) -> None:
        """Continue from a rule base, and from frame lemmas of the theory. The limits apply to each state."""
        self._theory, self._limits = base.definitions.removed(theory), limits
        self._known, self._frames = base, frames
        self._sequences: list[ActionSequence] = []
        self._own = NO_DEFINITIONS
        """The definitions that the last `result` added to a rule base."""
        self._own_rules: frozenset[str] = frozenset()
        """The names of the rules that it added."""
        self._stages: list[_Stage] = []
        self._certified: dict[InventedPredicate | Rule, RuleEntry] = {}

    def learn(self, sequence: ActionSequence) -> str:
        """Learn from a sequence of several actions.

        Return the reason if it gives no macro-operator. The text is empty if it gives one, if one is
        known, or if one action is enough.

        Raises:
            KnowledgeBaseError: A limit is exceeded.
            RejectedError: The checker rejects a lemma.
        """
        states = sequence.states
        while len(states) > 1 and _holds(
            self._theory, replace(sequence.goal, tense="before"), states[-1], self._limits
        ):
            states = states[:-1]  # the last action is not needed
        if len(states) == 1 or self._is_known(replace(sequence, states=states)):
            return ""
        sequences = [*self._sequences, replace(sequence, states=states)]
        theory = self._known.definitions.extended(self._theory)
        stages, reasons = _learned_stages(theory, self._known, self._frames, sequences, self._limits)
        if not reasons[-1]:
            self._certification(stages, self._known)
            self._sequences, self._stages = sequences, stages
        return reasons[-1]

    def _is_known(self, sequence: ActionSequence) -> bool:
        """Return whether a macro-operator of the given rule base has these actions for the goal."""
        certified = (entry.rule for entry in self._known if entry.is_certified)
        theory = self._known.definitions.extended(self._theory)
        macros = macros_in(certified, theory.vocabulary, len(sequence.states))
        taken = tuple(ground_fact(_action_in(facts, theory)) for facts in sequence.states)
        for macro in macros:
            found = macro.of_goal(sequence.goal)
            if found is not None and [each.predicate for each in found.actions] == [
                a.relation for a in taken
            ]:
                base = KnowledgeBase(theory, derivations="none", limits=self._limits)
                base.add(sequence.states[0])
                if taken in found.sequences(base):
                    return True
        return False

    def result(self, base: RuleBase) -> RuleBase:
        """Return a rule base with the macro-operators, certified, and with their definitions.

        They replace those of the previous result. Without macro-operators, the result is the same rule base.
        """
        if not self._stages:
            return base
        entries = {name: each for name, each in base.entries.items() if name not in self._own_rules}
        shapes = {name: shape for name, shape in base.shapes.items() if name in entries}
        definitions = base.definitions.without(self._own.names)
        found = self._certification(
            self._stages, replace(base, entries=entries, shapes=shapes, definitions=definitions)
        )
        self._own = found.definitions.without(definitions.names)
        self._own_rules = frozenset(found.entries.keys() - entries.keys())
        return found

    def _certification(self, stages: Sequence[_Stage], base: RuleBase) -> RuleBase:
        """Return a rule base with some stages. Raise RejectedError if the checker rejects a lemma."""
        definitions = base.definitions
        for stage in stages:
            definitions = definitions.joined(stage.definitions)
        made = Certification(self._theory, replace(base, definitions=definitions), self._certified)
        frames = [entry for stage in stages for entry in stage.frames]
        words = [word for stage in stages for word in stage.words]
        made.add_lemmas(frames, words, {word.lemma.head.relation for word in words})
        for entry in frames:
            assert entry.certificate is not None
            verify(entry.rule, entry.certificate, made.theory, {})
        return made.base


@dataclass(frozen=True, slots=True)
class _Stage:
    """The result of a stage of learning: invented predicates, and the frame lemmas that their proofs use."""

    words: tuple[InventedPredicate, ...]
    frames: tuple[RuleEntry, ...]

    @property
    def definitions(self) -> Definitions:
        clauses = tuple(clause for word in self.words for clause in word.clauses)
        return Definitions(tuple(word.predicate for word in self.words), clauses)


class _Naming:
    """The names of invented predicates: `ready_by_replace_then_clean` for `ready` after both actions."""

    def __init__(self) -> None:
        self._origins: dict[str, tuple[str, tuple[str, ...]]] = {}

    def __call__(self, predicate: str, action: str) -> str:
        first, later = self._origins.get(predicate, (predicate, ()))
        actions = (action, *later)
        name = f"{first}_by_{'_then_'.join(actions)}"
        self._origins[name] = first, actions
        return name


def _learned_stages(
    theory: Theory,
    known: RuleBase,
    frames: FrameLemmas,
    sequences: Sequence[ActionSequence],
    limits: Limits | None,
) -> tuple[list[_Stage], list[str]]:
    """Learn from sequences, from their last actions backwards.

    Return the stages, and for each sequence the reason if it gives no macro-operator, or an empty text.
    """
    reasons = [""] * len(sequences)
    goals = dict(enumerate(each.goal for each in sequences))
    naming, stages = _Naming(), list[_Stage]()
    while goals:
        invention = PredicateInvention(
            theory, condition_vocabulary, expands_counts=False, equates=False, naming=naming, flat=()
        )
        actions: dict[int, Atom] = {}
        for number, goal in goals.items():
            facts = sequences[number].states[-1 - len(stages)]
            actions[number] = _action_in(facts, theory)
            reasons[number] = _learn(invention, frames, goal, facts, actions[number], limits)
        invention.use_theory(theory)  # removes what depends on predicates without clauses
        words = tuple(word for word in invention.words.values() if word.clauses)
        used = {step.rule for word in words for steps in word.steps for step in all_steps(steps)}
        stages.append(_Stage(words, tuple(each for name, each in frames.entries.items() if name in used)))
        theory = stages[-1].definitions.extended(theory)
        lemmas = {**known.entries, **frames.entries}
        frames = FrameLemmas(theory, state_predicates(theory), lemmas, "{}_still_holds_after_{}")
        following = {}
        for number, goal in goals.items():
            shown = print_condition(actions[number])
            condition = None if reasons[number] else invention.condition_of(goal, actions[number])
            if condition is None:
                reasons[number] = reasons[number] or f"the goal cannot be regressed through `{shown}`"
            elif len(sequences[number].states) > len(stages):
                following[number] = replace(condition, tense="after")
            elif not _holds(theory, condition, sequences[number].states[0], limits):
                reasons[number] = f"the learned conditions before `{shown}` do not hold in the example"
        goals = following
    return stages, reasons


def _learn(
    invention: PredicateInvention,
    frames: FrameLemmas,
    goal: Atom,
    facts: Sequence[GroundFact],
    action: Atom,
    limits: Limits | None,
) -> str:
    """Learn clauses from a goal after an action. Return why it gives none, or an empty text."""
    base = solve(invention.theory, facts, all_proofs=True, limits=limits).base
    if not base.holds(goal):
        return f"`{print_condition(goal)}` does not follow"
    explanation = cheapest_explanation(base, goal, condition_vocabulary(invention.theory, goal))
    reason = doubtful(explanation, invention.theory)
    if reason is None:
        invention.learn(frames.applied(explanation, action, base), action)
    return reason or invention.refused


def _holds(theory: Theory, condition: Atom, facts: Sequence[GroundFact], limits: Limits | None) -> bool:
    """Return whether a condition holds in a state."""
    base = KnowledgeBase(theory, derivations="none", limits=limits)
    base.add(facts)
    return base.holds(condition)


def _action_in(facts: Sequence[GroundFact], theory: Theory) -> Atom:
    """Return the action among facts."""
    kinds = theory.vocabulary.predicates
    action = next(fact for fact in facts if kinds[fact.relation].kind == "action")
    return Atom(action.relation, tuple(map(Constant, action.values)))
