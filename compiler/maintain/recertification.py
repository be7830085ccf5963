"""Recertification: which learned rules still follow after their theory was edited, without checking all of them.

A certificate names every rule, declaration and lemma that it rests on, with what each was. Where all of them are
what they were, and it is remembered that the checker accepted it, a replay would find what it found then, and there is
none. Every other certificate is replayed
with the theory of today; what does not follow is learned again from its own example (compiler/maintain/relearning.py),
and what cannot be is retired.

Always true: each certified rule of the new base follows from the edited theory by its certificate; no rule is
lost, for each has a fate, and what rests on a rule that fell is looked at after that one was learned again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, unchanged, verify
from hornbook.compiler.learn.lessons import without_special_cases
from hornbook.compiler.rules.admission import Entry, RuleBase, admit, label_numbers
from hornbook.compiler.rules.remembered import Identity, identity, recall, remember
from hornbook.compiler.rules.shape import Shape
from hornbook.compiler.rules.verification import renewal
from hornbook.kb.ast.theory import Theory

State = Literal["untouched", "renewed", "repaired", "retired", "uncertified"]


@dataclass(frozen=True, slots=True)
class Fate:
    """What became of a rule. `entry` is the rule as it was, `reason` what was changed or broke; nothing where it is
    untouched.

    `by` is the rule that its example teaches now, where it is repaired; nothing where others prove its example.
    """

    entry: Entry
    state: State
    reason: str = ""
    by: str = ""


@dataclass(frozen=True, slots=True)
class Fallen:
    """A rule that does not follow as it stands; `waits` where it rests on another one that fell."""

    entry: Entry
    reason: str
    waits: bool


@dataclass(frozen=True, slots=True)
class Relearned:
    """A rule base after learning again, and what that gave: for each rule that is repaired what stands in its
    place (compare `Fate.by`), for others why they are not.
    """

    base: RuleBase
    by: Mapping[str, str]
    reasons: Mapping[str, str]


Relearn = Callable[[RuleBase, Sequence[Entry], Mapping[str, Entry]], Relearned]
"""Learns some rules again, given what follows and all that fell, whose names new rules may have."""


@dataclass(frozen=True, slots=True)
class Recertified:
    """The new rule base, what became of each old rule, the names of rules that are new and of those that came back,
    and how many certificates were replayed.
    """

    base: RuleBase
    fates: tuple[Fate, ...]
    added: tuple[str, ...]
    back: tuple[str, ...]
    replayed: int

    def in_state(self, state: State) -> list[Fate]:
        return [fate for fate in self.fates if fate.state == state]


@dataclass(slots=True)
class _Checked:
    """What one look at a rule base found."""

    kept: dict[str, Entry] = field(default_factory=dict)
    fates: dict[str, Fate] = field(default_factory=dict)
    fallen: dict[str, Fallen] = field(default_factory=dict)
    certified: dict[str, Lemma] = field(default_factory=dict)
    known: frozenset[str] = frozenset()
    new: list[Identity] = field(default_factory=list)
    replayed: int = 0


def recertify(
    base: RuleBase,
    theory: Theory,
    misfits: Mapping[str, str],
    relearn: Relearn,
    retired: Iterable[Entry] = (),
) -> Recertified:
    """Brings a rule base that was learned before an edit up to date.

    `misfits` are the rules that are no rules of the theory's language any more, with what is wrong; `retired` are
    those that fell in earlier edits, which come back where such an edit was taken back.
    """
    fates: dict[str, Fate] = {}
    standing, replayed, known = base, 0, recall()
    while True:
        checked = _check(standing, theory, misfits if standing is base else {}, known)
        replayed += checked.replayed
        for name, fate in checked.fates.items():
            if name in base.entries and (name not in fates or fate.state != "untouched"):
                fates[name] = fate
        if not checked.fallen:
            break
        fallen = {n: each.entry for n, each in checked.fallen.items() if not each.entry.is_edited}
        wanted = [each.entry for each in checked.fallen.values() if not each.waits]
        relearned = relearn(_of(checked.kept.values(), base), wanted, fallen)
        # What is learned is verified as it is learned.
        lemmas = relearned.base.lemmas()
        known |= {identity(relearned.base.entries[name], lemmas, theory).proof for name in lemmas}
        tried = {entry.rule.name for entry in wanted}
        for name, each in checked.fallen.items():
            if name in relearned.by:
                fates[name] = Fate(each.entry, "repaired", each.reason, relearned.by[name])
            elif name in tried:
                reason = f"{each.reason}; {relearned.reasons[name]}"
                fates[name] = Fate(each.entry, "retired", reason)
        waiting = [each.entry for name, each in checked.fallen.items() if name not in fates]
        standing = _of([*relearned.base, *waiting], base)
    kept = _of(checked.kept.values(), base)
    added = [name for name in kept.entries if name not in base.entries]
    if added:
        kept = without_special_cases(kept, among=added)
    back = _coming_back(retired, kept, theory, checked)
    return Recertified(
        _of([*kept, *back], base) if back else kept,
        tuple(fates[name] for name in base.entries),
        tuple(name for name in added if name in kept.entries),
        tuple(entry.rule.name for entry in back),
        replayed,
    )


def _coming_back(retired: Iterable[Entry], kept: RuleBase, theory: Theory, checked: _Checked) -> list[Entry]:
    """The retired rules that rest on nothing but what they rested on when they were certified, whose proofs hold, and
    which say more than rules that are kept.
    """
    found: list[Entry] = []
    taken = {*kept.entries, *(rule.name for rule in theory.rules)}
    for entry in (e for e in sorted(retired, key=_rank) if e.is_certified):
        name, certificate = entry.rule.name, entry.certificate
        assert certificate is not None
        if name in taken:
            continue
        try:
            unchanged(entry.rule, certificate, theory, checked.certified)
            known_as = identity(entry, checked.certified, theory)
            if known_as.proof not in checked.known:
                verify(entry.rule, certificate, theory, checked.certified)
        except RejectedError:
            continue
        if admit(kept, entry).admitted:
            found.append(entry)
            checked.certified[name] = Lemma.of(entry.rule, certificate)
    return found


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


def _check(base: RuleBase, theory: Theory, misfits: Mapping[str, str], known: frozenset[str]) -> _Checked:
    """Looks at every rule, lemmas before what rests on them; `known` are the proofs that were accepted before."""
    checked = _Checked(known=known)
    for entry in sorted(base, key=_rank):
        _look_at(entry, theory, misfits, checked)
    remember(checked.new)
    return checked


def _look_at(entry: Entry, theory: Theory, misfits: Mapping[str, str], checked: _Checked) -> None:
    name, certificate = entry.rule.name, entry.certificate
    if certificate is None:
        checked.kept[name] = entry
        checked.fates[name] = Fate(entry, "uncertified", "the rule has no certificate")
        return
    known = checked.certified.keys() | {rule.name for rule in theory.rules}
    gone = [lemma for lemma in certificate.lemmas if lemma not in known]
    if name in misfits:
        _fall(entry, f"it is no rule of the theory's language: {misfits[name]}", checked)
    elif gone:
        waits = any(lemma in checked.fallen for lemma in gone)
        _fall(entry, f"it rests on `{gone[0]}`, which does not follow", checked, waits=waits)
    elif (reason := _what_changed(entry, certificate, theory, checked)) is not None:
        _replay(entry, certificate, theory, reason, checked)
    elif identity(entry, checked.certified, theory).proof in checked.known:
        _keep(entry, Fate(entry, "untouched"), checked)
    else:
        _replay(entry, certificate, theory, "", checked)


def _what_changed(entry: Entry, certificate: Certificate, theory: Theory, checked: _Checked) -> str | None:
    """The first thing that a rule's proof rests on and that is not what it was."""
    if entry.is_edited:
        return "the rule was edited since it was certified"
    try:
        unchanged(entry.rule, certificate, theory, checked.certified)
    except RejectedError as problem:
        return str(problem)
    return None


