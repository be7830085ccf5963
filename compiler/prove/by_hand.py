"""Rules that a person wrote, proved: a certificate without an example."""

from __future__ import annotations

from collections.abc import Mapping

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.witness.unexplained import OpenError, search
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory

__all__ = ["OpenError", "prove"]


def prove(rule: Rule, theory: Theory, lemmas: Mapping[str, Lemma]) -> Certificate:
    """A certificate of a rule, which the checker accepted. Raises RejectedError where the rule is none of the theory's language,
    OpenError where no proof is found: the rule may be right all the same.
    """
    found = search(rule, theory, lemmas)
    certificate = certificate_of(
        rule, found.steps, theory, lemmas, found.replies, found.opening, found.cases, found.induction
    )
    verify(rule, certificate, theory, lemmas)
    return certificate
