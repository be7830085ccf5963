"""Learning from many examples: each is solved and generalised separately, then its rules are admitted in
order.

Examples are processed in rounds, each with the rule base from the beginning of the round. Results are merged
in the order of the examples, so the rules do not depend on the number of processes. Each round is twice as
long as the previous one. Its input is therefore sent rarely, and sending costs less than the work itself.

Invariants: a rule from another process enters the base only after its certificate was checked in this
process.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.cheapest import cheapest_explanation
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.learn.gaps import Gap, gaps
from hornbook.compiler.learn.learner import ProvedExample, RefusedProof, learn_best, proofs, solve
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, admit, free_label
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.repetition import Repetition, repetition
from hornbook.compiler.rules.rulebase import rename
from hornbook.compiler.trust.known_lemmas import proved
from hornbook.kb.ast.declarations import Expect
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Statement, condition_variables
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.examples import example_facts
from hornbook.kb.format.printer import print_condition
from hornbook.kb.load.loader import load
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.matcher.program.coded import Limits

ROUND = 32
"""The number of examples in the first round."""
PART = 8
"""The number of examples sent to a process at once."""


@renamed_members
@dataclass(frozen=True, slots=True)
class Example:
    """A state with an action, and the conclusions to learn; without goals, all new conclusions are learned.

    `skipped_goals` lists other expectations, which are not ground statements, with the reasons.
    """

    name: str
    file: str
    facts: tuple[GroundFact, ...]
    goals: tuple[Statement, ...]
    skipped_goals: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ExampleOutcome:
    """The result of one example: proved rules, proofs without rules, gaps of the theory, or the error in the
    example.
    """

    example: Example
    proofs: int
    entries: tuple[RuleEntry, ...]
    refused: tuple[RefusedProof, ...]
    gaps: tuple[Gap, ...]
    fault: str


@dataclass(frozen=True, slots=True)
class LearningProgress:
    """The state of learning after an example: the rule base and the effects of the example's rules.

    The rules in `repeating` repeat a theory rule. If `is_admitted` is true for one of them, it is in
    `admitted` too.
    """

    base: RuleBase
    outcome: ExampleOutcome
    admitted: tuple[RuleEntry, ...]
    subsumed: tuple[tuple[RuleEntry, str], ...]
    dropped: tuple[str, ...]
    repeating: tuple[Repetition, ...]

    @property
    def left_out(self) -> list[Repetition]:
        """The rules that are not admitted because they repeat a theory rule."""
        return [each for each in self.repeating if not each.is_admitted]


def read_examples(path: Path | str, theory: Theory) -> list[Example]:
    """Return the examples of a file in the language, each with the ground statements that it expects as
    goals.

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
    found = []
    for example in holder.examples:
        expected = [(e, _goal(e)) for e in holder.expects if e.example == example.name]
        goals = tuple(goal for _, goal in expected if goal is not None)
        others = tuple(_why_skipped(e) for e, goal in expected if goal is None)
        # The theory's own facts are included already.
        facts = tuple(example_facts(holder, example))
        found.append(Example(example.name, example.span.file, facts, goals, others))
    return found


def _goal(expect: Expect) -> Statement | None:
    """Return the expected ground statement; None if the expectation is of another form."""
    (first, *more) = expect.conditions
    ground = isinstance(first, Atom | GameStatement) and all(isinstance(t, Constant) for t in first.terms)
    return first if ground and not more and isinstance(first, Atom | GameStatement) else None


def _why_skipped(expect: Expect) -> str:
    """Return why an expectation cannot be learned, with its position and a remedy."""
    (first, *more) = expect.conditions
    shown = ", ".join(map(print_condition, expect.conditions))
    subject = f"`{shown}` ({expect.span.file}:{expect.span.line})"
    if more:
        return f"{subject} has several conditions: expect each ground fact separately"
    if not isinstance(first, Atom | GameStatement):
        return f"{subject} is not a fact that rules conclude"
    answer = (expect.answers or ((),))[0]
    names = dict.fromkeys(v.name for v in condition_variables(first) if not v.is_wildcard)
    one = apply_to_statement(first, dict(zip(names, answer, strict=False)))
    if all(isinstance(term, Constant) for term in one.terms):
        return (
            f"{subject} has variables: expect each fact separately, as in `expect {expect.example}:"
            f" {print_condition(one)}.`"
        )
    return f"{subject} has variables: expect each fact separately"


