"""The renewal of rules after an edit of their theory.

A certificate names every rule, declaration and lemma that it depends on, with a fingerprint of each. If all
fingerprints match, the rule keeps its certificate; otherwise the steps get new fingerprints. In both cases
the certificate is replayed with the edited theory, unless the cache has the verdict for this theory. A rule
that does not follow is *retired*: it leaves the base and is stored elsewhere. Learning from its own example
again may give another rule (`hornbook learn --again`).

Invariants: each certified rule of the new base follows from the edited theory by its certificate. No rule is
lost: each has a fate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import field, replace
from typing import Literal

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, unchanged, verify
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, admit, label_numbers, shape_of
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.verdict_cache import proof_key
from hornbook.compiler.rules.verification import renewal
from hornbook.kb.ast.theory import Theory
from hornbook.kb.sources.cache import recall, remember
from hornbook.matcher.program.dataclass import dataclass

State = Literal["untouched", "renewed", "retired", "uncertified"]
"""What became of a rule: its certificate is still valid, is valid with new fingerprints, is not valid, or did
not exist.
"""


@dataclass(frozen=True, slots=True)
class Fate:
    """The result of the renewal of a rule.

    `entry` is the previous rule. `reason` states what changed or failed; it is empty for an untouched rule.
    """

    entry: RuleEntry
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Renewed:
    """The result of the renewal of a rule base.

    Attributes:
        base: The new rule base.
        fates: The fate of each previous rule, in the order of the previous base.
        back: The names of the retired rules that are restored.
        replayed: The number of replays of certificates.
    """

    base: RuleBase
    fates: tuple[Fate, ...]
    back: tuple[str, ...]
    replayed: int

    def in_state(self, state: State) -> list[Fate]:
        return [fate for fate in self.fates if fate.state == state]


def renew_rules(
    base: RuleBase, theory: Theory, misfits: Mapping[str, str], retired: Iterable[RuleEntry] = ()
) -> Renewed:
    """Update a rule base that was learned before an edit of its theory.

    Args:
        misfits: Maps the names of rules that are no longer in the theory's language to the problem.
        retired: Rules retired by earlier edits. They are restored if such an edit was undone.
    """
    update = _RenewalPass(base.definitions.extended(theory), misfits)
    for entry in sorted(base, key=_rank):
        update.process(entry)
    remaining = _rule_base_of(update.remaining.values(), base)
    back = update.restorable(retired, remaining)
    remember(update.new_verdicts)
    return Renewed(
        _rule_base_of([*remaining, *back], base) if back else remaining,
        tuple(update.fates[name] for name in base.entries),
        tuple(entry.rule.name for entry in back),
        update.replayed,
    )


def invalid_retired_rules(retired: Iterable[RuleEntry], base: RuleBase, theory: Theory) -> list[RuleEntry]:
    """Return the retired rules whose certificates depend on something that has changed.

    The others were retired because more general rules replaced them.
    """
    certified = base.lemmas()
    theory = base.definitions.extended(theory)

    def is_invalid(entry: RuleEntry) -> bool:
        if entry.certificate is None:
            return False
        try:
            unchanged(entry.rule, entry.certificate, theory, certified)
        except RejectedError:
            return True
        return False

    return [entry for entry in retired if is_invalid(entry)]


def _rank(entry: RuleEntry) -> int:
    """Return the rank of an entry's certificate; 0 if it has none."""
    return 0 if entry.certificate is None else entry.certificate.rank


def _rule_base_of(entries: Iterable[RuleEntry], base: RuleBase) -> RuleBase:
    """Return a rule base of these entries in the order of the previous base, with its used label numbers."""
    place = {name: number for number, name in enumerate(base.entries)}
    ordered = sorted(entries, key=lambda entry: place.get(entry.rule.name, len(place)))
    by_name = {entry.rule.name: entry for entry in ordered}
    shapes = {name: _shape(entry, base) for name, entry in by_name.items() if entry.is_certified}
    numbers = {**base.numbers, **label_numbers(by_name, base.numbers)}
    return replace(base, entries=by_name, shapes=shapes, numbers=numbers)


def _shape(entry: RuleEntry, base: RuleBase) -> SubsumptionShape:
    """Return a rule's shape, which is reused if the rule is unchanged."""
    name = entry.rule.name
    same = name in base.shapes and base.entries[name].rule is entry.rule
    return base.shapes[name] if same else shape_of(entry.rule, base.definitions)


