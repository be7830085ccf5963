"""Origins: the rules of the theory that contribute the conditions of a learned rule.

Each step of a certificate is a rule under a substitution. A condition of the learned rule comes from every
step that has it among its own conditions.
"""

from __future__ import annotations

from collections.abc import Container, Mapping

from hornbook.compiler.checker.certificate import CASE_MARK, Inversion
from hornbook.compiler.checker.checker import Lemma
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.definitions import Expansion, definitions_of
from hornbook.kb.ast.substitution import apply_to_condition, at_moment, rename_condition
from hornbook.kb.ast.terms import Condition, Rule, Term, Variable, shared_variables
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Origin:
    """A condition of a learned rule, and the names of the rules that require it.

    There are no names if the condition only helps to prove others, such as a `!=` between members of a closed
    set.
    """

    condition: Condition
    rules: tuple[str, ...]


def origins(entry: RuleEntry, theory: Theory, lemmas: dict[str, Lemma]) -> tuple[Origin, ...]:
    """Return the origin of every condition, in the order of the rule's body.

    Parts of the rule are written out; `theory` has the definitions of their predicates.
    """
    rules = {name: lemma.rule for name, lemma in lemmas.items()} | {rule.name: rule for rule in theory.rules}
    expansion = definitions_of(theory).expanded(entry.rule)
    renamed = terms_in_cases(entry, expansion, rules)
    own = shared_variables(expansion.rule)
    requiring: dict[Condition, dict[str, None]] = {}
    for step in () if entry.certificate is None else entry.certificate.all_steps:
        # A manipulated certificate may name an unknown rule; the checker reports that.
        for condition in rules[step.rule].body if step.rule in rules else ():
            substitution = {name: _renamed(term, renamed) for name, term in step.substitution}
            instance = apply_to_condition(_form(condition, substitution, theory), substitution)
            requiring.setdefault(instance, {})[step.rule] = None
    return tuple(Origin(c, tuple(requiring.get(_form(c, own, theory), {}))) for c in expansion.rule.body)


def terms_in_cases(entry: RuleEntry, expansion: Expansion, rules: Mapping[str, Rule]) -> dict[str, Term]:
    """Return the term of the written-out rule for each variable of the clauses that the proof inverts.

    `rules` has the clauses of the rule's parts by name.
    """
    proofs = () if entry.certificate is None else entry.certificate.proofs
    proof = proofs[0] if proofs else None
    found: dict[str, Term] = {}
    for number in range(1, len(expansion.uses) + 1):
        if not isinstance(proof, Inversion) or len(proof.cases) != 1:
            break
        statement = apply_to_condition(proof.statement, found)
        for clause, terms in expansion.uses:
            if apply_to_condition(rules[clause].head, terms) == statement:
                found |= {f"{name}{CASE_MARK}{number}": term for name, term in terms.items()}
        (proof,) = proof.cases
    return found


def _renamed(term: Term, names: Mapping[str, Term]) -> Term:
    return names.get(term.name, term) if isinstance(term, Variable) else term


def _form(condition: Condition, shared: Container[str], theory: Theory) -> Condition:
    """Return a condition without its moment and with canonical names for variables that are not in
    `shared`.
    """
    names: dict[str, str] = {}

    def name(old: str) -> str:
        return old if old in shared else names.setdefault(old, f"#{len(names)}")

    return rename_condition(at_moment(condition, None, theory.vocabulary), name)
