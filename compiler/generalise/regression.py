"""Regression: the remaining conditions of a generalised proof, on the state before the action.

Facts after the action were inner nodes of the proof and have disappeared. The remaining conditions hold
before the action, are the action itself, or never change. A statement about a game has its action in the head
(`by …`). Every other condition is then timeless, so the rule applies at both moments: as advice before a move
and as a lemma after one. Other conclusions keep the tense words that their proofs need.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from string import digits
from types import MappingProxyType

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.generalise.equations import without_redundant
from hornbook.compiler.generalise.generalisation import Generalised, NotOperationalError, merge_keys
from hornbook.compiler.generalise.steps import with_terms
from hornbook.compiler.generalise.unify import Unifier
from hornbook.kb.ast import terms as t
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import (
    apply_to_condition,
    apply_to_statement,
    at_moment,
    rename_condition,
    statement_at,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.operators import MIRRORED


@dataclass(frozen=True, slots=True)
class Regressed:
    """A rule, and the steps of its proof over the rule's own variables."""

    rule: t.Rule
    steps: tuple[ProofStep, ...]


def regress(proved: Generalised, vocabulary: Vocabulary, label: str) -> Regressed:
    """Return the learned rule of a generalised proof. Raise NotOperationalError if there is none."""
    head, conditions, steps = proved.head, proved.conditions, proved.steps
    if isinstance(head, t.GameStatement) and head.by is not None and head.tense != "after":
        head, conditions, steps = _of_one_action(head.by, head, conditions, steps, vocabulary)
        timeless = True
    else:
        timeless = proved.timeless
        actions = [c for c in conditions if isinstance(c, t.Atom) and _is_action(c, vocabulary)]
        if actions and head.tense != "after" and not isinstance(head, t.GameStatement):
            raise NotOperationalError(
                "a fact before an action cannot depend on it, unless it is a game's value",
                "conclude it `after` the action",
            )
        if actions:
            head, conditions, steps = _of_one_action(actions[0], head, conditions, steps, vocabulary)
    if timeless:
        if head.tense == "after":
            # Steps that are valid at one moment are valid at the other too.
            steps = tuple(replace(step, moment=step.moment and "before") for step in steps)
        head = statement_at(head, None, vocabulary)
        conditions = tuple(at_moment(c, None, vocabulary) for c in conditions)
    body = tuple(in_order(without_redundant(conditions, head)))
    return _with_plain_names(t.Rule(head, body, label), steps)


def _is_action(condition: t.Condition, vocabulary: Vocabulary) -> bool:
    return isinstance(condition, t.Atom) and vocabulary.predicates[condition.predicate].kind == "action"


def _of_one_action(
    action: t.Atom,
    head: t.Statement,
    conditions: Sequence[t.Condition],
    steps: tuple[ProofStep, ...],
    vocabulary: Vocabulary,
) -> tuple[t.Statement, tuple[t.Condition, ...], tuple[ProofStep, ...]]:
    """Unify all actions of the proof with the given one, since there is one action between before and after.

    If the head names the action (`by …`), it is not a condition.
    """
    unifier = Unifier()
    rest: list[t.Condition] = []
    named = isinstance(head, t.GameStatement) and head.by == action
    for condition in conditions:
        if not _is_action(condition, vocabulary):
            rest.append(condition)
            continue
        assert isinstance(condition, t.Atom)
        if not unifier.unify_statements(action, condition):
            raise NotOperationalError(
                f"the proof depends on another action than `{action.predicate}`, and one is taken",
                "name the same action in the conclusion and in its conditions",
            )
        rest += [] if named or action in rest else [action]

    # Equal keys have equal values.
    merge_keys(rest, unifier, vocabulary)

    def bound(names: Iterable[str]) -> dict[str, t.Term]:
        return {name: unifier.walk(t.Variable(name)) for name in names}

    resolved = tuple(apply_to_condition(c, bound(v.name for v in t.condition_variables(c))) for c in rest)
    new_head = apply_to_statement(
        head, bound(term.name for term in head.terms if isinstance(term, t.Variable))
    )
    new_steps = tuple(with_terms(step, unifier.walk) for step in steps)
    return new_head, resolved, new_steps


