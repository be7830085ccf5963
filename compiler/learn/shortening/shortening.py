"""Short forms of learned rules: each part of a rule becomes a condition on an invented predicate.

A rule that was learned from one example lists all conditions that its proof needs. The proof shows which of
them belong together (proof_graph.py, parts.py). Each such part gets a predicate with one clause, named after
the fact that it proves (definer.py). The clause is a definition and claims nothing. The rule says the same as
before, and is proved again: its parts are replaced by their definitions (an inversion with one case), and
then the same steps apply. A proof that applies the rule as a lemma derives the parts first.

Matching replaces the predicates by their definitions again, so that the time and the answers stay the same.

Invariants: the checker accepted every rule with a certificate. A rule whose short form it does not accept
stays as it was learned.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from types import MappingProxyType

from hornbook.compiler.checker.certificate import (
    CASE_MARK,
    CaseProof,
    Certificate,
    Inversion,
    Leaf,
    ProofStep,
    Split,
    fingerprint_of_rule,
    parts_of,
)
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.steps import with_terms
from hornbook.compiler.learn.shortening.definer import NamedPart, PartDefiner
from hornbook.compiler.learn.shortening.parts import MANY, parts_of_rule
from hornbook.compiler.learn.shortening.proof_graph import ProofGraph
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, with_entries
from hornbook.compiler.rules.definitions import Expansion
from hornbook.compiler.witness.queries import opening_conditions, replies_to
from hornbook.kb.ast.terms import (
    PlanStatement,
    Rule,
    Term,
    Variable,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ShortenedRules:
    """A rule base with short forms, and the reasons for the rules that stay long, by name."""

    base: RuleBase
    reasons: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class _ShortForm:
    """The short form of a rule, its expansion, and its parts and wildcards if the short form is new."""

    rule: Rule
    expansion: Expansion
    parts: tuple[NamedPart, ...] = ()
    wildcards: Mapping[str, Variable] = field(default_factory=dict)
    """The wildcards of the short form, by those of the long one."""

    def name_of(self, variable: str) -> str | None:
        """Return the name in the short form of a variable of the expansion; None if it is in no condition."""
        if not self.parts or not Variable(variable).is_wildcard:
            return variable
        return self.wildcards[variable].name if variable in self.wildcards else None


@dataclass(frozen=True, slots=True)
class _Made:
    """The entry for a rule in the result, its form, and the reason if it stays long."""

    entry: RuleEntry
    form: _ShortForm
    reason: str = ""


def shortened(base: RuleBase, theory: Theory) -> ShortenedRules:
    """Return a rule base for a theory whose rules have short forms."""
    return _Shortening(base, theory).result()


def continued(base: RuleBase, theory: Theory) -> RuleBase:
    """Return a rule base after learning, in which new rules get short forms if it has short rules already.

    Proofs are learned with the written-out forms of rules, so the new proofs are translated.
    """
    return shortened(base, theory).base if base.definitions.parts else base


class _Shortening:
    """The short forms of the rules of one rule base."""

    def __init__(self, base: RuleBase, theory: Theory) -> None:
        self._base = base
        self._given = base.definitions.removed(theory)
        self._definer = _definer(self._given, base)
        self._parts = base.definitions.parts
        self._kept: dict[str, str] = {}
        """The rules that must stay long, each with the reason."""

    def result(self) -> ShortenedRules:
        base, definer = self._base, self._definer
        whole = base.definitions.extended(self._given)
        forms: dict[str, _ShortForm] = {}
        for entry in sorted(base, key=_rank):
            forms[entry.rule.name] = self._form(entry, whole, forms)
        others = base.definitions.without(definer.names)
        theory = others.joined(definer.definitions(definer.names)).extended(self._given)
        while True:
            made, blocked = self._certified(forms, theory)
            if not blocked:
                break
            self._kept |= blocked
            forms |= {name: _ShortForm(rule := base.entries[name].rule, Expansion(rule)) for name in blocked}
        entries = [made[name].entry for name in base.entries]
        used = {s.relation for entry in entries for s in statements(entry.rule.body)}
        found = replace(base, definitions=others.joined(definer.definitions(used)))
        reasons = {name: each.reason for name, each in made.items() if each.reason}
        return ShortenedRules(with_entries(found, entries), reasons)

    # The short forms

    def _form(self, entry: RuleEntry, theory: Theory, forms: Mapping[str, _ShortForm]) -> _ShortForm:
        """Return the short form of a rule; the rule itself without parts if it has none.

        `forms` has those of its lemmas.
        """
        base, definer = self._base, self._definer
        rule, certificate = entry.rule, entry.certificate
        if certificate is None or not _may_be_short(entry, certificate, definer):
            return _ShortForm(rule, base.definitions.expanded(rule, self._parts))
        lemmas = {name: forms[name] for name in certificate.lemmas if name in forms}
        known = {name: form for name, form in lemmas.items() if _is_other(form.rule, certificate)}
        proof = _Translation(known).of(certificate)
        sources = {each.name: each for each in (*theory.rules, *definer.clauses)}
        sources |= {name: base.entries[name].rule for name in certificate.lemmas if name in base.entries}
        sources |= {name: form.rule for name, form in lemmas.items()}
        graph = ProofGraph(rule, definer.words, sources, definer.names)
        if proof.replies:
            replies = replies_to(rule, theory)
            graph.prove(proof.steps, is_needed_outside=True)
            assert certificate.open is not None
            graph.fix(opening_conditions(rule, replies, certificate.open))
            graph.prove_cases(proof.replies)
        else:
            graph.prove(proof.steps)
        short, parts, wildcards = definer.named(rule, parts_of_rule(rule, graph, theory.vocabulary))
        return _ShortForm(short, Expansion(rule, tuple(_uses(parts))), parts, wildcards)

    # Certification

    def _certified(
        self, forms: Mapping[str, _ShortForm], theory: Theory
    ) -> tuple[dict[str, _Made], dict[str, str]]:
        """Return what each entry becomes, and the rules that must stay long, each with the reason."""
        made: dict[str, _Made] = {}
        lemmas: dict[str, Lemma] = {}
        for entry in sorted(self._base, key=_rank):
            name = entry.rule.name
            try:
                known = self._proved(entry, forms[name], theory, lemmas, made)
            except RejectedError as problem:
                assert entry.certificate is not None
                blocked = {
                    lemma: f"the proof of `{name}` depends on it: {problem}"
                    for lemma in entry.certificate.lemmas
                    if lemma in made and made[lemma].form.parts
                }
                assert blocked, "a proof that applies the same rules stays valid"
                return made, blocked
            made[name] = known
            if known.entry.certificate is not None and known.entry.is_certified:
                lemmas[name] = Lemma.of(known.entry.rule, known.entry.certificate)
        return made, {}

    def _proved(
        self,
        entry: RuleEntry,
        form: _ShortForm,
        theory: Theory,
        lemmas: Mapping[str, Lemma],
        made: Mapping[str, _Made],
    ) -> _Made:
        """Return an entry with a certificate of its short form. Raise RejectedError if there is none."""
        certificate = entry.certificate
        if certificate is None or not entry.is_certified:
            return _Made(entry, form)
        lemmas_used = {name: made[name].form for name in certificate.lemmas if name in made}
        uses = {name: each for name, each in lemmas_used.items() if _is_other(each.rule, certificate)}
        if not form.parts and not uses:
            return _Made(entry, form, self._kept.get(entry.rule.name, ""))
        if not form.parts and form.expansion.uses:
            raise RejectedError("it has a short form, and its proof is about the long form of its lemma")
        reason = ""
        if form.parts:
            try:
                proof = _Translation(uses, form.parts, form.wildcards).of(certificate)
                return _Made(_with_certificate(entry, form, proof, theory, lemmas), form)
            except RejectedError as problem:
                reason = f"the checker refuses its short form: {problem}"
        form = _ShortForm(entry.rule, Expansion(entry.rule))
        if uses:
            proof = _Translation(uses).of(certificate)
            return _Made(_with_certificate(entry, form, proof, theory, lemmas), form, reason)
        return _Made(entry, form, reason)


def _definer(theory: Theory, base: RuleBase) -> PartDefiner:
    """Return a definer that knows the parts of a rule base."""
    labels = {*(rule.name for rule in theory.rules), *base.entries}
    labels |= {clause.name for clause in base.definitions.clauses}
    definer = PartDefiner(theory.vocabulary, base.definitions.names, labels)
    parts = base.definitions.parts
    for predicate in base.definitions.predicates:
        if predicate.name in parts:
            definer.add(predicate, parts[predicate.name])
    return definer


def _may_be_short(entry: RuleEntry, certificate: Certificate, definer: PartDefiner) -> bool:
    """Return whether a rule was learned, is long and has a proof of a form that its short form can have."""
    rule = entry.rule
    mentioned = (rule.head, *statements(rule.body))
    return (
        len(rule.body) > MANY
        and entry.is_certified
        and entry.provenance is not None
        and not rule.lemma
        and not isinstance(rule.head, PlanStatement)
        and not any(s.tense for s in mentioned)
        and not any(s.relation in definer.names for s in mentioned)
        and certificate.cases is None
        and certificate.induction is None
        and not any(isinstance(part, Inversion) for proof in certificate.proofs for part in parts_of(proof))
    )


def _is_other(lemma: Rule, certificate: Certificate) -> bool:
    """Return whether a certificate is about another form of a lemma."""
    return dict(certificate.fingerprints).get(f"lemma {lemma.name}") != fingerprint_of_rule(lemma)


def _rank(entry: RuleEntry) -> int:
    return 0 if entry.certificate is None else entry.certificate.rank


@dataclass(frozen=True, slots=True)
class _Proof:
    """The contents of a certificate without witnesses."""

    steps: tuple[ProofStep, ...]
    replies: tuple[CaseProof, ...]
    cases: CaseProof | None


def _with_certificate(
    entry: RuleEntry, form: _ShortForm, proof: _Proof, theory: Theory, lemmas: Mapping[str, Lemma]
) -> RuleEntry:
    """Return the entry of a form of a rule with a certificate that the checker accepts. Raise RejectedError.

    The conditions of the opponent's reply that can be played are in no part.
    """
    assert entry.certificate is not None
    rule, opening = form.rule, entry.certificate.open
    if opening is not None:
        number, terms = opening
        opening = number, tuple((name, _renamed(term, form.wildcards)) for name, term in terms)
    certificate = certificate_of(
        rule, proof.steps, theory, lemmas, proof.replies, opening, proof.cases, entry.certificate.induction
    )
    verify(rule, certificate, theory, lemmas)
    if entry.certificate.reached and not certificate.reached:
        raise RejectedError("it is not proved for reachable states")
    return RuleEntry(rule, certificate, entry.provenance)


class _Translation:
    """The translation of a proof to the short forms of a rule and of its lemmas.

    Args:
        lemmas: The lemmas with short forms.
        parts: The parts of the rule.
        wildcards: The new wildcards of the rule.
    """

    def __init__(
        self,
        lemmas: Mapping[str, _ShortForm],
        parts: Sequence[NamedPart] = (),
        wildcards: Mapping[str, Variable] = MappingProxyType({}),
    ) -> None:
        self._lemmas = lemmas
        self._inversions: list[Inversion] = []
        self._terms: dict[str, Term] = dict(wildcards)
        for part in parts:
            self._invert(part)

    def _invert(self, part: NamedPart) -> None:
        """Add the inversion of a part, then those of the parts inside it."""
        condition = part.condition.with_terms(tuple(map(self._term, part.condition.terms)))
        shared = set(part.condition.terms)
        self._inversions.append(Inversion(replace(condition, tense=None), "before", ()))
        mark = f"{CASE_MARK}{len(self._inversions)}"
        for name, term in part.terms.items():
            if isinstance(term, Variable) and term not in shared:
                self._terms[term.name] = Variable(f"{name}{mark}")
        for inner in part.parts:
            self._invert(inner)

    def of(self, certificate: Certificate) -> _Proof:
        steps = tuple(self._steps(certificate.steps))
        if certificate.replies:
            return _Proof(
                steps, tuple(self._inverted(self._case(each)) for each in certificate.replies), None
            )
        if self._inversions:
            return _Proof((), (), self._inverted(Leaf(tuple(self._moved(steps)))))
        return _Proof(steps, (), certificate.cases)

    def _inverted(self, proof: CaseProof) -> CaseProof:
        for each in reversed(self._inversions):
            proof = replace(each, cases=(proof,))
        return proof

    def _term(self, term: Term) -> Term:
        return self._terms.get(term.name, term) if isinstance(term, Variable) else term

    def _moved(self, steps: Iterable[ProofStep]) -> Iterator[ProofStep]:
        return (with_terms(step, self._term) for step in steps)

    def _case(self, proof: CaseProof) -> CaseProof:
        steps = tuple(self._moved(self._steps(proof.steps)))
        if isinstance(proof, Leaf):
            return Leaf(steps)
        if isinstance(proof, Inversion):
            raise RejectedError("its proof distinguishes the rules that concluded a fact")
        cases = tuple((self._term(term), self._case(below)) for term, below in proof.cases)
        return Split(proof.variable, cases, self._case(proof.rest), steps)

    def _steps(self, steps: Iterable[ProofStep]) -> Iterator[ProofStep]:
        """Yield steps without witnesses, which derive the parts of each lemma before they apply it."""
        for step in steps:
            members = tuple((place, Leaf(tuple(self._steps(proof.steps)))) for place, proof in step.members)
            plain = replace(step, proofs=(), notes=(), members=members)
            known = self._lemmas.get(step.rule)
            if known is None:
                yield plain
                continue
            terms = dict(step.substitution)
            for clause, given in known.expansion.uses:
                own = tuple(
                    (name, terms[term.name] if isinstance(term, Variable) else term)
                    for name, term in sorted(given.items())
                    if not isinstance(term, Variable) or term.name in terms
                )
                yield ProofStep(clause, step.moment or "before", own)
            needed = shared_variables(known.rule)
            named = ((known.name_of(name), term) for name, term in step.substitution)
            substitution = tuple((n, t) for n, t in named if n is not None and n in needed)
            yield replace(plain, substitution=substitution)


def _renamed(term: Term, names: Mapping[str, Variable]) -> Term:
    return names.get(term.name, term) if isinstance(term, Variable) else term


def _uses(parts: Iterable[NamedPart]) -> Iterator[tuple[str, Mapping[str, Term]]]:
    for part in parts:
        yield from _uses(part.parts)
        yield part.clause.name, part.terms
