"""Proofs for the unproved rules of a base: rules written or edited by hand, and rules whose proofs became
invalid.

A proof may depend on other rules of the base once these are proved. The rules are therefore tried repeatedly
until no new proof is found.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError
from hornbook.compiler.prove.by_hand import prove
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, with_entries
from hornbook.compiler.rules.verification import recertified
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProofAttempt:
    """The result of a proof attempt: the entry, with a certificate if one was found, or the reason for the
    failure.
    """

    entry: RuleEntry
    reason: str

    @property
    def proved(self) -> bool:
        return not self.reason


def unproved(base: RuleBase) -> list[RuleEntry]:
    """Return the rules without an accepted certificate for their present text."""
    return [entry for entry in base if not entry.is_certified]


def prove_all(base: RuleBase, theory: Theory, but: Collection[str] = ()) -> Iterator[ProofAttempt]:
    """Yield an attempt at each unproved rule except those named in `but`, successful attempts first."""
    lemmas, waiting = base.lemmas(), [entry for entry in unproved(base) if entry.rule.name not in but]
    reasons: dict[str, str] = {}
    is_stable = False
    while not is_stable:
        is_stable = True
        for entry in list(waiting):
            try:
                certificate = _proof(entry, theory, lemmas)
            except RejectedError as problem:
                reasons[entry.rule.name] = str(problem)
                continue
            lemmas[entry.rule.name] = Lemma.of(entry.rule, certificate)
            waiting.remove(entry)
            is_stable = not waiting
            yield ProofAttempt(RuleEntry(entry.rule, certificate, entry.provenance), "")
    for entry in waiting:
        yield ProofAttempt(entry, reasons[entry.rule.name])


def _proof(entry: RuleEntry, theory: Theory, lemmas: dict[str, Lemma]) -> Certificate:
    """Return a certificate by the steps of the entry's own certificate, or else by search.

    Raise RejectedError.
    """
    if entry.certificate is not None:
        with suppress(RejectedError):
            return recertified(entry.rule, entry.certificate, theory, lemmas)
    return prove(entry.rule, theory, lemmas)


def with_proofs(base: RuleBase, attempts: Iterable[ProofAttempt]) -> RuleBase:
    """Return the base with the certificates that were found."""
    found = {attempt.entry.rule.name: attempt.entry for attempt in attempts if attempt.proved}
    return with_entries(base, [found.get(name, entry) for name, entry in base.entries.items()])
