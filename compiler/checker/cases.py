"""Proofs by case analysis: every leaf of the case tree is checked against the facts known there.

A split distinguishes the possible values of a variable: each of some terms, or none of them. An inversion
distinguishes the rules that may have concluded a known fact. Inversion is sound because a world contains only
given facts and the conclusions of its theory's rules. If a relation is never given, a known fact of it was
concluded by one of these rules, and the body of that rule holds too. The facts of that body were derived
before the inverted fact. Proofs by induction use this order: the learned rule may be assumed for facts that
were derived earlier.
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
    ProofStep,
    Split,
    Witness,
)
from hornbook.compiler.checker.context import Moment, ProofContext, RejectedError
from hornbook.compiler.checker.dependencies import IntegrityAssumptions, TimedPredicate
from hornbook.compiler.checker.members import MemberGoal, is_goal_proved, member_goals
from hornbook.compiler.checker.proofs import WitnessCheck, contradicts, proves
from hornbook.compiler.checker.steps import AppliedRule, replay_step
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
"""The maximum number of leaves in the proofs of one rule."""


@dataclass(frozen=True, slots=True)
class Induction:
    """The induction hypothesis and the condition over whose derivation the induction runs.

    Attributes:
        rule: The learned rule, which may be assumed for facts derived earlier.
        place: The index of the condition in the body, which is also its number among the known facts.
    """

    rule: AppliedRule
    place: int


class CaseChecker:
    """A case checker: it traverses the proofs of one rule, whose variables are `own`."""

    def __init__(
        self,
        own: frozenset[str],
        sources: Mapping[str, AppliedRule],
        induction: Induction | None = None,
        *,
        one_moment: bool,
    ) -> None:
        self.own, self.sources, self.induction, self.one_moment = own, sources, induction, one_moment
        self.leaves = 0

    def step(self, number: int, step: ProofStep, branch: ProofContext) -> None:
        """Add a step's conclusion to the known facts. Raise RejectedError if the step is not proved."""
        source = self._supposed(step, branch) if step.rule == HYPOTHESIS else self.sources[step.rule]
        if not _are_for_sets(step.members, source.rule.body):
            raise RejectedError(
                f"step {number}, rule `{step.rule}`: a proof of members is for no `all` or `count`"
            )
        replay_step(number, step, source, branch, self._prove(step.members), one_moment=self.one_moment)

    def _supposed(self, step: ProofStep, branch: ProofContext) -> AppliedRule:
        """Return the learned rule if the step may use it as an induction hypothesis."""
        hypothesis = self.induction
        if hypothesis is None:
            raise RejectedError("a step uses the induction hypothesis, and there is no induction")
        if step.moment != ("before" if hypothesis.rule.timeless else None):
            raise RejectedError("the induction hypothesis is used at the moment of the rule only")
        if hypothesis.place >= len(step.proofs) or step.proofs[hypothesis.place] not in branch.smaller:
            raise RejectedError("a step uses the induction hypothesis for a fact that was not derived before")
        return hypothesis.rule

    def _prove(self, members: Sequence[tuple[int, CaseProof]]) -> WitnessCheck:
        """Return a predicate that checks a witness for a condition, with proofs by universal introduction if
        present.
        """

        def prove(
            context: ProofContext, place: int, condition: Condition, moment: Moment, witness: Witness
        ) -> bool:
            proofs = [proof for at, proof in members if at == place]
            if not proofs:
                return proves(context, condition, moment, witness)
            assert isinstance(condition, (All, CountIn))
            to_prove = member_goals(context, condition, moment, witness)
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
        branch: ProofContext,
        ends: Callable[[Leaf, ProofContext], None],
        where: str,
        split_variables: frozenset[str],
        depth: int = 0,
    ) -> None:
        """Raise RejectedError if a case is not proved.

        Args:
            ends: Checks the end of a leaf in the context of that leaf.
            split_variables: The variables that a split may use, in addition to those of inversions.
        """
        if depth >= MAX_SPLITS and not isinstance(proof, Leaf):
            raise RejectedError(f"{where}: case distinctions are nested more than {MAX_SPLITS} deep")
        try:
            for number, step in enumerate(proof.steps, 1):
                self.step(number, step, branch)
            if isinstance(proof, Leaf):
                self._count()
                ends(proof, branch)
                return
            if isinstance(proof, Split):
                variable = self._split_variable(proof, branch, split_variables)
            else:
                branch.note(proof.notes)
                number = 1 + branch.inversions
                rules = _inverted(proof, branch)
        except RejectedError as problem:
            raise RejectedError(f"{where}: {problem}") from None
        if isinstance(proof, Split):
            for term, subproof in proof.cases:
                case_branch = branch.branch()
                case_branch.take([Comparison("=", variable, term)], None)
                description = f"{where}, {_shown(variable)} = {_shown(term)}"
                self.prove(subproof, case_branch, ends, description, split_variables, depth + 1)
            branch.take([Comparison("!=", variable, term) for term, _ in proof.cases], None)
            description = f"{where}, any other {_shown(variable)}"
            self.prove(proof.rest, branch, ends, description, split_variables, depth + 1)
            return
        for rule, subproof in zip(rules, proof.cases, strict=True):
            own = in_case(rule, number)
            counts = counts_in_case(own, branch.usable.counters, number)
            case_branch = branch.branch({*shared_variables(own), *(size.name for _, size in counts)})
            case_branch.inversions = number
            case_branch.take(
                [Comparison("=", a, b) for a, b in zip(own.head.terms, proof.statement.terms, strict=True)],
                None,
            )
            supposed = case_branch.take(own.body, proof.moment)
            if self._goes_before(proof, branch):
                case_branch.smaller |= set(supposed)
            case_branch.take([count for count, _ in counts], proof.moment)
            description = f"{where}, `{print_place(proof.place)}` by `{rule.name}`"
            self.prove(subproof, case_branch, ends, description, split_variables, depth + 1)

    def _goes_before(self, proof: Inversion, branch: ProofContext) -> bool:
        """Return whether the inverted fact was derived before the fact over which the induction runs.

        The last action leaves facts together with the facts that derived them, so they have no derivation
        order.
        """
        if self.induction is None or (branch.usable.reached and proof.moment == "before"):
            return False
        return proof.known == self.induction.place or proof.known in branch.smaller

    def _split_variable(
        self, split: Split, branch: ProofContext, split_variables: frozenset[str]
    ) -> Variable:
        variable = Variable(split.variable)
        if variable.name not in split_variables and not self._is_of_case(variable.name, branch):
            raise RejectedError(f"{_shown(variable)} is not a variable of this case")
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

    def _is_of_case(self, name: str, branch: ProofContext) -> bool:
        return CASE_MARK in name and name in branch.own

    def _count(self) -> None:
        self.leaves += 1
        if self.leaves > MAX_LEAVES:
            raise RejectedError(f"the proof has more than {MAX_LEAVES:,} cases")


