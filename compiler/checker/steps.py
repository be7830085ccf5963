"""Replay of one certificate step: a rule under a substitution, with a witness for each condition.

A step may only mention variables that denote fixed objects in a context. Its conclusion becomes known at the
moment at which the rule is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.checker.context import Moment, ProofContext, RejectedError
from hornbook.compiler.checker.proofs import OPEN, WitnessCheck, own_term, proves_without_members
from hornbook.kb.ast.notation import print_condition
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, rename_rule
from hornbook.kb.ast.terms import (
    All,
    Comparison,
    Condition,
    CountIn,
    Rule,
    shared_variables,
    statements,
)
from hornbook.kb.text.counts import counted


@lru_cache(maxsize=4096)
def is_timeless(rule: Rule) -> bool:
    return not any(s.tense for s in (rule.head, *statements(rule.body)))


@dataclass(frozen=True, slots=True)
class AppliedRule:
    """A rule prepared for its application by steps.

    Attributes:
        rule: The rule itself.
        own: The rule with variables that no learned rule can have, which prevents capture.
        shared: The variables that the substitution of a step must bind.
        timeless: True if the rule mentions no moments.
    """

    rule: Rule
    own: Rule
    shared: frozenset[str]
    timeless: bool

    @staticmethod
    def of(rule: Rule) -> AppliedRule:
        own = rename_rule(rule, lambda name: f"{name}{OPEN}")
        return AppliedRule(rule, own, frozenset(shared_variables(rule)), is_timeless(rule))


def replay_step(
    number: int,
    step: ProofStep,
    source: AppliedRule,
    context: ProofContext,
    prove: WitnessCheck = proves_without_members,
    *,
    one_moment: bool,
) -> None:
    """Add a step's conclusion to the known facts. Raise RejectedError if the step is not proved.

    `prove` checks the witness of the condition with a given index.
    """
    where = f"step {number}, rule `{step.rule}`"
    if step.moment not in ("before", "after", None):
        raise RejectedError(f"{where}: `{step.moment}` is no moment")
    if not source.timeless:
        if step.moment is not None:
            raise RejectedError(f"{where}: it says its own moments")
        if one_moment:
            raise RejectedError(
                f"{where}: it speaks of moments, and the learned rule holds at any one moment"
            )
    try:
        given = {name: own_term(context, term) for name, term in step.substitution}
        missing = sorted(source.shared - given.keys())
        if missing:
            # An unbound variable could denote different objects in different conditions.
            raise RejectedError(f"the step does not say what `?{missing[0]}` stands for")
        if len(step.proofs) > len(source.rule.body):
            raise RejectedError(
                f"it proves {counted(len(step.proofs), 'condition')}, and the rule has"
                f" {len(source.rule.body)}"
            )
        context.note(step.notes)
        own = source.own
        substitution = {f"{name}{OPEN}": term for name, term in given.items()}
        for place, condition in enumerate(own.body):
            instance = apply_to_condition(condition, substitution)
            if place >= len(step.proofs) or not prove(
                context, place, instance, step.moment, step.proofs[place]
            ):
                raise RejectedError(reason(instance, step.moment))
    except RejectedError as problem:
        raise RejectedError(f"{where}: {problem}") from None
    context.take([apply_to_statement(own.head, substitution)], step.moment)


def reason(condition: Condition, moment: Moment) -> str:
    """Return why a condition is not proved, in terms of the learned rule."""
    shown = print_condition(condition).replace(OPEN, "")
    at = "" if moment is None else f" ({moment} the action)"
    match condition:
        case Comparison(operator="!="):
            return f"nothing proves `{shown}`: the two may be one thing"
        case Comparison():
            return f"the rule's conditions do not entail `{shown}` within 64 bits"
        case All() | CountIn():
            return f"the closed set of `{shown}`{at} is not proved member by member"
        case _:
            return f"`{shown}`{at} is neither a condition of the rule nor concluded by an earlier step"
