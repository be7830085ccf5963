"""Plans: what is proved of a game whose opponent passes each time.

A plan in n moves by an action is proved as the value `GI` of that action would be, by the theory's own rules; in its proof, plans
in n - 1 moves say that the game is won after the action and a pass (`IG`). So nothing but plans rests on plans. What a pass
leaves: whatever is so after the action stays, but for what changes with the turn. A fluent that alternates is what it
was before the action, and of one that is fleeting, and of what is concluded from either, nothing is known
(Tadepalli 1989, section 2: an o-plan's conditions are those under which its moves reach the goal without a reply).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.promises import unsteady
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import (
    Atom,
    Condition,
    Constant,
    GameStatement,
    PlanStatement,
    Rule,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary

WON = Constant("GI")
WON_AFTER_A_PASS = Constant("IG")


def as_value(rule: Rule) -> Rule:
    """The rule with the value that is to be proved of a plan's action; any other rule as it is."""
    if not isinstance(rule.head, PlanStatement):
        return rule
    return replace(rule, head=GameStatement(rule.head.game, rule.head.by, WON, rule.head.span))


def supposed_by(rule: Rule, theory: Theory) -> frozenset[str]:
    """The relations of which a proof has facts that need not be so: where a plan stands for the value of a game, that and what
    rests on it.
    """
    return unsteady(theory) if isinstance(rule.head, PlanStatement) and rule.head.moves > 1 else frozenset()


def as_applied(rule: Rule, words: Vocabulary) -> Rule:
    """A rule as steps apply it: a plan says what is so after another action and a pass."""
    return as_passed(rule, words) if isinstance(rule.head, PlanStatement) else rule


def as_passed(rule: Rule, words: Vocabulary) -> Rule:
    """What a plan says after another action and a pass: its conditions hold of the state that these leave."""
    plan = rule.head
    assert isinstance(plan, PlanStatement)
    head = GameStatement(replace(plan.game, tense="after"), None, WON_AFTER_A_PASS, plan.span)
    return replace(rule, head=head, body=tuple(_after_a_pass(c, words) for c in rule.body))


def _after_a_pass(condition: Condition, words: Vocabulary) -> Condition:
    moment = "before" if _alternates(condition, words) else "after"
    return at_moment(condition, moment, words)  # type: ignore[arg-type]


def _alternates(condition: Condition, words: Vocabulary) -> bool:
    return isinstance(condition, Atom) and words.predicates[condition.predicate].turn == "alternates"


def refuse_other_plans(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Rule]
) -> None:
    """Raises RejectedError where a plan, or a proof that rests on plans, is not as plans are. `lemmas` are the learned rules
    that the steps apply, by name.
    """
    plan = rule.head
    if not isinstance(plan, PlanStatement):
        for name, lemma in lemmas.items():
            if isinstance(lemma.head, PlanStatement):
                raise RejectedError(
                    f"`{name}` is a plan, which says nothing where the opponent replies: only plans rest on it"
                )
        return
    if "theory turns" not in dict(certificate.fingerprints):
        raise RejectedError("the certificate does not name what changes with the turn, on which it rests")
    for statement in statements(rule.body):
        if not isinstance(statement, Atom):
            raise RejectedError(
                f"the plan rests on `{print_condition(statement)}`, which is about an opponent who replies"
            )
    for name, lemma in lemmas.items():
        _refuse_other_suffix(plan, name, lemma, theory)
    if plan.moves > 1 and not lemmas:
        raise RejectedError(
            f"no plan in {plan.moves - 1} moves is among what a plan in {plan.moves} rests on"
        )


def _refuse_other_suffix(plan: PlanStatement, name: str, lemma: Rule, theory: Theory) -> None:
    rest = lemma.head
    if not isinstance(rest, PlanStatement) or rest.game.predicate != plan.game.predicate:
        raise RejectedError(f"a plan of `{plan.game.predicate}` rests on `{name}`, which is none")
    if rest.moves != plan.moves - 1:
        raise RejectedError(f"a plan in {plan.moves} moves rests on `{name}`, a plan in {rest.moves}")
    words, changing = theory.vocabulary, unsteady(theory)
    for condition in lemma.body:
        if _alternates(condition, words):
            continue
        for statement in statements((condition,)):
            if statement.relation in changing:
                raise RejectedError(
                    f"`{print_condition(statement)}`, which `{name}` asks for, need not be so after a pass"
                )
