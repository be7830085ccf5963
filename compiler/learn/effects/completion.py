"""Completion of invented predicates: clauses for the cases that no example showed.

An example shows one derivation of a fact after an action. An invented predicate should hold for every
derivation. So each rule of the theory that concludes the fact is regressed through the action. The fluents
that the rule requires come from effects of the action, or from frame rules, in every combination.

    fresh(?p) :- health(?p, thriving).    after health(?p, thriving) :- water(?b), grows_in(?b, ?p), ….
    before fresh_after_water(?p, ?b) :- water(?b), grows_in(?b, ?p), before health(?p, dry).

The invented predicate of a recursive predicate is a condition of its own clauses. Other predicates of the
same recursion are unfolded, each once.

A clause from frame rules only is left out if a clause from a frame lemma is as general. This is regression
(Waldinger 1977) of one predicate. The clauses define the predicate and claim nothing. Its lemma is proved for
all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hornbook.compiler.checker.certificate import ProofStep
from hornbook.compiler.generalise.equations import without_redundant
from hornbook.compiler.generalise.generalisation import NotOperationalError, merge_keys
from hornbook.compiler.generalise.regression import Regressed, normalised
from hornbook.compiler.generalise.simplification import condensed, is_safe
from hornbook.compiler.generalise.unify import Unifier
from hornbook.compiler.learn.invented_predicates import InventedPredicate, recursive_predicates
from hornbook.compiler.rules.shape import SubsumptionShape
from hornbook.compiler.rules.subsumption import subsumes
from hornbook.kb.ast.substitution import apply_to_condition, at_moment, rename_rule
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Condition,
    Constant,
    Rule,
    Statement,
    Tense,
    Term,
    condition_variables,
    shared_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory, Vocabulary
from hornbook.matcher.program.dataclass import dataclass

MAX_CLAUSES = 8
"""The maximum number of clauses of a completed predicate; others keep the clauses of their examples."""

MAX_RECURSIVE_CLAUSES = 16
"""The same number for a recursive predicate, which follows no chain whose links lack a clause."""

WordOf = Callable[[str, str], InventedPredicate | None]
"""A function that returns the invented predicate for a derived predicate after an action."""


@dataclass(frozen=True, slots=True)
class _Use:
    """A rule of the theory that is applied in a derivation, and the number in the names of its variables."""

    rule: Rule
    number: int
    moment: Tense | None

    def step(self, unifier: Unifier) -> ProofStep:
        """Return the application as a step of a proof, under a substitution."""
        names = sorted(shared_variables(self.rule))
        terms = tuple((name, unifier.named(f"{name}~{self.number}")) for name in names)
        return ProofStep(self.rule.name, self.moment, terms)


@dataclass(frozen=True, slots=True)
class _Derivation:
    """A derivation of a fact after an action from conditions before it.

    `frame_conditions` are the conditions of its frame rules other than the unchanged fluents. The value is
    None if one of the fluents is an effect of the action.
    """

    bindings: dict[str, Term]
    conditions: tuple[Condition, ...] = ()
    uses: tuple[_Use, ...] = ()
    frame_conditions: tuple[Condition, ...] | None = ()


class Completion:
    """The completion of the invented predicates of one theory."""

    def __init__(
        self, theory: Theory, vocabulary: Vocabulary, changing: frozenset[str], word_of: WordOf
    ) -> None:
        """Take the theory, its vocabulary with the invented predicates, and what actions may change."""
        self._theory, self._vocabulary, self._changing = theory, vocabulary, changing
        self._word_of = word_of
        self._recursive = recursive_predicates(theory)

    def completed(self, word: InventedPredicate) -> InventedPredicate:
        """Return the predicate with clauses for the other ways to derive its fact."""
        if not isinstance(word.lemma.head, Atom):
            return word
        clauses, steps = list(word.clauses), list(word.steps)
        shapes = [SubsumptionShape(clause) for clause in clauses]
        for clause, derived in self._clauses(word):
            shape = SubsumptionShape(clause)
            if any(each.may_subsume(shape) and subsumes(each.rule, clause) for each in shapes):
                continue
            taken = {each.label for each in clauses}
            labels = (f"{word.predicate.name}_{number}" for number in range(1, 2 + len(taken)))
            clauses.append(replace(clause, label=next(each for each in labels if each not in taken)))
            shapes.append(SubsumptionShape(clauses[-1]))
            steps.append(derived)
        found = replace(word, clauses=tuple(clauses), steps=tuple(steps))
        return (
            word if len(clauses) > (MAX_RECURSIVE_CLAUSES if found.is_recursive else MAX_CLAUSES) else found
        )

    def _clauses(self, word: InventedPredicate) -> Iterator[tuple[Rule, tuple[ProofStep, ...]]]:
        """Yield the clauses from all derivations, each with the steps that derive the fact."""
        lemma = rename_rule(word.lemma, lambda name: f"{name}~0")
        taken, condition = lemma.body
        assert isinstance(taken, Atom)
        assert isinstance(condition, Atom)
        assert isinstance(lemma.head, Atom)
        for rule in self._theory.rules:
            if rule.head.relation != lemma.head.predicate or rule.lemma or not _is_timeless(rule):
                continue
            own = rename_rule(rule, lambda name: f"{name}~1")
            unifier = Unifier()
            if not unifier.unify_statements(own.head, lemma.head):
                continue
            start = _Derivation(dict(unifier.bindings), uses=(_Use(rule, 1, "after"),))
            for found in self._derivations(start, own.body, taken, self._unfolded(lemma.head.predicate)):
                if found.frame_conditions is not None and _is_by_frame_lemma(word, found.frame_conditions):
                    continue
                made = self._clause(word, condition, taken, found)
                if made is not None:
                    yield made.rule, made.steps

    def _unfolded(self, predicate: str) -> frozenset[str]:
        """Return the other predicates of the recursion of a predicate."""
        below = self._recursive.get(predicate, frozenset())
        return frozenset(other for other in below if predicate in self._recursive.get(other, ())) - {
            predicate
        }

    def _derivations(
        self, so_far: _Derivation, body: Sequence[Condition], taken: Atom, unfolded: frozenset[str]
    ) -> Iterator[_Derivation]:
        """Yield the derivations of the remaining conditions of a timeless clause after an action.

        Facts of the predicates `unfolded` are derived by their clauses.
        """
        if not body:
            yield so_far
            return
        first, *rest = body
        for found in self._ways(so_far, first, taken, unfolded):
            yield from self._derivations(found, rest, taken, unfolded)

    def _ways(
        self, so_far: _Derivation, condition: Condition, taken: Atom, unfolded: frozenset[str]
    ) -> Iterator[_Derivation]:
        """Yield the ways in which a condition may hold after an action."""
        words = self._theory.vocabulary.predicates
        if not isinstance(condition, Atom):
            if not any(self._changes(s) for s in statements([condition])):
                yield replace(so_far, conditions=(*so_far.conditions, condition))
        elif not self._changes(condition):
            yield replace(so_far, conditions=(*so_far.conditions, condition))
        elif words[condition.predicate].kind == "fluent":
            for rule in self._theory.rules:
                if isinstance(rule.head, Atom) and rule.head.predicate == condition.predicate:
                    yield from _by_transition(so_far, rule, condition, taken)
        elif condition.predicate in unfolded:
            yield from self._by_clauses(so_far, condition, taken, unfolded)
        elif (word := self._word_of(condition.predicate, taken.predicate)) is not None:
            yield from _by_transition(so_far, word.lemma, condition, taken)

    def _by_clauses(
        self, so_far: _Derivation, condition: Atom, taken: Atom, unfolded: frozenset[str]
    ) -> Iterator[_Derivation]:
        """Yield the derivations of a condition after an action by the timeless clauses of its predicate."""
        for rule in self._theory.rules:
            if rule.head.relation != condition.predicate or rule.lemma or not _is_timeless(rule):
                continue
            number = 1 + len(so_far.uses)
            own = rename_rule(rule, lambda name, number=number: f"{name}~{number}")  # type: ignore[misc]
            unifier = Unifier()
            unifier.bindings.update(so_far.bindings)
            if unifier.unify_statements(own.head, condition):
                uses = (*so_far.uses, _Use(rule, number, "after"))
                start = replace(so_far, bindings=dict(unifier.bindings), uses=uses)
                yield from self._derivations(start, own.body, taken, unfolded - {condition.predicate})

    def _changes(self, statement: Statement) -> bool:
        """Return whether an action may change facts of a statement."""
        predicate = self._theory.vocabulary.predicates.get(statement.relation)
        return predicate is None or predicate.kind == "fluent" or predicate.name in self._changing

    def _clause(
        self, word: InventedPredicate, condition: Atom, taken: Atom, found: _Derivation
    ) -> Regressed | None:
        """Return the clause of a derivation with its steps.

        The value is None if the clause can never hold, derives nothing, or binds too little.
        """
        vocabulary, unifier = self._vocabulary, Unifier()
        unifier.bindings.update(found.bindings)
        conditions = [taken, *found.conditions]
        try:
            merge_keys(conditions, unifier, vocabulary)
        except NotOperationalError:
            return None

        def resolved(each: Condition) -> Condition:
            return apply_to_condition(each, {v.name: unifier.walk(v) for v in condition_variables(each)})

        body = [at_moment(resolved(each), "before", vocabulary) for each in conditions]
        if any(isinstance(each, Comparison) and _never_holds(each) for each in body):
            return None
        head = resolved(replace(condition, tense="before"))
        assert isinstance(head, Atom)
        if head in body:  # it derives nothing
            return None
        plain = Rule(head, without_redundant(body, head), word.predicate.name)
        if not is_safe(plain):
            return None
        steps = tuple(use.step(unifier) for use in reversed(found.uses))
        return normalised(condensed(Regressed(plain, steps)))


def _is_timeless(rule: Rule) -> bool:
    return not any(s.tense for s in (rule.head, *statements(rule.body)))


def _by_transition(so_far: _Derivation, rule: Rule, condition: Atom, taken: Atom) -> Iterator[_Derivation]:
    """Yield the derivation of a condition by a rule about facts after this action, if it is one."""
    number = 1 + len(so_far.uses)
    own = rename_rule(rule, lambda name: f"{name}~{number}")
    actions = [each for each in own.body if isinstance(each, Atom) and each.predicate == taken.predicate]
    rest = [each for each in own.body if each not in actions]
    if own.head.tense != "after" or len(actions) != 1 or any(s.tense == "after" for s in statements(rest)):
        return
    unifier = Unifier()
    unifier.bindings.update(so_far.bindings)
    if not (unifier.unify_statements(own.head, condition) and unifier.unify_statements(actions[0], taken)):
        return
    assert isinstance(own.head, Atom)
    earlier = replace(own.head, tense="before")
    frame_conditions: tuple[Condition, ...] | None = None
    if so_far.frame_conditions is not None and earlier in rest:
        frame_conditions = (*so_far.frame_conditions, *(each for each in rest if each != earlier))
    yield _Derivation(
        dict(unifier.bindings),
        (*so_far.conditions, *rest),
        (*so_far.uses, _Use(rule, number, None)),
        frame_conditions,
    )


def _is_by_frame_lemma(word: InventedPredicate, conditions: Sequence[Condition]) -> bool:
    """Return whether a clause from a frame lemma requires only the fact before the action and conditions on
    the same relations.
    """
    fact = word.lemma.head
    relations = {fact.relation, *(each.relation for each in statements(word.lemma.body))}
    relations |= {each.relation for each in statements(conditions)}
    operators = {each.operator for each in conditions if isinstance(each, Comparison)}
    return any(
        any(isinstance(each, Atom) and each.relation == fact.relation for each in clause.body)
        and {each.relation for each in statements(clause.body)} <= relations
        and {each.operator for each in clause.body if isinstance(each, Comparison)} <= operators
        for clause in word.clauses
    )


def _never_holds(comparison: Comparison) -> bool:
    """Return whether a comparison of equal terms, or of constants, is false."""
    left, right, operator = comparison.left, comparison.right, comparison.operator
    if left == right:
        return operator in ("!=", "<", ">")
    if isinstance(left, Constant) and isinstance(right, Constant):
        return operator == "="
    return False
