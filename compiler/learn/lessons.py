"""Learning from problems: each is proved, reply by reply, and every proof on the way gives a rule.

Problems are processed in order, because later ones depend on rules learned from earlier ones. A rule that
another one subsumes is never added. A rule that a later one subsumes is removed at the end, unless a proof
depends on it.

Invariants: every rule of the learner's base is certified or was there before. The base contains every rule on
which a certificate depends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.learn.driver import RuleAdmission, drive
from hornbook.compiler.prove.winning import ProvedRule, ProverMoves, WinProver
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, with_entries
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.compiler.rules.verdict_cache import proof_key
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.sources.cache import remember
from hornbook.kb.sources.collector import collect_new, collector_paused
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Problem:
    """A problem: a position to prove won.

    Attributes:
        moves: The limit of the friend's moves if he plays first.
        moves_if_second: The same limit if the win is also to be proved with the opponent playing first.
    """

    name: str
    file: str
    state: Any
    game: Atom
    moves: int
    moves_if_second: int | None = None


@dataclass(frozen=True, slots=True)
class LessonResult:
    """The result of a lesson.

    Attributes:
        second: The result with the opponent playing first; None if the lesson has no such goal.
        stopped: The limit that was exceeded before the search ended.
        why: The reason for the missing proof, with the goal.
    """

    lesson: Problem
    first: bool
    second: bool | None
    rules: int
    stopped: str | None = None
    why: str | None = None
    entries: ClassVar[tuple[RuleEntry, ...]] = ()
    """None, since the learner adds each rule as soon as it is proved."""

    @property
    def is_proved(self) -> bool:
        """Return whether all goals of the lesson are proved."""
        return self.first and self.second is not False


class RuleLearner:
    """Learning from problems, one after another; `base` grows with each proved rule.

    Each lesson has the whole budget; rules learned before it is exhausted remain. If the theory is a part of
    a `whole`, rules are certified for the whole. `claims` and `things` have the same meaning as for the
    prover.
    """

    def __init__(
        self,
        theory: Theory,
        play: ProverMoves,
        base: RuleBase,
        budget: Budget | None = None,
        whole: Theory | None = None,
        claims: Sequence[Rule] = (),
        things: frozenset[Constant] = frozenset(),
    ) -> None:
        self.rules = RuleAdmission(whole or theory, base)
        self._budget = budget or Budget()
        self._lesson: Problem | None = None
        self._goal = ""
        self._accepted: dict[str, bool] = {}
        self._prover = WinProver(
            theory, play, self._admit, self._budget, whole, self.rules.named, claims, things
        )
        for entry in base:
            if entry.certificate is not None and entry.is_certified and _is_of(entry.rule, theory):
                # Proofs use a rule as it was learned, without the names of its parts.
                rule = base.definitions.expanded(entry.rule).rule
                self._prover.matcher.add(rule)
                add_proved_rules(self._prover.symbolic, [rule])
                self._prover.lemmas[rule.name] = Lemma.of(rule, entry.certificate)

    @property
    def base(self) -> RuleBase:
        return self.rules.base

    def learn(self, lessons: Iterable[Problem]) -> Iterator[LessonResult]:
        """Yield the result of each lesson. The base then has the rules that the lesson gave."""
        return (progress.outcome for progress in drive(self, lessons, self.rules))

    def learn_from(self, task: Problem, rules: RuleAdmission) -> LessonResult:
        """Prove a problem; each proof on the way adds a rule to the learner's own `rules`."""
        assert rules is self.rules, "the prover depends on the rules it proved"
        # The garbage of a lesson is collected once, after it.
        with collector_paused():
            result = self._learn(task)
            collect_new()
            return result

    def _learn(self, lesson: Problem) -> LessonResult:
        before = len(self.base)
        self._lesson = lesson
        self._budget.renew()
        first, stopped = False, None
        second = None if lesson.moves_if_second is None else False
        try:
            first = self._proved(lesson, "GI", self._prover.won, lesson.moves)
            if lesson.moves_if_second is not None:
                second = self._proved(lesson, "IG", self._prover.second_player_win, lesson.moves_if_second)
        except SpentError as spent:
            stopped = str(spent)
        remember(self._accepted)
        self._accepted.clear()
        taught = LessonResult(lesson, first, second, len(self.base) - before, stopped)
        return taught if taught.is_proved else replace(taught, why=self._why(taught))

    def _why(self, taught: LessonResult) -> str:
        """Return the goal of a lesson that is not proved, and the reason."""
        lesson, value = taught.lesson, "IG" if taught.first else "GI"
        goal = print_condition(GameStatement(lesson.game, None, Constant(value)))
        reason = taught.stopped or self._prover.reason(lesson.state, lesson.game, first=not taught.first)
        return f"`{goal}`: {reason}"

    def _proved(
        self, lesson: Problem, value: str, prove: Callable[[Any, Atom, int], Any], moves: int
    ) -> bool:
        self._goal = print_condition(GameStatement(lesson.game, None, Constant(value)))
        return bool(prove(lesson.state, lesson.game, moves))

    def _admit(self, proved: ProvedRule) -> ProvedRule:
        """Add a rule that the checker accepted; the acceptance is cached at the end of the lesson."""
        assert self._lesson is not None
        origin = Provenance(self._lesson.name, self._lesson.file, self._goal, ())
        entry = RuleEntry(proved.rule, proved.certificate, origin)
        self.rules.add(entry)
        self._accepted[proof_key(entry, self._prover.lemmas, self._prover.whole)] = True
        return proved

    @property
    def queried(self) -> list[tuple[Any, Atom]]:
        """The positions and games of all lessons about which rules were queried: the states seen."""
        return self._prover.queried

    @property
    def refused(self) -> Counter[str]:
        """Return how often a proof gave no rule, by cause."""
        return Counter(map(_cause, self._prover.refused))

    @property
    def first_refused(self) -> dict[str, str]:
        """Return for each of these causes the first proof that gave no rule.

        The value is its goal, and the reply or the condition that failed.
        """
        found: dict[str, str] = {}
        for each in self._prover.refused:
            goal, _, reason = each.partition(": ")
            word = next((word for word in _CAUSES if reason.startswith(f"{word}: ")), "")
            found.setdefault(_cause(each), f"`{goal}`: {reason.removeprefix(word).removeprefix(': ')}")
        return found


