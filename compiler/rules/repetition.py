"""Repetition: learned rules that are no more general than a single rule of their theory.

A learned rule repeats a theory rule if a substitution maps the theory rule's head to the learned head. It
must also map each condition to a condition of the learned rule, a consequence of its comparisons, or a fact
of the theory. The theory rule then derives every answer of the learned rule in one step and requires no more.
A learned rule for the state before an action never repeats a rule that requires facts after the action. It
also repeats no rule that requires an action which the learned rule names only in its head.

Queries to a theory lose nothing without such a rule. States, however, are matched with learned rules only, so
rules about games are admitted, and without games, rules about the effects of actions.
"""

from __future__ import annotations

from dataclasses import replace

from hornbook.compiler.generalise.generalisation import rule_with_place
from hornbook.compiler.rules.admission import RuleEntry
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement, Rule, statements
from hornbook.kb.ast.theory import Theory
from hornbook.matcher.program.dataclass import dataclass


@dataclass(frozen=True, slots=True)
class Repetition:
    """A learned rule, the rule of the theory that it repeats, and whether it is admitted nevertheless."""

    entry: RuleEntry
    of: Rule
    is_admitted: bool

    def __str__(self) -> str:
        rule, origin = self.entry.rule, self.entry.provenance
        theirs = f"{rule_with_place(self.of)} of the theory"
        if self.is_admitted:
            return (
                f"{rule.name} repeats {theirs}, and is kept, since states are matched by learned rules alone"
            )
        goal = "" if origin is None else f" of `{origin.goal}`"
        return f"nothing new: the rule{goal} repeats {theirs}"


def repetition(entry: RuleEntry, theory: Theory) -> Repetition | None:
    """Return the first rule of the theory that a learned rule repeats; None if there is none."""
    of = _repeated(entry.rule, theory)
    return None if of is None else Repetition(entry, of, _is_used_alone(entry.rule, theory))


def is_left_out(rule: Rule, theory: Theory) -> bool:
    """Return whether a learned rule is not admitted because it repeats a rule of the theory."""
    return not _is_used_alone(rule, theory) and _repeated(rule, theory) is not None


def _is_used_alone(rule: Rule, theory: Theory) -> bool:
    """Return whether a learned rule is used without the theory's rules about actions.

    Rules about games are matched on positions. In a theory without games, rules about the effects of actions
    are matched on states.
    """
    if isinstance(rule.head, GameStatement):
        return True
    kinds = {predicate.kind for predicate in theory.vocabulary.predicates.values()}
    return rule.head.tense == "after" and "game" not in kinds


def _repeated(learned: Rule, theory: Theory) -> Rule | None:
    for rule in theory.rules:
        if rule.head.relation == learned.head.relation and subsumes(_as_read(rule, learned, theory), learned):
            return rule
    return None


def _as_read(rule: Rule, learned: Rule, theory: Theory) -> Rule:
    """Return a theory rule at the moment of a learned rule, without conditions that the theory states as
    facts.
    """
    body = tuple(condition for condition in rule.body if not _is_stated(condition, theory))
    moment = learned.head.tense
    if moment is None or any(statement.tense for statement in (rule.head, *statements(rule.body))):
        return replace(rule, body=body)
    words = theory.vocabulary
    head = at_moment(rule.head, moment, words)
    return replace(rule, head=head, body=tuple(at_moment(c, moment, words) for c in body))


def _is_stated(condition: Condition, theory: Theory) -> bool:
    """Return whether the theory states a condition as a static fact."""
    return (
        isinstance(condition, Atom)
        and all(isinstance(term, Constant) for term in condition.terms)
        and not theory.vocabulary.predicates[condition.predicate].has_tense
        and condition in theory.facts
    )
