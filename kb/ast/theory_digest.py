"""The digest of a theory for proofs: two theories with the same digest have the same proofs."""

from __future__ import annotations

from dataclasses import replace

from hornbook.kb.ast.canonical import digest
from hornbook.kb.ast.once_per_theory import once_per_theory
from hornbook.kb.ast.theory import Theory


@once_per_theory
def theory_digest(theory: Theory) -> str:
    """Return the digest of the parts of a theory that proofs and checks of learned rules use."""
    return digest(replace(theory, examples=(), expects=(), proofs=(), adapters=True))


@once_per_theory
def digest_without_invented(theory: Theory) -> str:
    """Return the digest of a theory without the predicates that learned rules define.

    They are defined by clauses of their own, so what is proved without them is true with them.
    """
    return theory_digest(theory.without_invented())