@dataclass(slots=True)
class _RenewalPass:
    """One pass over a rule base, with lemmas before the rules that depend on them.

    Attributes:
        remaining: The entries of the new base, by name.
        certified: The certified ones among them, as lemmas for the proofs of others.
        new_verdicts: The verdicts for the cache, by key.
    """

    theory: Theory
    misfits: Mapping[str, str]
    remaining: dict[str, RuleEntry] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)
    certified: dict[str, Lemma] = field(default_factory=dict)
    new_verdicts: dict[str, bool] = field(default_factory=dict)
    replayed: int = 0

    def process(self, entry: RuleEntry) -> None:
        """Decide the fate of a rule, whose lemmas have been processed."""
        name, certificate = entry.rule.name, entry.certificate
        if certificate is None:
            self._retain(entry, "uncertified", "the rule has no certificate")
            return
        known = self.certified.keys() | {rule.name for rule in self.theory.rules}
        missing = [lemma for lemma in certificate.lemmas if lemma not in known]
        if name in self.misfits:
            self._retire(entry, f"it is not a rule of the theory's language: {self.misfits[name]}")
        elif missing:
            self._retire(entry, f"it depends on `{missing[0]}`, which does not follow")
        elif reason := self._refusal(entry, certificate):
            self._renew(entry, certificate, reason)
        else:
            self._retain(entry, "untouched")

    def restorable(self, retired: Iterable[RuleEntry], base: RuleBase) -> list[RuleEntry]:
        """Return the retired rules that can be restored.

        Everything on which they depend is as it was at certification, their proofs are valid, and no
        remaining rule is as general.
        """
        found: list[RuleEntry] = []
        taken = {*base.entries, *(rule.name for rule in self.theory.rules)}
        for entry in (e for e in sorted(retired, key=_rank) if e.is_certified and e.rule.name not in taken):
            certificate = entry.certificate
            assert certificate is not None
            if not self._refusal(entry, certificate) and admit(base, entry).admitted:
                found.append(entry)
                self.certified[entry.rule.name] = Lemma.of(entry.rule, certificate)
        return found

    def _refusal(self, entry: RuleEntry, certificate: Certificate) -> str:
        """Return why the certificate does not prove the rule, or an empty text if it does."""
        if entry.is_edited:
            return "the rule was edited since it was certified"
        key = proof_key(entry, self.certified, self.theory)
        if recall(key):
            return ""
        try:
            verify(entry.rule, certificate, self.theory, self.certified)
        except RejectedError as problem:
            return self._changed(entry, certificate) or str(problem)
        self.replayed += 1
        self.new_verdicts[key] = True
        return ""

    def _changed(self, entry: RuleEntry, certificate: Certificate) -> str:
        """Return the first thing that the certificate names and that has changed, or an empty text."""
        try:
            unchanged(entry.rule, certificate, self.theory, self.certified)
        except RejectedError as problem:
            return str(problem)
        return ""

    def _renew(self, entry: RuleEntry, certificate: Certificate, reason: str) -> None:
        """Certify a rule with new fingerprints, or retire it.

        `reason` is why its old certificate is not valid.
        """
        try:
            fresh = renewal(entry.rule, certificate, self.theory, self.certified)
        except RejectedError as problem:
            self._retire(entry, str(problem))
            return
        self.replayed += 1
        try:
            verify(entry.rule, fresh, self.theory, self.certified)
        except RejectedError as problem:
            self._retire(entry, f"{reason}; its proof breaks: {problem}")
            return
        renewed = replace(entry, certificate=fresh, refused="")
        self.new_verdicts[proof_key(renewed, self.certified, self.theory)] = True
        self._retain(renewed, "renewed", reason)

    def _retire(self, entry: RuleEntry, reason: str) -> None:
        """Leave a rule out of the new base, unless it was edited by hand: then its author decides."""
        if entry.is_edited:
            self._retain(entry, "uncertified", reason)
        else:
            self.fates[entry.rule.name] = Fate(entry, "retired", reason)

    def _retain(self, entry: RuleEntry, state: State, reason: str = "") -> None:
        name = entry.rule.name
        self.remaining[name], self.fates[name] = entry, Fate(entry, state, reason)
        if state != "uncertified":
            assert entry.certificate is not None
            self.certified[name] = Lemma.of(entry.rule, entry.certificate)