def _end_of_member(
    of: MemberGoal,
    prove: Callable[[Sequence[tuple[int, CaseProof]]], WitnessCheck],
    leaf: Leaf,
    branch: ProofContext,
) -> None:
    """Raise RejectedError if a case of a universal introduction neither proves its goal nor is
    contradictory.
    """
    required = () if of.required is None else of.required.conditions
    match leaf.end:
        case ("member", notes, number, terms, proofs, *different) if _are_for_sets(leaf.members, required):
            branch.note(notes)
            if is_goal_proved(of, branch, number, terms, proofs, tuple(different), prove(leaf.members)):
                return
        case ("impossible", notes, contradiction) if not leaf.members:
            branch.note(notes)
            if contradicts(branch, contradiction) is not None:
                return
    raise RejectedError("it is not proved for an arbitrary member")


def _are_for_sets(members: Sequence[tuple[int, CaseProof]], conditions: Sequence[Condition]) -> bool:
    """Return whether each proof for members belongs to an `all` or a `count`."""
    return {place for place, _ in members} <= {
        place for place, condition in enumerate(conditions) if isinstance(condition, (All, CountIn))
    }


def in_case(rule: Rule, number: int) -> Rule:
    """Return a concluding rule with fresh variables; `number` is the nesting depth of its inversion."""
    return rename_rule(rule, lambda name: f"{name}{CASE_MARK}{number}")


def counts_in_case(
    rule: Rule, counters: Mapping[str, Predicate], number: int
) -> tuple[tuple[Atom, Variable], ...]:
    """Return counts for the closed sets in the body of a concluding rule, each with the variable for its
    number.

    If a condition on a closed set holds, the set has a count.
    """
    found = []
    for place, condition in enumerate(rule.body):
        if not isinstance(condition, (All, CountIn)):
            continue
        sets = (condition.member,) if isinstance(condition, All) else condition.sets
        for set_index, member in enumerate(sets):
            if member.predicate in counters:
                size = Variable(f"#{place}.{set_index}{CASE_MARK}{number}")
                terms = (*member.terms[: len(member.terms) - len(condition.variables)], size)
                found.append((Atom(counters[member.predicate].name, terms, member.tense), size))
    return tuple(found)


def invertible(place: TimedPredicate, usable: IntegrityAssumptions) -> bool:
    """Return whether only the theory's rules conclude facts of a timed predicate.

    Its relation must never be given and must not be a game value. Before an action, it must not contain facts
    left by the previous action, unless rules derive these facts again.
    """
    name, moment = place
    declared = usable.theory.vocabulary.predicates.get(name)
    return (
        declared is not None
        and declared.kind in ("derived", "fluent")
        and moment is not None
        and not usable.may_be_given(place)
        and not (usable.reached and moment == "before" and not usable.is_derived_again(name))
    )


def _inverted(proof: Inversion, branch: ProofContext) -> tuple[Rule, ...]:
    place = proof.place
    # This test comes first because an undeclared relation has no timed predicate.
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


def print_place(place: TimedPredicate) -> str:
    name, moment = place
    return name if moment is None else f"{moment} {name}"


def _shown(term: Term) -> str:
    return f"`{print_term(term)}`"
