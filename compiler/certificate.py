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
from dataclasses import dataclass, replace
from typing import Any

from kb.declarations import Predicate
from kb.printer import print_clause, print_condition, print_rule
from kb.terms import Atom, Constant, GameStatement, Rule, Statement, Tense, Term, Variable, statements
from kb.theory import Theory, Vocabulary

FORMAT = 1
"""The version of the written form."""
MAX_STEPS = 100_000
MAX_NUMBER = 2**64


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

    def __str__(self) -> str:
        """The steps in order, each with the moment at which a timeless rule is read."""
        head = f"certificate {self.of}: {len(self.steps)} step{'s' if len(self.steps) != 1 else ''}, rank {self.rank}"
        steps = (f"  {s.rule}" + (f" ({s.moment})" if s.moment else "") for s in self.steps)
        return "\n".join((head, *steps))

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
                raise ValueError(f"a certificate of another format than {FORMAT}")
            if len(data["steps"]) > MAX_STEPS:
                raise ValueError(f"a certificate of more than {MAX_STEPS:,} steps")
            steps = tuple(map(_step, data["steps"]))
            prints = tuple((_text(name), _text(value)) for name, value in data["fingerprints"].items())
            return Certificate(_integer(data["rank"]), _text(data["of"]), steps, prints)
        except (KeyError, TypeError, AttributeError) as problem:
            raise ValueError(f"not a certificate: {problem!r}") from problem


def _step(data: Any) -> Step:
    if len(data) != 3:
        raise ValueError("a certificate has a step that is not a rule, a moment and a substitution")
    rule, moment, terms = data
    return Step(_text(rule), _moment(moment), tuple((_text(n), term_from_json(t)) for n, t in terms.items()))


def _text(value: object) -> str:
    if isinstance(value, str):
        return value
    raise ValueError(f"a certificate has {type(value).__name__} where a text belongs")


def _integer(value: object) -> int:
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < MAX_NUMBER:
        return value
    raise ValueError(f"a certificate has {type(value).__name__} where a 64-bit integer belongs")


def _moment(value: object) -> Tense | None:
    if value == "before":
        return "before"
    if value == "after":
        return "after"
    if value is None:
        return None
    raise ValueError("a certificate has a step at no moment: not before, after or null")


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
    return Constant(_integer(value))


def fingerprint_of_rule(rule: Rule) -> str:
    """Changes with whatever the rule says, and not with where or how it is written."""
    return _fingerprint(print_rule(rule))


def fingerprint_of_declaration(predicate: Predicate, vocabulary: Vocabulary) -> str:
    """Changes with what a predicate's declaration says, and with the sorts of its columns.

    Whether it is operational is left out: that says what a learner may ask for, and proves nothing.
    """
    sorts = (vocabulary.sorts[column.name] for column in predicate.columns)
    return _fingerprint(
        "\n".join(
            [
                print_clause(replace(predicate, operational=False)),
                *(f"{s.name} {s.kind} {s.constants}" for s in sorts),
            ]
        )
    )


def relied_on(rules: Iterable[Rule], vocabulary: Vocabulary) -> tuple[Predicate, ...]:
    """The predicates whose declarations a proof by these rules rests on: all that they mention, and those that
    count them.
    """
    said = (s for rule in rules for s in (rule.head, *statements(rule.body)))
    names = {name for statement in said for name in _predicates(statement)}
    names |= {p.name for p in vocabulary.predicates.values() if p.closes in names}
    return tuple(vocabulary.predicates[name] for name in sorted(names) if name in vocabulary.predicates)


def _predicates(statement: Statement) -> list[str]:
    if isinstance(statement, GameStatement):
        return [atom.predicate for atom in (statement.game, statement.by) if atom is not None]
    return [statement.predicate]


def fingerprint_of_facts(theory: Theory) -> str:
    """Changes with the facts that a theory states of what never changes."""
    predicates = theory.vocabulary.predicates
    fixed = (s for s in theory.facts if isinstance(s, Atom) and not predicates[s.predicate].has_tense)
    return _fingerprint("\n".join(sorted(print_condition(statement) for statement in fixed)))


def _fingerprint(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def fingerprints(
    theory: Theory, rules: Iterable[Rule], lemmas: Iterable[Rule], declarations: Iterable[Predicate]
) -> tuple[tuple[str, str], ...]:
    """The fingerprints of all that a certificate names, sorted by name."""
    found = {"facts static": fingerprint_of_facts(theory)}
    found |= {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in rules}
    found |= {f"lemma {rule.name}": fingerprint_of_rule(rule) for rule in lemmas}
    found |= {f"declaration {p.name}": fingerprint_of_declaration(p, theory.vocabulary) for p in declarations}
    return tuple(sorted(found.items()))
