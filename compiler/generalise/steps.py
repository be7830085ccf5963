"""The steps of a proof under another substitution, including their proofs for members."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hornbook.compiler.checker.certificate import Leaf, ProofStep
from hornbook.kb.ast.terms import Term, Variable

MEMBER_MARK = "#"
"""The prefix of the variables of an arbitrary set member. No other variables have it."""


def with_terms(step: ProofStep, term: Callable[[Term], Term]) -> ProofStep:
    """Return the step with `term` applied to every term except the variables of members."""

    def moved(one: Term) -> Term:
        return one if isinstance(one, Variable) and one.name.startswith(MEMBER_MARK) else term(one)

    members = []
    for place, proof in step.members:
        assert isinstance(proof, Leaf), "what an example shows of members is shown without cases"
        members.append((place, replace(proof, steps=tuple(with_terms(s, term) for s in proof.steps))))
    substitution = tuple((name, moved(one)) for name, one in step.substitution)
    return replace(step, substitution=substitution, members=tuple(members))
