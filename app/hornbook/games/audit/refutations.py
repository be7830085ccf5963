"""Search for states of random games that satisfy a rule's body but whose theory does not derive its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import replace

from hornbook.compiler.refute.countermodel import as_concluded
from hornbook.games.audit.of_theory import Walks, WalkStep, fact_shown, facts_by_predicate, steps
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, Rule, Statement, statements
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.kb.parse.syntax import Query
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.theories.domain import Domain


@dataclass(frozen=True, slots=True)
class RuleRefutation:
    """A binding of the rule's variables, the state and the action, and the underivable conclusion."""

    values: tuple[tuple[str, str | int], ...]
    step: WalkStep
    missing: Statement
    theory: Theory

    def __str__(self) -> str:
        names = ", ".join(f"?{name} = {value}" for name, value in self.values)
        action = fact_shown(self.step.action.relation, self.step.action.values)
        facts = "\n".join(f"  {line}" for line in facts_by_predicate(self.step, self.theory))
        return (
            f"with {names}\nin the state\n{facts}\nwith `{action}`,"
            f" `{print_condition(self.missing)}` does not follow"
        )


def refuted(
    rules: Iterable[Rule], theory: Theory, lemmas: Sequence[Rule], domain: Domain, walks: Walks
) -> dict[str, RuleRefutation]:
    """Return the first refutation of each rule, by name, in the steps of a domain.

    A conclusion must follow from the theory with the lemmas as further rules. Rules with `demanded`
    predicates are skipped: each query about such a predicate is evaluated anew, and there would be one for
    every fact.
    """
    found: dict[str, RuleRefutation] = {}
    predicates = theory.vocabulary.predicates
    left = [
        concluded
        for rule in rules
        if (concluded := as_concluded(rule, theory)) is not None
        if not any(isinstance(c, Atom) and predicates[c.predicate].demanded for c in statements(rule.body))
    ]
    base = KnowledgeBase(
        replace(theory, rules=(*theory.rules, *lemmas)),
        derivations="none",
        limits=Limits(facts=100_000, seconds=5.0),
    )
    for step in steps(domain, walks) if left else ():
        if step is None:
            continue
        base.push()
        # States that contradict the theory, or whose evaluation exceeds a limit, are skipped.
        with suppress(KnowledgeBaseError, FactError):
            base.add([*step.before, step.action])
            for rule in left:
                if (refutation := _refutation(rule, step, theory, base)) is not None:
                    found[rule.name] = refutation
        base.pop()
        left = [rule for rule in left if rule.name not in found]
    return found


def _refutation(rule: Rule, step: WalkStep, theory: Theory, base: KnowledgeBase) -> RuleRefutation | None:
    answers = base.engine.query(Query(rule.body, rule.span))
    for row in answers.rows:
        values = tuple(zip(answers.variables, row, strict=True))
        missing = apply_to_statement(rule.head, {name: Constant(value) for name, value in values})
        if not base.holds(missing):
            return RuleRefutation(values, step, missing, theory)
    return None
