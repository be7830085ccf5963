"""Unfolding: a learned rule with its operational predicates replaced by their definitions, for the matcher.

A learned rule may contain operational predicates. Positions contain primitive facts only, so each such
condition is replaced by the body of the only rule that defines its predicate.

Invariants: in a state without an action, an unfolded rule and its remaining definitions have the same
conclusions as the rule and the theory's definitions. The bindings of the rule's own variables are also the
same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from hornbook.compiler.generalise.unify import Unifier
from hornbook.compiler.match.condensation import condensed
from hornbook.compiler.match.redundancy import is_redundant
from hornbook.compiler.witness.queries import constraints
from hornbook.kb.ast.evaluation_order import in_order
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_statement, at_moment, rename_rule
from hornbook.kb.ast.terms import (
    All,
    Atom,
    Comparison,
    Condition,
    Rule,
    Term,
    Variable,
    condition_variables,
    statements,
)
from hornbook.kb.ast.theory import Theory


def definitions(rule: Rule, theory: Theory) -> tuple[Rule, ...]:
    """Return the rules that derive the conditions of an unfolded rule for a matcher, directly or
    indirectly.
    """
    return tuple(RuleDefinitions(theory).needed({s.relation for s in statements(rule.body)}, set()))


def unfolded(rule: Rule, theory: Theory, known: RuleDefinitions | None = None) -> Rule:
    """Return the rule with operational predicates replaced by their definitions, where possible.

    A predicate is not replaced if it has several definitions or none, or if its definition depends on such
    predicates; a matcher derives it. If two of the rule's own variables become equal, an equation is added.
    `known` has the theory's definitions, if they are available.
    """
    unfolding = _RuleUnfolding(rule, known or RuleDefinitions(theory))
    body = unfolding.conditions(rule.body)
    unfolding.make_keys_one(body)
    bound = unfolding.bound()
    plain = tuple(dict.fromkeys(apply_to_condition(c, bound) for c in body))
    equations = [
        Comparison("=", Variable(name), value)
        for name, value in bound.items()
        if name in unfolding.own and not Variable(name).is_wildcard
    ]
    full_body = (*condensed(plain, unfolding.own), *equations)
    return replace(rule, head=apply_to_statement(rule.head, bound), body=tuple(in_order(full_body)))


class RuleDefinitions:
    """The rules of a theory for states without an action, with the replaceable definition of each operational
    predicate.
    """

    def __init__(self, theory: Theory) -> None:
        self.theory = theory
        self.predicates = theory.vocabulary.predicates
        self.stated: dict[str, set[tuple[Term, ...]]] = {}
        for fact in theory.facts:
            if isinstance(fact, Atom):
                self.stated.setdefault(fact.predicate, set()).add(fact.terms)
        self._rules: dict[str, list[tuple[int, Rule]]] = {}
        for place, rule in enumerate(theory.rules):
            if rule.head.tense != "after":
                self._rules.setdefault(rule.head.relation, []).append((place, rule))
        self._found: dict[str, Rule | None] = {}
        self._uses: dict[tuple[str, int], Rule] = {}

    def needed(self, relations: AbstractSet[str], known: set[str]) -> list[Rule]:
        """Return the rules that derive relations, directly or indirectly, in the theory's order.

        Rules for relations in `known` are left out; the new relations are added to it.
        """
        found: list[tuple[int, Rule]] = []
        required = relations - known
        while required:
            known |= required
            new = [each for relation in required for each in self._rules.get(relation, ())]
            found += new
            required = {s.relation for _, rule in new for s in statements(rule.body)} - known
        return [rule for _, rule in sorted(found, key=lambda each: each[0])]

    def of(self, predicate: str) -> Rule | None:
        if predicate not in self._found:
            self._found[predicate] = None  # recursive predicates are not replaced
            self._found[predicate] = self._one(predicate)
        return self._found[predicate]

    def use(self, predicate: str, number: int) -> Rule | None:
        """Return the definition with fresh variables, for the use with this number in any rule."""
        defined = self.of(predicate)
        if defined is None:
            return None
        found = self._uses.get((predicate, number))
        if found is None:
            found = rename_rule(defined, lambda name: f"{name}~u{number}")
            self._uses[predicate, number] = found
        return found

    def _one(self, predicate: str) -> Rule | None:
        rules = [rule for _, rule in self._rules.get(predicate, ())]
        if not rules or not isinstance(rules[0].head, Atom) or not self.predicates[predicate].operational:
            return None
        if self.predicates[predicate].kind != "derived":
            return None  # it may also have given facts
        # Redundant recursive rules do not count as definitions.
        first = next(
            (r for r in rules if predicate not in {s.relation for s in statements(r.body)}), rules[0]
        )
        others = [rule for rule in rules if rule is not first]
        plain = self._is_plain(first) and all(is_redundant(rule, first, self.theory) for rule in others)
        return first if plain else None

    def _is_plain(self, rule: Rule) -> bool:
        """Return whether a body is timeless and contains derived predicates only if these are replaced
        too.
        """
        mentioned = [rule.head, *statements(rule.body)]
        return all(s.tense is None for s in mentioned) and all(
            s.relation not in self._rules or self.of(s.relation) is not None for s in mentioned[1:]
        )


class _RuleUnfolding:
    """The unfolding of one rule; each use of a definition has fresh variables.

    Outside closed conditions, unifications apply to the whole rule. Inside one, they become equations,
    because they need not hold for all members.
    """

    def __init__(self, rule: Rule, definitions: RuleDefinitions) -> None:
        self.definitions = definitions
        self.own = frozenset(v.name for c in (rule.head, *rule.body) for v in condition_variables(c))
        self.unifier = Unifier()
        self.fresh = 0

    def conditions(self, conditions: Sequence[Condition]) -> tuple[Condition, ...]:
        return tuple(part for condition in conditions for part in self._condition(condition, inside=False))

    def _condition(self, condition: Condition, *, inside: bool) -> Iterator[Condition]:
        match condition:
            case All():
                parts = (part for c in condition.conditions for part in self._condition(c, inside=True))
                yield replace(condition, conditions=tuple(parts))
            case Atom() if (body := self._body(condition, inside=inside)) is not None:
                for part in body:
                    if not self._is_stated(part):
                        yield from self._condition(part, inside=inside)
            case _:
                yield condition

    def _is_stated(self, condition: Condition) -> bool:
        """Return whether the theory itself states a condition, so that it can be left out."""
        if not isinstance(condition, Atom) or condition.tense == "after":
            return False
        stated = self.definitions.stated.get(condition.predicate)
        return stated is not None and tuple(map(self.unifier.walk, condition.terms)) in stated

    def _body(self, condition: Atom, *, inside: bool) -> tuple[Condition, ...] | None:
        """Return the definition's body for a condition, at its moment; None if the condition remains."""
        own = self.definitions.use(condition.predicate, self.fresh + 1)
        if own is None:
            return None
        self.fresh += 1
        pairs = list(zip(own.head.terms, condition.terms, strict=True))
        body = _with_equations(own, pairs) if inside else self._unified(own, pairs)
        if body is None or condition.tense is None:
            return body
        return tuple(at_moment(c, condition.tense, self.definitions.theory.vocabulary) for c in body)

    def _unified(self, own: Rule, pairs: Sequence[tuple[Term, Term]]) -> tuple[Condition, ...] | None:
        """Return the body of a definition after unification of its head with a condition, in the whole
        rule.
        """
        before = dict(self.unifier.bindings)
        if all(self._equate(mine, theirs) for mine, theirs in pairs):
            return own.body
        self.unifier.bindings = before
        return None

    def _equate(self, one: Term, other: Term) -> bool:
        """Unify two terms; variables of definitions are replaced by the rule's own."""
        one, other = self.unifier.walk(one), self.unifier.walk(other)
        if isinstance(other, Variable) and other.name not in self.own:
            one, other = other, one
        return self.unifier.unify(one, other)

    def make_keys_one(self, conditions: Sequence[Condition]) -> None:
        """Unify the values of the same key at the same moment, if no state has two."""
        predicates, usable_keys = self.definitions.predicates, constraints(self.definitions.theory).given.keys
        keyed = [
            (c, key)
            for c in conditions
            if isinstance(c, Atom)
            and (key := predicates[c.predicate].key) is not None
            and (c.predicate, "before" if predicates[c.predicate].has_tense else None) in usable_keys
        ]
        size = -1
        while size != len(self.unifier.bindings):
            size = len(self.unifier.bindings)
            values: dict[tuple[object, ...], tuple[Term, ...]] = {}
            for condition, key in keyed:
                terms = tuple(map(self.unifier.walk, condition.terms))
                place = condition.predicate, condition.tense, terms[:key]
                known_values = values.setdefault(place, row_values := terms[key:])
                if known_values is not row_values:
                    for one, other in zip(row_values, known_values, strict=True):
                        # Two different constants are left unchanged: no state has both.
                        self._equate(one, other)

    def bound(self) -> dict[str, Term]:
        """Return the substitution for the whole rule."""
        return {name: self.unifier.walk(Variable(name)) for name in self.unifier.bindings}


def _with_equations(own: Rule, pairs: Sequence[tuple[Term, Term]]) -> tuple[Condition, ...] | None:
    """Return the body of a definition, with equations for repeated variables and constants in its head."""
    bound: dict[str, Term] = {}
    equations: list[Condition] = []
    for mine, theirs in pairs:
        given = bound.setdefault(mine.name, theirs) if isinstance(mine, Variable) else mine
        if given != theirs:
            if not (isinstance(given, Variable) or isinstance(theirs, Variable)):
                return None
            equations.append(Comparison("=", given, theirs))
    return (*(apply_to_condition(c, bound) for c in own.body), *equations)
