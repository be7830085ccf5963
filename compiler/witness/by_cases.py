"""The search for a proof by cases: which rule concluded what is known, and whether two things are one.

Where nothing more is concluded and the goal is not among it, something known is told apart: by the rules that may have
concluded it (inversion), or by whether a variable is a certain thing, of which a rule asks that it is another. Each case knows
more than before, so no choice is ever taken back; one in which nothing is used of what it supposes stands for all. A closed
condition that lacks for a goal is looked for of any one member, by a search of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from hornbook.compiler.checker.cases import invertible
from hornbook.compiler.checker.certificate import CASE_MARK, CaseProof, Inversion, Leaf, Split, parts_of
from hornbook.compiler.checker.promises import Place, Usable, place_of
from hornbook.compiler.checker.proofs import OPEN
from hornbook.compiler.witness.context import Context, Note
from hornbook.compiler.witness.established import Found, Ref
from hornbook.compiler.witness.forward import Made, Reading, concluded, members_of, needed
from hornbook.compiler.witness.members import Member, OfMembers, Shown, of_as_many, shown_of
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

MOST_CASES = 2_000
"""How many cases are looked at for one rule."""
MOST_WITHIN = 60
"""How many are within each other."""
MOST_CASES_OF_MEMBERS = 8
"""How many cases are looked at of any one member."""
MOST_MEMBERS = 10
"""How often what is so of any one member is looked for, for one rule."""

Known = tuple[str, Tense, tuple[Term, ...]]


@dataclass(frozen=True, slots=True)
class Case:
    """What is known where a rule concluded something, and the numbers of what it says; no context where it cannot be. `made_one` is
    whether two things of before are one there.
    """

    rule: str
    context: Context | None
    supposed: frozenset[int]
    made_one: bool
    rested: frozenset[int] = frozenset()
    """What it rests on that it cannot be."""


@dataclass(frozen=True, slots=True)
class Closed:
    """A case that is proved, and the numbers of what the proof rests on."""

    proof: CaseProof
    rested: frozenset[int]


@dataclass(frozen=True, slots=True)
class Stuck:
    """What is known in a case that was not closed, and which case it is."""

    context: Context
    where: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Here:
    """A case that is to be told apart: the steps made in it, what is known, what was told apart above, and which case it is."""

    made: Sequence[Made | Note]
    context: Context
    inverted: frozenset[Known]
    where: tuple[str, ...]
    depth: int

    def with_steps(self, proof: CaseProof, rested: Iterable[int]) -> Closed:
        """A proof with the steps made here on which it rests."""
        steps, below = needed(self.made, self.context, map(Ref, rested))
        return Closed(replace(proof, steps=(*steps, *proof.steps)), below)


class ByCases:
    """The search for one of some goals, or for what is to be shown of any one member, in what the rules conclude on which these
    places rest.
    """

    def __init__(
        self,
        goals: Sequence[tuple[Statement, Tense]],
        places: Iterable[Place],
        rules: Callable[[Iterable[Place]], Sequence[Reading]],
        usable: Usable,
        member: Member | None = None,
        most: int = MOST_CASES,
        *,
        one_moment: bool,
    ) -> None:
        self.goals, self.readings, self.usable, self.one_moment = goals, rules, usable, one_moment
        self.rules, self.member, self.most = rules(places), member, most
        self.looked = 0
        self.members = 0
        """How often what is so of any one member was looked for."""
        self.concluded: set[int] = set()
        """The numbers of what steps conclude: who concluded that is known."""
        self.generation: dict[int, int] = {}
        """How many inversions with several cases led to what is known, by its number."""
        self.stuck: Stuck | None = None

    def closed(
        self,
        context: Context,
        inverted: frozenset[Known] = frozenset(),
        where: tuple[str, ...] = (),
        depth: int = 0,
    ) -> Closed | None:
        """A proof of a goal in a context, which knows more afterwards; None where none is found. `inverted` is what was told apart
        already, and `where` says which case this is.
        """
        self.looked += 1
        if self.looked > self.most or depth > MOST_WITHIN:
            return None
        why = context.impossible()
        if why is not False:
            return self._leaf((), context, why)
        apart: set[tuple[Term, Term]] = set()
        made, _ = concluded(
            self.goals,
            self.rules,
            context,
            one_moment=self.one_moment,
            apart=apart,
            introduce=self._of_members,
        )
        self.concluded |= {
            each.tried.number for each in made if isinstance(each, Made) and each.tried.number is not None
        }
        for found in (*self._ends(context), context.impossible()):
            if found is not False:
                return self._leaf(made, context, found)
        here = _Here(made, context, inverted, where, depth)
        told = self._told_apart(context, inverted)
        if told is not None:
            return self._inverted(here, *told)
        for pair in sorted(apart, key=str):
            variable, term = pair if isinstance(pair[0], Variable) else pair[::-1]
            if isinstance(variable, Variable):
                return self._split(here, variable, term)
        self.stuck = self.stuck or Stuck(context, where)
        return None

    def _ends(self, context: Context) -> Iterator[Found]:
        if self.member is not None:
            yield shown_of(context, self.member, self._of_members)
        for goal in self.goals:
            yield context.established(*goal)

    def _of_members(
        self, _place: int, condition: All | CountIn, moment: Tense | None, context: Context
    ) -> Found:
        """A proof of a closed condition, or of a count, by what is so of any one member; or False."""
        places = dict.fromkeys(place_of(s, moment, context.vocabulary) for s in statements((condition,)))
        for witness, members in of_as_many(context, condition, moment):
            self.members += 1
            if self.members > MOST_MEMBERS:
                break
            found: list[Closed] = []
            for member in members:
                search = ByCases(
                    (),
                    places,
                    self.readings,
                    self.usable,
                    member,
                    MOST_CASES_OF_MEMBERS,
                    one_moment=self.one_moment,
                )
                closed = search.closed(member.any_one.context)
                if closed is None:
                    break
                found.append(closed)
            if len(found) == len(members):
                rested = {number for closed in found for number in closed.rested}
                proofs = zip(members, (closed.proof for closed in found), strict=True)
                return OfMembers(witness, tuple(proofs), tuple(map(Ref, rested)))
        return False

    def _leaf(self, made: Sequence[Made | Note], context: Context, end: Found) -> Closed:
        steps, rested = needed(made, context, [end])
        return Closed(Leaf(steps, members=members_of(end.proofs) if isinstance(end, Shown) else ()), rested)

    def _told_apart(
        self, context: Context, inverted: frozenset[Known]
    ) -> tuple[Known, int, tuple[Case, ...]] | None:
        """What is told apart next, with its number and its cases: what only one rule may have concluded, else what the fewest others
        had to be told apart for. What rests on itself is followed back only where nothing else is left.
        """
        best: tuple[tuple[bool, bool, int, int], Known, int, tuple[Case, ...]] | None = None
        # What was told apart is the same under other names.
        told = {(name, moment, tuple(map(context.find, row))) for name, moment, row in inverted}
        before = {(name, moment) for name, moment, _ in inverted}
        for place, number, row in context.congruence.statements():
            name, moment = place
            if moment is None or number < 0 or number in self.concluded or number in context.sizes:
                continue
            if (name, moment, row) in told:
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

    def _cases(self, context: Context, known: Known, number: int) -> Iterator[Case]:
        name, moment, row = known
        for rule in self.usable.concluding((name, moment)):
            case = context.branch()
            supposed = frozenset(case.suppose(rule, Atom(name, row, None), moment, number))
            made_one = case.congruence.makes_one_of_two(context.congruence)
            why = case.impossible()
            if why is False:
                yield Case(rule.name, case, supposed, made_one)
            else:
                yield Case(rule.name, None, supposed, made_one, needed((), case, [why])[1] - supposed)

    def _inverted(self, here: _Here, known: Known, number: int, cases: Sequence[Case]) -> Closed | None:
        name, moment, row = known
        live = sum(case.context is not None for case in cases)
        generation = self.generation.get(number, 0) + (live > 1)
        self.generation |= {each: generation for case in cases for each in case.supposed}
        proofs: list[CaseProof] = []
        rested: set[int] = {number}
        for case in cases:
            if case.context is None:
                proofs.append(Leaf(()))
                rested |= case.rested
                continue
            said = f"`{case.rule}` concluded `{shown(Atom(name, row, None))}`"
            where = here.where if live == 1 else (*here.where, said)
            found = self.closed(case.context, here.inverted | {known}, where, here.depth + 1)
            if found is None:
                return None
            rests_on_case = found.rested & case.supposed or case.made_one
            if not rests_on_case and not _speaks_of(found.proof, case.context.inversions):
                return here.with_steps(_without(found.proof, case.context.inversions), found.rested)
            proofs.append(found.proof)
            rested |= found.rested
        return here.with_steps(Inversion(Atom(name, row, None), moment, tuple(proofs)), rested)

    def _split(self, here: _Here, variable: Variable, term: Term) -> Closed | None:
        same, other = here.context.branch(), here.context.branch()
        same.take([Comparison("=", variable, term)], None)
        told = other.take([Comparison("!=", variable, term)], None)
        rest = self.closed(other, here.inverted, here.where, here.depth + 1)
        if rest is None or not rest.rested & set(told):
            return None if rest is None else here.with_steps(rest.proof, rest.rested)
        where = (*here.where, f"`{shown(Comparison('=', variable, term))}`")
        first = self.closed(same, here.inverted, where, here.depth + 1)
        if first is None:
            return None
        proof = Split(variable.name, ((term, first.proof),), rest.proof)
        return here.with_steps(proof, first.rested | rest.rested)


def shown(condition: Condition) -> str:
    """A condition for a reader: the variables of rules and cases under the names that they have in the theory."""
    plain = {v.name: _plain(v) for v in condition_variables(condition)}
    return print_condition(apply_to_condition(condition, plain))


def _plain(variable: Variable) -> Variable:
    return Variable(variable.name.removesuffix(OPEN).partition(CASE_MARK)[0])


def _speaks_of(proof: CaseProof, number: int) -> bool:
    """Whether a proof names a variable of the rule of an inversion."""
    return any(_inversion_of(term) == number for part in parts_of(proof) for term in _terms(part))


def _terms(part: CaseProof) -> Iterator[Term]:
    """The terms that a proof names by itself."""
    for step in part.steps:
        yield from (term for _, term in step.substitution)
    if isinstance(part, Split):
        yield Variable(part.variable)
        yield from (term for term, _ in part.cases)
    elif isinstance(part, Inversion):
        yield from part.statement.terms


def _inversion_of(term: Term) -> int:
    """The number of the inversion of whose rule a term is a variable; 0 of other terms."""
    _, mark, number = term.name.rpartition(CASE_MARK) if isinstance(term, Variable) else ("", "", "")
    return int(number) if mark else 0


def _without(proof: CaseProof, number: int) -> CaseProof:
    """A proof as it stands without an inversion above it, by whose number those within it count."""

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
