"""The learning driver: one loop for all strategies, from tasks to admitted rules.

A strategy explains or proves one task. Examples, problems, lines of play and predicate
invention each have their own. The driver calls the strategy for one task after another, admits the rules, and
reports the effects of each task.

A strategy whose tasks do not depend on each other can be called in rounds. Each task of a round then has the
rules from the beginning of the round as lemmas. Results are admitted in the order of the tasks, so the rules
do not depend on the number of processes. Each round is twice as long as the previous one. Its input is
therefore sent rarely, and sending costs less than the work itself.

Invariants: the checker accepted every rule that a strategy in this process admits or returns. A rule from
another process enters the base only after its certificate was checked in this process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Generic, Protocol, TypeVar

from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.rules.admission import (
    RuleBase,
    RuleEntry,
    admit,
    conclusion_of,
    free_label,
    subsuming,
    with_rule,
)
from hornbook.compiler.rules.repetition import Repetition, repetition
from hornbook.compiler.rules.rulebase import rename
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass

ROUND = 32
"""The number of tasks in the first round."""
PART = 8
"""The number of tasks sent to a process at once."""


class Outcome(Protocol):
    """What a strategy reports of a task."""

    @property
    def entries(self) -> Sequence[RuleEntry]:
        """The proved rules for the driver to label and admit, besides those that the strategy admitted."""


Task = TypeVar("Task")
TaskT_contra = TypeVar("TaskT_contra", contravariant=True)
Result = TypeVar("Result", bound=Outcome)
ResultT_co = TypeVar("ResultT_co", bound=Outcome, covariant=True)


class Strategy(Protocol[TaskT_contra, ResultT_co]):
    """A way to learn rules from one task."""

    def learn_from(self, task: TaskT_contra, rules: RuleAdmission) -> ResultT_co:
        """Explain or prove a task.

        A strategy whose later proofs depend on earlier ones of the same task admits rules itself.
        """


@dataclass(frozen=True, slots=True)
class LearningProgress(Generic[Task, Result]):
    """The state of learning after a task: the rule base, the outcome, and the effects of the task's rules.

    The rules in `repeating` repeat a theory rule. If `is_admitted` is true for one of them, it is in
    `admitted` too.
    """

    task: Task
    base: RuleBase
    outcome: Result
    admitted: tuple[RuleEntry, ...]
    subsumed: tuple[tuple[RuleEntry, str], ...]
    dropped: tuple[str, ...]
    repeating: tuple[Repetition, ...]

    @property
    def left_out(self) -> list[Repetition]:
        """The rules that are not admitted because they repeat a theory rule."""
        return [each for each in self.repeating if not each.is_admitted]


class RuleAdmission:
    """The rule base during learning, and the decisions on the rules of the present task.

    In a round, a strategy sees the earlier rules only as `lemmas`, and `base` is empty.
    """

    def __init__(self, theory: Theory, base: RuleBase, lemmas: Mapping[str, Lemma] | None = None) -> None:
        self.theory = theory
        self.base = base
        self._lemmas = lemmas
        self._shape: SubsumptionShape | None = None
        self._start()

    def _start(self) -> None:
        self._before = self.base
        self._admitted: list[RuleEntry] = []
        self._subsumed: list[tuple[RuleEntry, str]] = []
        self._dropped: list[str] = []
        self._repeating: list[Repetition] = []

    @property
    def lemmas(self) -> Mapping[str, Lemma]:
        """The certified rules as lemmas for later certificates."""
        return self.base.lemmas() if self._lemmas is None else self._lemmas

    def admit(self, entry: RuleEntry) -> RuleEntry | None:
        """Admit a rule. Return the entry to use for it: the rule itself, or the one that subsumes it.

        The result is None if the rule is left out because it repeats a rule of the theory.
        """
        repeated = repetition(entry, self.theory)
        if repeated is not None and not repeated.is_admitted:
            self._repeating.append(repeated)
            return None
        admission = admit(self.base, entry)
        if admission.by is not None:
            self._subsumed.append((entry, admission.by))
            return self.base.entries[admission.by]
        self.base = admission.base
        self._admitted.append(entry)
        self._dropped += admission.dropped
        self._repeating += [] if repeated is None else [repeated]
        return entry

    def named(self, rule: Rule) -> Rule | None:
        """Return a rule to be certified under a free label; None if an existing one is as general."""
        named = replace(rule, label=free_label(conclusion_of(rule), self.base))
        shape = SubsumptionShape(named)
        if subsuming(self.base, shape) is not None:
            return None
        self._shape = shape
        return named

    def add(self, entry: RuleEntry) -> None:
        """Add a rule from `named` with its certificate; it stays even if a later rule subsumes it."""
        # Its shape was computed when it was named.
        shape = self._shape
        if shape is None or shape.rule is not entry.rule:
            shape = SubsumptionShape(entry.rule)
        self.base = with_rule(self.base, entry, shape)
        self._admitted.append(entry)

    def replace_base(
        self,
        base: RuleBase,
        subsumed: Iterable[tuple[RuleEntry, str]] = (),
        repeating: Iterable[Repetition] = (),
    ) -> None:
        """Take over a base in which other admissions continued this one, and the decisions made there."""
        self._subsumed += subsumed
        self._repeating += repeating
        self._admitted += [entry for name, entry in base.entries.items() if name not in self.base.entries]
        self._dropped += [name for name in self.base.entries if name not in base.entries]
        self.base = base

    def undo(self) -> None:
        """Take back the admissions of the present task."""
        self.base = self._before
        self._start()

    def progress(self, task: Task, outcome: Result) -> LearningProgress[Task, Result]:
        """Return the effects of the present task, and start the next one."""
        decisions = self._admitted, self._subsumed, self._dropped, self._repeating
        admitted, subsumed, dropped, repeating = decisions
        self._start()
        return LearningProgress(
            task, self.base, outcome, tuple(admitted), tuple(subsumed), tuple(dropped), tuple(repeating)
        )


@dataclass(frozen=True, slots=True)
class Round(Generic[Task, Result]):
    """The input of learning in one round except for the tasks; it can be sent to another process."""

    strategy: Strategy[Task, Result]
    rules: RuleAdmission

    def ready(self) -> Callable[[Sequence[Task]], list[Result]]:
        """Return a function that learns from a part of the tasks."""
        return lambda part: list(map(self.learn_from, part))

    def learn_from(self, task: Task) -> Result:
        return self.strategy.learn_from(task, self.rules)


Spread = Callable[[Round[Task, Result], Sequence[Sequence[Task]]], Iterable[list[Result]]]
"""A function that distributes the parts of a round to other processes; results are in order."""
Call = Callable[[Strategy[Task, Result], Iterable[Task], RuleAdmission], Iterator[tuple[Task, Result]]]
"""A way to call a strategy for tasks. Rules of each outcome are admitted before the next task is taken."""


def drive(
    strategy: Strategy[Task, Result],
    tasks: Iterable[Task],
    rules: RuleAdmission,
    call: Call[Task, Result] | None = None,
) -> Iterator[LearningProgress[Task, Result]]:
    """Learn from tasks in order, and yield the progress after each.

    By default, the strategy is called for one task after another.
    """
    for task, outcome in (one_by_one if call is None else call)(strategy, tasks, rules):
        for entry in outcome.entries:
            rules.admit(rename(entry, free_label(_stem(entry.rule), rules.base)))
        yield rules.progress(task, outcome)


def _stem(rule: Rule) -> str:
    """Return the conclusion of a rule as a word, with its tense."""
    tense = rule.head.tense
    return conclusion_of(rule) if tense is None else f"{conclusion_of(rule)}_{tense}"


def one_by_one(
    strategy: Strategy[Task, Result], tasks: Iterable[Task], rules: RuleAdmission
) -> Iterator[tuple[Task, Result]]:
    """Yield each task with its outcome; each strategy call knows the rules of all earlier tasks."""
    return ((task, strategy.learn_from(task, rules)) for task in tasks)


def in_rounds(spread: Spread[Task, Result] | None = None) -> Call[Task, Result]:
    """Return the way to call a strategy in rounds; without `spread`, all work is done in this process."""

    def call(
        strategy: Strategy[Task, Result], tasks: Iterable[Task], rules: RuleAdmission
    ) -> Iterator[tuple[Task, Result]]:
        waiting, length = iter(tasks), ROUND
        while part := list(islice(waiting, length)):
            known = RuleAdmission(rules.theory, RuleBase(rules.base.theory), rules.lemmas)
            this = Round(strategy, known)
            found = map(this.learn_from, part) if spread is None else _shared(this, part, spread)
            yield from zip(part, found, strict=True)
            length *= 2

    return call


def _shared(
    this: Round[Task, Result], tasks: Sequence[Task], spread: Spread[Task, Result]
) -> Iterator[Result]:
    """Yield the results of other processes; a task with an invalid rule is learned from again here."""
    parts = [tasks[start : start + PART] for start in range(0, len(tasks), PART)]
    for part, outcomes in zip(parts, spread(this, parts), strict=True):
        for task, outcome in zip(part, outcomes, strict=True):
            yield outcome if _follows(this.rules, outcome) else this.learn_from(task)


def _follows(rules: RuleAdmission, outcome: Outcome) -> bool:
    """Return whether the checker accepts every rule of an outcome."""
    try:
        for entry in outcome.entries:
            if entry.certificate is None:
                return False
            verify(entry.rule, entry.certificate, rules.theory, rules.lemmas)
    except RejectedError:
        return False
    return True
