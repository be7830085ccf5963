"""Clashes: small states, with at most one action, that give two rules different values for the same key.

The bodies of both rules are unfolded to given facts, and made true with few objects, as for counter-models
(compiler/refute/countermodel.py). A search without a result proves nothing; proofs of keys are made in
compiler/witness/constraints.py.

Invariants: the facts of a clash alone satisfy the theory's declarations, and the engine rejects the theory's
conclusions from them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import combinations, count, islice

from hornbook.compiler.generalise.unify import Unifier
from hornbook.compiler.refute.countermodel import holds, small_states
from hornbook.compiler.witness.queries import OPEN, constraints
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, rename_rule
from hornbook.kb.ast.terms import Atom, Comparison, Condition, Constant, Rule, Statement, Tense, Term
from hornbook.kb.ast.theory import GroundFact, Theory
from hornbook.kb.base.fact_states import FactStates
from hornbook.kb.base.knowledge_base import KnowledgeBase
from hornbook.kb.format.printer import print_condition
from hornbook.kb.lower.errors import KnowledgeBaseError
from hornbook.kb.parse.facts import FactError
from hornbook.matcher.program.coded import Limits
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import KeyConflictError

WAYS = 8
"""The maximum number of ways to unfold the conditions of two rules to given facts, each with a state."""
STEPS = 300
"""The maximum number of clauses tried during unfolding."""
ROWS = 500
"""The maximum number of choices of objects tried for each way."""
STATES = 10
"""The maximum number of states tried for each way, besides those with a number that the theory states."""
DEPTH = 6
"""The maximum nesting depth of rules during unfolding."""


@dataclass(frozen=True, slots=True)
class Clash:
    """Two rules, a state with its action, and the conflict between their conclusions."""

    rules: tuple[Rule, ...]
    facts: tuple[GroundFact, ...]
    problem: str

    def __str__(self) -> str:
        names = " and ".join(f"`{name}`" for name in dict.fromkeys(rule.name for rule in self.rules))
        rows = (f"  {print_condition(_atom(fact))}" for fact in self.facts)
        return "\n".join([f"{self.rules[-1].span}: by {names}, {self.problem}, in the state", *rows])

    def as_json(self) -> dict[str, object]:
        facts = [print_condition(_atom(fact)) for fact in self.facts]
        return {"rules": [rule.name for rule in self.rules], "problem": self.problem, "facts": facts}


def _atom(fact: GroundFact) -> Atom:
    return Atom(fact.relation, tuple(map(Constant, fact.values)), fact.tense)


def clashes(theory: Theory) -> Iterator[Clash]:
    """Yield a clash for each predicate whose key is not proved, if one is found."""
    ground = _Ground(theory)
    found: set[str] = set()
    for (name, moment), status in sorted(constraints(theory).keys.items(), key=str):
        if status == OPEN and name not in found and moment in (None, *ground.full.engine.coding.moments):
            rules = [r for r in theory.rules if isinstance(r.head, Atom) and r.head.predicate == name]
            concluding = [rule for rule in rules if rule.head.tense in (None, moment)]
            # Pairs of different rules come first, because a clash of a rule with itself could also be
            # attributed to others.
            pairs = [*combinations(concluding, 2), *((rule, rule) for rule in concluding)]
            first = next(filter(None, (ground.clash(one, other, moment) for one, other in pairs)), None)
            if first is not None:
                found.add(name)
                yield first


def clash(first: Rule, second: Rule, theory: Theory, moment: Tense | None = None) -> Clash | None:
    """Return a small state that gives two rules (or one, twice) different values for the same key; or
    None.
    """
    return _Ground(theory).clash(first, second, moment)


class _Ground:
    """A theory, with knowledge bases that reject invalid given facts (`bare`) and invalid conclusions
    (`full`).
    """

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.predicates = theory.vocabulary.predicates
        self.stated: defaultdict[str, list[Rule]] = defaultdict(list)
        for fact in theory.facts:
            self.stated[fact.relation].append(Rule(fact))
        self.rules: defaultdict[str, list[Rule]] = defaultdict(list)
        for rule in sorted(theory.rules, key=lambda r: len(r.body)):
            self.rules[rule.head.relation].append(rule)
        limits = Limits(facts=100_000, seconds=5.0)
        self.bare = KnowledgeBase(replace(theory, rules=()), derivations="none", limits=limits)
        self.full = KnowledgeBase(theory, derivations="none", limits=limits)
        self.states = FactStates(theory, (), (), limits)

    def clash(self, first: Rule, second: Rule, moment: Tense | None) -> Clash | None:
        assert isinstance(first.head, Atom)
        tried = (
            list(small_states(r, self.theory, ROWS, STATES)) for r in self._joined(first, second, moment)
        )
        for states in islice(filter(None, tried), WAYS):
            for state, found in zip(states, self.states.valid(states), strict=True):
                problem = self._refused(state, (first.head, second.head)) if found is None else None
                if problem is not None:
                    return Clash((first, second), state, problem)
        return None

    def _refused(self, state: Sequence[GroundFact], heads: tuple[Statement, Statement]) -> str | None:
        """Return why the conclusions of a state are rejected although its facts are valid; None otherwise.

        The conflict must be between an instance of each head.
        """
        for base in (self.bare, self.full):
            base.push()
            try:
                base.add(state)
            except FactError:
                return None
            except KnowledgeBaseError as problem:
                cause = problem.__cause__
                if base is self.bare or not isinstance(cause, KeyConflictError):
                    return None
                facts = tuple(map(base.engine.coding.statement, (cause.first, cause.second)))
                ours = any(all(map(_is_instance, facts, pair)) for pair in (heads, heads[::-1]))
                return str(problem).partition(";")[0] if ours else None
            finally:
                base.pop()
        return None

    # Joint conditions of two rules

    def _joined(self, first: Rule, second: Rule, moment: Tense | None) -> Iterator[Rule]:
        """Yield rules over given facts and comparisons under which both rules conclude facts with the same
        key.
        """
        one, other = (_apart(rule, mark) for rule, mark in ((first, "1"), (second, "2")))
        assert isinstance(one.head, Atom)
        width = self.predicates[one.head.predicate].key
        assert width is not None
        unifier = Unifier()
        if not all(
            unifier.unify(a, b) for a, b in zip(one.head.terms[:width], other.head.terms[:width], strict=True)
        ):
            return
        body = [*self._body(one, moment), *self._body(other, moment)]
        for bindings, given in self._unfolded(body, (), dict(unifier.bindings), DEPTH, count()):
            merged = self._with_one_value(bindings, given)
            if merged is None:
                continue
            bound = _resolved(merged)
            premises = tuple(dict.fromkeys(apply_to_condition(c, bound) for c in given))
            if not all(holds(c, {}) for c in premises if isinstance(c, Comparison)):
                continue
            head = apply_to_statement(one.head, bound)
            other_head = apply_to_statement(other.head, bound)
            for a, b in list(zip(head.terms, other_head.terms, strict=True))[width:]:
                if a != b:
                    yield Rule(head, (*premises, Comparison("!=", a, b)), first.label, first.span)

    def _with_one_value(
        self, bindings: dict[str, Term], given: Sequence[Condition]
    ) -> dict[str, Term] | None:
        """Return the bindings with which given facts of one key have one value; None if there are none."""
        unifier = Unifier()
        unifier.bindings = dict(bindings)
        atoms = [c for c in given if isinstance(c, Atom) and self.predicates[c.predicate].key is not None]
        pairs = [
            p for p in combinations(atoms, 2) if p[0].relation == p[1].relation and p[0].tense == p[1].tense
        ]
        known = -1
        while known != len(unifier.bindings):
            known = len(unifier.bindings)
            for one, other in pairs:
                width = self.predicates[one.predicate].key
                columns = list(zip(one.terms, other.terms, strict=True))
                if all(unifier.walk(a) == unifier.walk(b) for a, b in columns[:width]) and not all(
                    unifier.unify(a, b) for a, b in columns[width:]
                ):
                    return None
        return unifier.bindings

    def _body(self, rule: Rule, moment: Tense | None) -> list[Condition]:
        """Return the body of a rule; a timeless body is read at the moment of the conclusion."""
        if moment is None or rule.head.tense is not None:
            return list(rule.body)
        return [at_moment(condition, moment, self.theory.vocabulary) for condition in rule.body]

    def _unfolded(
        self,
        todo: Sequence[Condition],
        given: tuple[Condition, ...],
        bindings: dict[str, Term],
        depth: int,
        numbers: count[int],
    ) -> Iterator[tuple[dict[str, Term], tuple[Condition, ...]]]:
        """Yield the ways to reduce conditions to given facts: these facts, with the binding of variables."""
        if not todo:
            yield bindings, given
            return
        condition, rest = todo[0], todo[1:]
        if not isinstance(condition, Atom) or self._is_given(condition):
            yield from self._with_one_action(condition, rest, given, bindings, depth, numbers)
            return
        if depth == 0:
            return
        for clause in self._clauses(condition):
            number = next(numbers)
            if number > STEPS:
                return
            mark = f"_{number}"
            fresh = _apart(clause, mark)
            unifier = Unifier()
            unifier.bindings = dict(bindings)
            if unifier.unify_statements(condition, fresh.head):
                body = self._body(fresh, condition.tense)
                yield from self._unfolded([*body, *rest], given, unifier.bindings, depth - 1, numbers)

    def _with_one_action(
        self,
        condition: Condition,
        rest: Sequence[Condition],
        given: tuple[Condition, ...],
        bindings: dict[str, Term],
        depth: int,
        numbers: count[int],
    ) -> Iterator[tuple[dict[str, Term], tuple[Condition, ...]]]:
        """Add a given condition and continue; all actions are unified."""
        actions = [c for c in given if isinstance(c, Atom) and self.predicates[c.predicate].kind == "action"]
        if isinstance(condition, Atom) and self.predicates[condition.predicate].kind == "action" and actions:
            unifier = Unifier()
            unifier.bindings = dict(bindings)
            if not unifier.unify_statements(actions[0], condition):
                return
            bindings = unifier.bindings
        yield from self._unfolded(rest, (*given, condition), bindings, depth, numbers)

    def _is_given(self, atom: Atom) -> bool:
        kind = self.predicates[atom.predicate].kind
        if kind == "static":
            return next(self._clauses(atom), None) is None
        return kind == "action" or (kind == "fluent" and atom.tense != "after")

    def _clauses(self, atom: Atom) -> Iterator[Rule]:
        """Yield the stated facts and the rules that conclude an atom, those with few conditions first."""
        yield from self.stated[atom.predicate]
        yield from (r for r in self.rules[atom.predicate] if r.head.tense in (None, atom.tense))


def _is_instance(fact: Statement, head: Statement) -> bool:
    """Return whether a fact may be a conclusion of a rule with a head, at any moment."""
    unifier = Unifier()
    return fact.relation == head.relation and all(map(unifier.unify, fact.terms, head.terms))


def _apart(rule: Rule, mark: str) -> Rule:
    return rename_rule(rule, lambda name: f"{name}{mark}")


def _resolved(bindings: dict[str, Term]) -> dict[str, Term]:
    """Return the bindings with all chains of variables resolved."""
    unifier = Unifier()
    unifier.bindings = bindings
    return {name: unifier.walk(term) for name, term in bindings.items()}
