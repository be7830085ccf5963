"""Learning again: rules that fell when their theory was edited, each from its own example.

A rule that was learned from an example is learned from it again, for the same goal, and keeps its name. A lesson
is proved again with what still follows; the rules that its proofs give have the names of those rules of the
lesson that fell and concluded the same, as far as these go round.

Always true: what is learned again is certified for the theory as it is now; no name is given to two rules.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from hornbook.compiler.learn.learning import Example, Outcome, learn_from
from hornbook.compiler.learn.lessons import Lesson, Pupil, Taught, conclusion_of
from hornbook.compiler.maintain.recertification import Relearned
from hornbook.compiler.prove.winning import Play
from hornbook.compiler.rules.admission import Entry, RuleBase, admit, label_numbers, rule_base
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.rulebase import rename
from hornbook.kb.ast.terms import Atom, Constant, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.check import check_query
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.faults import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import parse_query
from hornbook.kb.sources.diagnostics import TheoryError

MOST_PROOFS = 10
"""So many proofs of a goal are tried where the first gives no rule."""


@dataclass(frozen=True, slots=True)
class Teaching:
    """A lesson, with the theory or the part of it and the play that it is proved by."""

    lesson: Lesson
    theory: Theory
    play: Play


Find = Callable[[Provenance], Example | Teaching | str]
"""What a rule was learned from, or why that is not known."""


class Relearning:
    """Learns rules again that no longer follow, given those that do.

    What was not proved with some rules is not tried again with those alone.
    """

    def __init__(self, theory: Theory, find: Find) -> None:
        self._theory = theory
        self._find = find
        self._in_vain: dict[Provenance, frozenset[str]] = {}

    def __call__(self, base: RuleBase, wanted: Sequence[Entry], fallen: Mapping[str, Entry]) -> Relearned:
        by: dict[str, str] = {}
        reasons: dict[str, str] = {}
        lessons: list[tuple[Entry, Teaching]] = []
        for entry in wanted:
            origin = entry.provenance
            found = "what it was learned from is not known" if origin is None else self._find(origin)
            if isinstance(found, Teaching):
                lessons.append((entry, found))
            elif isinstance(found, Example):
                base = _from_example(entry, found, base, self._theory, by, reasons)
            else:
                reasons[entry.rule.name] = found
        base = self._from_lessons(lessons, fallen, base, by, reasons)
        return Relearned(base, by, reasons)

    def _from_lessons(
        self,
        lessons: Sequence[tuple[Entry, Teaching]],
        fallen: Mapping[str, Entry],
        base: RuleBase,
        by: dict[str, str],
        reasons: dict[str, str],
    ) -> RuleBase:
        """The base with what lessons teach now: each is proved once, however many rules came from it."""
        taught: dict[tuple[str, str], Taught] = {}
        promising = [t for entry, t in lessons if not self._is_vain(entry, base)]
        # Each part of a theory has a pupil, who rests on what the one before has learned.
        for part in {id(teaching.theory): teaching for teaching in promising}.values():
            pupil = _Again(part, base, fallen, self._theory)
            own = {_place(t.lesson): t.lesson for t in promising if t.theory is part.theory}
            for each in pupil.learn(own.values()):
                taught[_place(each.lesson)] = each
            base = pupil.base
            by |= {name: name for name in pupil.taken}
        for entry, teaching in lessons:
            name, place = entry.rule.name, _place(teaching.lesson)
            if name in by:
                continue
            if place in taught and _is_proved(taught[place], entry):
                by[name] = ""
            else:
                reasons[name] = f"its example `{teaching.lesson.name}` is not proved any more"
                assert entry.provenance is not None
                self._in_vain[entry.provenance] = frozenset(base.entries)
        return base

    def _is_vain(self, entry: Entry, base: RuleBase) -> bool:
        """Whether a lesson was not proved with as many rules before."""
        assert entry.provenance is not None
        return base.entries.keys() <= self._in_vain.get(entry.provenance, frozenset())


def _from_example(
    entry: Entry,
    example: Example,
    base: RuleBase,
    theory: Theory,
    by: dict[str, str],
    reasons: dict[str, str],
) -> RuleBase:
    """The base with the rule that an example teaches now; or the reason why there is none is noted."""
    name = entry.rule.name
    assert entry.provenance is not None
    outcome = _outcome(example, entry.provenance.goal, theory, base)
    if isinstance(outcome, str):
        reasons[name] = f"its example `{example.name}` teaches nothing now: {outcome}"
        return base
    fresh = rename(replace(outcome, provenance=_origin(outcome, entry.provenance)), name)
    admission = admit(base, fresh)
    by[name] = name if admission.by is None else admission.by
    if admission.by is not None:
        return base
    grown = rule_base(base.theory, [*base, fresh])
    return replace(grown, numbers={**base.numbers, **label_numbers([name], base.numbers)})


def _origin(learned: Entry, before: Provenance) -> Provenance | None:
    """Where a rule was learned from, under the file's name of before: by that it is found the next time."""
    return None if learned.provenance is None else replace(learned.provenance, file=before.file)


def _outcome(example: Example, goal: str, theory: Theory, base: RuleBase) -> Entry | str:
    """The rule that an example teaches for a goal, or why it teaches none."""
    try:
        query = parse_query(goal)
        wrong = [d for d in check_query(query, theory.vocabulary) if d.severity == "error"]
        if wrong:
            return wrong[0].message
        (asked,) = query.conditions
        assert isinstance(asked, Atom | GameStatement)
        for limit in (1, MOST_PROOFS):
            outcome = learn_from(replace(example, goals=(asked,)), theory, base.lemmas(), limit)
            if outcome.entries:
                return outcome.entries[0]
    except (TheoryError, FactError, KnowledgeBaseError) as problem:
        return " ".join(str(problem).split())
    return _why_nothing(outcome, goal)


def _why_nothing(outcome: Outcome, goal: str) -> str:
    if outcome.fault:
        return " ".join(outcome.fault.split())
    if outcome.refused:
        return outcome.refused[0].reason
    return f"`{goal}` does not follow"


class _Again(Pupil):
    """Learns lessons again; `taken` are the names of fallen rules that new ones have."""

    def __init__(
        self, teaching: Teaching, base: RuleBase, fallen: Mapping[str, Entry], whole: Theory
    ) -> None:
        super().__init__(teaching.theory, teaching.play, base, whole=whole)
        self.taken: list[str] = []
        self._fallen = fallen

    def _label(self, rule: Rule) -> str:
        conclusion = conclusion_of(rule)
        assert self._lesson is not None
        for name, entry in self._fallen.items():
            origin = entry.provenance
            from_here = origin is not None and (origin.file, origin.example) == _place(self._lesson)
            if from_here and name not in self.base.entries and conclusion_of(entry.rule) == conclusion:
                self.taken.append(name)
                return name
        return super()._label(rule)


def _place(lesson: Lesson) -> tuple[str, str]:
    return lesson.file, lesson.name


def _is_proved(taught: Taught, entry: Entry) -> bool:
    """Whether a lesson is won again for whoever was to play when the rule was learned."""
    second = GameStatement(taught.lesson.game, None, Constant("IG"))
    assert entry.provenance is not None
    asked_second = entry.provenance.goal == print_condition(second)
    return bool(taught.second if asked_second else taught.first)