def _is_of(rule: Rule, theory: Theory) -> bool:
    """Return whether a rule is about a game of the theory; a part of a theory has only some of the games."""
    head = rule.head
    return not isinstance(head, GameStatement) or head.game.predicate in theory.vocabulary.predicates


_CAUSES = {
    "UnansweredError": "a reply has no answer",
    "NotOperationalError": "the proof depends on a condition that no rule can contain",
    "RejectedError": "the checker refuses it",
    "not derived": "the theory does not derive it",
    "contradiction": "the theory contradicts itself",
}


def _cause(refused: str) -> str:
    reason = refused.partition(": ")[2]
    return next(
        (description for word, description in _CAUSES.items() if reason.startswith(word)),
        "the proof gives no rule",
    )


def without_special_cases(base: RuleBase) -> RuleBase:
    """Return the base without certified rules that another one subsumes, except lemmas of other proofs."""
    entries, shapes = dict(base.entries), base.shapes
    # Entries are only removed, so a rule that no other subsumes is not tested again.
    looked: set[str] = set()
    changed = True
    while changed:
        used_lemmas = {
            name for e in entries.values() if e.certificate is not None for name in e.certificate.lemmas
        }
        changed = False
        for name in [n for n in entries if n in shapes and n not in used_lemmas and n not in looked]:
            looked.add(name)
            if any(
                other in shapes
                and other != name
                and shapes[other].may_subsume(shapes[name])
                and subsumes(shapes[other].rule, shapes[name].rule)
                for other in entries
            ):
                del entries[name]
                changed = True
    return with_entries(base, entries.values())
