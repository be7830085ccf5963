"""Certification: the certificate for the steps of a proof, with witnesses and fingerprints.

The checker decides whether it is valid.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain

from hornbook.compiler.checker.certificate import (
    HYPOTHESIS,
    CaseProof,
    Certificate,
    Opening,
    ProofStep,
    fingerprint_of_checker,
    fingerprint_of_declaration,
    fingerprint_of_dependencies,
    fingerprint_of_facts,
    fingerprint_of_replies,
    fingerprint_of_rule,
    fingerprint_of_turns,
    relied_on,
    steps_of,
    within,
)
from hornbook.compiler.checker.checker import (
    Lemma,
    RejectedError,
    as_applied,
    as_value,
    depends_on_absence,
    verify,
)
from hornbook.compiler.witness.congruence import Place
from hornbook.compiler.witness.queries import (
    concluding_at,
    concluding_where_proved,
    constraints,
    inversions_hold_when_reached,
)
from hornbook.compiler.witness.search import completed
from hornbook.kb.ast.declarations import Predicate, Replies
from hornbook.kb.ast.terms import GameStatement, PlanStatement, Rule
from hornbook.kb.ast.theory import Theory


def certificate_of(
    rule: Rule,
    steps: Sequence[ProofStep],
    theory: Theory,
    lemmas: Mapping[str, Lemma],
    replies: Sequence[CaseProof] = (),
    opening: Opening | None = None,
    cases: CaseProof | None = None,
    induction: int | None = None,
) -> Certificate:
    """Return the certificate of a rule by its steps, and by proofs for replies or cases, if there are any.

    It covers all reachable states if the proof does. Raise RejectedError if the search for witnesses is given
    up.
    """
    by_name = {rule.name: rule for rule in theory.rules}
    proofs = (*within(steps), *replies, *(() if cases is None else (cases,)))
    names = list(dict.fromkeys(step.rule for step in chain(steps, *map(steps_of, proofs))))
    names = [name for name in names if name != HYPOTHESIS]
    used = [by_name[name] for name in names if name in by_name]
    used_lemmas = [lemmas[name] for name in names if name not in by_name]
    lemma_rules = [lemma.rule for lemma in used_lemmas]
    clause = None
    if replies and isinstance(rule.head, GameStatement):
        clause = theory.replies_of(rule.head.game.predicate)
    named = Certificate(
        rank=1 + max((lemma.rank for lemma in used_lemmas), default=0),
        of=fingerprint_of_rule(rule),
        steps=tuple(steps),
        fingerprints=(),
        replies=tuple(replies),
        open=opening,
        reached=not any(each.of_given for each in used)
        and all(lemma.reached for lemma in used_lemmas)
        and not depends_on_absence(rule, theory.vocabulary),
        cases=cases,
        inverted_by_lemmas=tuple(sorted({name for lemma in used_lemmas for name in lemma.alone})),
        induction=induction,
    )
    # In a reachable state, facts before an action may be facts after the previous one.
    named = replace(named, reached=named.reached and inversions_hold_when_reached(named, theory))
    mentioning = [rule, *used, *lemma_rules, *concluding_at(named.inverted, theory)]
    declared = relied_on(mentioning, theory.vocabulary, clause)
    sources = {each.name: as_applied(each, theory.vocabulary) for each in (*used, *lemma_rules)}

    def complete(certificate: Certificate) -> Certificate:
        found, proved = completed(as_value(rule), certificate, theory, sources)
        inspected = [*mentioning, *concluding_where_proved(theory, proved)]
        mentioned = relied_on(inspected, theory.vocabulary, clause)
        mentioned += tuple(p for n, _ in proved if (p := theory.vocabulary.predicates[n]) not in mentioned)
        named = fingerprints(theory, used, lemma_rules, mentioned, clause, (*proved, *found.inverted))
        if isinstance(rule.head, PlanStatement):
            named = tuple(sorted((*named, ("theory turns", fingerprint_of_turns(theory)))))
        return replace(found, fingerprints=named)

    made = complete(named)
    if not made.reached or _holds_when_reached(declared, theory):
        return made
    try:
        verify(rule, made, theory, lemmas)
    except RejectedError:
        return complete(replace(named, reached=False))
    return made


def fingerprints(
    theory: Theory,
    rules: Iterable[Rule],
    lemmas: Iterable[Rule],
    declarations: Iterable[Predicate],
    replies: Replies | None = None,
    proved: Iterable[Place] = (),
) -> tuple[tuple[str, str], ...]:
    """Return the fingerprints of everything that a certificate names, sorted by name."""
    declarations = tuple(declarations)
    found = {
        "checker version": fingerprint_of_checker(),
        "facts static": fingerprint_of_facts(theory),
        "theory promises": fingerprint_of_dependencies(theory, declarations, proved),
    }
    found |= {f"rule {rule.name}": fingerprint_of_rule(rule) for rule in rules}
    found |= {f"lemma {rule.name}": fingerprint_of_rule(rule) for rule in lemmas}
    found |= {f"declaration {p.name}": fingerprint_of_declaration(p, theory.vocabulary) for p in declarations}
    if replies is not None:
        found[f"replies {replies.game.predicate}"] = fingerprint_of_replies(replies)
    return tuple(sorted(found.items()))


def _holds_when_reached(predicates: Iterable[Predicate], theory: Theory) -> bool:
    """Return whether all keys and counts of these predicates that hold in given states also hold in reachable
    ones.
    """
    known, names = constraints(theory), {predicate.name for predicate in predicates}
    return {p for p in known.given.keys | known.given.closed if p[0] in names} <= (
        known.reached.keys | known.reached.closed
    )
