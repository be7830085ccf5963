"""The claims of a theory, as rules to be proved from the theory without them.

A claim says of a word that has a meaning already what has to agree with it (compiler/trust/kinds.py), so it should follow from the
clauses that are none. One without a tense word is read at two moments, and is two rules: what concludes its word before an action
need not be what does so after it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hornbook.compiler.rules.admission import Entry, RuleBase, rule_base
from hornbook.compiler.trust.kinds import kinds
from hornbook.kb.ast.substitution import at_moment, statement_at
from hornbook.kb.ast.terms import Rule, statements
from hornbook.kb.ast.theory import Theory


@dataclass(frozen=True, slots=True)
class Claims:
    """The claims of a theory as rules without proofs, the theory without them, and the name of the claim that each rule is of."""

    rules: RuleBase
    theory: Theory
    names: Mapping[str, str]


def claims_of(theory: Theory) -> Claims:
    """The claims of a theory; one that is read at two moments is two rules, `NAME_before` and `NAME_after`."""
    told = list(zip(theory.rules, kinds(theory), strict=True))
    rest = replace(theory, rules=tuple(rule for rule, kind in told if kind != "claim"))
    forms = [(form, rule.name) for rule, kind in told if kind == "claim" for form in _forms(rule, theory)]
    rules = rule_base(theory.name, [Entry(form, None, None) for form, _ in forms])
    return Claims(rules, rest, {form.name: name for form, name in forms})


def _forms(rule: Rule, theory: Theory) -> Iterator[Rule]:
    words = theory.vocabulary
    said = (rule.head, *statements(rule.body))
    changes = any(words.predicates[s.relation].has_tense for s in said if s.relation in words.predicates)
    if any(s.tense for s in said) or not changes:
        yield rule
        return
    for moment in ("before", "after"):
        head = statement_at(rule.head, moment, words)
        body = tuple(at_moment(condition, moment, words) for condition in rule.body)
        yield replace(rule, head=head, body=body, label=f"{rule.name}_{moment}")