def _replay(entry: Entry, certificate: Certificate, theory: Theory, reason: str, checked: _Checked) -> None:
    try:
        fresh = renewal(entry.rule, certificate, theory, checked.certified)
    except RejectedError as problem:
        _fall(entry, str(problem), checked)
        return
    checked.replayed += 1
    try:
        verify(entry.rule, fresh, theory, checked.certified)
    except RejectedError as problem:
        _fall(entry, "; ".join(filter(None, (reason, f"its proof breaks: {problem}"))), checked)
        return
    kept = replace(entry, certificate=fresh, refused="")
    checked.new.append(identity(kept, checked.certified, theory))
    _keep(kept, Fate(entry, "renewed" if reason else "untouched", reason), checked)


def _fall(entry: Entry, reason: str, checked: _Checked, *, waits: bool = False) -> None:
    name = entry.rule.name
    if entry.is_edited and not waits:
        # What somebody wrote by hand is theirs to mend.
        checked.kept[name] = entry
        checked.fates[name] = Fate(entry, "uncertified", reason)
    else:
        checked.fallen[name] = Fallen(entry, reason, waits)


def _keep(entry: Entry, fate: Fate, checked: _Checked) -> None:
    assert entry.certificate is not None
    name = entry.rule.name
    checked.kept[name], checked.fates[name] = entry, fate
    checked.certified[name] = Lemma.of(entry.rule, entry.certificate)
