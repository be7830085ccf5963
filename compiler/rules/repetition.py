"""Repetition: learned rules that say no more than one rule of their theory says by itself.

A learned rule repeats a rule of the theory where, for some substitution, that rule's head is its head, and each condition of
that rule is one of its conditions, follows from its comparisons, or is a fact that the theory states. So wherever the learned
rule answers, the theory's rule answers too, in one step, and asks for nothing more. What is learned before an action repeats
no rule that asks for what holds after it, or for the action that the learned rule names in its head alone.

Who asks a theory loses nothing without such a rule. But positions are matched by learned rules alone, so those about games
are kept.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from hornbook.compiler.generalise.generalisation import rule_with_place
from hornbook.compiler.rules.admission import Entry
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.substitution import at_moment
from hornbook.kb.ast.terms import Atom, Condition, Constant, GameStatement, Rule, statements
from hornbook.kb.ast.theory import Theory


@dataclass(frozen=True, slots=True)
class Repetition:
    """A learned rule, and the rule of the theory that it repeats."""

    entry: Entry
    of: Rule

    @property
    def is_kept(self) -> bool:
        return _is_matched_alone(self.entry.rule)

    def __str__(self) -> str:
        rule, origin = self.entry.rule, self.entry.provenance
        theirs = f"{rule_with_place(self.of)} of the theory"
        if self.is_kept:
            return f"{rule.name} repeats {theirs}, and is kept, since positions are matched by learned rules alone"
        goal = "" if origin is None else f" of `{origin.goal}`"
        return f"nothing new: the rule{goal} repeats {theirs}"


def repetition(entry: Entry, theory: Theory) -> Repetition | None:
    """That a learned rule repeats a rule of the theory, the first such; None where it says more than each by itself."""
    of = _repeated(entry.rule, theory)
    return None if of is None else Repetition(entry, of)


def is_left_out(rule: Rule, theory: Theory) -> bool:
    """Whether a learned rule is not admitted, since it repeats a rule of the theory."""
    return not _is_matched_alone(rule) and _repeated(rule, theory) is not None


def _is_matched_alone(rule: Rule) -> bool:
    """Whether a learned rule is asked without the theory's rules: about games, where positions are matched."""
    return isinstance(rule.head, GameStatement)


def _repeated(learned: Rule, theory: Theory) -> Rule | None:
    for rule in theory.rules:
        if rule.head.relation == learned.head.relation and subsumes(_as_read(rule, learned, theory), learned):
            return rule
    return None


def _as_read(rule: Rule, learned: Rule, theory: Theory) -> Rule:
    """A rule of the theory at the moment of the learned one, without what the theory states as facts."""
    body = tuple(condition for condition in rule.body if not _is_stated(condition, theory))
    moment = learned.head.tense
    if moment is None or any(said.tense for said in (rule.head, *statements(rule.body))):
        return replace(rule, body=body)
    words = theory.vocabulary
    head = at_moment(rule.head, moment, words)
    return replace(rule, head=head, body=tuple(at_moment(c, moment, words) for c in body))


def _is_stated(condition: Condition, theory: Theory) -> bool:
    """Whether the theory states a condition as a fact that never changes."""
    return (
        isinstance(condition, Atom)
        and all(isinstance(term, Constant) for term in condition.terms)
        and not theory.vocabulary.predicates[condition.predicate].has_tense
        and condition in theory.facts
    )
