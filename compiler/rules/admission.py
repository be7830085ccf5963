"""Admission: which learned rules a rule base keeps.

A rule that an admitted rule subsumes is dropped; admitted rules that it subsumes are dropped for it, but for
those that proofs of others rest on. A rule base never changes: admitting gives a new one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from hornbook.compiler.checker.certificate import Certificate, fingerprint_of_rule
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.rules.provenance import Provenance
from hornbook.compiler.rules.shape import Shape
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest

Proof = tuple[Certificate, Provenance | None]
"""A certificate, and what its rule was learned from; nothing where a person wrote the rule."""


@dataclass(frozen=True, slots=True)
class Unread:
    """The proof of a rule that was accepted of this very rule, and is read when it is asked for; `reached` as in the
    certificate, and the relations that it inverts.
    """

    reached: bool
    alone: frozenset[str]
    read: Callable[[], Proof]


@dataclass(frozen=True, slots=True)
class Entry:
    """An admitted rule. Without a certificate it was edited or written by hand, and is to be verified.

    `refused` says why the checker does not accept the certificate; nothing where it does, or was not asked.
    """

    rule: Rule
    certificate: Certificate | None
    provenance: Provenance | None
    refused: str = field(default="", compare=False)
    _unread: Unread | None = field(default=None, init=False, compare=False, repr=False)
    """What another rule, or another certificate, never has: who replaces a part of an entry makes one that is read."""

    @staticmethod
    def accepted(rule: Rule, proof: Unread) -> Entry:
        """The entry of a rule whose proof the checker accepted, of what it says now; it is read when it is asked for."""
        entry = object.__new__(Entry)
        object.__setattr__(entry, "rule", rule)
        object.__setattr__(entry, "refused", "")
        object.__setattr__(entry, "_unread", proof)
        return entry

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """What was not read yet."""
            unread = None if name not in ("certificate", "provenance") else self._unread
            if unread is not None:
                certificate, provenance = unread.read()
                object.__setattr__(self, "certificate", certificate)
                object.__setattr__(self, "provenance", provenance)
            return object.__getattribute__(self, name)

    @property
    def is_edited(self) -> bool:
        """Whether the rule says no longer what its certificate is of; of one of an earlier form that is not known."""
        if self._unread is not None:
            return False
        certificate = self.certificate
        return (
            certificate is not None
            and certificate.is_current
            and certificate.of != fingerprint_of_rule(self.rule)
        )

    @property
    def is_certified(self) -> bool:
        """Whether there is a certificate of what the rule says now, and the checker did not refuse it."""
        if self._unread is not None:
            return True
        certificate = self.certificate
        return certificate is not None and certificate.is_current and not self.is_edited and not self.refused

    @property
    def answering(self) -> Rule:
        """The rule as a knowledge base asks it: of the state after an action too only where it is proved of reached states."""
        proof = self.certificate if self._unread is None else self._unread
        if proof is None:
            return replace(self.rule, of_given=False, learned=False)
        return replace(self.rule, of_given=not proof.reached, alone=proof.alone, learned=self.is_certified)

    def proved_for(self, theory: Theory) -> Rule:
        """Return the rule for `KnowledgeBase.add_rules`; the certificate must have been checked with this theory."""
        return replace(self.answering, proved_of=theory_digest(theory))


@dataclass(frozen=True, slots=True)
class RuleBase:
    """Learned rules by name, in the order in which they were admitted, for the theory called `theory`.

    `shapes` are those of the certified rules: a rule that was edited, or written by hand, is kept, and covers no
    other until it is verified.
    """

    theory: str
    entries: Mapping[str, Entry] = field(default_factory=dict)
    shapes: Mapping[str, Shape] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The highest number ever given to a label of the form `stem_number`, by stem."""

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Entry]:
        return iter(self.entries.values())

    def lemmas(self) -> dict[str, Lemma]:
        """The certified rules, as what later certificates may rest on."""
        return {
            name: Lemma.of(entry.rule, entry.certificate)
            for name, entry in self.entries.items()
            if entry.certificate is not None and entry.is_certified
        }


@dataclass(frozen=True, slots=True)
class Admission:
    """What became of a rule: `by` is the admitted rule that covers it, `dropped` are those that it covers."""

    base: RuleBase
    by: str | None
    dropped: tuple[str, ...]

    @property
    def admitted(self) -> bool:
        return self.by is None


def admit(base: RuleBase, entry: Entry) -> Admission:
    """Admits a rule, unless one that is there already says as much."""
    shape = Shape(entry.rule)
    for name, there in base.shapes.items():
        if there.may_subsume(shape) and subsumes(base.entries[name].rule, entry.rule):
            return Admission(base, name, ())
    dropped = tuple(
        name
        for name, there in base.shapes.items()
        if shape.may_subsume(there) and subsumes(entry.rule, base.entries[name].rule)
    )
    if dropped:
        leaned_on = {
            name for e in (*base, entry) if e.certificate is not None for name in e.certificate.lemmas
        }
        dropped = tuple(name for name in dropped if name not in leaned_on)
    kept = {name: e for name, e in base.entries.items() if name not in dropped}
    shapes = {name: s for name, s in base.shapes.items() if name not in dropped}
    kept[entry.rule.name], shapes[entry.rule.name] = entry, shape
    numbers = {**base.numbers, **label_numbers([entry.rule.name], base.numbers)}
    return Admission(RuleBase(base.theory, kept, shapes, numbers), None, dropped)


def rule_base(theory: str, entries: Iterable[Entry]) -> RuleBase:
    """The rule base of entries that are admitted already."""
    kept = {entry.rule.name: entry for entry in entries}
    shapes = {name: Shape(entry.rule) for name, entry in kept.items() if entry.is_certified}
    return RuleBase(theory, kept, shapes, label_numbers(kept))


def free_label(stem: str, base: RuleBase) -> str:
    """`stem_number` with a number that was never given."""
    return f"{stem}_{base.numbers.get(stem, 0) + 1}"


def label_numbers(labels: Iterable[str], known: Mapping[str, int] = MappingProxyType({})) -> dict[str, int]:
    """The highest number of the labels of each stem, or the one that is known where that is higher."""
    found: dict[str, int] = {}
    for label in labels:
        stem, _, number = label.rpartition("_")
        if stem and number.isdecimal():
            found[stem] = max(found.get(stem, known.get(stem, 0)), int(number))
    return found
