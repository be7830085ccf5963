"""One step of a certificate, replayed: a rule under a substitution whose conditions are established.

A step is about the variables that stand for one thing each in a context, and about no others; what it
concludes is established at the moment at which it is read.
"""

from __future__ import annotations

from hornbook.compiler.checker.certificate import Step
from hornbook.compiler.checker.context import Context
from hornbook.compiler.checker.established import RejectedError
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, rename_rule
from hornbook.kb.ast.terms import Rule, Variable, shared_variables, statements


def is_timeless(rule: Rule) -> bool:
    return not any(s.tense for s in (rule.head, *statements(rule.body)))


def replay_step(number: int, step: Step, source: Rule, context: Context, *, one_moment: bool) -> None:
    where = f"step {number}, rule `{step.rule}`"
    if not is_timeless(source):
        if step.moment is not None:
            raise RejectedError(f"{where}: it says its own moments")
        if one_moment:
            raise RejectedError(
                f"{where}: it speaks of moments, and the learned rule holds at any one moment"
            )
    given = dict(step.substitution)
    missing = sorted(shared_variables(source) - given.keys())
    if missing:
        # Left open, it could stand for one thing in one condition and for another in the next.
        raise RejectedError(f"{where}: the step does not say what `?{missing[0]}` stands for")
    for term in given.values():
        if isinstance(term, Variable) and term.name not in context.fixed:
            raise RejectedError(f"{where}: `?{term.name}` is no variable of the learned rule")
    # The source's variables get names that no learned rule can have, so nothing is ever captured.
    own = rename_rule(source, lambda name: f"{name}@")
    substitution = {f"{name}@": term for name, term in step.substitution}
    for condition in own.body:
        instance = apply_to_condition(condition, substitution)
        if not context.holds([instance], {}, step.moment):
            raise RejectedError(f"{where}: {context.reason(instance, step.moment)}")
        context.asked.append((instance, step.moment))
    context.establish(apply_to_statement(own.head, substitution), step.moment)
    context.refuse_contradiction()
