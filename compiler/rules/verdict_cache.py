"""Cache keys for the verdicts on proofs: digests of everything that the checker reads.

The checker reads a rule, its certificate, the lemmas that the certificate names, and the theory. All of their
fields are part of the key, and so are the sources of the language and of the compiler. Only acceptance is
cached, because a rejection may depend on the free stack space.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from hornbook.kb.ast.canonical import digest
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.kb.sources.cache import key
from hornbook.kb.sources.cache import program as program_of

if TYPE_CHECKING:  # loading a theory need not import the checker
    from hornbook.compiler.checker.checker import Lemma
    from hornbook.compiler.rules.admission import RuleEntry
    from hornbook.compiler.rules.definitions import Definitions


@cache
def program() -> str:
    """Return the digest of the program that decides whether a rule follows: the language and the compiler."""
    compiler = Path(__file__).parents[1]
    return program_of(compiler.with_name("kb"), compiler)


def proof_key(entry: RuleEntry, lemmas: Mapping[str, Lemma], theory: Theory) -> str:
    """Return the key of the verdict on a certificate; `lemmas` contains the rules accepted before."""
    assert entry.certificate is not None
    named = [(name, lemmas.get(name)) for name in sorted(entry.certificate.lemmas)]
    return key("proof", program(), theory_digest(theory), entry.proof_digest, named)


def file_key(rules: str, proofs: str, theory: Theory) -> str:
    """Return the key of the verdict on a file of learned rules and its sidecar of proofs, by their texts."""
    texts = [sha256(text.encode("utf-8", "surrogatepass")).hexdigest() for text in (rules, proofs)]
    return key("file of rules", program(), theory_digest(theory), *texts)


def store_key(fingerprints: Iterable[str], definitions: Definitions, theory: Theory) -> str:
    """Return the key of the verdict on rules of a store, by the fingerprints of their rows.

    The theory is the one without the definitions: with them, a theory that has such a predicate itself is
    the same as one that has not.
    """
    return key("stored rules", program(), theory_digest(theory), digest(definitions), list(fingerprints))
