"""Comparison of the checker with the second reader, on unchanged and on mutated certificates.

The second reader gets texts: the theory, the printed rule, and the certificate as JSON. So the comparison
starts with the reading of files, and the two share only these texts.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from random import Random
from typing import Any

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, verify
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.generalise.regression import Regressed
from hornbook.compiler.rules.admission import RuleBase
from hornbook.compiler.rules.certificates import certificate_as_json, certificate_from_json
from hornbook.kb.ast.terms import Rule
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.printer import print_rule
from hornbook.kb.parse.syntax import parse
from oracles.proofs.mutants import mutants
from oracles.reader import certificate as second
from oracles.reader.language import NotRead, clauses, fingerprint
from oracles.reader.theory import ReaderTheory as Read

ROOT = Path(__file__).parents[2]
THEORIES = ROOT / "theories"


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of both: the reason for a refusal, or `""` for acceptance."""

    checker: str
    reader: str
    decided: bool = True

    @property
    def agree(self) -> bool:
        return self.decided and bool(self.checker) == bool(self.reader)


@dataclass
class Both:
    """One theory as both read it, with the lemmas that proofs may use."""

    theory: Theory
    read: Read
    lemmas: dict[str, Lemma] = field(default_factory=dict)
    forms: dict[Rule, Any] = field(default_factory=dict)

    @staticmethod
    def shipped(theory: Theory, name: str) -> Both:
        read = Read.read(theory.path or THEORIES / name, THEORIES)
        read.of_given = frozenset(rule.name for rule in theory.rules if rule.lemma and rule.of_given)
        return Both(theory, read)

    @staticmethod
    def of_texts(theory: Theory, texts: Sequence[str]) -> Both:
        return Both(theory, Read.of_texts(texts))

    def add(self, rule: Rule, certificate: Certificate) -> None:
        """Add a rule that later proofs may use."""
        self.lemmas[rule.name] = Lemma.of(rule, certificate)

    def _known(self, lemmas: Mapping[str, Lemma]) -> Iterator[tuple[str, second.ReaderLemma]]:
        for name, lemma in lemmas.items():
            if lemma.rule not in self.forms:
                self.forms[lemma.rule] = self.form(lemma.rule)
            form = self.forms[lemma.rule]
            if form is not None:
                yield name, second.ReaderLemma(form, lemma.rank, lemma.reached, lemma.alone)

    def form(self, rule: Rule) -> Any:
        """Return the printed rule as the second reader parses it, or None if it cannot be parsed."""
        try:
            (form,) = clauses(print_rule(rule))
        except (NotRead, ValueError):
            return None
        return form

    @staticmethod
    def is_text(rule: Rule) -> bool:
        """Return whether the rule equals the parse of its text, with the wildcards numbered as in a text."""
        found = parse(print_rule(rule)).clauses
        return len(found) == 1 and found[0] == rule

    def verdicts(self, rule: Rule, data: Any, form: Any = None) -> Verdicts:
        """Return the verdicts of both on a rule and a certificate, which is given as JSON is read."""
        lemmas = {name: lemma for name, lemma in self.lemmas.items() if name != rule.name}
        checker = ""
        try:
            verify(rule, certificate_from_json(data), self.theory, lemmas)
        except (ValueError, RejectedError, RecursionError) as problem:
            checker = str(problem) or "no reason"
        form = form if form is not None else self.form(rule)
        if form is None:
            return Verdicts(checker, "not a rule of the language")
        verdict = second.decide(form, data, self.read, dict(self._known(lemmas)))
        reader = "" if verdict.kind == "accepted" else verdict.why or "no reason"
        return Verdicts(checker, reader, verdict.kind != "not decided")


@dataclass(frozen=True)
class CertifiedCase:
    """A valid rule with its certificate as JSON."""

    both: Both
    rule: Rule
    form: Any
    data: Mapping[str, Any]
    steps: Any


