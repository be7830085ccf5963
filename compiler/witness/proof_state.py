"""The facts known during the search for a proof: statements, equalities, inequalities, arithmetic, and their
reasons.

A statement holds if it is known. Terms are equal by `->` keys and by equations of the learned rule. They are
distinct only by its `!=`, or by different values of the same key. Numbers are compared by linear entailment.
The results of operations must fit into 64 bits provably or by the rule's own conditions. Each query returns
the witness for the certificate, or False. In a witness, `Ref` refers to a known fact by its number in this
context.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import field
from itertools import count
from typing import Any

from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.checker.context import atoms_of, is_of_numbers
from hornbook.compiler.checker.dependencies import place_of
from hornbook.compiler.checker.proofs import is_defined, swapped
from hornbook.compiler.witness.congruence import Congruence, Moment, Place, Row
from hornbook.compiler.witness.entailment import Arithmetic, Refutation
from hornbook.compiler.witness.premises import Premises
from hornbook.compiler.witness.search_budget import search_budget
from hornbook.kb.ast.substitution import apply_to_expression
from hornbook.kb.ast.terms import (
    Atom,
    Comparison,
    Constant,
    Expression,
    Operation,
    Statement,
    Term,
    Variable,
    expression_variables,
    is_numeric,
    numbers_in,
)
from hornbook.kb.ast.theory import Vocabulary
from hornbook.matcher.program.dataclass import dataclass

MAX_DEPTH = 12
"""The maximum number of nested keys in a proof that two terms differ."""

Pair = frozenset[Term]


Found = Any
"""A witness, with `Ref` for the numbers of known facts, or False if no witness was found."""


@dataclass(frozen=True, slots=True)
class Ref:
    """A known fact, by its number in the context. Facts that the theory states have negative numbers."""

    number: int


@dataclass(frozen=True, slots=True)
class Constraints:
    """The timed predicates whose `->` key holds for every two facts, and those with closed sets.

    The sets have no more members than their counts state. The constraints are found in
    compiler/witness/constraints.py.
    """

    keys: frozenset[Place]
    closed: frozenset[Place]
    used: set[tuple[Place, str]] = field(default_factory=set, compare=False)
    """The constraints that proofs used: timed predicates with `key` or `count`."""


class ProofState:
    """Known statements at moments, equalities, inequalities and arithmetic."""

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        self.vocabulary, self.constraints = vocabulary, constraints
        self.budget = search_budget()
        self.numbers: Iterator[int] = count()
        """The numbers for new facts, shared by all branches."""
        self.congruence = Congruence(self._key, self.budget)
        self.arithmetic = Arithmetic(budget=self.budget)
        self.of_words = Premises()
        """The comparisons of words with calls of functions."""
        self.integers: set[Term] = set()
        self.sorts: dict[str, str] = {}
        """The enumerated sort of each variable that has one."""
        self._merges_read = 0

    def copy_into(self, target: ProofState) -> None:
        target.budget, target.numbers = self.budget, self.numbers
        target.congruence, target.arithmetic = self.congruence.copy(), self.arithmetic.copy()
        self.of_words.copy_into(target.of_words)
        target.integers, target.sorts = set(self.integers), dict(self.sorts)
        target._merges_read = self._merges_read

    # Assumptions

    def establish(self, statement: Statement, moment: Moment, number: int | None = None) -> int:
        """Add a statement to the known facts; return its number."""
        number = next(self.numbers) if number is None else number
        self._note_sorts(statement)
        self.congruence.add(statement.relation, self.moment_of(statement, moment), statement.terms, number)
        self._follow_merges()
        return number

    def take_comparison(self, comparison: Comparison, number: int) -> None:
        left, right = comparison.left, comparison.right
        if is_of_numbers(comparison) or self.is_number(left) or self.is_number(right):
            for side in (left, right):
                self.integers |= {self.find(v) for v in numbers_in(side)}
            self._calculate(self._canonical_comparison(comparison), number)
        elif isinstance(left, Operation) or isinstance(right, Operation):
            self.of_words.add(self._canonical_comparison(comparison), number)
        if isinstance(left, Operation) or isinstance(right, Operation):
            return
        if comparison.operator == "=":
            self.congruence.equate(left, right)
            self._follow_merges()
        elif comparison.operator == "!=":
            self.congruence.differ(left, right, number)

    def _follow_merges(self) -> None:
        """Rewrite the comparisons that mention merged terms."""
        merged = self.congruence.merged
        while self._merges_read < len(merged):
            replaced, root = merged[self._merges_read]
            self._merges_read += 1
            if replaced in self.integers:
                self.integers.add(root)
            if isinstance(replaced, Variable):
                if isinstance(root, Variable) and replaced.name in self.sorts:
                    self.sorts.setdefault(root.name, self.sorts[replaced.name])
                for comparison in self.arithmetic.mentioning(replaced.name):
                    number = self.arithmetic.discard(comparison)
                    assert number is not None
                    self._calculate(self._canonical_comparison(comparison), number)
                for comparison in self.of_words.mentioning(replaced.name):
                    number = self.of_words.discard(comparison)
                    assert number is not None
                    self.of_words.add(self._canonical_comparison(comparison), number)

    def _calculate(self, comparison: Comparison, number: int) -> None:
        """Add a comparison of integers to the arithmetic, unless one side is a word in a column of mixed
        sort.
        """
        sides = (comparison.left, comparison.right)
        if not any(isinstance(side, Constant) and isinstance(side.value, str) for side in sides):
            self.arithmetic.add(comparison, number)

    def _note_sorts(self, statement: Statement) -> None:
        for atom in atoms_of(statement):
            columns = self.vocabulary.predicates[atom.predicate].columns
            for term, column in zip(atom.arguments, columns, strict=True):
                if isinstance(term, Variable):
                    kind = self.vocabulary.sorts[column.name].kind
                    if kind == "integer":
                        self.integers.add(self.find(term))
                    elif kind == "enumerated" and isinstance(root := self.find(term), Variable):
                        self.sorts.setdefault(root.name, column.name)

    # Consequences

    def find(self, term: Term) -> Term:
        return self.congruence.find(term)

    def equal(self, one: Term, other: Term) -> bool:
        return self.congruence.equal(one, other)

    def distinct(self, one: Term, other: Term) -> Found:
        """Return a proof that two terms are distinct, or False."""
        return self._distinct(one, other, frozenset())

    def _distinct(self, one: Term, other: Term, without: frozenset[Pair]) -> Found:
        self.budget.spend(3)
        one, other = self.find(one), self.find(other)
        pair = frozenset((one, other))
        if one == other or pair in without:
            return False
        if isinstance(one, Constant) and isinstance(other, Constant):
            return None
        unequal = self.congruence.inequality(one, other)
        if unequal is not None:
            return Ref(unequal)
        if self.is_number(one) and self.is_number(other):
            found = self.arithmetic.refutation(Comparison("!=", one, other))
            if found:
                return ("linear", *_linear(found))
        return len(without) < MAX_DEPTH and self._distinct_by_key(one, other, without | {pair})

    def _distinct_by_key(self, one: Term, other: Term, without: frozenset[Pair]) -> Found:
        """Return a proof that two terms differ by two statements; or False.

        If the terms were equal, the keys of the statements would be equal, but their values differ.
        """
        by_key: dict[tuple[Place, Row], list[tuple[int, Row]]] = {}
        for term in (one, other):
            for number, place, width, row in self.congruence.keyed_with(term):
                self.budget.spend()
                key = tuple(other if t == one else t for t in row[:width])
                earlier_rows = by_key.setdefault((place, key), [])
                for before, earlier in earlier_rows:
                    for column in range(width, len(row)):
                        found = self._distinct(earlier[column], row[column], without)
                        if found is not False:
                            self.constraints.used.add((place, "key"))
                            return ("key", Ref(before), Ref(number), column, found)
                earlier_rows.append((number, row))
        return False

    def may_compare_without(self, comparison: Comparison) -> bool:
        """Return whether an assumed comparison would follow from the other known facts.

        Return True if that is uncertain.
        """
        canonical = self._canonical_comparison(comparison)
        one, other = canonical.left, canonical.right
        if one == other:
            return True
        premises = [c for c in (canonical, swapped(canonical)) if c in self.arithmetic]
        numbers = [self.arithmetic.discard(premise) for premise in premises]
        try:
            if self.is_number(one) and self.is_number(other) and self.arithmetic.entails(canonical):
                return True
        finally:
            for premise, number in zip(premises, numbers, strict=True):
                assert number is not None
                self.arithmetic.add(premise, number)
        if isinstance(one, Operation) or isinstance(other, Operation) or comparison.operator != "!=":
            return False
        are_constants = isinstance(one, Constant) and isinstance(other, Constant)
        pair = frozenset({frozenset((one, other))})
        return are_constants or self._distinct_by_key(one, other, pair) is not False

    def compares(self, comparison: Comparison) -> Found:
        """Return a proof that a comparison holds and is evaluated without overflow of 64 bits; or False."""
        left, right = comparison.left, comparison.right
        if not isinstance(left, Operation) and not isinstance(right, Operation):
            if comparison.operator == "=" and self.equal(left, right):
                return ("same",)
            if comparison.operator == "!=" and (found := self.distinct(left, right)) is not False:
                return ("apart", found)
        canonical = self._canonical_comparison(comparison)
        if not (self.is_number(left) and self.is_number(right)):
            known = self.of_words.number(canonical)
            return False if known is None else Ref(known)
        number = self.arithmetic.number(canonical)
        if number is not None:
            return Ref(number)
        entailed = self.arithmetic.refutation(canonical)
        if not entailed:
            return False
        fitting = self._fits(canonical.left), self._fits(canonical.right)
        return False if False in fitting else ("linear", *_linear(entailed), *fitting)

    def entails(self, comparison: Comparison) -> Found:
        """Return a proof that a comparison holds over unbounded integers; or False."""
        found = self.arithmetic.refutation(self._canonical_comparison(comparison))
        return _linear(found) if found else False

    def _fits(self, expression: Expression) -> Found:
        """Return a proof that an expression does not overflow 64 bits, unless the learned rule itself would;
        or False.
        """
        if not isinstance(expression, Operation):
            return None
        for premises in (self.arithmetic, self.of_words):
            for comparison in premises.near(expression):
                if expression in operations(comparison):
                    number = premises.number(comparison)
                    assert number is not None
                    return Ref(number)
        if not is_defined(expression):
            return False
        sides = [self._fits(operand) for operand in expression.operands]
        ends = False not in sides and self.arithmetic.fits(expression)
        return (*sides, *map(_linear, ends)) if ends else False

    def _canonical_comparison(self, comparison: Comparison) -> Comparison:
        return Comparison(
            comparison.operator, self._canonical(comparison.left), self._canonical(comparison.right)
        )

    def _canonical(self, expression: Expression) -> Expression:
        return apply_to_expression(
            expression, {v.name: self.find(v) for v in expression_variables(expression)}
        )

    def words_of(self, call: Operation) -> list[Term]:
        """Return the words that known equations give to a call of a function."""
        call_now = self._canonical(call)
        return [
            one
            for known in self.of_words.near(call_now)
            if known.operator == "="
            for one, other in ((known.left, known.right), (known.right, known.left))
            if other == call_now and isinstance(one, Term)
        ]

    def is_number(self, expression: Expression) -> bool:
        """Return whether an expression is known to be an integer, if it has a value."""
        return is_numeric(expression, self._is_integer)

    def _is_integer(self, term: Term) -> bool:
        found = self.find(term) if isinstance(term, Variable) else term
        return isinstance(found.value, int) if isinstance(found, Constant) else found in self.integers

    def conflicting(self) -> Found:
        """Return a proof that constants would be equal, or that a term differs from itself; or False."""
        if self.congruence.conflict is None:
            return False
        by = self.congruence.conflict_by
        return None if by is None else ("unequal", Ref(by))

    def contradictory(self) -> Found:
        """Return a proof that the known facts are contradictory, by keys, comparisons and enumerated sorts;
        or False.
        """
        found = self.conflicting()
        if found is not False:
            return found
        if numbers := self.arithmetic.contradictory():
            return ("linear", *_linear(numbers))
        for term in self.congruence.unequal_terms():
            if isinstance(term, Variable) and term.name in self.sorts:
                words = self.vocabulary.sorts[self.sorts[term.name]].constants
                inequalities = [self.congruence.inequality(term, Constant(word)) for word in words]
                if None not in inequalities:
                    return (
                        "words",
                        term.name,
                        tuple(Ref(number) for number in inequalities if number is not None),
                    )
        return False

    def refuse_contradiction(self) -> None:
        """Raise RejectedError if different constants would be equal: any or no conclusion of such a rule is
        proved.
        """
        if self.congruence.conflict is not None:
            raise RejectedError("the conditions can never hold together")

    # Declarations

    def moment_of(self, statement: Statement, moment: Moment) -> Moment:
        return place_of(statement, moment, self.vocabulary)[1]

    def is_static(self, statement: Statement) -> bool:
        """Return whether a statement of the theory holds at every moment of every state, as static facts
        do.
        """
        return (
            isinstance(statement, Atom) and self.vocabulary.predicates[statement.predicate].kind == "static"
        )

    def _key(self, place: Place) -> int | None:
        declared = self.vocabulary.predicates.get(place[0])
        if declared is None:
            return None
        if declared.kind == "action":
            return 0  # exactly one action is taken
        return declared.key if place in self.constraints.keys else None


def operations(comparison: Comparison) -> set[Expression]:
    """Return all operations that a comparison evaluates."""
    evaluated: set[Expression] = set()
    todo: list[Expression] = [comparison.left, comparison.right]
    while todo:
        expression = todo.pop()
        if isinstance(expression, Operation):
            evaluated.add(expression)
            todo += expression.operands
    return evaluated


def _linear(found: Refutation) -> tuple[Found, Found]:
    """Return the witness of an entailment."""
    premises, sums = found
    return tuple(map(Ref, premises)), sums
