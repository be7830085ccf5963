"""Certificates: the proof of a learned rule, as data.

A certificate is a list of steps, each a rule of the theory (or a lemma of smaller rank) under a substitution
over the learned rule's own variables, in an order in which each rests only on the rule's conditions and on
earlier steps. It names every rule, lemma and declaration that it used with a fingerprint, so that a change of
theory shows which certificates are to be checked again. What makes a certificate good is the checker's to
say (compiler/checker.py); nothing is checked here.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from kb.declarations import Predicate
from kb.printer import print_clause, print_condition, print_rule
from kb.terms import Constant, GameStatement, Rule, Statement, Tense, Term, Variable
from kb.theory import Theory

FORMAT = 1
"""The version of the written form."""


@dataclass(frozen=True, slots=True)
class Step:
    """One application of a rule: `moment` is that at which a timeless rule is read (None: it says its own)."""

    rule: str
    moment: Tense | None
    substitution: tuple[tuple[str, Term], ...]


@dataclass(frozen=True, slots=True)
class Certificate:
    """Why a learned rule follows from its theory.

    `rank` is greater than that of every lemma used. `fingerprints` maps `rule NAME`, `lemma NAME` and
    `declaration NAME`, and the
    theory's static facts, to what they were when the certificate was made; `of` is the learned rule's own.
    """

    rank: int
    of: str
    steps: tuple[Step, ...]
    fingerprints: tuple[tuple[str, str], ...]

    @property
    def lemmas(self) -> tuple[str, ...]:
        """The names of the learned rules that the proof rests on."""
        prefix = "lemma "
        return tuple(name.removeprefix(prefix) for name, _ in self.fingerprints if name.startswith(prefix))

    def as_json(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "rank": self.rank,
            "of": self.of,
            "steps": [
                [s.rule, s.moment, {name: term_as_json(term) for name, term in s.substitution}]
                for s in self.steps
            ],
            "fingerprints": dict(self.fingerprints),
        }

    @staticmethod
    def from_json(data: Mapping[str, Any]) -> Certificate:
        """Raises ValueError where the data is not of this form."""
        try:
            if data["format"] != FORMAT:
                raise ValueError(f"certificate of format {data['format']}, not {FORMAT}")
            steps = tuple(
                Step(str(rule), _moment(moment), tuple((str(n), term_from_json(t)) for n, t in terms.items()))
                for rule, moment, terms in data["steps"]
            )
            prints = tuple((str(name), str(value)) for name, value in data["fingerprints"].items())
            return Certificate(int(data["rank"]), str(data["of"]), steps, prints)
        except (KeyError, TypeError, AttributeError) as problem:
            raise ValueError(f"not a certificate: {problem!r}") from problem


def _moment(value: object) -> Tense | None:
    if value == "before":
        return "before"
    if value == "after":
        return "after"
    if value is None:
        return None
    raise ValueError(f"`{value}` is not a moment")


def term_as_json(term: Term) -> str | int:
    """Variables keep their mark; a word that begins with a mark of its own is written after a quote."""
    if isinstance(term, Variable):
        return f"?{term.name}"
    if isinstance(term.value, str) and term.value[:1] in ("?", "'"):
        return f"'{term.value}"
    return term.value


def term_from_json(value: object) -> Term:
    if isinstance(value, str):
        if value.startswith("?"):
            return Variable(value[1:])
        return Constant(value.removeprefix("'"))
    if isinstance(value, int) and not isinstance(value, bool):
        return Constant(value)
    raise ValueError(f"{value!r} is not a term")


def fingerprint_of_rule(rule: Rule) -> str:
    """Changes with whatever the rule says, and not with where or how it is written."""
    return _fingerprint(print_rule(rule))


def fingerprint_of_declaration(predicate: Predicate) -> str:
    return _fingerprint(print_clause(predicate))


def fingerprint_of_facts(theory: Theory) -> str:
    """Changes with the facts that a theory states of what never changes."""
    fixed = (s for s in theory.facts if not theory.vocabulary.predicates[_predicate(s)].has_tense)
    return _fingerprint("\n".join(sorted(print_condition(statement) for statement in fixed)))


def _predicate(statement: Statement) -> str:
    return statement.game.predicate if isinstance(statement, GameStatement) else statement.predicate


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def fingerprints(
    theory: Theory, rules: Iterable[Rule], lemmas: Iterable[Rule], declarations: Iterable[Predicate]
) -> tuple[tuple[str, str], ...]:
    """The fingerprints of all that a certificate names, sorted by name."""
    found = {"facts static": fingerprint_of_facts(theory)}
    found |= {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in rules}
    found |= {f"lemma {rule.name}": fingerprint_of_rule(rule) for rule in lemmas}
    found |= {f"declaration {p.name}": fingerprint_of_declaration(p) for p in declarations}
    return tuple(sorted(found.items()))
