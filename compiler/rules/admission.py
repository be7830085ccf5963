"""Admission: the decision which learned rules a rule base contains.

A rule that an admitted rule subsumes is rejected. Admitted rules that a new rule subsumes are removed, except
for those on which other proofs depend. Rule bases are immutable: admission returns a new one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import field, replace
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

from hornbook.compiler.rules.definitions import NO_DEFINITIONS, Definitions
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.kb.ast.canonical import digest
from hornbook.kb.ast.terms import Constant, GameStatement, Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.ast.theory_digest import theory_digest
from hornbook.matcher.program.dataclass import dataclass

if TYPE_CHECKING:  # rules that were accepted before are read without the checker
    from hornbook.compiler.checker.certificate import Certificate
    from hornbook.compiler.checker.checker import Lemma
    from hornbook.compiler.rules.provenance import Provenance

Proof: TypeAlias = "tuple[Certificate, Provenance | None]"
"""A certificate and its provenance, which is None if a person wrote the rule."""


@dataclass(frozen=True, slots=True)
class Unread:
    """A proof that was accepted for the present text of its rule and is parsed on demand.

    Attributes:
        reached: The value in the certificate.
        alone: The relations that the certificate inverts.
        digest: The digest of the rule.
        read: The parser.
    """

    reached: bool
    alone: frozenset[str]
    digest: str
    read: Callable[[], Proof]


@dataclass(frozen=True, slots=True)
class RuleEntry:
    """An admitted rule.

    Without a certificate, the rule was edited or written by hand, and must be verified. `refused` states why
    the checker rejects the certificate. It is empty if the checker accepts it or has not been called.
    """

    rule: Rule
    certificate: Certificate | None
    provenance: Provenance | None
    refused: str = field(default="", compare=False)
    _unread: Unread | None = field(default=None, init=False, compare=False, repr=False)
    """An unparsed proof. It belongs to this rule only, so `replace` creates an entry whose proof is
    parsed.
    """
    _proof_digest: str | None = field(default=None, init=False, compare=False, repr=False)

    @staticmethod
    def accepted(rule: Rule, proof: Unread) -> RuleEntry:
        """Return the entry of a rule whose proof was accepted for its present text.

        The proof is parsed on demand.
        """
        entry = object.__new__(RuleEntry)
        object.__setattr__(entry, "rule", rule)
        object.__setattr__(entry, "refused", "")
        object.__setattr__(entry, "_unread", proof)
        object.__setattr__(entry, "_proof_digest", None)
        return entry

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            """Parse the proof when its certificate or provenance is first read."""
            unread = None if name not in ("certificate", "provenance") else self._unread
            if unread is not None:
                certificate, provenance = unread.read()
                object.__setattr__(self, "certificate", certificate)
                object.__setattr__(self, "provenance", provenance)
            return object.__getattribute__(self, name)

    @property
    def digest(self) -> str:
        """Return the digest of all fields of the rule."""
        return digest(self.rule) if self._unread is None else self._unread.digest

    @property
    def proof_digest(self) -> str:
        """The digest of all fields of the rule and its certificate, computed at the first request."""
        if self._proof_digest is None:
            object.__setattr__(self, "_proof_digest", digest(self.rule, self.certificate))
        assert self._proof_digest is not None
        return self._proof_digest

    @property
    def is_edited(self) -> bool:
        """Return whether the rule differs from the rule that its certificate proves.

        Return False for certificates of earlier forms.
        """
        if self._unread is not None:
            return False
        from hornbook.compiler.checker.certificate import fingerprint_of_rule  # noqa: PLC0415 - slow to import

        certificate = self.certificate
        return (
            certificate is not None
            and certificate.is_current
            and certificate.of != fingerprint_of_rule(self.rule)
        )

    @property
    def is_certified(self) -> bool:
        """Return whether there is a certificate for the present text that the checker did not reject."""
        if self._unread is not None:
            return True
        certificate = self.certificate
        return certificate is not None and certificate.is_current and not self.is_edited and not self.refused

    @property
    def answering(self) -> Rule:
        """Return the rule in its form for queries of a knowledge base.

        It applies to the state after an action only if it is proved for reachable states.
        """
        proof = self.certificate if self._unread is None else self._unread
        rule = replace(self.rule, lemma=False) if self.rule.lemma else self.rule
        if proof is None:
            return replace(rule, of_given=False, learned=False)
        return replace(rule, of_given=not proof.reached, alone=proof.alone, learned=self.is_certified)

    def proved_for(self, theory: Theory) -> Rule:
        """Return the rule for `KnowledgeBase.add_rules`; the certificate must have been checked with this
        theory.
        """
        return replace(self.answering, proved_of=theory_digest(theory))


@dataclass(frozen=True, slots=True)
class RuleBase:
    """Learned rules by name, in order of admission, for the theory with the name `theory`.

    `shapes` contains the shapes of the certified rules, with the definitions of their parts written out. An
    uncertified rule is stored, but subsumes no other rule until it is verified.
    """

    theory: str
    entries: Mapping[str, RuleEntry] = field(default_factory=dict)
    shapes: Mapping[str, SubsumptionShape] = field(default_factory=dict)
    numbers: Mapping[str, int] = field(default_factory=dict)
    """The highest number ever given to a label of the form `stem_number`, by stem."""
    definitions: Definitions = field(default=NO_DEFINITIONS)
    """The invented predicates of the rules. Certificates are about the theory extended by these."""

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[RuleEntry]:
        return iter(self.entries.values())

    @property
    def answering(self) -> AbstractSet[str]:
        """The names of the rules that answer in states. A rule marked `lemma` serves only in proofs."""
        return {name for name, entry in self.entries.items() if not entry.rule.lemma}

    def lemmas(self) -> dict[str, Lemma]:
        """Return the certified rules as lemmas for later certificates."""
        from hornbook.compiler.checker.checker import Lemma  # noqa: PLC0415 - slow to import

        return {
            name: Lemma.of(entry.rule, entry.certificate)
            for name, entry in self.entries.items()
            if entry.certificate is not None and entry.is_certified
        }


@dataclass(frozen=True, slots=True)
class Admission:
    """The result of an admission.

    `by` is the name of the admitted rule that subsumes the new one. `dropped` are the rules that the new one
    subsumes.
    """

    base: RuleBase
    by: str | None
    dropped: tuple[str, ...]

    @property
    def admitted(self) -> bool:
        return self.by is None


def admit(base: RuleBase, entry: RuleEntry) -> Admission:
    """Admit a rule, unless a rule of the base subsumes it."""
    from hornbook.compiler.rules.subsumption import subsumes  # noqa: PLC0415 - slow to import

    shape = shape_of(entry.rule, base.definitions)
    by = subsuming(base, shape)
    if by is not None:
        return Admission(base, by, ())
    dropped = tuple(
        name
        for name, existing in base.shapes.items()
        if shape.may_subsume(existing) and subsumes(shape.rule, existing.rule)
    )
    if dropped:
        used_lemmas = {
            name for e in (*base, entry) if e.certificate is not None for name in e.certificate.lemmas
        }
        dropped = tuple(name for name in dropped if name not in used_lemmas)
    remaining = {name: e for name, e in base.entries.items() if name not in dropped}
    shapes = {name: s for name, s in base.shapes.items() if name not in dropped}
    base = replace(base, entries=remaining, shapes=shapes)
    return Admission(with_rule(base, entry, shape), None, dropped)


def subsuming(base: RuleBase, shape: SubsumptionShape) -> str | None:
    """Return the name of the first rule of a base that subsumes the rule of a shape."""
    from hornbook.compiler.rules.subsumption import subsumes  # noqa: PLC0415 - slow to import

    for name, existing in base.shapes.items():
        if existing.may_subsume(shape) and subsumes(existing.rule, shape.rule):
            return name
    return None


def with_rule(base: RuleBase, entry: RuleEntry, shape: SubsumptionShape) -> RuleBase:
    """Return a base with one more rule."""
    name = entry.rule.name
    return replace(
        base,
        entries={**base.entries, name: entry},
        shapes={**base.shapes, name: shape},
        numbers={**base.numbers, **label_numbers([name], base.numbers)},
    )


def rule_base(
    theory: str, entries: Iterable[RuleEntry], definitions: Definitions = NO_DEFINITIONS
) -> RuleBase:
    """Return the rule base of entries that were admitted before."""
    by_name = {entry.rule.name: entry for entry in entries}
    shapes = {
        name: shape_of(entry.rule, definitions) for name, entry in by_name.items() if entry.is_certified
    }
    labels = (*by_name, *(clause.name for clause in definitions.clauses))
    return RuleBase(theory, by_name, shapes, label_numbers(labels), definitions)


def shape_of(rule: Rule, definitions: Definitions) -> SubsumptionShape:
    """Return the shape of a rule, with the definitions of its parts written out."""
    return SubsumptionShape(definitions.expanded(rule).rule if definitions else rule)


def with_entries(base: RuleBase, entries: Iterable[RuleEntry]) -> RuleBase:
    """Return a base with other entries, and with the same definitions and used label numbers."""
    found = rule_base(base.theory, entries, base.definitions)
    return replace(found, numbers={**base.numbers, **label_numbers(found.entries, base.numbers)})


def conclusion_of(rule: Rule) -> str:
    """Return the conclusion of a rule as a word, with the value if it is a game's."""
    words = rule.head.relation.split(" ")
    if isinstance(rule.head, GameStatement) and isinstance(rule.head.value, Constant):
        words.append(str(rule.head.value.value).lower())
    return "_".join(re.sub(r"\W", "_", word) for word in words)


def free_label(stem: str, base: RuleBase) -> str:
    """Return `stem_number` with a number that was never given."""
    return f"{stem}_{base.numbers.get(stem, 0) + 1}"


def label_numbers(labels: Iterable[str], known: Mapping[str, int] = MappingProxyType({})) -> dict[str, int]:
    """Return the highest number of the labels of each stem, or the known number if that is higher."""
    found: dict[str, int] = {}
    for label in labels:
        stem, _, number = label.rpartition("_")
        if stem and number.isdecimal():
            found[stem] = max(found.get(stem, known.get(stem, 0)), int(number))
    return found
