"""Learning from problems: each is proved, reply by reply, and every proof on the way gives a rule.

Problems are taken in order, since later ones rest on what earlier ones taught. A rule that another says already
is never added; one that a later rule says more generally goes at the end, unless a proof rests on it.

Always true: every rule of the pupil's base is certified, or was there before; what certificates rest on is there.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.prove.winning import Play, Proved, Prover
from hornbook.compiler.rules.admission import Entry, RuleBase, free_label, label_numbers, rule_base
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.shape import Shape
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.compiler.rules.verdict_cache import proof_key
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.proved_rules import add_proved_rules
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget, SpentError
from hornbook.kb.sources.cache import remember
from hornbook.kb.sources.collector import collector_paused


@dataclass(frozen=True, slots=True)
class Lesson:
    """A position to prove won: for a friend who plays first within so many moves of his, and perhaps for one who
    plays second too.
    """

    name: str
    file: str
    state: Any
    game: Atom
    moves: int
    moves_if_second: int | None = None


@dataclass(frozen=True, slots=True)
class Taught:
    """What a lesson came to; `second` is None where nothing was asked of a friend who plays second.

    `stopped` says which bound was passed before the proof was found, or was found to be none. `why` is the reason why there is
    no proof, with the goal.
    """

    lesson: Lesson
    first: bool
    second: bool | None
    rules: int
    stopped: str | None = None
    why: str | None = None

    @property
    def is_proved(self) -> bool:
        """Whether all that the lesson asks is proved."""
        return self.first and self.second is not False


class Pupil:
    """Learns from one lesson after the other; `base` grows with each rule that is proved.

    Each lesson has the whole budget; what is learned before it is spent stays. Where the theory is a part of a `whole`, rules
    are certified for that. `claims` and `things` are as the prover has them.
    """

    def __init__(
        self,
        theory: Theory,
        play: Play,
        base: RuleBase,
        budget: Budget | None = None,
        whole: Theory | None = None,
        claims: Sequence[Rule] = (),
        things: frozenset[Constant] = frozenset(),
    ) -> None:
        self.base = base
        self._budget = budget or Budget()
        self._lesson: Lesson | None = None
        self._goal = ""
        self._accepted: dict[str, bool] = {}
        self._shape: Shape | None = None
        self._prover = Prover(theory, play, self._admit, self._budget, whole, self._named, claims, things)
        for entry in base:
            if entry.certificate is not None and entry.is_certified and _is_of(entry.rule, theory):
                self._prover.matcher.add(entry.rule)
                add_proved_rules(self._prover.symbolic, [entry.rule])
                self._prover.lemmas[entry.rule.name] = Lemma.of(entry.rule, entry.certificate)

    def learn(self, lessons: Iterable[Lesson]) -> Iterator[Taught]:
        for lesson in lessons:
            # What a lesson leaves behind is looked through once, after it.
            with collector_paused():
                taught = self._learn(lesson)
            yield taught

    def _learn(self, lesson: Lesson) -> Taught:
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
        taught = Taught(lesson, first, second, len(self.base) - before, stopped)
        return taught if taught.is_proved else replace(taught, why=self._why(taught))

    def _why(self, taught: Taught) -> str:
        """The goal of a lesson that is not proved, and the reason."""
        lesson, value = taught.lesson, "IG" if taught.first else "GI"
        goal = print_condition(GameStatement(lesson.game, None, Constant(value)))
        reason = taught.stopped or self._prover.reason(lesson.state, lesson.game, first=not taught.first)
        return f"`{goal}`: {reason}"

    def _proved(self, lesson: Lesson, value: str, prove: Callable[[Any, Atom, int], Any], moves: int) -> bool:
        self._goal = print_condition(GameStatement(lesson.game, None, Constant(value)))
        return bool(prove(lesson.state, lesson.game, moves))

    def _named(self, rule: Rule) -> Rule | None:
        """The rule under a name of its own; None where one that is there says as much."""
        named = replace(rule, label=free_label(conclusion_of(rule), self.base))
        shape = Shape(named)
        for name, there in self.base.shapes.items():
            if there.may_subsume(shape) and subsumes(self.base.entries[name].rule, named):
                return None
        self._shape = shape
        return named

    def _admit(self, proved: Proved) -> Proved:
        """Adds a rule that the checker accepted, which is remembered at the end of the lesson."""
        assert self._lesson is not None
        origin = Provenance(self._lesson.name, self._lesson.file, self._goal, ())
        entry = Entry(proved.rule, proved.certificate, origin)
        # It was looked at when it was named.
        shape = self._shape
        if shape is None or shape.rule is not proved.rule:
            shape = Shape(proved.rule)
        self.base = _with(self.base, entry, shape)
        self._accepted[proof_key(entry, self._prover.lemmas, self._prover.whole)] = True
        return proved

    @property
    def refused(self) -> Counter[str]:
        """How often a proof gave no rule, by cause."""
        return Counter(map(_cause, self._prover.refused))

    @property
    def first_refused(self) -> dict[str, str]:
        """For each of these causes the first proof that gave no rule: its goal, and the reply or the condition that stood in
        the way.
        """
        found: dict[str, str] = {}
        for each in self._prover.refused:
            goal, _, reason = each.partition(": ")
            word = next((word for word in _CAUSES if reason.startswith(f"{word}: ")), "")
            found.setdefault(_cause(each), f"`{goal}`: {reason.removeprefix(word).removeprefix(': ')}")
        return found


def _is_of(rule: Rule, theory: Theory) -> bool:
    """Whether a rule is about a game of the theory: a part of a theory knows only some."""
    head = rule.head
    return not isinstance(head, GameStatement) or head.game.predicate in theory.vocabulary.predicates


def conclusion_of(rule: Rule) -> str:
    """What a rule on the value of a game concludes, as a word."""
    head = rule.head
    assert isinstance(head, GameStatement)
    assert isinstance(head.value, Constant)
    return "_".join(
        re.sub(r"\W", "_", word) for word in (*head.relation.split(), str(head.value.value).lower())
    )


def _with(base: RuleBase, entry: Entry, shape: Shape) -> RuleBase:
    name = entry.rule.name
    return RuleBase(
        base.theory,
        {**base.entries, name: entry},
        {**base.shapes, name: shape},
        {**base.numbers, **label_numbers([name], base.numbers)},
    )


_CAUSES = {
    "UnansweredError": "a reply has no answer",
    "NotOperationalError": "the proof rests on what no rule can ask for",
    "RejectedError": "the checker refuses it",
    "not derived": "the theory does not derive it",
    "contradiction": "the theory contradicts itself",
}


def _cause(refused: str) -> str:
    reason = refused.partition(": ")[2]
    return next(
        (said for word, said in _CAUSES.items() if reason.startswith(word)), "the proof gives no rule"
    )


def without_special_cases(base: RuleBase) -> RuleBase:
    """The base without certified rules that another one says more generally, but for those that proofs rest on."""
    entries, shapes = dict(base.entries), base.shapes
    # Entries only go, so what none of them says more generally is not looked at again.
    looked: set[str] = set()
    gone = True
    while gone:
        leaned_on = {
            name for e in entries.values() if e.certificate is not None for name in e.certificate.lemmas
        }
        gone = False
        for name in [n for n in entries if n in shapes and n not in leaned_on and n not in looked]:
            looked.add(name)
            if any(
                other in shapes
                and other != name
                and shapes[other].may_subsume(shapes[name])
                and subsumes(entries[other].rule, entries[name].rule)
                for other in entries
            ):
                del entries[name]
                gone = True
    return replace(rule_base(base.theory, entries.values()), numbers=base.numbers)