def normalised(learned: Regressed) -> Regressed:
    """Return the rule in normal form: wildcards for variables that occur once, and numbers on the right of
    comparisons.
    """
    body = tuple(_oriented(condition) for condition in learned.rule.body)
    body = tuple(in_order(body))
    rule = replace(learned.rule, body=body)
    return _with_plain_names(rule, learned.steps, wildcards_for(rule))


def wildcards_for(rule: t.Rule) -> dict[str, str]:
    """Return the wildcards for variables that occur once in a rule, by name, numbered as in the parser."""
    variables = [term for term in rule.head.terms if isinstance(term, t.Variable)]
    variables += [v for condition in rule.body for v in t.condition_variables(condition)]
    times = Counter(variable.name for variable in variables)
    replaceable = {v.name for s in _with_replaceable_wildcards(rule.body) for v in t.condition_variables(s)}
    singletons = [v.name for v in variables if times[v.name] == 1 and v.name in replaceable]
    return {name: f"_{number}" for number, name in enumerate(singletons, 1)}


def _with_replaceable_wildcards(conditions: Iterable[t.Condition]) -> Iterator[t.Statement]:
    """Yield the statements whose singleton variables are written `_`."""
    for condition in conditions:
        match condition:
            case t.Atom() | t.GameStatement():
                yield condition
            case t.Absent() | t.Aggregate():
                yield from _with_replaceable_wildcards(condition.conditions)
            case _:
                pass


def _oriented(condition: t.Condition) -> t.Condition:
    """Return a comparison with a single constant on its right side."""
    if not isinstance(condition, t.Comparison) or not isinstance(condition.left, t.Constant):
        return condition
    if isinstance(condition.right, t.Constant):
        return condition
    return t.Comparison(MIRRORED[condition.operator], condition.right, condition.left, condition.span)


def _with_plain_names(
    rule: t.Rule, steps: tuple[ProofStep, ...], wildcards: Mapping[str, str] = MappingProxyType({})
) -> Regressed:
    """Return the rule with short variable names in order of appearance, taken from the theory's rules.

    The variables in `wildcards` get these names instead.
    """
    names = VariableNames(wildcards)
    plain = names.rule(rule)
    # A step may mention a variable that the rule no longer contains.
    return Regressed(plain, tuple(names.step(step) for step in steps))


class VariableNames:
    """A generator of short variable names: the name in the theory's rule, with a number if that is taken."""

    def __init__(self, given: Mapping[str, str] | None = None) -> None:
        self.names: dict[str, str] = dict(given or {})
        self.taken: set[str] = set()
        self.numbers: dict[str, int] = {}

    def __call__(self, old: str) -> str:
        if old not in self.names:
            self.names[old] = self._free(old.split("~", 1)[0])
        return self.names[old]

    def of_term(self, term: t.Term) -> t.Term:
        return t.Variable(self(term.name)) if isinstance(term, t.Variable) else term

    def rule(self, rule: t.Rule) -> t.Rule:
        """Return the rule with short variable names, in order of appearance."""
        terms = [term for term in rule.head.terms if isinstance(term, t.Variable)]
        for variable in (*terms, *(v for condition in rule.body for v in t.condition_variables(condition))):
            self(variable.name)
        head = apply_to_statement(rule.head, {term.name: t.Variable(self(term.name)) for term in terms})
        return replace(rule, head=head, body=tuple(rename_condition(c, self) for c in rule.body))

    def step(self, step: ProofStep) -> ProofStep:
        return with_terms(step, self.of_term)

    def _free(self, base: str) -> str:
        # A wildcard has no name given by a person.
        base = "x" if base.startswith("_") else base
        stem = base.rstrip(digits) or "x"
        candidate = base
        while candidate in self.taken:
            self.numbers[stem] = self.numbers.get(stem, 1) + 1
            candidate = f"{stem}{self.numbers[stem]}"
        self.taken.add(candidate)
        return candidate
