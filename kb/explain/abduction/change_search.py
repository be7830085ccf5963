"""The search for changes of given facts from which a statement could follow: abduction by backward reasoning.

A goal is proved backwards from the rules, as in abductive logic programming (Kakas, Kowalski and Toni 1992,
Abductive Logic Programming). A condition that does not hold may be assumed if its facts can be given. A fact
that must be absent is made false: it is removed, or a condition of its derivation is made false. Variables of
an assumed fact get values that satisfy the comparisons with them.

The result is only a guess: added facts may make an absence false, and a fact may have another derivation. So
the caller evaluates every guess, and continues from the changed facts if the goal still does not hold.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from heapq import heappop, heappush
from itertools import count, islice
from typing import Protocol

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_statement,
    rename_condition,
    rule_at,
)
from hornbook.kb.ast.theory import counts_of
from hornbook.kb.explain.abduction.witnesses import (
    ValuedBase,
    assignments,
    holds,
    present_values,
    with_calculations,
)
from hornbook.kb.explain.proof import Proof
from hornbook.kb.parse.facts import why_never_given, why_stated_only
from hornbook.kb.parse.syntax import Query
from hornbook.kb.tables.answers import Answers
from hornbook.matcher.program.dataclass import dataclass

MAX_MATCHES = 12
"""The maximum number of facts to try for one condition with variables."""
ROWS_OF_STEP = 1_000
"""The number of answers to a query that count as one more step."""
MAX_RULES = 15
"""The maximum number of rules in one partial proof."""
MAX_MEMBERS = 50
"""The maximum number of members of a closed set whose conditions are made true."""
_MARK = "~"
"""The mark between the name of a variable and the number of its copy. No written name contains it."""

_ANY = "any"
"""The name of variables that are wildcards in the text."""


class SearchedBase(ValuedBase, Protocol):
    """The attributes and methods of an engine that the search needs."""

    @property
    def rules(self) -> Sequence[t.Rule]: ...

    def prove(self, pattern: t.Statement) -> Proof: ...

    def has_given(self, relation: str, tense: t.Tense | None) -> bool: ...


@dataclass(frozen=True, slots=True)
class Falsify:
    """The goal that a fact does not hold."""

    fact: t.Statement


_Goal = t.Condition | Falsify


@dataclass(frozen=True, slots=True)
class _Plan:
    """A partial proof: the goals that are left, and the facts to be added and removed so far.

    `general` has the added facts and the comparisons before their variables got values. `rules` is the number
    of rules used.
    """

    goals: tuple[_Goal, ...]
    add: tuple[t.Atom, ...] = ()
    remove: tuple[t.Statement, ...] = ()
    general: tuple[t.Condition, ...] = ()
    rules: int = 0

    @property
    def weight(self) -> int:
        """The priority, least first: a change counts as much as three rules."""
        return 3 * (len(self.add) + len(self.remove)) + self.rules

    def then(self, place: int, first: Sequence[_Goal], substitution: Mapping[str, t.Term]) -> _Plan:
        """Return the plan with other goals, placed first, instead of one."""
        goals = (*first, *self.goals[:place], *self.goals[place + 1 :])
        if not substitution:
            return replace(self, goals=goals)
        return replace(
            self,
            goals=tuple(g if isinstance(g, Falsify) else apply_to_condition(g, substitution) for g in goals),
            add=tuple(apply_to_statement(atom, substitution) for atom in self.add),
        )


@dataclass(frozen=True, slots=True)
class Guess:
    """Facts to add and to remove, which may suffice.

    `general` has the added facts with variables, and the comparisons that their values satisfy.
    """

    add: tuple[t.Atom, ...]
    remove: tuple[t.Statement, ...]
    general: tuple[t.Condition, ...]


class ChangeSearch:
    """The search from the present facts of a base.

    - `step`: Called with a number of steps; it may raise an error to end the search.
    - `obstacles`: After a search, the conditions that no change makes true.
    - `is_cut`: After a search, whether some facts or members were not tried.
    - `has_chosen`: After a search, whether it chose values for variables of added facts.
    """

    def __init__(self, base: SearchedBase, step: Callable[[int], None]) -> None:
        self._base, self._step = base, step
        self._numbers = count(1)
        self._concluding: dict[str, list[t.Rule]] = {}
        for rule in (each for each in base.rules if not each.learned):
            self._concluding.setdefault(rule.head.relation, []).append(rule)
        self._inputs: dict[tuple[str, t.Tense | None], bool] = {}
        self.obstacles: dict[t.Condition, None] = {}
        self.is_cut = self.has_chosen = False

    def guesses(self, goal: t.Statement | Falsify) -> Iterator[Guess]:
        """Yield changes from which a goal could follow, roughly those with the fewest facts first."""
        order = count()
        first = goal if isinstance(goal, Falsify) else self._fresh((goal,))[0]
        waiting = [(0, next(order), _Plan((first,)))]
        found: set[Guess] = set()
        while waiting:
            _, _, plan = heappop(waiting)
            self._step(1)
            if not plan.goals and not any(map(t.condition_variables, plan.add)):
                guess = Guess(tuple(dict.fromkeys(plan.add)), tuple(dict.fromkeys(plan.remove)), plan.general)
                is_change = (guess.add or guess.remove) and not any(holds(self._base, a) for a in guess.add)
                if is_change and guess not in found:
                    found.add(guess)
                    yield guess
                continue
            for each in self._continued(plan):
                if each.rules <= MAX_RULES:
                    heappush(waiting, (each.weight, next(order), each))
                else:
                    self.is_cut = True

    def _continued(self, plan: _Plan) -> Iterator[_Plan]:
        """Yield the plans after one goal: a calculation that can be made, a statement, or another one."""
        for place, goal in enumerate(plan.goals):
            if isinstance(goal, t.Comparison) and _is_ready(goal):
                return self._compared(plan, place, goal)
        for place, goal in enumerate(plan.goals):
            if isinstance(goal, t.Statement):
                return self._stated(plan, place, goal)
            if isinstance(goal, Falsify):
                return self._falsified(plan, place, goal)
        shared = [v.name for atom in plan.add for v in t.condition_variables(atom)]
        for place, goal in enumerate(plan.goals):
            if isinstance(goal, t.Aggregate | t.CountIn) and not _inner_names(goal).intersection(shared):
                return self._calculated(plan, place, goal)
        if shared:
            return self._with_values(plan)
        for place, goal in enumerate(plan.goals):
            if isinstance(goal, t.Absent):
                return self._absent(plan, place, goal)
            if isinstance(goal, t.All):
                return self._for_all(plan, place, goal)
        # A comparison of a variable that nothing binds.
        return iter(())

    def _rows(self, conditions: Sequence[t.Condition]) -> Iterator[dict[str, t.Term]]:
        """Yield the first answers to conditions."""
        answers = self._answers(conditions)
        self.is_cut |= len(answers) > MAX_MATCHES
        for row in answers.rows[:MAX_MATCHES]:
            yield dict(zip(answers.variables, map(t.Constant, row), strict=True))

    def _answers(self, conditions: Sequence[t.Condition]) -> Answers:
        answers = self._base.query(Query(tuple(conditions), conditions[0].span))
        self._step(1 + len(answers) // ROWS_OF_STEP)
        return answers

    def _compared(self, plan: _Plan, place: int, goal: t.Comparison) -> Iterator[_Plan]:
        row = next(self._rows((goal,)), None)
        if row is None:
            self.obstacles[readable((goal,))[0]] = None
        else:
            yield plan.then(place, (), row)

    def _stated(self, plan: _Plan, place: int, goal: t.Statement) -> Iterator[_Plan]:
        rows = list(self._best_rows(plan, goal))
        yield from (plan.then(place, (), row) for row in rows)
        if rows and not t.condition_variables(goal):
            return
        for atom in plan.add:
            unifier = _unified(goal, atom)
            if unifier is not None:
                yield plan.then(place, (), unifier)
        for rule in self._concluding.get(goal.relation, ()):
            timed = rule_at(rule, goal.tense, self._base.theory.vocabulary)
            if timed is None:
                continue
            head, *body = self._fresh(timed)
            assert isinstance(head, t.Statement)
            unifier = _unified(goal, head)
            if unifier is not None:
                first: list[_Goal] = [*in_order([apply_to_condition(each, unifier) for each in body])]
                first += self._replaced(apply_to_statement(goal, unifier))
                yield replace(plan.then(place, first, unifier), rules=plan.rules + 1)
        if isinstance(goal, t.Atom) and self._can_be_given(goal):
            after = plan.then(place, (), {})
            yield replace(after, add=(*after.add, goal))

    def _replaced(self, goal: t.Statement) -> Iterator[_Goal]:
        """Yield the goal that the present fact with the same key as a concluded fact does not hold."""
        present = present_values(self._base, goal) if isinstance(goal, t.Atom) else None
        if present is not None and _unified(goal, present) is None:
            yield Falsify(present)

    def _best_rows(self, plan: _Plan, goal: t.Statement) -> Iterator[dict[str, t.Term]]:
        """Yield matching facts, first those for which most of the following statements hold."""
        conditions: list[t.Condition] = [goal]
        rows = list(self._rows(conditions))
        names = {variable.name for variable in t.condition_variables(goal)}
        if rows and names:
            for other in plan.goals:
                if isinstance(other, t.Statement) and other != goal and self._answers((*conditions, other)):
                    conditions.append(other)
        better = self._rows(conditions) if len(conditions) > 1 else ()
        seen: list[dict[str, t.Term]] = []
        for row in (*better, *rows):
            own = {name: term for name, term in row.items() if name in names}
            if own not in seen:
                seen.append(own)
                yield own

    def _can_be_given(self, goal: t.Atom) -> bool:
        """Return whether a fact is an input: it may be given, and if rules conclude its predicate, some facts
        of the predicate are given.
        """
        key = goal.relation, goal.tense
        if key not in self._inputs:
            vocabulary = self._base.theory.vocabulary
            self._inputs[key] = (
                why_never_given(goal, vocabulary) is None
                and why_stated_only(vocabulary.predicates[goal.predicate]) is None
                and (goal.relation not in self._concluding or self._base.has_given(*key))
            )
        return self._inputs[key]

    def _falsified(self, plan: _Plan, place: int, goal: Falsify) -> Iterator[_Plan]:
        """Yield the plans in which a fact is removed, or a condition of its derivation is made false."""
        proof = self._base.prove(goal.fact)
        step = proof.steps[-1]
        if step.rule is None:
            fact = step.conclusion
            if not isinstance(fact, t.Atom) or not self._can_be_given(fact):
                self.obstacles[t.Absent((fact,), fact.span)] = None
            else:
                after = plan.then(place, (), {})
                yield replace(after, remove=(*after.remove, fact))
            return
        for reason in step.reasons:
            if isinstance(reason.condition, t.Statement):
                yield replace(plan.then(place, (Falsify(reason.condition),), {}), rules=plan.rules + 1)
            elif isinstance(reason.condition, t.Absent):
                inner = in_order(self._fresh(reason.condition.conditions))
                yield replace(plan.then(place, inner, {}), rules=plan.rules + 1)

    def _calculated(self, plan: _Plan, place: int, goal: t.Aggregate | t.CountIn) -> Iterator[_Plan]:
        """Yield the plan with the present value, and the one in which an aggregate has one more answer."""
        row = next(self._rows((goal,)), None)
        if row is not None:
            yield plan.then(place, (), row)
        if isinstance(goal, t.CountIn):
            if row is None:
                self.obstacles[readable((goal,))[0]] = None
            return
        results = {variable.name for variable in t.expression_variables(goal.result)}
        rest = [
            each
            for each in plan.goals
            if isinstance(each, Falsify) or results.isdisjoint(v.name for v in t.condition_variables(each))
        ]
        more = in_order(self._fresh(goal.conditions))
        goals = (*more, *(each for each in rest if each != goal))
        yield replace(plan, goals=goals, rules=plan.rules + 1)

    def _with_values(self, plan: _Plan) -> Iterator[_Plan]:
        """Yield the plan with values for the variables of the added facts."""
        names = {v.name for atom in plan.add for v in t.condition_variables(atom)}
        written = [each for each in plan.goals if isinstance(each, t.Comparison)]
        comparisons = with_calculations(written, names)
        general: tuple[t.Condition, ...] = (
            *(atom for atom in plan.add if t.condition_variables(atom)),
            *(
                each
                for each in comparisons
                if not names.isdisjoint(v.name for v in t.condition_variables(each))
            ),
        )
        is_solved, self.has_chosen = False, True
        for found in islice(assignments(self._base, plan.add, comparisons), 3):
            is_solved = True
            changed = replace(plan, general=general)
            goals = [
                g if isinstance(g, Falsify) else apply_to_condition(g, found)
                for g in plan.goals
                if not isinstance(g, t.Comparison) or t.condition_variables(apply_to_condition(g, found))
            ]
            add = tuple(apply_to_statement(atom, found) for atom in plan.add)
            yield replace(changed, goals=tuple(goals), add=add)
        if not is_solved:
            self.obstacles.update(dict.fromkeys(readable(comparisons)))

    def _absent(self, plan: _Plan, place: int, goal: t.Absent) -> Iterator[_Plan]:
        """Yield the plans in which one condition of the first answer is false."""
        row = next(self._rows(goal.conditions), None)
        if row is None:
            yield plan.then(place, (), {})
            return
        is_hopeless = True
        for condition in goal.conditions:
            if isinstance(condition, t.Statement):
                is_hopeless = False
                yield plan.then(place, (Falsify(apply_to_statement(condition, row)),), {})
        if is_hopeless:
            self.obstacles[readable((goal,))[0]] = None

    def _for_all(self, plan: _Plan, place: int, goal: t.All) -> Iterator[_Plan]:
        """Yield the plan in which the conditions hold for the members for which they fail now."""
        answers = self._answers((goal.member,))
        lacking: list[t.Condition] = []
        failed = 0
        for row in answers.rows:
            member = dict(zip(answers.variables, map(t.Constant, row), strict=True))
            inner = [apply_to_condition(each, member) for each in goal.conditions]
            if not self._answers(inner):
                failed += 1
                lacking += in_order(self._fresh(inner))
        if failed > MAX_MEMBERS:
            self.obstacles[readable((goal,))[0]] = None
            self.is_cut = True
            return
        if not holds(self._base, goal):
            lacking.append(self._count(goal.member, len(answers)))
        yield plan.then(place, lacking, {})

    def _count(self, member: t.Atom, number: int) -> t.Atom:
        """Return the statement that a closed set has a number of members."""
        closing = counts_of(self._base.theory.vocabulary)[member.predicate]
        key = member.arguments[: closing.key]
        return t.Atom(closing.name, (*key, t.Constant(number)), member.tense, member.span)

    def _fresh(self, conditions: Sequence[t.Condition]) -> list[t.Condition]:
        """Return conditions with new variables. None of these is a wildcard, so answers have their values."""
        number = next(self._numbers)
        known: dict[str, str] = {}

        def name(old: str) -> str:
            written = old.partition(_MARK)[0]
            shown = _ANY if written.startswith("_") else written
            return known.setdefault(old, f"{shown}{_MARK}{number}_{len(known)}")

        return [rename_condition(each, name) for each in conditions]


def _is_ready(comparison: t.Comparison) -> bool:
    """Return whether a comparison can be evaluated, or binds its only variable."""
    left, right = t.expression_variables(comparison.left), t.expression_variables(comparison.right)
    if comparison.operator == "=" and isinstance(comparison.left, t.Variable):
        return not right
    if comparison.operator == "=" and isinstance(comparison.right, t.Variable):
        return not left
    return not left and not right


def _inner_names(condition: t.Aggregate | t.CountIn) -> set[str]:
    read = condition.sets if isinstance(condition, t.CountIn) else condition.conditions
    return {variable.name for each in read for variable in t.condition_variables(each)}


def _unified(one: t.Statement, other: t.Statement) -> dict[str, t.Term] | None:
    """Return the most general unifier of two statements of one relation, or None. Terms are flat."""
    if one.relation != other.relation or (one.tense or "before") != (other.tense or "before"):
        return None
    found: dict[str, t.Term] = {}

    def resolved(term: t.Term) -> t.Term:
        while isinstance(term, t.Variable) and term.name in found:
            term = found[term.name]
        return term

    for pair in zip(one.terms, other.terms, strict=True):
        left, right = map(resolved, pair)
        if left == right:
            continue
        if isinstance(right, t.Variable):
            found[right.name] = left
        elif isinstance(left, t.Variable):
            found[left.name] = right
        else:
            return None
    return {name: resolved(term) for name, term in found.items()}


def readable(conditions: Sequence[t.Condition]) -> tuple[t.Condition, ...]:
    """Return conditions with the written names of their variables. Further ones of one name get numbers."""
    names: dict[str, str] = {}

    def name(old: str) -> str:
        if old not in names:
            written = old.partition(_MARK)[0]
            if old.startswith(f"{_ANY}{_MARK}"):
                return names.setdefault(old, f"_{len(names) + 1}")
            number = sum(each.partition(_MARK)[0] == written for each in names)
            names[old] = f"{written}{number + 1}" if number else written
        return names[old]

    return tuple(rename_condition(each, name) for each in conditions)