def cases_of(both: Both, base: RuleBase) -> Iterator[CertifiedCase]:
    """Yield the certified rules of a rule base. Each is a lemma for the later ones."""
    for entry in base:
        assert entry.certificate is not None
        data = json.loads(json.dumps(certificate_as_json(entry.certificate)))
        yield CertifiedCase(both, entry.rule, both.form(entry.rule), data, entry.certificate.steps)
        both.add(entry.rule, entry.certificate)


# Mutations

ODD: tuple[Any, ...] = (
    None, True, False, 0, 1, 2, -1, 2**63, 1.0, "", "?", "?a", "a", "'?a", "p^", "before", "after", [], {},
    [0], [[]],
    ["same"], ["apart", None], ["known", 0], ["known", [], 0], ["impossible", [], None], ["key", 0, 1],
    ["linear", [], [], None, None],
)  # fmt: skip


def bent(case: CertifiedCase, random: Random) -> tuple[Rule, Any, Any]:
    """Return a rule, its parsed form, and a certificate with one to three changes."""
    rule, form = case.rule, case.form
    data = json.loads(json.dumps(case.data))
    if random.random() < 0.25:
        rule, form = _another_rule(case, random)
        data["of"] = fingerprint(form)
        if random.random() < 0.5:
            return rule, form, data
    if random.random() < 0.15:
        data.pop("reached", None) if random.random() < 0.5 else data.__setitem__("reached", True)
    for _ in range(random.choice((1, 1, 1, 2, 3))):
        _bend(data, random)
    return rule, form, data


def _another_rule(case: CertifiedCase, random: Random) -> tuple[Rule, Any]:
    """Return a rule with a changed or weaker condition; the numbers in its proof remain valid."""
    rule, body = case.rule, case.rule.body
    if not body:
        return rule, case.form
    if random.random() < 0.4:
        place = random.randrange(len(body))
        rule = replace(rule, body=(*body[:place], random.choice(body), *body[place + 1 :]))
    else:
        found = [m.proved.rule for m in mutants(Regressed(rule, ()))]
        rule = random.choice(found) if found else rule
    form = case.both.form(rule)
    if form is None:
        return case.rule, case.form
    # A wildcard that occurs twice in the rule becomes two in its text.
    (read,) = parse(print_rule(rule)).clauses
    assert isinstance(read, Rule)
    return read, form


def _places(data: Any) -> Iterator[tuple[Any, Any]]:
    todo = [data]
    while todo:
        item = todo.pop()
        for key in item if isinstance(item, dict) else range(len(item)):
            yield item, key
            if isinstance(item[key], list | dict):
                todo.append(item[key])


def _bend(data: Any, random: Random) -> None:
    within = (
        data
        if random.random() < 0.1
        else {k: v for k, v in data.items() if k not in ("fingerprints", "of", "format")}
    )
    places = list(_places(within))
    if not places:
        return
    container, key = random.choice(places)
    if container is within:
        container = data
    value, (other, there) = container[key], random.choice(places)
    match random.randrange(9):
        case 0 | 1 if type(value) is int:
            container[key] = value + random.choice((-2, -1, 1, 2, 5))
        case 0 | 1 | 2:
            container[key] = json.loads(json.dumps(other[there]))
        case 3:
            container[key] = json.loads(json.dumps(random.choice(ODD)))
        case 4 if isinstance(container, list):
            del container[key]
        case 5 if isinstance(container, list):
            container.insert(random.randint(0, len(container)), json.loads(json.dumps(value)))
        case 6 if isinstance(container, list):
            place = random.randrange(len(container))
            container[key], container[place] = container[place], container[key]
        case 7 if isinstance(container, dict):
            container[random.choice((f"{key}^", "x", "_1", "lemma upper", "reached"))] = container.pop(key)
        case _ if isinstance(value, str):
            found = [o[k] for o, k in places if isinstance(o[k], str)]
            container[key] = random.choice(found)
        case _:
            container[key] = json.loads(json.dumps(other[there]))
