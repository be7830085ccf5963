"""The proofs of a theory's lemmas: a rule base of proof obligations, with the certificates stored next to the
theory's files.

A lemma without a tense word applies both before and after an action. Different rules may conclude its
relation at these moments, so it becomes two rules, `NAME_before` and `NAME_after`. It is proved if both are.
Each rule is proved from the theory without its lemmas, and from lemmas of smaller rank.
"""

from __future__ import annotations

import contextlib
import json
from dataclasses import replace
from pathlib import Path

from hornbook.compiler.rules.admission import Proof, RuleBase, RuleEntry, rule_base
from hornbook.compiler.rules.rulebase import proof_as_json, read_proofs
from hornbook.compiler.rules.verification import with_verdicts
from hornbook.kb.ast.substitution import at_moment, statement_at
from hornbook.kb.ast.terms import Atom, Rule, statements
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.kb.sources.diagnostics import TheoryError
from hornbook.kb.sources.proofs import proofs_path
from hornbook.kb.text.writing import require_writable, write_text


def forms(rule: Rule, words: Vocabulary) -> list[Rule]:
    """Return the rules as which a clause is proved.

    A clause about facts without a tense word gives one rule for each moment. Any other clause is returned
    unchanged.
    """
    mentioned = (rule.head, *statements(rule.body))
    changes = any(words.predicates[s.relation].has_tense for s in mentioned if s.relation in words.predicates)
    if any(s.tense for s in mentioned) or not changes or not isinstance(rule.head, Atom):
        return [rule]
    return [
        Rule(
            statement_at(rule.head, moment, words),
            tuple(at_moment(c, moment, words) for c in rule.body),
            f"{rule.name}_{moment}",
            rule.span,
        )
        for moment in ("before", "after")
    ]


def lemma_base(theory: Theory) -> RuleBase:
    """Return the proof obligations for all lemmas of a theory, used or not, with the stored certificates.

    An entry whose certificate the checker rejects states the reason.
    """
    assumed = theory.without_lemmas()
    proofs: dict[str, Proof] = {}
    for text in reversed(theory.proofs):
        with contextlib.suppress(TheoryError):  # a damaged file counts as missing
            proofs |= read_proofs(Path(theory.name), text)
    rules = [form for lemma in assumed.lemmas for form in forms(lemma, theory.vocabulary)]
    entries = (RuleEntry(rule, *proofs.get(rule.name, (None, None))) for rule in rules)
    return with_verdicts(rule_base(theory.name, entries), assumed)


def accepted(base: RuleBase, theory: Theory) -> dict[str, Rule]:
    """Return the proved lemmas of a theory and its `lemma_base`, by name, each with the states of its
    validity.
    """
    assumed = theory.without_lemmas()
    certificates = {e.rule.name: e.certificate for e in base if e.certificate is not None and e.is_certified}
    # A lemma may depend on any other.
    inverted = frozenset(name for certificate in certificates.values() for name in certificate.alone)
    found = {}
    for lemma in assumed.lemmas:
        clause_forms = forms(lemma, theory.vocabulary)
        # A proof of one clause does not prove another clause with the same name.
        if all(form.name in certificates and base.entries[form.name].rule == form for form in clause_forms):
            of_given = not all(certificates[form.name].reached for form in clause_forms)
            found[lemma.name] = replace(lemma, of_given=of_given, alone=inverted)
    return found


def write_proofs(base: RuleBase, theory: Path) -> None:
    """Write the accepted certificates next to the theory's own file, atomically."""
    require_writable(theory)
    lines = (
        json.dumps(proof_as_json(entry), ensure_ascii=False) + "\n" for entry in base if entry.is_certified
    )
    write_text(proofs_path(theory), "".join(lines))
