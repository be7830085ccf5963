"""Plans: proofs for games whose opponent passes on every turn.

A plan in n moves by an action is proved as the value `GI` of that action, by the theory's own rules. In its
proof, plans in n - 1 moves state that the game is won after the action and a pass (`IG`). Only plans may
depend on plans. After a pass, everything that held after the action still holds, except for what changes with
the turn. A fluent that alternates has the value from before the action. Nothing is known about a fleeting
fluent, or about conclusions from alternating or fleeting ones.

Source: Tadepalli 1989, section 2 (the conditions of an o-plan are those under which its moves reach the goal
without replies).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hornbook.compiler.checker.certificate import Certificate
from hornbook.compiler.checker.context import RejectedError
from hornbook.compiler.checker.dependencies import turn_dependent
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import (
    SECOND_PLAYER_WIN,
    WON,
    Atom,
    Condition,
    GameStatement,
    PlanStatement,
    Rule,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary


def as_value(rule: Rule) -> Rule:
    """Return a plan with the value to prove for its action as the head; return any other rule unchanged."""
    if not isinstance(rule.head, PlanStatement):
        return rule
    return replace(rule, head=GameStatement(rule.head.game, rule.head.by, WON, rule.head.span))


def supposed_by(rule: Rule, theory: Theory) -> frozenset[str]:
    """Return the relations whose facts are only assumed in the proof of a rule.

    If a plan is used as the value of a game, these are that value and everything that depends on it.
    """
    return (
        turn_dependent(theory)
        if isinstance(rule.head, PlanStatement) and rule.head.moves > 1
        else frozenset()
    )


def as_applied(rule: Rule, words: Vocabulary) -> Rule:
    """Return the form of a rule for steps.

    A plan becomes a statement about the state after another action and a pass.
    """
    return as_passed(rule, words) if isinstance(rule.head, PlanStatement) else rule


def as_passed(rule: Rule, words: Vocabulary) -> Rule:
    """Return a plan whose conditions hold in the state after another action and a pass."""
    plan = rule.head
    assert isinstance(plan, PlanStatement)
    head = GameStatement(replace(plan.game, tense="after"), None, SECOND_PLAYER_WIN, plan.span)
    return replace(rule, head=head, body=tuple(_after_a_pass(c, words) for c in rule.body))


def _after_a_pass(condition: Condition, words: Vocabulary) -> Condition:
    moment = "before" if _alternates(condition, words) else "after"
    return at_moment(condition, moment, words)  # type: ignore[arg-type]


def _alternates(condition: Condition, words: Vocabulary) -> bool:
    return isinstance(condition, Atom) and words.predicates[condition.predicate].turn == "alternates"


def refuse_other_plans(
    rule: Rule, certificate: Certificate, theory: Theory, lemmas: Mapping[str, Rule]
) -> None:
    """Raise RejectedError if a plan, or a proof that depends on plans, violates the restrictions on plans.

    `lemmas` contains the learned rules that the steps apply, by name.
    """
    plan = rule.head
    if not isinstance(plan, PlanStatement):
        for name, lemma in lemmas.items():
            if isinstance(lemma.head, PlanStatement):
                raise RejectedError(
                    f"`{name}` is a plan, which says nothing where the opponent replies: only plans rest on"
                    " it"
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
        raise RejectedError(f"a plan in {plan.moves} moves depends on no plan in {plan.moves - 1}")


def _refuse_other_suffix(plan: PlanStatement, name: str, lemma: Rule, theory: Theory) -> None:
    rest = lemma.head
    if not isinstance(rest, PlanStatement) or rest.game.predicate != plan.game.predicate:
        raise RejectedError(f"a plan of `{plan.game.predicate}` rests on `{name}`, which is none")
    if rest.moves != plan.moves - 1:
        raise RejectedError(f"a plan in {plan.moves} moves rests on `{name}`, a plan in {rest.moves}")
    words, changing = theory.vocabulary, turn_dependent(theory)
    for condition in lemma.body:
        if _alternates(condition, words):
            continue
        for statement in statements((condition,)):
            if statement.relation in changing:
                raise RejectedError(
                    f"`{print_condition(statement)}`, which `{name}` asks for, need not be so after a pass"
                )
