"""The reasons why a fact does not hold: for each rule that could conclude it, the conditions that hold and
fail.

Conditions are tried in the written order, but each after the conditions that bind its variables. The result
shows the longest prefix that can be satisfied, with its bindings, and then the first failing condition. If
rules could derive this condition, it is explained recursively. A repeated failing condition is explained
once, so the length of an explanation is bounded by the number of different failing conditions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Protocol

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, match_statement, rule_at
from hornbook.kb.ast.theory import Theory
from hornbook.kb.explain.abduction.sufficient_changes import SufficientChanges
from hornbook.kb.explain.fact_places import FactSource, located
from hornbook.kb.explain.grounds import CompletenessReason, CompletenessReasons
from hornbook.kb.explain.proof import Proof
from hornbook.kb.explain.proof_steps import Step
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import Query
from hornbook.kb.sources.deprecations import renamed_members
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.shipped import file_named
from hornbook.matcher.program.dataclass import dataclass

MAX_BINDINGS = 3
"""The maximum number of best bindings for one rule."""
MAX_DEPTH = 100
"""The maximum depth of explanations of failing conditions."""
_Shape = tuple[object, ...]


class ExplainableBase(Protocol):
    """The attributes and methods of a knowledge base that an explanation needs."""

    @property
    def theory(self) -> Theory: ...

    @property
    def rules(self) -> Sequence[t.Rule]: ...

    def query(self, query: Query) -> Answers: ...

    def prove(self, pattern: t.Statement) -> Proof: ...


@dataclass(frozen=True, slots=True)
class PresentFact:
    """A fact that falsifies an absence, with its proof unless shown above. The proof is shown `depth` steps
    deep.

    `exception` is the label of an exception, if the fact states that it applies.
    """

    fact: t.Statement
    proof: Proof | None
    depth: int
    exception: str | None = None

    def lines(self) -> Iterator[str]:
        """Yield the lines of the text: the fact with its origin, and its premises below."""
        reason = "because" if self.exception is None else f"because the exception {self.exception} applies"
        if self.proof is None:
            yield f"{reason}: {print_condition(self.fact)}  [above]"
            return
        first, *rest = self.proof.lines(self.depth)
        yield f"{reason}: {first}"
        yield from rest

    def located(self, sources: Sequence[FactSource]) -> PresentFact:
        return self if self.proof is None else replace(self, proof=self.proof.with_sources(sources))

    def as_json(self) -> dict[str, Any]:
        """Return `{fact, proof}`. The proof has the form of `Proof.to_dict`, or is null."""
        return {
            "fact": print_condition(self.fact),
            "proof": None if self.proof is None else self.proof.to_dict(),
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """A failed attempt to derive the fact by a rule.

    - `met`: The conditions that hold together.
    - `failing`: The first condition that fails under the bindings of the others.
    - `instead`: The actual facts for the key of the failing condition, with other values.
    - `exceptions`: The members for which an `all` fails.
    - `present`: The facts that hold but should be absent.
    - `grounds`: The complete relations that prevent the condition forever.
    - `deeper`: The explanation of the failing condition, unless it is explained `above`.
    """

    rule: t.Rule
    bindings: tuple[tuple[str, str | int], ...]
    met: tuple[t.Condition, ...]
    failing: t.Condition
    instead: tuple[t.Condition, ...]
    exceptions: tuple[t.Statement, ...]
    present: tuple[PresentFact, ...]
    grounds: tuple[CompletenessReason, ...]
    deeper: WhyNot | None
    above: bool = False

    def located(self, sources: Sequence[FactSource]) -> Attempt:
        present = tuple(each.located(sources) for each in self.present)
        deeper = None if self.deeper is None else self.deeper.with_sources(sources)
        return replace(self, present=present, deeper=deeper)


@renamed_members
@dataclass(frozen=True, slots=True, repr=False)
class WhyNot:
    """The explanation of a statement that is not derived. `holds` are facts that match it after all; then
    there is no more.
    """

    goal: t.Statement
    holds: tuple[t.Statement, ...]
    attempts: tuple[Attempt, ...]
    conclusion: str
    sufficient: SufficientChanges | None = None
    """The changes of given facts that would suffice, if they were searched for."""
    places: Mapping[t.Statement, str] = field(default_factory=dict)
    """The places of given facts, as far as they are known."""

    def with_sources(self, sources: Sequence[FactSource]) -> WhyNot:
        """Return the same explanation, with places of given facts as in `Proof.with_sources`."""
        facts = dict.fromkeys(self._present_facts())
        steps = located([Step(fact, None, ()) for fact in facts], sources)
        places = {step.conclusion: step.place for step in steps if step.place is not None}
        attempts = tuple(each.located(sources) for each in self.attempts)
        return replace(self, attempts=attempts, places={**places, **self.places})

    def _present_facts(self) -> Iterator[t.Statement]:
        """Yield the facts that may have a place."""
        if self.sufficient is not None:
            yield from self.sufficient.present_facts
        for attempt in self.attempts:
            for each in (*attempt.met, *attempt.instead):
                if isinstance(each, t.Statement) and not t.condition_variables(each):
                    yield each

    def _placed(self, condition: t.Condition) -> str:
        """Return the text of a condition, with its place if it is a given fact."""
        place = self.places.get(condition) if isinstance(condition, t.Statement) else None
        return print_condition(condition) if place is None else f"{print_condition(condition)}  [{place}]"

    def to_text(self) -> str:
        return "\n".join(self.lines(0))

    def lines(self, depth: int) -> Iterator[str]:
        """Yield the lines of the text, indented `depth` steps deep."""
        indent = "  " * depth
        if depth == 0:
            yield f"{print_condition(self.goal)}: {self.conclusion}"
        for attempt in self.attempts:
            rule = attempt.rule
            yield f"{indent}  {'learned ' if rule.learned else ''}rule {rule.name}  [{rule.span.place}]"
            if attempt.bindings:
                yield (
                    f"{indent}    with {', '.join(f'?{name} = {value}' for name, value in attempt.bindings)}"
                )
            for condition in attempt.met:
                yield f"{indent}    holds: {self._placed(condition)}"
            yield (
                f"{indent}    fails: {print_condition(attempt.failing)}{'  [above]' if attempt.above else ''}"
            )
            for statement in attempt.instead:
                yield f"{indent}      instead: {self._placed(statement)}"
            for statement in attempt.exceptions:
                yield f"{indent}      not for: {print_condition(statement)}"
            for present in attempt.present:
                yield from (f"{indent}      {line}" for line in present.lines())
            for ground in attempt.grounds:
                yield f"{indent}      {ground.text}"
            if attempt.deeper is not None and attempt.deeper.attempts:
                yield from attempt.deeper.lines(depth + 2)
        if self.sufficient is not None:
            yield from self.sufficient.lines(self.places)

    def to_dict(self) -> dict[str, Any]:
        """Return `{goal, conclusion, holds, attempts, sufficient}`.

        Each attempt is `{rule, learned, file, line, bindings, met, failing, instead, exceptions, present,
        grounds, deeper, above}`. `sufficient` is null if nothing was searched for, or `{sets, complete,
        obstacles}`, as in `SufficientChanges.as_json`.
        """
        return {
            "goal": print_condition(self.goal),
            "conclusion": self.conclusion,
            "holds": [print_condition(s) for s in self.holds],
            "attempts": [
                {
                    "rule": a.rule.name,
                    "learned": a.rule.learned,
                    "file": file_named(a.rule.span.file),
                    "line": a.rule.span.line,
                    "bindings": dict(a.bindings),
                    "met": [print_condition(c) for c in a.met],
                    "failing": print_condition(a.failing),
                    "instead": [print_condition(s) for s in a.instead],
                    "exceptions": [print_condition(s) for s in a.exceptions],
                    "present": [p.as_json() for p in a.present],
                    "grounds": [g.as_json() for g in a.grounds],
                    "deeper": None if a.deeper is None else a.deeper.to_dict(),
                    "above": a.above,
                }
                for a in self.attempts
            ],
            "sufficient": None if self.sufficient is None else self.sufficient.as_json(self.places),
        }

    def __repr__(self) -> str:
        return f"<why not {visible(print_condition(self.goal))}>"

    def __str__(self) -> str:
        return visible(self.to_text())

    def _repr_html_(self) -> str:
        return f"<pre>{markup(self.to_text())}</pre>"


def explain_absence(
    goal: t.Statement, base: ExplainableBase, depth: int, budget: Budget | None = None
) -> WhyNot:
    """Explain a goal without matching facts. Failing conditions are followed to `depth`, at most MAX_DEPTH.

    Raises:
        SpentError: The budget is exceeded.
    """
    return _AbsenceExplanation(base, budget or Budget()).of(goal, min(depth, MAX_DEPTH), ())


class _AbsenceExplanation:
    """One explanation during its construction: the explained statements, with the depth of their
    explanations.
    """

    def __init__(self, base: ExplainableBase, budget: Budget) -> None:
        self._base, self._budget = base, budget
        self._explained: dict[_Shape, int] = {}
        self._proved: set[t.Statement] = set()
        self._grounds = CompletenessReasons(
            (rule for rule in base.rules if not rule.learned), base.theory.vocabulary
        )

    def of(self, goal: t.Statement, depth: int, above: tuple[_Shape, ...]) -> WhyNot:
        """Return the reasons why a goal does not hold. The goals in `above` are being explained already and
        lead here.
        """
        self._budget.spend()
        holds = _instances(goal, self._base)
        if holds:
            return WhyNot(goal, holds, (), "it holds")
        shape = _shape(goal)
        self._explained[shape] = depth
        attempts = [
            a for rule in self._base.rules for a in self._attempts(rule, goal, depth, (*above, shape))
        ]
        if not attempts:
            known = "".join(f"; {ground.text}" for ground in self._grounds.of_missing(goal))
            return WhyNot(goal, (), (), f"it is not given, and no rule concludes it{known}")
        conclusion = "no rule gave it"
        if not above and (actual := _actual_facts(goal, self._base)):
            conclusion += f"; instead, {' and '.join(map(print_condition, actual))} holds"
        return WhyNot(goal, (), tuple(attempts), conclusion)

    def _attempts(
        self, rule: t.Rule, goal: t.Statement, depth: int, above: tuple[_Shape, ...]
    ) -> Iterator[Attempt]:
        base = self._base
        if rule.head.relation != goal.relation:
            return
        timed = rule_at(rule, goal.tense, base.theory.vocabulary)
        if timed is None:
            return
        head, *body = timed
        # Open places of the goal stay open: they get the variables of the rule.
        opened = goal.with_terms(
            tuple(
                one if isinstance(one, t.Constant) else h
                for one, h in zip(goal.terms, head.terms, strict=True)
            )
        )
        substitution = match_statement(head, opened)
        if substitution is None:
            return
        conditions = [apply_to_condition(condition, substitution) for condition in body]
        ordered = in_order(conditions)
        met, answers = _longest(ordered, base)
        if met == len(ordered):
            return
        rows = answers.rows[:MAX_BINDINGS] if answers.variables else ((),)
        for row in rows:
            found: dict[str, t.Term] = dict(zip(answers.variables, map(t.Constant, row), strict=True))
            failing = apply_to_condition(ordered[met], found)
            deeper, is_explained = self._deeper(failing, depth - 1, above)
            fixed = {n: term for n, term in {**substitution, **found}.items() if isinstance(term, t.Constant)}
            yield Attempt(
                rule,
                tuple((name, term.value) for name, term in fixed.items()),
                tuple(apply_to_condition(c, found) for c in ordered[:met]),
                failing,
                _actual_facts(failing, base),
                _exceptions(failing, base),
                self._present(failing, depth - 1),
                self._known(failing),
                deeper,
                is_explained,
            )

    def _deeper(
        self, failing: t.Condition, depth: int, above: tuple[_Shape, ...]
    ) -> tuple[WhyNot | None, bool]:
        """Return the explanation of a failing condition, and whether it is explained already."""
        if not isinstance(failing, t.Statement) or depth < 1:
            return None, False
        shape = _shape(failing)
        if shape in above:
            return None, False
        if self._explained.get(shape, 0) >= depth:
            return None, self._has_rules(failing)
        return self.of(failing, depth, above), False

    def _present(self, failing: t.Condition, depth: int) -> tuple[PresentFact, ...]:
        """Return the facts that hold although a rule needs their absence, with their proofs, each once."""
        if not isinstance(failing, t.Absent):
            return ()
        found: list[PresentFact] = []
        answers = self._base.query(Query(failing.conditions, failing.span))
        for row in answers.rows[:MAX_BINDINGS]:
            bound = dict(zip(answers.variables, map(t.Constant, row), strict=True))
            for condition in failing.conditions:
                if isinstance(condition, t.Statement):
                    self._budget.spend()
                    proof = self._base.prove(apply_to_statement(condition, bound))
                    if all(proof.goal != present.fact for present in found):
                        is_new = proof.goal not in self._proved
                        label = self._base.theory.vocabulary.predicates[t.predicate_of(proof.goal)].exception
                        found.append(PresentFact(proof.goal, proof if is_new else None, depth, label))
                        self._proved.add(proof.goal)
        return tuple(found)

    def _known(self, failing: t.Condition) -> tuple[CompletenessReason, ...]:
        """Return the reasons why a condition can never hold. The facts that refute an absence explain
        themselves.
        """
        if isinstance(failing, t.Statement):
            return self._grounds.of_missing(failing)
        return () if isinstance(failing, t.Absent) else self._grounds.of(failing, "before")

    def _has_rules(self, failing: t.Statement) -> bool:
        """Return whether rules could derive it, so that there is an explanation above."""
        return any(rule.head.relation == failing.relation for rule in self._base.rules)


def _shape(statement: t.Statement) -> _Shape:
    """Return a key that is equal for statements that differ only in variable names or an omitted moment."""
    places: dict[t.Term, int] = {}
    terms = tuple(
        ("variable", places.setdefault(term, len(places))) if isinstance(term, t.Variable) else term
        for term in statement.terms
    )
    return (statement.relation, statement.tense or "before", terms)


def _instances(pattern: t.Statement, base: ExplainableBase) -> tuple[t.Statement, ...]:
    """Return a few facts that match a pattern. Wildcards stay unchanged."""
    answers = base.query(Query((pattern,), pattern.span))
    rows = [
        dict(zip(answers.variables, map(t.Constant, row), strict=True)) for row in answers.rows[:MAX_BINDINGS]
    ]
    return tuple(apply_to_statement(pattern, row) for row in rows)


def _longest(conditions: Sequence[t.Condition], base: ExplainableBase) -> tuple[int, Answers]:
    """Return the length of the longest satisfiable prefix of conditions, and its answers."""
    answers = Answers((), ((),))
    for count in range(1, len(conditions) + 1):
        prefix = tuple(conditions[:count])
        more = base.query(Query(prefix, prefix[0].span))
        if not more:
            return count - 1, answers
        answers = more
    return len(conditions), answers


def _actual_facts(failing: t.Condition, base: ExplainableBase) -> tuple[t.Condition, ...]:
    """Return the actual facts instead of a failing statement with a key or a failing aggregate."""
    if isinstance(failing, t.Aggregate):
        opened = replace(failing, result=t.Variable("instead"))
        answers = base.query(Query((opened,), failing.span))
        return tuple(replace(failing, result=t.Constant(row[0])) for row in answers.rows[:1])
    if not isinstance(failing, t.Atom):
        return ()
    declared = base.theory.vocabulary.predicates[failing.predicate]
    if declared.key is None:
        return ()
    terms = tuple(
        term if i < declared.key else t.Variable(f"instead{i}") for i, term in enumerate(failing.arguments)
    )
    return _instances(failing.with_terms(terms), base)


def _exceptions(failing: t.Condition, base: ExplainableBase) -> tuple[t.Statement, ...]:
    """Return a few known members of a closed set for which its conditions fail."""
    if not isinstance(failing, t.All):
        return ()
    found: list[t.Statement] = []
    members = base.query(Query((failing.member,), failing.span))
    for row in members.rows:
        member = dict(zip(members.variables, map(t.Constant, row), strict=True))
        inner = tuple(apply_to_condition(condition, member) for condition in failing.conditions)
        if not base.query(Query(inner, failing.span)):
            found.append(apply_to_statement(failing.member, member))
    return tuple(found[:MAX_BINDINGS])
