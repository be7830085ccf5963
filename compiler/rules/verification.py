"""Verification of a rule base: every certificate is replayed, lemmas before the rules that depend on them.

A rule without a certificate, or with an edited text, is certified only after a proof of its present text is
accepted (compiler/maintain/renewal.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from hornbook.compiler.checker.certificate import HYPOTHESIS, Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, with_entries
from hornbook.compiler.rules.verdict_cache import proof_key
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import recall, remember
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's verdict on one rule; `reason` is empty if it follows."""

    entry: RuleEntry
    reason: str

    @property
    def follows(self) -> bool:
        return not self.reason


def verify_all(base: RuleBase, theory: Theory) -> Iterator[Verdict]:
    """Yield the verdict on every rule, in order of rank; a rule fails if one of its lemmas does.

    All certificates are replayed, and acceptance is cached. If a rule was changed, or depends on a lemma that
    was, the verdict states whether its proof is still valid.
    """
    theory = base.definitions.extended(theory)
    certified: dict[str, Lemma] = {}
    renewed: dict[str, Lemma] = {}
    for verdict in _verdicts(base, theory, certified, cached=False):
        entry, problem_text = verdict.entry, verdict.reason
        if entry.certificate is None or verdict.follows:
            yield verdict
            continue
        refused = [
            name for name in _lemmas(entry.certificate) if name in base.entries and name not in certified
        ]
        if refused and refused[0] in renewed:
            problem_text = f"the lemma `{refused[0]}` on which the certificate depends is no longer certified"
        elif not entry.is_edited and "changed since the rule was certified" not in problem_text:
            yield verdict
            continue
        try:
            fresh = renew(entry, theory, {**renewed, **certified})
        except RejectedError as problem:
            yield replace(verdict, reason=f"{problem_text}; its proof breaks: {problem}")
            continue
        assert fresh.certificate is not None
        renewed[entry.rule.name] = Lemma.of(entry.rule, fresh.certificate)
        yield replace(verdict, reason=f"{problem_text}; its proof still holds: `--renew` certifies it again")


def _lemmas(certificate: Certificate) -> list[str]:
    """Return the names of the lemmas on which a certificate depends."""
    return [name.removeprefix("lemma ") for name, _ in certificate.fingerprints if name.startswith("lemma ")]


def with_verdicts(base: RuleBase, theory: Theory) -> RuleBase:
    """Return the same rules, with the reason for each one that does not follow from the theory.

    A proof is replayed unless the cache has its acceptance.
    """
    theory = base.definitions.extended(theory)
    reasons = {v.entry.rule.name: v.reason for v in _verdicts(base, theory, {}, cached=True)}
    entries = {
        name: replace(entry, refused="" if entry.certificate is None else reasons[name])
        for name, entry in base.entries.items()
    }
    shapes = {name: shape for name, shape in base.shapes.items() if entries[name].is_certified}
    return replace(base, entries=entries, shapes=shapes)


def _verdicts(
    base: RuleBase, theory: Theory, certified: dict[str, Lemma], *, cached: bool
) -> Iterator[Verdict]:
    """Yield the verdicts in order of rank, and add the rules that follow to `certified`."""
    new: dict[str, bool] = {}
    for entry in sorted(base, key=lambda e: 0 if e.certificate is None else e.certificate.rank):
        name, certificate = entry.rule.name, entry.certificate
        if certificate is None:
            yield Verdict(entry, "the rule has no certificate; `hornbook rules prove` searches for a proof")
            continue
        key = proof_key(entry, certified, theory)
        if not (cached and recall(key)):
            try:
                verify(entry.rule, certificate, theory, certified)
            except RejectedError as problem:
                yield Verdict(entry, str(problem))
                continue
            new[key] = True
        certified[name] = Lemma.of(entry.rule, certificate)
        yield Verdict(entry, "")
    remember(new)


def upgraded(base: RuleBase, theory: Theory) -> RuleBase:
    """Return the rule base with new certificates for rules whose certificates have an earlier form.

    Their steps must still prove them. A rule edited since its certification in the current form remains
    uncertified.
    """
    theory = base.definitions.extended(theory)
    certified: dict[str, Lemma] = {}
    entries: list[RuleEntry] = []
    for entry in sorted(base, key=lambda e: 0 if e.certificate is None else e.certificate.rank):
        try:
            fresh = _upgrade(entry, theory, certified)
        except RejectedError:
            entries.append(entry)
            continue
        assert fresh.certificate is not None
        certified[fresh.rule.name] = Lemma.of(fresh.rule, fresh.certificate)
        entries.append(fresh)
    order = {name: place for place, name in enumerate(base.entries)}
    return with_entries(base, sorted(entries, key=lambda e: order[e.rule.name]))


def _upgrade(entry: RuleEntry, theory: Theory, certified: dict[str, Lemma]) -> RuleEntry:
    if entry.certificate is None or not entry.certificate.is_current:
        return renew(entry, theory, certified)
    verify(entry.rule, entry.certificate, theory, certified)
    return entry


def renew(entry: RuleEntry, theory: Theory, certified: dict[str, Lemma]) -> RuleEntry:
    """Return the entry with a certificate of its present text.

    Raise RejectedError if its steps do not prove it.
    """
    if entry.certificate is None:
        raise RejectedError("the rule has no certificate")
    return replace(
        entry, certificate=recertified(entry.rule, entry.certificate, theory, certified), refused=""
    )


def recertified(rule: Rule, old: Certificate, theory: Theory, certified: Mapping[str, Lemma]) -> Certificate:
    """Return a certificate of a rule's present text by the steps of an old one.

    Raise RejectedError if the steps do not prove the rule.
    """
    certificate = renewal(rule, old, theory, certified)
    verify(rule, certificate, theory, certified)
    return certificate


def renewal(rule: Rule, old: Certificate, theory: Theory, certified: Mapping[str, Lemma]) -> Certificate:
    """Return a certificate's steps with present fingerprints; the result is not verified yet.

    Raise RejectedError if a rule that the steps apply no longer exists.
    """
    known = {each.name for each in theory.rules} | certified.keys()
    missing = [step.rule for step in old.all_steps if step.rule not in known and step.rule != HYPOTHESIS]
    if missing:
        raise RejectedError(f"the rule `{missing[0]}` on which the proof depends no longer exists")
    return certificate_of(rule, old.steps, theory, certified, old.replies, old.open, old.cases, old.induction)