def learn_from(
    example: Example,
    theory: Theory,
    lemmas: Mapping[str, Lemma],
    max_proofs: int,
    limits: Limits | None = None,
) -> ExampleOutcome:
    """Return the proved rules of one example, with placeholder labels.

    Consequences are limited by `limits`.
    """
    try:
        solved = solve(theory, example.facts, all_proofs=True, limits=limits)
    except KnowledgeBaseError as problem:
        return ExampleOutcome(example, 0, (), (), (), str(problem))
    entries: list[RuleEntry] = []
    refused: list[RefusedProof] = []
    missing: list[Gap] = []
    tried = 0
    for goal in example.goals or solved.goals:
        if not solved.base.holds(goal):
            missing += gaps(solved.base, goal)
            continue
        least = cheapest_explanation(solved.base, goal, operational_vocabulary(theory, goal))
        others = proofs(solved.base, goal, max_proofs) if max_proofs > 1 else ()
        found = [least, *(each for each in others if each != least)][:max_proofs]
        tried += len(found)
        learned = learn_best(found, theory, "learned", lemmas)
        if isinstance(learned, RefusedProof):
            refused.append(learned)
        elif learned.certificate.steps:
            entries.append(_entry(learned, example))
    return ExampleOutcome(example, tried, tuple(entries), tuple(refused), tuple(missing), "")


def _entry(learned: ProvedExample, example: Example) -> RuleEntry:
    goal = learned.explanation.goal
    facts = tuple(dict.fromkeys(ground_fact(leaf) for leaf in learned.explanation.leaves))
    provenance = Provenance(example.name, example.file, print_condition(goal), facts)
    return RuleEntry(learned.rule, learned.certificate, provenance)


@dataclass(frozen=True, slots=True)
class Round:
    """The input of learning in one round except for the examples; it can be sent to another process."""

    theory: Theory
    lemmas: Mapping[str, Lemma]
    max_proofs: int
    limits: Limits | None = None

    def ready(self) -> Callable[[Sequence[Example]], list[ExampleOutcome]]:
        """Return a function that learns from a part of the examples."""
        return lambda part: list(map(self.learn_from, part))

    def learn_from(self, example: Example) -> ExampleOutcome:
        return learn_from(example, self.theory, self.lemmas, self.max_proofs, self.limits)


Spread = Callable[[Round, Sequence[Sequence[Example]]], Iterable[list[ExampleOutcome]]]
"""A function that distributes the parts of a round to other processes; results are in order."""


def learn_all(
    examples: Iterable[Example],
    theory: Theory,
    base: RuleBase,
    *,
    max_proofs: int = 1,
    spread: Spread | None = None,
    limits: Limits | None = None,
) -> Iterator[LearningProgress]:
    """Learn from examples in order, and yield the rule base after each; the limits apply to each example.

    Without `spread`, all work is done in this process.
    """
    waiting, length = iter(examples), ROUND
    while part := list(islice(waiting, length)):
        this = Round(theory, base.lemmas(), max_proofs, limits)
        for outcome in map(this.learn_from, part) if spread is None else _shared(this, part, spread):
            progress = _merge(base, outcome, theory)
            base = progress.base
            yield progress
        length *= 2


def _shared(this: Round, examples: Sequence[Example], spread: Spread) -> Iterator[ExampleOutcome]:
    """Yield the results of other processes; an example with an invalid rule is learned from again here."""
    parts = [examples[start : start + PART] for start in range(0, len(examples), PART)]
    for part, outcomes in zip(parts, spread(this, parts), strict=True):
        for example, outcome in zip(part, outcomes, strict=True):
            yield replace(outcome, example=example) if _follows(this, outcome) else this.learn_from(example)


def _follows(this: Round, outcome: ExampleOutcome) -> bool:
    """Return whether the checker accepts every rule of an outcome."""
    try:
        for entry in outcome.entries:
            if entry.certificate is None:
                return False
            verify(entry.rule, entry.certificate, this.theory, this.lemmas)
    except RejectedError:
        return False
    return True


def _merge(base: RuleBase, outcome: ExampleOutcome, theory: Theory) -> LearningProgress:
    admitted: list[RuleEntry] = []
    subsumed: list[tuple[RuleEntry, str]] = []
    dropped: list[str] = []
    repeating: list[Repetition] = []
    for entry in outcome.entries:
        named = rename(entry, _free_label(entry, base))
        repeated = repetition(named, theory)
        if repeated is not None and not repeated.is_admitted:
            repeating.append(repeated)
            continue
        admission = admit(base, named)
        base = admission.base
        if admission.by is None:
            admitted.append(named)
            dropped += admission.dropped
            repeating += [] if repeated is None else [repeated]
        else:
            subsumed.append((named, admission.by))
    return LearningProgress(base, outcome, tuple(admitted), tuple(subsumed), tuple(dropped), tuple(repeating))


def _free_label(entry: RuleEntry, base: RuleBase) -> str:
    """Return a name that describes the rule's conclusion, with the next unused number."""
    head = entry.rule.head
    words = head.relation.split(" ")
    if isinstance(head, GameStatement) and isinstance(head.value, Constant):
        words.append(str(head.value.value).lower())
    if head.tense is not None:
        words.append(head.tense)
    stem = "_".join(re.sub(r"\W", "_", word) for word in words)
    return free_label(stem, base)
