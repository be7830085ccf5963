"""Proofs by cases, walked through: each case has what it supposes as known, and is closed at its leaf.

Cases are told apart by what a variable is, each of some terms or none of them; or by which rule concluded what is known.
The latter (inversion) is what a world is: it has what is given and what its theory's rules conclude, and no more. So of what
nobody gives, where it is known, the conditions of one of the rules that conclude there are known too; and they were so before it
was concluded, which makes proofs by induction: of what was there before, the learned rule may be supposed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    HYPOTHESIS,
    MAX_SPLITS,
    CaseProof,
    Inversion,
    Leaf,
    Split,
    Step,
    Witness,
)
from hornbook.compiler.checker.context import Context, Moment, RejectedError
from hornbook.compiler.checker.members import OfMember, is_shown, of_any_member
from hornbook.compiler.checker.promises import Place, Usable
from hornbook.compiler.checker.proofs import Prove, contradicts, proves
from hornbook.compiler.checker.steps import Source, replay_step
from hornbook.kb.ast.declarations import Predicate
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    CountIn,
    Rule,
    Term,
    Variable,
    shared_variables,
)
from hornbook.kb.text.counts import counted

MAX_LEAVES = 10_000
"""The leaves of the proofs of one rule."""


@dataclass(frozen=True, slots=True)
class Induction:
    """The learned rule as it is supposed of what was concluded before, and the place among its conditions of that over whose
    derivation this goes; since it concludes a fact, that is the condition's number, too.
    """

    rule: Source
    place: int


class Walk:
    """The way through the proofs of one rule, `own` being its variables."""

    def __init__(
        self,
        own: frozenset[str],
        sources: Mapping[str, Source],
        induction: Induction | None = None,
        *,
        one_moment: bool,
    ) -> None:
        self.own, self.sources, self.induction, self.one_moment = own, sources, induction, one_moment
        self.leaves = 0

    def step(self, number: int, step: Step, branch: Context) -> None:
        """Makes a step's conclusion known. Raises RejectedError where the step is not proved."""
        source = self._supposed(step, branch) if step.rule == HYPOTHESIS else self.sources[step.rule]
        if not _are_for_sets(step.members, source.rule.body):
            raise RejectedError(
                f"step {number}, rule `{step.rule}`: a proof of members is for no `all` or `count`"
            )
        replay_step(number, step, source, branch, self._prove(step.members), one_moment=self.one_moment)

    def _supposed(self, step: Step, branch: Context) -> Source:
        """The learned rule, where a step supposes it of what was concluded before."""
        there = self.induction
        if there is None:
            raise RejectedError("a step supposes the rule itself, and there is no induction")
        if step.moment != ("before" if there.rule.timeless else None):
            raise RejectedError("what is supposed by induction is supposed of the moment of the rule")
        if there.place >= len(step.proofs) or step.proofs[there.place] not in branch.smaller:
            raise RejectedError("a step supposes the rule of something that was not concluded before")
        return there.rule

    def _prove(self, members: Sequence[tuple[int, CaseProof]]) -> Prove:
        """Whether a witness proves a condition, by itself or with proofs of what is so of any one member of a set."""

        def prove(
            context: Context, place: int, condition: Condition, moment: Moment, witness: Witness
        ) -> bool:
            proofs = [proof for at, proof in members if at == place]
            if not proofs:
                return proves(context, condition, moment, witness)
            assert isinstance(condition, All | CountIn)
            to_prove = of_any_member(context, condition, moment, witness)
            if len(proofs) != len(to_prove):
                return False
            for proof, (branch, shown) in zip(proofs, to_prove, strict=True):
                end = partial(_end_of_member, shown, self._prove)
                self.prove(proof, branch, end, "of any one member", frozenset(branch.own))
            return True

        return prove

    def prove(
        self,
        proof: CaseProof,
        branch: Context,
        ends: Callable[[Leaf, Context], None],
        where: str,
        apart: frozenset[str],
        depth: int = 0,
    ) -> None:
        """Raises RejectedError where a case is not proved. `ends` does where the end of a leaf does not close its case, in what is
        known there; `apart` are variables that cases may be told apart by, besides those of inversions.
        """
        if depth >= MAX_SPLITS and not isinstance(proof, Leaf):
            raise RejectedError(f"{where}: cases are told apart more than {MAX_SPLITS} times in a row")
        try:
            for number, step in enumerate(proof.steps, 1):
                self.step(number, step, branch)
            if isinstance(proof, Leaf):
                self._count()
                ends(proof, branch)
                return
            if isinstance(proof, Split):
                variable = self._told_apart(proof, branch, apart)
            else:
                branch.note(proof.notes)
                number = 1 + branch.inversions
                rules = _inverted(proof, branch)
        except RejectedError as problem:
            raise RejectedError(f"{where}: {problem}") from None
        if isinstance(proof, Split):
            for term, below in proof.cases:
                one = branch.branch()
                one.take([Comparison("=", variable, term)], None)
                told = f"{where}, {_shown(variable)} = {_shown(term)}"
                self.prove(below, one, ends, told, apart, depth + 1)
            branch.take([Comparison("!=", variable, term) for term, _ in proof.cases], None)
            told = f"{where}, any other {_shown(variable)}"
            self.prove(proof.rest, branch, ends, told, apart, depth + 1)
            return
        for rule, below in zip(rules, proof.cases, strict=True):
            own = in_case(rule, number)
            counts = counts_in_case(own, branch.usable.counters, number)
            one = branch.branch({*shared_variables(own), *(size.name for _, size in counts)})
            one.inversions = number
            one.take(
                [Comparison("=", a, b) for a, b in zip(own.head.terms, proof.statement.terms, strict=True)],
                None,
            )
            supposed = one.take(own.body, proof.moment)
            if self._goes_before(proof, branch):
                one.smaller |= set(supposed)
            one.take([count for count, _ in counts], proof.moment)
            told = f"{where}, `{print_place(proof.place)}` by `{rule.name}`"
            self.prove(below, one, ends, told, apart, depth + 1)

    def _goes_before(self, proof: Inversion, branch: Context) -> bool:
        """Whether what concluded a known condition was so before that was over which there is an induction. What is left of the last
        action is there at once, with what it came from.
        """
        if self.induction is None or (branch.usable.reached and proof.moment == "before"):
            return False
        return proof.known == self.induction.place or proof.known in branch.smaller

    def _told_apart(self, split: Split, branch: Context, apart: frozenset[str]) -> Variable:
        variable = Variable(split.variable)
        if variable.name not in apart and not self._is_of_case(variable.name, branch):
            raise RejectedError(f"{_shown(variable)} is no variable of this case")
        for term, _ in split.cases:
            if (
                isinstance(term, Variable)
                and term.name not in self.own
                and not self._is_of_case(term.name, branch)
            ):
                raise RejectedError(f"{_shown(term)} is no variable of the learned rule")
            if branch.is_number(term) != branch.is_number(variable):
                raise RejectedError(f"{_shown(term)} is of another sort than {_shown(variable)}")
        return variable

    def _is_of_case(self, name: str, branch: Context) -> bool:
        return CASE_MARK in name and name in branch.own

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise RejectedError(f"the proof tells more than {MAX_LEAVES:,} cases apart")


