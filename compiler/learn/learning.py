"""Learning from examples: each is solved and generalised separately (driver.py calls this in rounds)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.learn.driver import (
    LearningProgress,
    RuleAdmission,
    Spread,
    Strategy,
    drive,
    in_rounds,
)
from hornbook.compiler.learn.effects.effect_learner import EffectLearner, EffectOutcome
from hornbook.compiler.learn.effects.sequences import ActionSequence, SequenceLearner
from hornbook.compiler.learn.gaps import Gap, gaps
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof, learn_best, proofs, solve
from hornbook.compiler.rules.admission import RuleBase, RuleEntry
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.trust.known_lemmas import proved
from hornbook.kb.ast import declarations
from hornbook.kb.ast.declarations import Expect
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Statement, condition_variables
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_sequence
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@renamed_members
@dataclass(frozen=True, slots=True)
class Example:
    """A state with an action, and the conclusions to learn; without goals, all new conclusions are learned.

    `skipped_goals` lists other expectations, which state no facts, with the reasons. `earlier` has the states
    before the earlier actions of a sequence, each with its action; `facts` has the last one.
    """

    name: str
    file: str
    facts: tuple[GroundFact, ...]
    goals: tuple[Statement, ...]
    skipped_goals: tuple[str, ...] = ()
    earlier: tuple[tuple[GroundFact, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """The result of one example: proved rules, proofs without rules, gaps of the theory, or the error in the
    example.

    `flat` has the goals whose rules use no invented predicates, although an action was taken, with the
    reasons. `of_one_length` has those whose rules are about chains of one length, although a predicate is
    recursive.
    """

    example: Example
    proofs: int
    entries: tuple[RuleEntry, ...]
    refused: tuple[RefusedProof, ...]
    gaps: tuple[Gap, ...]
    fault: str
    flat: tuple[RefusedProof, ...] = ()
    of_one_length: tuple[RefusedProof, ...] = ()


ExampleProgress = LearningProgress[Example, ExampleOutcome]
"""The state of learning after an example."""


def read_examples(path: Path | str, theory: Theory) -> list[Example]:
    """Return the examples of a file in the language, each with the facts that it expects as goals.

    The file must import the theory (or be it) and contain no rules of its own. Raise TheoryError if it has
    errors, and KnowledgeBaseError if it belongs to another theory or an example cannot be read.
    """
    holder = load(path, adapters=theory.adapters, judge=proved)
    if [rule.name for rule in holder.rules] != [rule.name for rule in theory.rules]:
        raise KnowledgeBaseError(
            f"{path}: a file of examples imports `{theory.name}` and states no rules of its own"
        )
    return examples_of(holder)


def examples_of(holder: Theory) -> list[Example]:
    """Return the examples in a theory or in a file that imports one.

    Raise KnowledgeBaseError like `read_examples`.
    """
    return [example_of(holder, example) for example in holder.examples]


def example_of(holder: Theory, example: declarations.Example) -> Example:
    """Return an example of a theory or of a file that imports one. Raise KnowledgeBaseError."""
    expected = [(e, _goals(e)) for e in holder.expects if e.example == example.name]
    goals = tuple(dict.fromkeys(goal for _, found_goals in expected for goal in found_goals))
    others = tuple(_why_skipped(e) for e, found_goals in expected if not found_goals)
    # The theory's own facts are included already.
    *earlier, facts = map(tuple, example_sequence(holder, example))
    return Example(example.name, example.span.file, facts, goals, others, tuple(earlier))


def _goals(expect: Expect) -> tuple[Statement, ...]:
    """Return the expected facts: the statement itself, or one with the values of each answer. There are none
    if the expectation is of another form.
    """
    (first, *more) = expect.conditions
    if more or not isinstance(first, Atom | GameStatement):
        return ()
    if all(isinstance(term, Constant) for term in first.terms):
        return (first,)
    names = dict.fromkeys(v.name for v in condition_variables(first) if not v.is_wildcard)
    facts = [
        apply_to_statement(first, dict(zip(names, answer, strict=False))) for answer in expect.answers or ()
    ]
    return tuple(fact for fact in facts if all(isinstance(term, Constant) for term in fact.terms))


def _why_skipped(expect: Expect) -> str:
    """Return why an expectation cannot be learned, with its position and a remedy."""
    (first, *more) = expect.conditions
    shown = ", ".join(map(print_condition, expect.conditions))
    subject = f"`{shown}` ({expect.span.file}:{expect.span.line})"
    if more:
        return f"{subject} has several conditions: expect each ground fact separately"
    if not isinstance(first, Atom | GameStatement):
        return f"{subject} is not a fact that rules conclude"
    return f"{subject} has variables without values: list the values after `gives`, or expect a fact"


@dataclass(frozen=True, slots=True)
class ExampleStrategy:
    """Learning from examples; the limits apply to each.

    Attributes:
        max_proofs: The number of proofs to try for each goal.
    """

    theory: Theory
    max_proofs: int = 1
    limits: Limits | None = None

    def learn_from(self, task: Example, rules: RuleAdmission) -> ExampleOutcome:
        """Return the proved rules of one example, with placeholder labels."""
        try:
            solved = solve(self.theory, task.facts, all_proofs=True, limits=self.limits)
        except KnowledgeBaseError as problem:
            return ExampleOutcome(task, 0, (), (), (), str(problem))
        entries: list[RuleEntry] = []
        refused: list[RefusedProof] = []
        missing: list[Gap] = []
        tried = 0
        for goal in task.goals or solved.goals:
            if not solved.base.holds(goal):
                missing += gaps(solved.base, goal)
                continue
            least = cheapest_explanation(solved.base, goal, operational_vocabulary(self.theory, goal))
            others = proofs(solved.base, goal, self.max_proofs) if self.max_proofs > 1 else ()
            found = [least, *(each for each in others if each != least)][: self.max_proofs]
            tried += len(found)
            learned = learn_best(found, self.theory, "learned", rules.lemmas)
            if isinstance(learned, RefusedProof):
                refused.append(learned)
            elif learned.certificate.steps:
                entries.append(_entry(learned, task))
        return ExampleOutcome(task, tried, tuple(entries), tuple(refused), tuple(missing), "")


def _entry(learned: ProvedExample, example: Example) -> RuleEntry:
    goal = learned.explanation.goal
    facts = tuple(dict.fromkeys(ground_fact(leaf) for leaf in learned.explanation.leaves))
    return RuleEntry(learned.rule, learned.certificate, replace(_provenance(example, goal), facts=facts))


def _provenance(example: Example, goal: Statement) -> Provenance:
    return Provenance(example.name, example.file, print_condition(goal), ())


def learn_all(
    examples: Iterable[Example],
    theory: Theory,
    base: RuleBase,
    *,
    max_proofs: int = 1,
    spread: Spread[Example, ExampleOutcome] | None = None,
    limits: Limits | None = None,
) -> Iterator[ExampleProgress]:
    """Learn from examples in rounds, and yield the rule base after each; the limits apply to each example.

    Without `spread`, all work is done in this process.
    """
    strategy = ExampleStrategy(theory, max_proofs, limits)
    effects = _EffectsOfExamples(theory, base, limits)

    def call(
        strategy: Strategy[Example, ExampleOutcome], tasks: Iterable[Example], rules: RuleAdmission
    ) -> Iterator[tuple[Example, ExampleOutcome]]:
        for task, outcome in in_rounds(spread)(strategy, tasks, rules):
            yield task, effects.learned(outcome, rules)

    return drive(strategy, examples, RuleAdmission(theory, base), call)


class _EffectsOfExamples:
    """Learning with invented predicates from the examples whose goals hold after an action.

    The rule of a goal replaces the one without invented predicates. A sequence of actions also gives a
    macro-operator (sequences.py).
    """

    def __init__(self, theory: Theory, base: RuleBase, limits: Limits | None) -> None:
        self._theory, self._limits = theory, limits
        self._learner = EffectLearner(theory, base)
        self._sequences = SequenceLearner(theory, base, self._learner.frames, limits)

    def learned(self, outcome: ExampleOutcome, rules: RuleAdmission) -> ExampleOutcome:
        """Admit what an example teaches, and return its outcome with the remaining rules to admit."""
        taught = self._taught(outcome)
        if taught:
            try:
                rules.replace_base(*self._learner.result(rules.base))
            except RejectedError as problem:
                taught = dict.fromkeys(taught, EffectOutcome(f"the checker refuses it: {problem}"))
        learned = _without_replaced(outcome, taught)
        return replace(learned, refused=(*learned.refused, *self._refused_sequences(outcome, rules)))

    def _refused_sequences(self, outcome: ExampleOutcome, rules: RuleAdmission) -> list[RefusedProof]:
        """Admit the macro-operators, and return the goals for which the example's actions give none."""
        example, refused = outcome.example, []
        goals = [goal for goal in example.goals if isinstance(goal, Atom) and goal.tense == "after"]
        for goal in goals if example.earlier and not outcome.fault else ():
            try:
                reason = self._sequences.learn(ActionSequence(goal, (*example.earlier, example.facts)))
            except (KnowledgeBaseError, RejectedError) as problem:
                reason = str(problem)
            if reason:
                refused.append(RefusedProof(goal, f"its actions give no macro-operator: {reason}"))
        found = self._sequences.result(rules.base)
        if found is not rules.base:
            rules.replace_base(found)
        return refused

    def _taught(self, outcome: ExampleOutcome) -> dict[Statement, EffectOutcome]:
        """Return what each goal after an action gives."""
        example, words = outcome.example, self._theory.vocabulary.predicates
        actions = [fact for fact in example.facts if words[fact.relation].kind == "action"]
        goals = [goal for goal in example.goals if isinstance(goal, Atom) and goal.tense == "after"]
        if outcome.fault or len(actions) != 1 or not goals:
            return {}
        base = solve(self._theory, example.facts, all_proofs=True, limits=self._limits).base
        return {
            goal: self._learner.learn(base, goal, actions[0], _provenance(example, goal))
            for goal in goals
            if base.holds(goal)
        }


def _without_replaced(outcome: ExampleOutcome, taught: dict[Statement, EffectOutcome]) -> ExampleOutcome:
    """Return an outcome without the rules of goals that gave rules with invented predicates."""
    learned = {print_condition(goal) for goal, each in taught.items() if not each.refused}
    return replace(
        outcome,
        entries=tuple(e for e in outcome.entries if e.provenance is None or e.provenance.goal not in learned),
        refused=tuple(each for each in outcome.refused if print_condition(each.goal) not in learned),
        flat=tuple(RefusedProof(goal, each.refused) for goal, each in taught.items() if each.refused),
        of_one_length=tuple(
            RefusedProof(goal, each.flat) for goal, each in taught.items() if each.flat and not each.refused
        ),
    )
