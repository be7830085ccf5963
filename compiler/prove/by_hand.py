"""Proofs of hand-written rules: certificates without an example."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.witness.proof_search import OpenError, search
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory

__all__ = ["OpenError", "prove"]


def prove(
    rule: Rule,
    theory: Theory,
    lemmas: Mapping[str, Lemma],
    *,
    by_induction: bool = False,
    using: Collection[str] | None = None,
) -> Certificate:
    """Return a certificate of a rule that the checker accepts.

    With `by_induction`, no proof by cases without induction is searched for. With `using`, only the rules of
    the theory with these names are applied, and all lemmas, and only conditions of the rule are inverted.

    Raise RejectedError if the rule is not in the theory's language. Raise OpenError if no proof is found; the
    rule may still be right.
    """
    found = search(rule, theory, lemmas, by_induction=by_induction, using=using)
    certificate = certificate_of(
        rule, found.steps, theory, lemmas, found.replies, found.opening, found.cases, found.induction
    )
    verify(rule, certificate, theory, lemmas)
    return certificate
