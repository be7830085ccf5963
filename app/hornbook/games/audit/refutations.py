"""Search for states of random games that satisfy a rule's body but whose theory does not derive its head."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import islice

from hornbook.compiler.refute.countermodel import as_concluded
from hornbook.games.audit.of_theory import BLOCK, Walks, WalkStep, fact_shown, facts_by_predicate, steps
from hornbook.kb.ast.substitution import apply_to_statement
from hornbook.kb.ast.terms import Atom, Constant, Rule, Statement, statements
from hornbook.kb.ast.theory import Theory
from hornbook.kb.base.fact_states import EvaluatedState, FactStates
from hornbook.kb.format.printer import print_condition
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
    if not left:
        return found
    states = FactStates(
        replace(theory, rules=(*theory.rules, *lemmas)),
        dict.fromkeys((rule.head.relation, rule.head.tense) for rule in left),
        [rule.body for rule in left],
        Limits(facts=100_000, seconds=5.0),
    )
    actions = (step for step in steps(theory, domain, walks) if step is not None)
    while len(found) < len(left) and (block := list(islice(actions, BLOCK))):
        evaluated = states.valid([(*step.before, step.action) for step in block])
        for step, state in zip(block, evaluated, strict=True):
            # States that contradict the theory, or whose evaluation exceeds a limit, are skipped.
            if state is not None:
                for number, rule in enumerate(left):
                    if rule.name in found:
                        continue
                    if (refutation := _refutation(number, rule, step, theory, state)) is not None:
                        found[rule.name] = refutation
    return found


def _refutation(
    number: int, rule: Rule, step: WalkStep, theory: Theory, state: EvaluatedState
) -> RuleRefutation | None:
    """Return the first answer to the rule's body without a conclusion; its query has a number."""
    answers = state.answers(number)
    for row in answers.rows:
        values = tuple(zip(answers.variables, row, strict=True))
        missing = apply_to_statement(rule.head, {name: Constant(value) for name, value in values})
        if not state.holds(missing):
            return RuleRefutation(values, step, missing, theory)
    return None
