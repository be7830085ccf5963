"""Attacks on the checker: each a small theory, forged rules with their certificates, and a state that refutes
them.

An attack is a file in `oracles/proofs/attacks/`; a further file is a further attack:

    says = "the mistake in a sentence"
    because = "a part of the checker's message"
    theory = '''a theory'''
    [[rules]]                      # lemmas first; the last one is the forged rule
    rule = "label: conclusion :- conditions."
    steps = [["rule applied", "before, after or nothing", { variable = "term" }]]
    replies = [...]                # a proof for each alternative: steps, or { split, cases, rest }, or
    cases = { ... }                # { invert = ["relation", "moment", ["term"]], steps, cases }, of the
                                   # unchanged rule
    open = [0, { variable = "term" }]
    written = { field = "value" }  # replaces fields of the written certificate; the fields of an object are
                                   # added. All fingerprints, `reached` and `keys` otherwise match the result.
                                   # A text is read as JSON, which has `null`
    [state]
    facts = "the facts of a state, and an action if one is taken there"
    wrong = "a false conclusion of the forged rule there"

With `stated = "facts"`, the theory's file also states these facts, which its check refuses; the forged rule
depends on them. With `matched = true`, the certificate is good, and the error would be an answer of a
matcher; with `answered = true`, an answer of a knowledge base.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from hornbook.compiler.checker.certificate import (
    CaseProof,
    Certificate,
    Inversion,
    Leaf,
    Opening,
    ProofStep,
    Split,
    relied_on,
)
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.keys import places_of
from hornbook.compiler.generalise.certification import certificate_of, fingerprints
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json
from hornbook.compiler.witness.queries import concluding_at
from hornbook.kb.ast.terms import Atom, Constant, Rule, Statement, Term, Variable
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.load.loader import load_text
from hornbook.kb.parse.facts import ground_fact
from hornbook.kb.parse.syntax import parse

FOLDER = Path(__file__).parent / "attacks"


@dataclass(frozen=True)
class Forged:
    """A rule and its alleged proof."""

    rule: Rule
    steps: tuple[ProofStep, ...]
    replies: tuple[CaseProof, ...]
    open: Opening | None
    cases: CaseProof | None
    written: Mapping[str, Any]

    def certificate(self, theory: Theory, lemmas: Mapping[str, Lemma]) -> Certificate:
        """Return the alleged proof.

        Raise ValueError if the written fields do not have the form of a certificate.
        """
        if self.written:
            return certificate_from_json(self.written_certificate(theory, lemmas))
        return self._made(theory, lemmas)

    def written_certificate(self, theory: Theory, lemmas: Mapping[str, Lemma]) -> dict[str, Any]:
        """Return the certificate as JSON, with correct fingerprints except for the written fields."""
        written = certificate_as_json(self._made(theory, lemmas))
        for name, value in self.written.items():
            written[name] = {**written.get(name, {}), **value} if isinstance(value, dict) else value
        try:
            read = certificate_from_json(written)
            named = certificate_of(
                self.rule, read.steps, theory, lemmas, read.replies, read.open, read.cases, read.induction
            )
        except (ValueError, KeyError):  # it is no certificate, or names missing things
            return written
        found = dict(named.fingerprints) | self._of_reached(named, theory)
        written["fingerprints"] = {**found, **self.written.get("fingerprints", {})}
        made = certificate_as_json(named)
        for name in ("reached", "keys"):
            if name in made and name not in self.written:
                written[name] = made[name]
            elif name not in self.written:
                written.pop(name, None)
        return written

    def _of_reached(self, made: Certificate, theory: Theory) -> dict[str, str]:
        """Return the fingerprints that change if the proof is written to concern reached states."""
        forged = replace(made, reached=bool(self.written.get("reached", made.reached)))
        if forged.inverted == made.inverted:
            return {}
        named = {n.removeprefix("declaration ") for n, _ in made.fingerprints if n.startswith("declaration ")}
        predicates = relied_on(concluding_at(forged.inverted, theory), theory.vocabulary)
        words = theory.vocabulary.predicates
        declared = [words[name] for name in sorted({*named, *(p.name for p in predicates)})]
        places = [*(place for place, _ in places_of(made.keys)), *forged.inverted]
        found = dict(fingerprints(theory, (), (), declared, None, places))
        return {n: f for n, f in found.items() if n.startswith("declaration ") or n == "theory promises"}

    def _made(self, theory: Theory, lemmas: Mapping[str, Lemma]) -> Certificate:
        return certificate_of(self.rule, self.steps, theory, lemmas, self.replies, self.open, self.cases)


@dataclass(frozen=True)
class Attack:
    name: str
    theory_text: str
    rules: tuple[Forged, ...]
    facts: frozenset[GroundFact]
    wrong: Statement
    matched: bool
    answered: bool
    stated: str
    because: str

    @property
    def theory(self) -> Theory:
        return load_text(self.theory_text)

    @property
    def forged(self) -> Rule:
        return self.rules[-1].rule

    def verify(self, theory: Theory) -> Certificate:
        """Return the last rule's certificate after the checker has checked all rules in order.

        Raise the checker's exceptions, and ValueError for a rule without a well-formed certificate.
        """
        lemmas: dict[str, Lemma] = {}
        for each in self.rules:
            certificate = each.certificate(theory, lemmas)
            verify(each.rule, certificate, theory, lemmas)
            lemmas[each.rule.name] = Lemma.of(each.rule, certificate)
        return certificate


def attacks() -> list[Attack]:
    return [_attack(path) for path in sorted(FOLDER.glob("*.toml"))]


def _attack(path: Path) -> Attack:
    data = tomllib.loads(path.read_text(encoding="utf-8"))
    rules = tuple(map(_forged, data["rules"]))
    facts = parse(data["state"]["facts"])
    assert not facts.diagnostics, facts.diagnostics
    state = frozenset(ground_fact(clause.head) for clause in facts.clauses if isinstance(clause, Rule))
    wrong = _clause(f"{data['state']['wrong']}.").head
    matched, answered = data.get("matched", False), data.get("answered", False)
    stated, because = data.get("stated", ""), data.get("because", "")
    return Attack(path.stem, data["theory"], rules, state, wrong, matched, answered, stated, because)


def _clause(text: str) -> Rule:
    parsed = parse(text)
    assert not parsed.diagnostics, parsed.diagnostics
    (clause,) = parsed.clauses
    assert isinstance(clause, Rule)
    return clause


def _forged(each: Mapping[str, Any]) -> Forged:
    opening = None
    if "open" in each:
        number, terms = each["open"]
        opening = number, _terms(terms)
    replies = tuple(map(_proof, each.get("replies", ())))
    cases = _proof(each["cases"]) if "cases" in each else None
    written = each.get("written", {})
    written = json.loads(written) if isinstance(written, str) else written
    return Forged(_clause(each["rule"]), _steps(each["steps"]), replies, opening, cases, written)


def _steps(steps: list[Any]) -> tuple[ProofStep, ...]:
    return tuple(ProofStep(rule, moment or None, _terms(terms)) for rule, moment, terms in steps)


def _proof(proof: Any) -> CaseProof:
    if isinstance(proof, list):
        return Leaf(_steps(proof))
    if "invert" in proof:
        name, moment, terms = proof["invert"]
        return Inversion(
            Atom(name, tuple(map(_term, terms)), None),
            moment or None,
            tuple(map(_proof, proof["cases"])),
            _steps(proof.get("steps", [])),
        )
    cases = tuple((_term(term), _proof(below)) for term, below in proof["cases"])
    return Split(proof["split"], cases, _proof(proof["rest"]))


def _terms(terms: Mapping[str, Any]) -> tuple[tuple[str, Term], ...]:
    return tuple((name, _term(value)) for name, value in terms.items())


def _term(value: str | int) -> Term:
    """Return a term in its written form: any integer, even one that no certificate can hold."""
    return Variable(value[1:]) if isinstance(value, str) and value.startswith("?") else Constant(value)
