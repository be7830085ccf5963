"""Why a fact does not hold: for each rule that could have concluded it, how many of its conditions hold.

A rule's conditions are tried in the order in which they are written, but for those that need variables which
later ones bind. The longest run of conditions that can be met together is shown with the bindings that met
it, then the first condition that fails under them; where rules could have given that one, it is explained in
turn.

What fails in several places is explained once, so an explanation is no longer than there are conditions that fail.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, match_statement
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.explain.fact_places import FactSource
from hornbook.kb.explain.grounds import Ground, Grounds
from hornbook.kb.explain.proof import Proof
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.budget import Budget
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers
from hornbook.kb.text.escaping import markup, visible
from hornbook.kb.text.shipped import file_named

MAX_BINDINGS = 3
"""How many of the nearest bindings are kept for one rule."""
MAX_DEPTH = 100
"""How deep failing conditions are explained in turn at most."""
_Shape = tuple[object, ...]


class Asked(Protocol):
    """What an explanation needs of a knowledge base."""

    @property
    def theory(self) -> Theory: ...

    @property
    def rules(self) -> Sequence[t.Rule]: ...

    def ask(self, query: Query) -> Answers: ...

    def why(self, text: str) -> Proof: ...


@dataclass(frozen=True, slots=True)
class Present:
    """A fact for which an absence fails, with its proof, unless that stands above; it is shown `depth` steps deep."""

    fact: t.Statement
    proof: Proof | None
    depth: int

    def lines(self) -> Iterator[str]:
        """The lines of the text: the fact with where it comes from, and below it what it rests on."""
        if self.proof is None:
            yield f"because: {print_condition(self.fact)}  [above]"
            return
        first, *rest = self.proof.lines(self.depth)
        yield f"because: {first}"
        yield from rest

    def located(self, sources: Sequence[FactSource]) -> Present:
        return self if self.proof is None else replace(self, proof=self.proof.located(sources))

    def as_json(self) -> dict[str, Any]:
        """`{fact, proof}`; the proof as `Proof.as_json` gives it, or null."""
        return {
            "fact": print_condition(self.fact),
            "proof": None if self.proof is None else self.proof.as_json(),
        }


@dataclass(frozen=True, slots=True)
class Attempt:
    """One way in which a rule nearly gave the fact.

    `met` are the conditions that hold together, `failing` the first that does not (with the bindings of the
    others), `instead` what holds in its place where its key has another value, `exceptions` the members for which
    an `all` fails, `present` what holds although it should be absent, `grounds` what is complete, so that it never will hold,
    `deeper` why it fails, unless that is explained `above`.
    """

    rule: t.Rule
    bindings: tuple[tuple[str, str | int], ...]
    met: tuple[t.Condition, ...]
    failing: t.Condition
    instead: tuple[t.Condition, ...]
    exceptions: tuple[t.Statement, ...]
    present: tuple[Present, ...]
    grounds: tuple[Ground, ...]
    deeper: WhyNot | None
    above: bool = False

    def located(self, sources: Sequence[FactSource]) -> Attempt:
        present = tuple(each.located(sources) for each in self.present)
        deeper = None if self.deeper is None else self.deeper.located(sources)
        return replace(self, present=present, deeper=deeper)


@dataclass(frozen=True, slots=True, repr=False)
class WhyNot:
    """Why a statement is not derived. `holds` are facts that answer it after all (then nothing else is said)."""

    goal: t.Statement
    holds: tuple[t.Statement, ...]
    attempts: tuple[Attempt, ...]
    conclusion: str

    def located(self, sources: Sequence[FactSource]) -> WhyNot:
        """The same, whose proofs say where given facts stand, as `Proof.located` does."""
        return replace(self, attempts=tuple(each.located(sources) for each in self.attempts))

    def text(self) -> str:
        return "\n".join(self.lines(0))

    def lines(self, depth: int) -> Iterator[str]:
        """The lines of the text, indented `depth` steps deep."""
        indent = "  " * depth
        if depth == 0:
            yield f"{print_condition(self.goal)}: {self.conclusion}"
        for attempt in self.attempts:
            rule = attempt.rule
            yield f"{indent}  {'learned ' if rule.learned else ''}rule {rule.name}  [{rule.span.place}]"
            if attempt.bindings:
                yield f"{indent}    with {', '.join(f'?{name} = {value}' for name, value in attempt.bindings)}"
            for condition in attempt.met:
                yield f"{indent}    holds: {print_condition(condition)}"
            yield f"{indent}    fails: {print_condition(attempt.failing)}{'  [above]' if attempt.above else ''}"
            for statement in attempt.instead:
                yield f"{indent}      instead: {print_condition(statement)}"
            for statement in attempt.exceptions:
                yield f"{indent}      not for: {print_condition(statement)}"
            for present in attempt.present:
                yield from (f"{indent}      {line}" for line in present.lines())
            for ground in attempt.grounds:
                yield f"{indent}      {ground.text}"
            if attempt.deeper is not None and attempt.deeper.attempts:
                yield from attempt.deeper.lines(depth + 2)

    def as_json(self) -> dict[str, Any]:
        """`{goal, conclusion, holds, attempts: [{rule, learned, file, line, bindings, met, failing, instead, exceptions, present, grounds, deeper, above}]}`."""
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
                    "deeper": None if a.deeper is None else a.deeper.as_json(),
                    "above": a.above,
                }
                for a in self.attempts
            ],
        }

    def __repr__(self) -> str:
        return f"<why not {visible(print_condition(self.goal))}>"

    def __str__(self) -> str:
        return visible(self.text())

    def _repr_html_(self) -> str:
        return f"<pre>{markup(self.text())}</pre>"


def explain_absence(goal: t.Statement, base: Asked, depth: int, budget: Budget | None = None) -> WhyNot:
    """Explains a goal that no fact answers; `depth`, MAX_DEPTH at most, bounds how far failing conditions are followed.

    Raises SpentError if that takes more than the budget.
    """
    return _Explanation(base, budget or Budget()).of(goal, min(depth, MAX_DEPTH), ())


class _Explanation:
    """One explanation while it is made: what is explained in it, and how deep."""

    def __init__(self, base: Asked, budget: Budget) -> None:
        self._base, self._budget = base, budget
        self._told: dict[_Shape, int] = {}
        self._proved: set[t.Statement] = set()
        self._grounds = Grounds((rule for rule in base.rules if not rule.learned), base.theory.vocabulary)

    def of(self, goal: t.Statement, depth: int, above: tuple[_Shape, ...]) -> WhyNot:
        """Why a goal does not hold; what is `above` it is explained already and leads here."""
        self._budget.spend()
        holds = _instances(goal, self._base)
        if holds:
            return WhyNot(goal, holds, (), "it holds")
        shape = _shape(goal)
        self._told[shape] = depth
        attempts = [
            a for rule in self._base.rules for a in self._attempts(rule, goal, depth, (*above, shape))
        ]
        if not attempts:
            known = "".join(f"; {ground.text}" for ground in self._grounds.of_missing(goal))
            return WhyNot(goal, (), (), f"it is not given, and no rule concludes it{known}")
        return WhyNot(goal, (), tuple(attempts), "no rule gave it")

    def _attempts(
        self, rule: t.Rule, goal: t.Statement, depth: int, above: tuple[_Shape, ...]
    ) -> Iterator[Attempt]:
        base = self._base
        if rule.head.relation != goal.relation:
            return
        reading = _read_at(rule, goal.tense, base.theory.vocabulary)
        if reading is None:
            return
        head, body = reading
        # Open places of the goal are left open: the rule's own variables stand there.
        asked = goal.with_terms(
            tuple(
                one if isinstance(one, t.Constant) else h
                for one, h in zip(goal.terms, head.terms, strict=True)
            )
        )
        substitution = match_statement(head, asked)
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
            deeper, told = self._deeper(failing, depth - 1, above)
            fixed = {n: term for n, term in {**substitution, **found}.items() if isinstance(term, t.Constant)}
            yield Attempt(
                rule,
                tuple((name, term.value) for name, term in fixed.items()),
                tuple(apply_to_condition(c, found) for c in ordered[:met]),
                failing,
                _instead(failing, base),
                _exceptions(failing, base),
                self._present(failing, depth - 1),
                self._known(failing),
                deeper,
                told,
            )

    def _deeper(
        self, failing: t.Condition, depth: int, above: tuple[_Shape, ...]
    ) -> tuple[WhyNot | None, bool]:
        """Why a condition fails, and whether that is explained already."""
        if not isinstance(failing, t.Statement) or depth < 1:
            return None, False
        shape = _shape(failing)
        if shape in above:
            return None, False
        if self._told.get(shape, 0) >= depth:
            return None, self._leads_on(failing)
        return self.of(failing, depth, above), False

    def _present(self, failing: t.Condition, depth: int) -> tuple[Present, ...]:
        """The facts that hold although a rule needs their absence, with their proofs, each once."""
        if not isinstance(failing, t.Absent):
            return ()
        found: list[Present] = []
        answers = self._base.ask(Query(failing.conditions, failing.span))
        for row in answers.rows[:MAX_BINDINGS]:
            bound = dict(zip(answers.variables, map(t.Constant, row), strict=True))
            for condition in failing.conditions:
                if isinstance(condition, t.Statement):
                    self._budget.spend()
                    proof = self._base.why(print_condition(apply_to_statement(condition, bound)))
                    if all(proof.goal != present.fact for present in found):
                        is_new = proof.goal not in self._proved
                        found.append(Present(proof.goal, proof if is_new else None, depth))
                        self._proved.add(proof.goal)
        return tuple(found)

    def _known(self, failing: t.Condition) -> tuple[Ground, ...]:
        """What says that a condition will not hold when more becomes known; facts that should be absent say so themselves."""
        if isinstance(failing, t.Statement):
            return self._grounds.of_missing(failing)
        return () if isinstance(failing, t.Absent) else self._grounds.of(failing, "before")

    def _leads_on(self, failing: t.Statement) -> bool:
        """Whether rules could have given it, so that there is something to read above."""
        return any(rule.head.relation == failing.relation for rule in self._base.rules)


def _shape(statement: t.Statement) -> _Shape:
    """The same for statements that differ at most in the names of their variables and in an unsaid moment."""
    places: dict[t.Term, int] = {}
    terms = tuple(
        ("variable", places.setdefault(term, len(places))) if isinstance(term, t.Variable) else term
        for term in statement.terms
    )
    return (statement.relation, statement.tense or "before", terms)


def _instances(pattern: t.Statement, base: Asked) -> tuple[t.Statement, ...]:
    """The facts that answer a pattern, a few of them; wildcards are left as they are."""
    answers = base.ask(Query((pattern,), pattern.span))
    rows = [
        dict(zip(answers.variables, map(t.Constant, row), strict=True)) for row in answers.rows[:MAX_BINDINGS]
    ]
    return tuple(apply_to_statement(pattern, row) for row in rows)


def _read_at(
    rule: t.Rule, moment: t.Tense | None, vocabulary: Vocabulary
) -> tuple[t.Statement, tuple[t.Condition, ...]] | None:
    """The rule as it would conclude something at this moment; None where it speaks of the other one."""
    timeless = not any(s.tense for s in (rule.head, *t.statements(rule.body)))
    if timeless:
        return rule.head, tuple(at_moment(c, moment, vocabulary) for c in rule.body)
    if rule.head.tense not in (None, moment or "before"):
        return None
    return rule.head, rule.body


def _longest(conditions: Sequence[t.Condition], base: Asked) -> tuple[int, Answers]:
    """How many conditions, from the first, can be met together, and the answers that meet them."""
    answers = Answers((), ((),))
    for count in range(1, len(conditions) + 1):
        asked = tuple(conditions[:count])
        more = base.ask(Query(asked, asked[0].span))
        if not more:
            return count - 1, answers
        answers = more
    return len(conditions), answers


def _instead(failing: t.Condition, base: Asked) -> tuple[t.Condition, ...]:
    """For a statement whose key has another value, or an aggregate with another result: what holds instead."""
    if isinstance(failing, t.Aggregate):
        asked = replace(failing, result=t.Variable("instead"))
        answers = base.ask(Query((asked,), failing.span))
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


def _exceptions(failing: t.Condition, base: Asked) -> tuple[t.Statement, ...]:
    """The known members of a closed set for which its conditions do not hold, a few of them."""
    if not isinstance(failing, t.All):
        return ()
    found: list[t.Statement] = []
    members = base.ask(Query((failing.member,), failing.span))
    for row in members.rows:
        member = dict(zip(members.variables, map(t.Constant, row), strict=True))
        inner = tuple(apply_to_condition(condition, member) for condition in failing.conditions)
        if not base.ask(Query(inner, failing.span)):
            found.append(apply_to_statement(failing.member, member))
    return tuple(found[:MAX_BINDINGS])
