"""The steps of a proof under another substitution, those that show something of any one member of a set with them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from hornbook.compiler.checker.certificate import Leaf, Step
from hornbook.kb.ast.terms import Term, Variable

MEMBER_MARK = "#"
"""What the names of the variables begin with that are any one member of a set: they are nobody else's."""


def with_terms(step: Step, term: Callable[[Term], Term]) -> Step:
    """The step with each term that it names, but for members, as it is under the substitution."""

    def moved(one: Term) -> Term:
        return one if isinstance(one, Variable) and one.name.startswith(MEMBER_MARK) else term(one)

    members = []
    for place, proof in step.members:
        assert isinstance(proof, Leaf), "what an example shows of members is shown without cases"
        members.append((place, replace(proof, steps=tuple(with_terms(s, term) for s in proof.steps))))
    substitution = tuple((name, moved(one)) for name, one in step.substitution)
    return replace(step, substitution=substitution, members=tuple(members))
