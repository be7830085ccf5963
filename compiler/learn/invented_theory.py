"""Results of predicate invention as files: a theory with predicates and lemmas, and a rule base for it.

`RULES_words.horn`, next to the rules, imports the theory of the examples. It declares the invented
predicates, defines them by their clauses, and states their lemmas about later moments, with the rules on
which these depend. The sidecar `RULES_words.proofs.jsonl` proves the lemmas. The file is an ordinary theory,
and the learned rules belong to it.

Invariants: every stored lemma is accepted by the checker after the theory is read again.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from itertools import count
from pathlib import Path

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.checker import Lemma, RejectedError, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.learn.invention import InventionResult
from hornbook.compiler.rules import rulebase
from hornbook.compiler.rules.admission import RuleBase, RuleEntry, conclusion_of, rule_base
from hornbook.compiler.trust.known_lemmas import proved
from hornbook.kb.ast.declarations import Import, TheoryName
from hornbook.kb.ast.terms import All, GameStatement, Rule, condition_variables
from hornbook.kb.ast.theory import Theory
from hornbook.kb.format.formatter import format_text
from hornbook.kb.format.printer import print_clause
from hornbook.kb.load.loader import load
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.text.writing import require_writable, write_texts

HEAD = (
    "% Words for what holds after an action, invented by `hornbook rules invent`, and what they say as"
    " lemmas.\n"
)


def invented_theory_path(rules: Path) -> Path:
    """Return the path of the theory with the invented predicates of a rule file."""
    return rules.with_name(f"{rules.stem}_words.horn")


def write(learned: InventionResult, given: Theory, into: Path) -> RuleBase:
    """Write the invented predicates and the learned rules; return the rules.

    Raise RejectedError if a lemma is not accepted when it is read again. Raise TheoryError or OSError if
    files cannot be read or written.
    """
    require_writable(into)
    place = invented_theory_path(into)
    lemmas = _lemmas(learned.base)
    write_texts([
        (proofs_path(place), "".join(_lines(entry for entry in learned.base if entry.rule.name in lemmas))),
        (place, format_text(HEAD + _text(learned, given, place.stem, lemmas))),
    ])  # fmt: skip
    theory = load(place, adapters=given.adapters, judge=proved)
    if theory.lemmas:
        raise RejectedError(f"the proof of `{theory.lemmas[0].name}` is not accepted as it was written")
    base = rule_base(theory.name, _answering(learned.base, theory, lemmas))
    rulebase.write(base, into)
    return base


def _answers(rule: Rule) -> bool:
    """Return whether a rule is about the value of a game at the moment of its conditions."""
    return isinstance(rule.head, GameStatement) and rule.head.tense is None


def _lemmas(base: RuleBase) -> frozenset[str]:
    """Return the names of the lemmas: those marked as such and those about later moments, and all rules on
    which their proofs depend.
    """
    found: set[str] = set()
    todo = {entry.rule.name for entry in base if entry.rule.lemma or not _answers(entry.rule)}
    while todo:
        found |= todo
        certificates = (base.entries[name].certificate for name in todo)
        todo = {name for each in certificates if each is not None for name in each.lemmas} - found
    return frozenset(found)


def _text(learned: InventionResult, given: Theory, name: str, lemmas: Collection[str]) -> str:
    """Return the invented predicates as a theory that imports the theory of the examples."""
    known_words, rules = given.vocabulary.predicates, frozenset(rule.name for rule in given.rules)
    words = learned.theory.vocabulary.predicates
    declared = "\n".join(print_clause(words[word]) for word in words if word not in known_words)
    clauses = [rule for rule in learned.theory.rules if rule.name not in rules]
    clauses += [replace(entry.rule, lemma=True) for entry in learned.base if entry.rule.name in lemmas]
    beginning = [print_clause(TheoryName(name)), print_clause(Import(given.name)), declared]
    return "\n\n".join([*beginning, *map(print_clause, clauses)]) + "\n"


def _lines(entries: Iterable[RuleEntry]) -> Iterator[str]:
    return (json.dumps(rulebase.proof_as_json(entry), ensure_ascii=False) + "\n" for entry in entries)


def _answering(base: RuleBase, theory: Theory, lemmas: Collection[str]) -> Iterator[RuleEntry]:
    """Yield the learned rules for the new theory.

    A rule that is a lemma of the theory follows in one step. Raise RejectedError if the checker does not
    accept a rule for the new theory.
    """
    known: dict[str, Lemma] = {}
    for entry in base:
        rule, found = entry.rule, entry.certificate
        if found is None or rule.lemma or not _answers(rule):
            continue
        if rule.name in lemmas:
            # A rule of a rule base must not have the name of a lemma.
            listed = {v for c in rule.body if isinstance(c, All) for v in c.variables}
            variables = {v.name: v for c in (rule.head, *rule.body) for v in condition_variables(c)}
            steps = (
                ProofStep(rule.name, None, tuple((n, v) for n, v in variables.items() if v not in listed)),
            )
            labels = (f"{conclusion_of(rule)}_{number}" for number in count(1))
            named = replace(rule, label=next(n for n in labels if n not in base.entries and n not in known))
            certificate = certificate_of(named, steps, theory, known)
        else:
            named = rule
            certificate = certificate_of(
                rule, found.steps, theory, known, found.replies, found.open, found.cases
            )
        verify(named, certificate, theory, known)
        known[named.name] = Lemma.of(named, certificate)
        yield RuleEntry(named, certificate, entry.provenance)
