"""Proofs by cases, walked through: each case has what it supposes as known, and is closed at its leaf.

Cases are told apart by what a variable is, each of some terms or none of them; or by which rule concluded what is known.
The latter (inversion) is what a world is: it has what is given and what its theory's rules conclude, and no more. So of what
nobody gives, where it is known, the conditions of one of the rules that conclude there are known too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    MAX_SPLITS,
    CaseProof,
    Inversion,
    Leaf,
    Split,
    Witness,
)
from hornbook.compiler.checker.context import Context, RejectedError
from hornbook.compiler.checker.promises import Place, Usable
from hornbook.compiler.checker.steps import Source, replay_step
from hornbook.kb.ast.notation import print_condition, print_term
from hornbook.kb.ast.substitution import rename_rule
from hornbook.kb.ast.terms import Comparison, Rule, Term, Variable, shared_variables
from hornbook.kb.text.counts import counted

MAX_LEAVES = 10_000
"""The leaves of the proofs of one rule."""


class Walk:
    """The way through the proofs by cases of one rule, `own` being its variables."""

    def __init__(self, own: frozenset[str], sources: Mapping[str, Source], *, one_moment: bool) -> None:
        self.own, self.sources, self.one_moment = own, sources, one_moment
        self.leaves = 0

    def prove(
        self,
        proof: CaseProof,
        branch: Context,
        ends: Callable[[Witness, Context], None],
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
                replay_step(number, step, self.sources[step.rule], branch, one_moment=self.one_moment)
            if isinstance(proof, Leaf):
                self._count()
                ends(proof.end, branch)
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
            one = branch.branch(shared_variables(own))
            one.inversions = number
            one.take(
                [Comparison("=", a, b) for a, b in zip(own.head.terms, proof.statement.terms, strict=True)],
                None,
            )
            one.take(own.body, proof.moment)
            told = f"{where}, `{print_place(proof.place)}` by `{rule.name}`"
            self.prove(below, one, ends, told, apart, depth + 1)

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


def in_case(rule: Rule, number: int) -> Rule:
    """A rule that concluded something, with variables that nothing else has: the inversion is the so-manieth within others."""
    return rename_rule(rule, lambda name: f"{name}{CASE_MARK}{number}")


def invertible(place: Place, usable: Usable) -> bool:
    """Whether what there is at a place was concluded there by the theory's rules, and by nothing else: it is given by nobody, is no
    value of a game, and, before an action, does not come from what was after the last one.
    """
    name, moment = place
    declared = usable.theory.vocabulary.predicates.get(name)
    return (
        declared is not None
        and declared.kind in ("derived", "fluent")
        and moment is not None
        and not usable.may_be_given(place)
        and not (usable.reached and moment == "before")
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
