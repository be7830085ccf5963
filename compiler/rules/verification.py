"""Verification of a rule base: every certificate is replayed, lemmas before the rules that rest on them.

A rule without certificate, or whose text was edited, is not certified until its proof is found to hold for
what it says now (compiler/maintain/renewal.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.checker.certificate import HYPOTHESIS, Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.rules.admission import Entry, RuleBase, rule_base
from hornbook.compiler.rules.verdict_cache import proof_key
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import recall, remember


@dataclass(frozen=True, slots=True)
class Verdict:
    """The checker's verdict on one rule; `reason` is empty if it follows."""

    entry: Entry
    reason: str

    @property
    def follows(self) -> bool:
        return not self.reason


def verify_all(base: RuleBase, theory: Theory) -> Iterator[Verdict]:
    """The verdict on every rule, in order of rank; a lemma that does not follow takes its dependants with it.

    All are replayed, and those that follow are remembered. Of what was changed, or rests on a lemma that was, it is said
    whether its proof still holds.
    """
    certified: dict[str, Lemma] = {}
    renewed: dict[str, Lemma] = {}
    for verdict in _verdicts(base, theory, certified, cached=False):
        entry, said = verdict.entry, verdict.reason
        if entry.certificate is None or verdict.follows:
            yield verdict
            continue
        refused = [
            name for name in _lemmas(entry.certificate) if name in base.entries and name not in certified
        ]
        if refused and refused[0] in renewed:
            said = f"the lemma `{refused[0]}` that the certificate rests on is not certified any more"
        elif not entry.is_edited and "changed since the rule was certified" not in said:
            yield verdict
            continue
        try:
            fresh = renew(entry, theory, {**renewed, **certified})
        except RejectedError as problem:
            yield replace(verdict, reason=f"{said}; its proof breaks: {problem}")
            continue
        assert fresh.certificate is not None
        renewed[entry.rule.name] = Lemma.of(entry.rule, fresh.certificate)
        yield replace(verdict, reason=f"{said}; its proof still holds: `--renew` certifies it again")


def _lemmas(certificate: Certificate) -> list[str]:
    """The names of the lemmas that a certificate rests on."""
    return [name.removeprefix("lemma ") for name, _ in certificate.fingerprints if name.startswith("lemma ")]


def standing(base: RuleBase, theory: Theory) -> RuleBase:
    """Return the same rules, with the reason for each one that does not follow from the theory.

    A proof is replayed unless the cache has its acceptance.
    """
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
            yield Verdict(entry, "the rule has no certificate")
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
    """The rule base with new certificates for rules whose certificates have an earlier form, and whose steps still prove
    them. What was edited since it was certified in the form of today stays uncertified.
    """
    certified: dict[str, Lemma] = {}
    entries: list[Entry] = []
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
    return rule_base(base.theory, sorted(entries, key=lambda e: order[e.rule.name]))


def _upgrade(entry: Entry, theory: Theory, certified: dict[str, Lemma]) -> Entry:
    if entry.certificate is None or not entry.certificate.is_current:
        return renew(entry, theory, certified)
    verify(entry.rule, entry.certificate, theory, certified)
    return entry


def renew(entry: Entry, theory: Theory, certified: dict[str, Lemma]) -> Entry:
    """The entry with a certificate of its present text. Raises RejectedError if its steps do not prove it."""
    if entry.certificate is None:
        raise RejectedError("the rule has no certificate")
    return replace(
        entry, certificate=recertified(entry.rule, entry.certificate, theory, certified), refused=""
    )


def recertified(rule: Rule, old: Certificate, theory: Theory, certified: Mapping[str, Lemma]) -> Certificate:
    """A certificate of a rule's present text by the steps of an old one. Raises RejectedError if they do not prove it."""
    certificate = renewal(rule, old, theory, certified)
    verify(rule, certificate, theory, certified)
    return certificate


def renewal(rule: Rule, old: Certificate, theory: Theory, certified: Mapping[str, Lemma]) -> Certificate:
    """A certificate's steps with the fingerprints of today; it is still to be verified.

    Raises RejectedError if a rule that they apply is gone.
    """
    known = {each.name for each in theory.rules} | certified.keys()
    gone = [step.rule for step in old.all_steps if step.rule not in known and step.rule != HYPOTHESIS]
    if gone:
        raise RejectedError(f"the rule `{gone[0]}` that the proof rests on is no longer there")
    return certificate_of(rule, old.steps, theory, certified, old.replies, old.open, old.cases, old.induction)