def _end_of_member(
    of: OfMember, prove: Callable[[Sequence[tuple[int, CaseProof]]], Prove], leaf: Leaf, branch: Context
) -> None:
    """Raises RejectedError where a case of any one member is not closed: what is to be shown of it is so, or it can never be."""
    asked = () if of.asked is None else of.asked.conditions
    match leaf.end:
        case ("member", notes, number, terms, proofs) if _are_for_sets(leaf.members, asked):
            branch.note(notes)
            if is_shown(of, branch, number, terms, proofs, prove(leaf.members)):
                return
        case ("impossible", notes, contradiction) if not leaf.members:
            branch.note(notes)
            if contradicts(branch, contradiction) is not None:
                return
    raise RejectedError("it is not proved of any one member")


def _are_for_sets(members: Sequence[tuple[int, CaseProof]], conditions: Sequence[Condition]) -> bool:
    """Whether each proof of members is for an `all` or a `count`."""
    return {place for place, _ in members} <= {
        place for place, condition in enumerate(conditions) if isinstance(condition, All | CountIn)
    }


def in_case(rule: Rule, number: int) -> Rule:
    """A rule that concluded something, with variables that nothing else has: the inversion is the so-manieth within others."""
    return rename_rule(rule, lambda name: f"{name}{CASE_MARK}{number}")


def counts_in_case(
    rule: Rule, counters: Mapping[str, Predicate], number: int
) -> tuple[tuple[Atom, Variable], ...]:
    """How many members the sets have of which closed conditions and counts of a rule speak that concluded something: a statement for
    each, and the name of that number. Where such a condition is true, its sets have counts.
    """
    found = []
    for place, condition in enumerate(rule.body):
        if not isinstance(condition, All | CountIn):
            continue
        sets = (condition.member,) if isinstance(condition, All) else condition.sets
        for which, member in enumerate(sets):
            if member.predicate in counters:
                size = Variable(f"#{place}.{which}{CASE_MARK}{number}")
                terms = (*member.terms[: len(member.terms) - len(condition.variables)], size)
                found.append((Atom(counters[member.predicate].name, terms, member.tense), size))
    return tuple(found)


def invertible(place: Place, usable: Usable) -> bool:
    """Whether what there is at a place was concluded there by the theory's rules, and by nothing else: it is given by nobody, is no
    value of a game, and, before an action, does not come from what was after the last one, but where it came from rules that
    conclude the same of the rest.
    """
    name, moment = place
    declared = usable.theory.vocabulary.predicates.get(name)
    return (
        declared is not None
        and declared.kind in ("derived", "fluent")
        and moment is not None
        and not usable.may_be_given(place)
        and not (usable.reached and moment == "before" and not usable.is_anew(name))
    )


def _inverted(proof: Inversion, branch: Context) -> tuple[Rule, ...]:
    place = proof.place
    # This comes first: a relation that is not declared has no place.
    if not invertible(place, branch.usable) or branch.place(proof.statement, proof.moment) != place:
        raise RejectedError(f"it is not certain that only rules conclude `{print_place(place)}`")
    if not branch.is_known(proof.statement, proof.moment, proof.known):
        raise RejectedError(f"`{print_condition(proof.statement)}` is not known there")
    rules = branch.usable.concluding(place)
    if len(rules) != len(proof.cases):
        raise RejectedError(
            f"`{print_place(place)}` is concluded by {counted(len(rules), 'rule')},"
            f" and {counted(len(proof.cases), 'case is', 'cases are')} proved"
        )
    return rules


def print_place(place: Place) -> str:
    name, moment = place
    return name if moment is None else f"{moment} {name}"


def _shown(term: Term) -> str:
    return f"`{print_term(term)}`"
