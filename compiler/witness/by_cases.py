"""The search for a proof by case analysis: by the rule that concluded a known fact, or by the equality of two
terms.

If forward chaining does not reach the goal, a case analysis is made. It distinguishes the rules that may have
concluded a known fact (inversion), or whether a variable equals a term that a rule requires to be different.
Every case has more known facts than its parent, so no choice is ever revised. If the proof of one case does
not use the case's assumption, it replaces the whole case analysis. A closed condition needed for a goal is
proved by universal introduction, with a search of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from hornbook.compiler.checker.cases import invertible
from hornbook.compiler.checker.certificate import CASE_MARK, CaseProof, Inversion, Leaf, Split, parts_of
from hornbook.compiler.checker.dependencies import IntegrityAssumptions, TimedPredicate, place_of
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.witness.context import Note, SearchContext
from hornbook.compiler.witness.forward import MadeStep, TimedRule, chain_forward, members_of, needed
from hornbook.compiler.witness.members import (
    GoalProof,
    MembersWitness,
    WitnessGoal,
    goal_proof,
    member_witnesses,
)
from hornbook.compiler.witness.proof_state import Found, Ref
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import apply_to_condition
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    CountIn,
    Statement,
    Tense,
    Term,
    Variable,
    condition_variables,
    statements,
)
from hornbook.matcher.program.dataclass import dataclass

MOST_CASES = 2_000
"""The maximum number of cases tried for one rule."""
MOST_WITHIN = 60
"""The maximum nesting depth of cases."""
MOST_CASES_OF_MEMBERS = 8
"""The maximum number of cases tried for one universal introduction."""
MOST_MEMBERS = 10
"""The maximum number of universal introductions tried for one rule."""

InvertedFact = tuple[str, Tense, tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class Case:
    """One case of an inversion.

    Attributes:
        context: The known facts; None if the case is contradictory.
        supposed: The numbers of the rule's conditions.
        merges_terms: True if two earlier terms are equal in this case.
    """

    rule: str
    context: SearchContext | None
    supposed: frozenset[int]
    merges_terms: bool
    used: frozenset[int] = frozenset()
    """The numbers on which the contradiction depends."""


@dataclass(frozen=True, slots=True)
class ProvedCase:
    """The proof of a case, and the numbers of the facts on which it depends."""

    proof: CaseProof
    used: frozenset[int]


@dataclass(frozen=True, slots=True)
class UnprovedCase:
    """The context of a case that was not proved, and a description of the case."""

    context: SearchContext
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _OpenCase:
    """A case before its case analysis: its steps, known facts, earlier inversions, description and depth."""

    made: Sequence[MadeStep | Note]
    context: SearchContext
    inverted: frozenset[InvertedFact]
    where: tuple[str, ...]
    depth: int

    def with_steps(self, proof: CaseProof, used: Iterable[int]) -> ProvedCase:
        """Return a proof preceded by the steps made here on which it depends."""
        steps, below = needed(self.made, self.context, map(Ref, used))
        return ProvedCase(replace(proof, steps=(*steps, *proof.steps)), below)


class ByCases:
    """The search for a proof of one of several goals, or of a member goal.

    It uses the rules that may derive facts of the given timed predicates. It inverts the facts with the
    numbers `only`, if these are given.
    """

    def __init__(
        self,
        goals: Sequence[tuple[Statement, Tense]],
        places: Iterable[TimedPredicate],
        rules: Callable[[Iterable[TimedPredicate]], Sequence[TimedRule]],
        usable: IntegrityAssumptions,
        member: WitnessGoal | None = None,
        most: int = MOST_CASES,
        only: frozenset[int] | None = None,
        *,
        one_moment: bool,
    ) -> None:
        self.goals, self.readings, self.usable, self.one_moment = goals, rules, usable, one_moment
        self.rules, self.member, self.most, self.only = rules(places), member, most, only
        self.case_count = 0
        self.members = 0
        """The number of universal introductions tried."""
        self.concluded: set[int] = set()
        """The numbers of conclusions of steps. They need no inversion because their rules are known."""
        self.generation: dict[int, int] = {}
        """For each known fact, the number of inversions with several cases that led to it."""
        self.unproved: UnprovedCase | None = None

    def closed(
        self,
        context: SearchContext,
        inverted: frozenset[InvertedFact] = frozenset(),
        where: tuple[str, ...] = (),
        depth: int = 0,
    ) -> ProvedCase | None:
        """Return a proof of a goal in a context, or None if none is found; facts are added to the context.

        Args:
            inverted: The facts inverted so far.
            where: A description of the case.
        """
        self.case_count += 1
        if self.case_count > self.most or depth > MOST_WITHIN:
            return None
        why = context.impossible()
        if why is not False:
            return self._leaf((), context, why)
        undecided: set[tuple[Term, Term]] = set()
        made, _ = chain_forward(
            self.goals,
            self.rules,
            context,
            one_moment=self.one_moment,
            apart=undecided,
            introduce=self._of_members,
        )
        self.concluded |= {
            each.tried.number for each in made if isinstance(each, MadeStep) and each.tried.number is not None
        }
        for found in (*self._ends(context), context.impossible()):
            if found is not False:
                return self._leaf(made, context, found)
        open_case = _OpenCase(made, context, inverted, where, depth)
        inversion = self._next_inversion(context, inverted)
        if inversion is not None:
            return self._inverted(open_case, *inversion)
        for pair in sorted(undecided, key=str):
            variable, term = pair if isinstance(pair[0], Variable) else pair[::-1]
            if isinstance(variable, Variable):
                return self._split(open_case, variable, term)
        self.unproved = self.unproved or UnprovedCase(context, where)
        return None

    def _ends(self, context: SearchContext) -> Iterator[Found]:
        if self.member is not None:
            yield goal_proof(context, self.member, self._of_members)
        for goal in self.goals:
            yield context.established(*goal)

    def _of_members(
        self, _place: int, condition: All | CountIn, moment: Tense | None, context: SearchContext
    ) -> Found:
        """Return a proof of a closed condition or count by universal introduction; or False."""
        places = dict.fromkeys(place_of(s, moment, context.vocabulary) for s in statements((condition,)))
        for witness, members in member_witnesses(context, condition, moment):
            self.members += 1
            if self.members > MOST_MEMBERS:
                break
            found: list[ProvedCase] = []
            for member in members:
                search = ByCases(
                    (),
                    places,
                    self.readings,
                    self.usable,
                    member,
                    MOST_CASES_OF_MEMBERS,
                    self.only,
                    one_moment=self.one_moment,
                )
                closed = search.closed(member.any_one.context)
                if closed is None:
                    break
                found.append(closed)
            if len(found) == len(members):
                used = {number for closed in found for number in closed.used}
                proofs = zip(members, (closed.proof for closed in found), strict=True)
                return MembersWitness(witness, tuple(proofs), tuple(map(Ref, used)))
        return False

    def _leaf(self, made: Sequence[MadeStep | Note], context: SearchContext, end: Found) -> ProvedCase:
        steps, used = needed(made, context, [end])
        return ProvedCase(
            Leaf(steps, members=members_of(end.proofs) if isinstance(end, GoalProof) else ()), used
        )

    def _next_inversion(
        self, context: SearchContext, inverted: frozenset[InvertedFact]
    ) -> tuple[InvertedFact, int, tuple[Case, ...]] | None:
        """Return the fact to invert next, with its number and its cases.

        A fact that only one rule may have concluded comes first, then the fact with the fewest inversions
        before it. A recursive relation is inverted only if no other fact is left.
        """
        best: tuple[tuple[bool, bool, int, int], InvertedFact, int, tuple[Case, ...]] | None = None
        # An inverted fact may occur again under other representatives.
        done = {(name, moment, tuple(map(context.find, row))) for name, moment, row in inverted}
        before = {(name, moment) for name, moment, _ in inverted}
        for place, number, row in context.congruence.statements():
            name, moment = place
            if moment is None or number < 0 or number in self.concluded or number in context.sizes:
                continue
            if (name, moment, row) in done or (self.only is not None and number not in self.only):
                continue
            if not invertible(place, self.usable):
                continue
            known = (name, moment, row)
            cases = tuple(self._cases(context, known, number))
            live = sum(case.context is not None for case in cases)
            over = context.induction is not None and context.induction[1] == number
            rating = place in before, not over and live > 1, self.generation.get(number, 0), live
            if best is None or rating < best[0]:
                best = rating, known, number, cases
            if place not in before and (live <= 1 or over):
                break
        return None if best is None else best[1:]

    def _cases(self, context: SearchContext, known: InvertedFact, number: int) -> Iterator[Case]:
        name, moment, row = known
        for rule in self.usable.concluding((name, moment)):
            case = context.branch()
            supposed = frozenset(case.suppose(rule, Atom(name, row, None), moment, number))
            is_merging = case.congruence.equates_terms_of(context.congruence)
            why = case.impossible()
            if why is False:
                yield Case(rule.name, case, supposed, is_merging)
            else:
                yield Case(rule.name, None, supposed, is_merging, needed((), case, [why])[1] - supposed)

    def _inverted(
        self, open_case: _OpenCase, known: InvertedFact, number: int, cases: Sequence[Case]
    ) -> ProvedCase | None:
        name, moment, row = known
        live = sum(case.context is not None for case in cases)
        generation = self.generation.get(number, 0) + (live > 1)
        self.generation |= {each: generation for case in cases for each in case.supposed}
        proofs: list[CaseProof] = []
        used: set[int] = {number}
        for case in cases:
            if case.context is None:
                proofs.append(Leaf(()))
                used |= case.used
                continue
            description = f"`{case.rule}` concluded `{shown(Atom(name, row, None))}`"
            where = open_case.where if live == 1 else (*open_case.where, description)
            found = self.closed(case.context, open_case.inverted | {known}, where, open_case.depth + 1)
            if found is None:
                return None
            rests_on_case = found.used & case.supposed or case.merges_terms
            if not rests_on_case and not _mentions_inversion(found.proof, case.context.inversions):
                return open_case.with_steps(_without(found.proof, case.context.inversions), found.used)
            proofs.append(found.proof)
            used |= found.used
        return open_case.with_steps(Inversion(Atom(name, row, None), moment, tuple(proofs)), used)

    def _split(self, open_case: _OpenCase, variable: Variable, term: Term) -> ProvedCase | None:
        same, other = open_case.context.branch(), open_case.context.branch()
        same.take([Comparison("=", variable, term)], None)
        assumptions = other.take([Comparison("!=", variable, term)], None)
        rest = self.closed(other, open_case.inverted, open_case.where, open_case.depth + 1)
        if rest is None or not rest.used & set(assumptions):
            return None if rest is None else open_case.with_steps(rest.proof, rest.used)
        where = (*open_case.where, f"`{shown(Comparison('=', variable, term))}`")
        first = self.closed(same, open_case.inverted, where, open_case.depth + 1)
        if first is None:
            return None
        proof = Split(variable.name, ((term, first.proof),), rest.proof)
        return open_case.with_steps(proof, first.used | rest.used)


def shown(condition: Condition) -> str:
    """Return a condition as text, with the variables of rules and cases under their names in the theory."""
    plain = {v.name: _plain(v) for v in condition_variables(condition)}
    return print_condition(apply_to_condition(condition, plain))


def _plain(variable: Variable) -> Variable:
    return Variable(variable.name.removesuffix(OPEN).partition(CASE_MARK)[0])


def _mentions_inversion(proof: CaseProof, number: int) -> bool:
    """Return whether a proof mentions a variable of the rule of an inversion."""
    return any(_inversion_of(term) == number for part in parts_of(proof) for term in _terms(part))


def _terms(part: CaseProof) -> Iterator[Term]:
    """Yield the terms in the outermost part of a proof."""
    for step in part.steps:
        yield from (term for _, term in step.substitution)
    if isinstance(part, Split):
        yield Variable(part.variable)
        yield from (term for term, _ in part.cases)
    elif isinstance(part, Inversion):
        yield from part.statement.terms


def _inversion_of(term: Term) -> int:
    """Return the number of the inversion whose rule has a term as a variable; 0 for other terms."""
    _, mark, number = term.name.rpartition(CASE_MARK) if isinstance(term, Variable) else ("", "", "")
    return int(number) if mark else 0


def _without(proof: CaseProof, number: int) -> CaseProof:
    """Return a proof after the removal of an enclosing inversion, with the numbers of inner inversions
    adjusted.
    """

    def term(old: Term) -> Term:
        if not isinstance(old, Variable) or _inversion_of(old) < number:
            return old
        return Variable(f"{old.name.rpartition(CASE_MARK)[0]}{CASE_MARK}{_inversion_of(old) - 1}")

    def of_members(members: Iterable[tuple[int, CaseProof]]) -> tuple[tuple[int, CaseProof], ...]:
        return tuple((place, _without(below, number)) for place, below in members)

    steps = tuple(
        replace(
            each,
            substitution=tuple((name, term(value)) for name, value in each.substitution),
            members=of_members(each.members),
        )
        for each in proof.steps
    )
    if isinstance(proof, Leaf):
        return replace(proof, steps=steps, members=of_members(proof.members))
    if isinstance(proof, Split):
        variable = term(Variable(proof.variable))
        assert isinstance(variable, Variable)
        cases = tuple((term(value), _without(below, number)) for value, below in proof.cases)
        return replace(
            proof, variable=variable.name, cases=cases, rest=_without(proof.rest, number), steps=steps
        )
    statement = proof.statement.with_terms(tuple(map(term, proof.statement.terms)))
    below = tuple(_without(each, number) for each in proof.cases)
    return replace(proof, statement=statement, cases=below, steps=steps)
