"""Renewing rules after their theory was edited: which still follow, without checking all of them.

A certificate names every rule, declaration and lemma that it rests on, with what each was. Where all of them are
what they were, and it is remembered that the checker accepted it, a replay would find what it found then, and there is
none. Every other certificate is replayed with the theory of today. What does not follow falls; learning from its own
example again may teach another rule (`hornbook learn --again`).

Always true: each certified rule of the new base follows from the edited theory by its certificate, and no rule is lost:
each has a fate.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, names_all, unchanged, verify
from hornbook.compiler.rules.admission import Entry, RuleBase, admit, label_numbers
from hornbook.compiler.rules.remembered import identity, recall, remember
from hornbook.compiler.rules.shape import Shape
from hornbook.compiler.rules.verification import renewal
from hornbook.kb.ast.theory import Theory

State = Literal["untouched", "renewed", "retired", "uncertified"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a rule. `entry` is the rule as it was, `reason` what was changed or broke; nothing where it is
    untouched.
    """

    entry: Entry
    state: State
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Renewed:
    """The new rule base, what became of each old rule, the names of those that came back, and how many certificates
    were replayed.
    """

    base: RuleBase
    fates: tuple[Fate, ...]
    back: tuple[str, ...]
    replayed: int

    def in_state(self, state: State) -> list[Fate]:
        return [fate for fate in self.fates if fate.state == state]


def renew_rules(
    base: RuleBase, theory: Theory, misfits: Mapping[str, str], retired: Iterable[Entry] = ()
) -> Renewed:
    """Brings a rule base that was learned before an edit up to date.

    `misfits` are the rules that are no rules of the theory's language any more, with what is wrong; `retired` are
    those that fell in earlier edits, which come back where such an edit was taken back.
    """
    look = _Look(theory, misfits, recall())
    for entry in sorted(base, key=_rank):
        look.at(entry)
    remember(look.new)
    kept = _of(look.kept.values(), base)
    back = look.coming_back(retired, kept)
    return Renewed(
        _of([*kept, *back], base) if back else kept,
        tuple(look.fates[name] for name in base.entries),
        tuple(entry.rule.name for entry in back),
        look.replayed,
    )


def fallen(retired: Iterable[Entry], base: RuleBase, theory: Theory) -> list[Entry]:
    """The retired rules that rest on what is no longer what it was; others gave way to a more general rule."""
    certified = base.lemmas()

    def fell(entry: Entry) -> bool:
        if entry.certificate is None:
            return False
        try:
            unchanged(entry.rule, entry.certificate, theory, certified)
        except RejectedError:
            return True
        return False

    return [entry for entry in retired if fell(entry)]


def _rank(entry: Entry) -> int:
    """That of its certificate; what has none comes first."""
    return 0 if entry.certificate is None else entry.certificate.rank


def _of(entries: Iterable[Entry], base: RuleBase) -> RuleBase:
    """The base of these entries, those of the old base in its order, with the numbers that it has given."""
    place = {name: number for number, name in enumerate(base.entries)}
    ordered = sorted(entries, key=lambda entry: place.get(entry.rule.name, len(place)))
    kept = {entry.rule.name: entry for entry in ordered}
    shapes = {name: _shape(entry, base) for name, entry in kept.items() if entry.is_certified}
    return RuleBase(base.theory, kept, shapes, {**base.numbers, **label_numbers(kept, base.numbers)})


def _shape(entry: Entry, base: RuleBase) -> Shape:
    """A rule's shape, which is worked out once for all rules that stay what they are."""
    name = entry.rule.name
    same = name in base.shapes and base.entries[name].rule is entry.rule
    return base.shapes[name] if same else Shape(entry.rule)


@dataclass(slots=True)
class _Look:
    """One look at a rule base, lemmas before what rests on them; `known` are the proofs that were accepted before."""

    theory: Theory
    misfits: Mapping[str, str]
    known: frozenset[str]
    kept: dict[str, Entry] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)
    certified: dict[str, Lemma] = field(default_factory=dict)
    new: list[str] = field(default_factory=list)
    replayed: int = 0

    def at(self, entry: Entry) -> None:
        name, certificate = entry.rule.name, entry.certificate
        if certificate is None:
            self._stay(entry, "uncertified", "the rule has no certificate")
            return
        known = self.certified.keys() | {rule.name for rule in self.theory.rules}
        gone = [lemma for lemma in certificate.lemmas if lemma not in known]
        if name in self.misfits:
            self._fall(entry, f"it is no rule of the theory's language: {self.misfits[name]}")
        elif gone:
            self._fall(entry, f"it rests on `{gone[0]}`, which does not follow")
        elif (reason := self._what_changed(entry, certificate)) is not None:
            self._replay(entry, certificate, reason)
        elif self._is_known(entry, certificate):
            self._stay(entry, "untouched")
        else:
            self._replay(entry, certificate, "")

    def coming_back(self, retired: Iterable[Entry], kept: RuleBase) -> list[Entry]:
        """The retired rules that rest on nothing but what they rested on when they were certified, whose proofs hold, and
        which say more than rules that are kept.
        """
        found: list[Entry] = []
        taken = {*kept.entries, *(rule.name for rule in self.theory.rules)}
        for entry in (e for e in sorted(retired, key=_rank) if e.is_certified and e.rule.name not in taken):
            certificate = entry.certificate
            assert certificate is not None
            try:
                unchanged(entry.rule, certificate, self.theory, self.certified)
                if not self._is_known(entry, certificate):
                    verify(entry.rule, certificate, self.theory, self.certified)
            except RejectedError:
                continue
            if admit(kept, entry).admitted:
                found.append(entry)
                self.certified[entry.rule.name] = Lemma.of(entry.rule, certificate)
        return found

    def _is_known(self, entry: Entry, certificate: Certificate) -> bool:
        """Whether the checker accepted the certificate, and it names all that a replay would look at."""
        accepted = identity(entry, self.certified, self.theory).proof in self.known
        return accepted and names_all(certificate, self.theory)

    def _what_changed(self, entry: Entry, certificate: Certificate) -> str | None:
        """The first thing that a rule's proof rests on and that is not what it was."""
        if entry.is_edited:
            return "the rule was edited since it was certified"
        try:
            unchanged(entry.rule, certificate, self.theory, self.certified)
        except RejectedError as problem:
            return str(problem)
        return None

    def _replay(self, entry: Entry, certificate: Certificate, reason: str) -> None:
        try:
            fresh = renewal(entry.rule, certificate, self.theory, self.certified)
        except RejectedError as problem:
            self._fall(entry, str(problem))
            return
        self.replayed += 1
        try:
            verify(entry.rule, fresh, self.theory, self.certified)
        except RejectedError as problem:
            self._fall(entry, "; ".join(filter(None, (reason, f"its proof breaks: {problem}"))))
            return
        kept = replace(entry, certificate=fresh, refused="")
        self.new += identity(kept, self.certified, self.theory).keys
        self._stay(kept, "renewed" if reason else "untouched", reason)

    def _fall(self, entry: Entry, reason: str) -> None:
        if entry.is_edited:
            # What somebody wrote by hand is theirs to mend.
            self._stay(entry, "uncertified", reason)
        else:
            self.fates[entry.rule.name] = Fate(entry, "retired", reason)

    def _stay(self, entry: Entry, state: State, reason: str = "") -> None:
        name = entry.rule.name
        self.kept[name], self.fates[name] = entry, Fate(entry, state, reason)
        if state != "uncertified":
            assert entry.certificate is not None
            self.certified[name] = Lemma.of(entry.rule, entry.certificate)
