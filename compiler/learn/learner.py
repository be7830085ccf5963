"""The learner: from one solved example to a proved general rule.

Each stage has its own file (explanation, generalisation, regression, simplification, certificate); here they
are combined. A rejection by any stage is recorded as a reason, never as a rule. A rule that only repeats a
theory rule is proved here like any other. It is left out at admission (compiler/rules/repetition.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.checker import Lemma, RejectedError, as_value, verify
from hornbook.compiler.generalise.certification import certificate_of
from hornbook.compiler.generalise.explanation import Explanation, explain, explanations
from hornbook.compiler.generalise.generalisation import (
    NotOperationalError,
    condition_place,
    generalise,
    rule_with_place,
)
from hornbook.compiler.generalise.operational import operational_vocabulary
from hornbook.compiler.generalise.regression import Regressed, normalised, regress
from hornbook.compiler.generalise.simplification import simplify
from hornbook.compiler.rules.certificates import certificate_text
from hornbook.compiler.rules.repetition import is_left_out
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.compiler.witness.queries import NeededConditions
from hornbook.compiler.witness.search import replay
from hornbook.kb.ast.terms import Atom, GameStatement, Rule, Statement
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.check.program.completeness import meta_predicates
from hornbook.kb.format.printer import print_condition, print_rule
from hornbook.kb.lower.literals import with_literals
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class ProvedExample:
    """A certified rule, and the explanation of the example that it generalises."""

    rule: Rule
    certificate: Certificate
    explanation: Explanation

    def __str__(self) -> str:
        return f"{print_rule(self.rule).rstrip()}\n{certificate_text(self.certificate)}"


@dataclass(frozen=True, slots=True)
class RefusedProof:
    """A proof that gave no rule, with the reason."""

    goal: Statement
    reason: str

    def __str__(self) -> str:
        return f"no rule for `{print_condition(self.goal)}`: {self.reason}"


@dataclass(frozen=True, slots=True)
class SolvedExample:
    """An example after saturation: the knowledge base, and the conclusions that depend on the action."""

    base: KnowledgeBase
    goals: tuple[Statement, ...]

    def __str__(self) -> str:
        return "\n".join(print_condition(goal) for goal in self.goals) or "no game has a new value"


def solve(
    theory: Theory,
    facts: Sequence[GroundFact],
    *,
    all_proofs: bool = False,
    limits: Limits | None = None,
) -> SolvedExample:
    """Saturate a theory with a state and an action; the goals are the new statements about the action's
    effects.

    A statement about a game is new if its recorded explanation depends on the action, so that it was not
    derived before (Cazenave 1996, section 4.1). Raise KnowledgeBaseError if the limits are exceeded.
    """
    base = KnowledgeBase(theory, derivations="all" if all_proofs else "one", limits=limits)
    base.add(facts)
    actions = {name for name, p in theory.vocabulary.predicates.items() if p.kind == "action"}
    goals = []
    for relation in base.relations():
        if isinstance(relation, GameStatement) and relation.by is not None and relation.tense == "before":
            for statement in base.engine.statements(relation.relation, "before"):
                leaves = explanation_of(base, statement).leaves
                if any(leaf.relation in actions for leaf in leaves):
                    goals.append(statement)
    return SolvedExample(base, tuple(goals))


def explanation_of(base: KnowledgeBase, goal: Statement | str) -> Explanation:
    """Return the recorded explanation of a ground statement, or of its text.

    Raise NotDerivedError if it does not hold, and TheoryError if the text does not fit the theory.
    """
    return explain(base.engine, base.engine.true_fact(goal))


def proofs(base: KnowledgeBase, goal: Statement | str, limit: int) -> Iterator[Explanation]:
    """Yield at most `limit` explanations of a ground statement, or of its text, the recorded one first.

    The knowledge base must record all derivations (`solve(…, all_proofs=True)`). Raise the exceptions of
    `explanation_of`, and NoDerivationsError if the derivations are not recorded.
    """
    return explanations(base.engine, base.engine.true_fact(goal), limit)


def learn(
    explanation: Explanation,
    theory: Theory,
    label: str = "learned",
    lemmas: Mapping[str, Lemma] | None = None,
) -> ProvedExample | RefusedProof:
    """Return the certified rule that generalises an explanation, or the reason why there is none."""
    lemmas = lemmas or {}
    reason = doubtful(explanation, theory)
    if reason is not None:
        return RefusedProof(explanation.goal, reason)
    try:
        generalised = generalise(explanation, operational_vocabulary(theory, explanation.goal))
    except NotOperationalError as problem:
        return RefusedProof(explanation.goal, str(problem))
    try:
        regressed = regress(generalised, theory.vocabulary, label)
    except NotOperationalError as problem:
        return RefusedProof(explanation.goal, str(problem.at(*_action_conditions(explanation, theory))))

    sources = {name: lemma.rule for name, lemma in lemmas.items()} | {
        rule.name: rule for rule in theory.rules
    }
    try:
        return certify(regressed, explanation, theory, lemmas, sources)
    except RejectedError as problem:
        return RefusedProof(
            explanation.goal, f"the checker refuses it: {problem}{_where(problem, explanation)}"
        )


def certify(
    regressed: Regressed,
    explanation: Explanation,
    theory: Theory,
    lemmas: Mapping[str, Lemma],
    sources: Mapping[str, Rule],
) -> ProvedExample:
    """Return the certified rule after simplification, which replays its steps by the rules `sources`.

    Raise RejectedError if the checker rejects the rule, before or after simplification.
    """

    def checked(candidate: Regressed) -> Certificate:
        certificate = certificate_of(candidate.rule, candidate.steps, theory, lemmas)
        verify(candidate.rule, certificate, theory, lemmas)
        return certificate

    def replayed(candidate: Regressed) -> NeededConditions | None:
        try:
            rule = as_value(candidate.rule)
            return NeededConditions(replay(rule, candidate.steps, theory, sources, reached=first.reached))
        except RejectedError:
            return None

    first = checked(regressed)
    simple = normalised(simplify(regressed, replayed))
    # The certificate is the same, because the rules are equal.
    return ProvedExample(with_literals(simple.rule, theory.vocabulary), checked(simple), explanation)


def _action_conditions(explanation: Explanation, theory: Theory) -> Iterator[str]:
    """Yield the conditions on actions, with their rules and the steps of the example."""
    for node in explanation.nodes:
        for condition in () if node.rule is None else node.rule.body:
            if (
                isinstance(condition, Atom)
                and theory.vocabulary.predicates[condition.predicate].kind == "action"
            ):
                yield condition_place(condition, node)


def _where(problem: RejectedError, explanation: Explanation) -> str:
    """Return the position of the rule at which the checker stopped, and its conclusion in the example."""
    for node in explanation.nodes:
        if node.rule is not None and f"rule `{node.rule.name}`" in str(problem):
            return f"; {rule_with_place(node.rule)} gave `{print_condition(node.conclusion)}`"
    return ""


def doubtful(explanation: Explanation, theory: Theory) -> str | None:
    """Return why an explanation depends on a conclusion that may be withdrawn; None if it does not."""
    meta = meta_predicates(theory)
    for node in explanation.nodes:
        if node.rule is not None and node.rule.head.relation in meta:
            where = f"{rule_with_place(node.rule)}, which gave `{print_condition(node.conclusion)}`,"
            return f"{where} rests on an absence: {meta[node.rule.head.relation]}"
    return None


def learn_best(
    found: Sequence[Explanation],
    theory: Theory,
    label: str = "learned",
    lemmas: Mapping[str, Lemma] | None = None,
) -> ProvedExample | RefusedProof:
    """Return the most general rule from several proofs of one goal, then the one with the fewest conditions.

    Rules that only repeat a theory rule are the last choice. Raise ValueError if there is no proof.
    """
    if not found:
        raise ValueError("there is no proof to learn from")
    outcomes = [learn(explanation, theory, label, lemmas) for explanation in found]
    rules = sorted((o for o in outcomes if isinstance(o, ProvedExample)), key=lambda o: len(o.rule.body))
    if not rules:
        return outcomes[0]
    rules = [each for each in rules if not is_left_out(each.rule, theory)] or rules
    best = rules[0]
    for other in rules[1:]:
        if subsumes(other.rule, best.rule) and not subsumes(best.rule, other.rule):
            best = other
    return best
