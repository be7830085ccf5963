"""What is established while a proof is looked for: statements, equalities, inequalities, arithmetic, and why.

Statements hold by being there; words are equal by the keys of `->` declarations and by the learned rule's
equations, different only by its `!=` or by unequal values of one key; numbers compare by linear entailment,
with results provably (or by the rule's own conditions) within 64 bits. What is asked is answered by the witness that a
certificate carries, in which `Ref` stands for what is known by its number here, or by False.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Any

from hornbook.compiler.checker.checker import RejectedError
from hornbook.compiler.checker.context import atoms_of, is_of_numbers
from hornbook.compiler.checker.promises import place_of
from hornbook.compiler.checker.proofs import is_defined, swapped
from hornbook.compiler.witness.congruence import Congruence, Moment, Place, Row
from hornbook.compiler.witness.effort import Effort
from hornbook.compiler.witness.entailment import Arithmetic, Refutation
from hornbook.kb.ast.operators import is_of_integers
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
    numbers_in,
)
from hornbook.kb.ast.theory import Vocabulary

MAX_DEPTH = 12
"""How many keys in a row a proof that two things differ may go through."""

Pair = frozenset[Term]


Found = Any
"""A witness in which `Ref` stands for numbers, or False where nothing was found."""


@dataclass(frozen=True, slots=True)
class Ref:
    """Something known, by its number here. (Negative numbers are of what the theory states.)"""

    number: int


@dataclass(frozen=True, slots=True)
class Constraints:
    """The places at which a `->` key holds of every two facts, and those at which a set has no more members than its
    count says (compiler/witness/constraints.py finds them).
    """

    keys: frozenset[Place]
    closed: frozenset[Place]
    used: set[tuple[Place, str]] = field(default_factory=set, compare=False)
    """Those on which what was found rests: places, each with `key` or `count`."""


class Established:
    """Statements at moments, equalities, inequalities and arithmetic that are known."""

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        self.vocabulary, self.constraints = vocabulary, constraints
        self.effort = Effort()
        self.numbers: Iterator[int] = count()
        """Those of what becomes known, in all branches."""
        self.congruence = Congruence(self._key, self.effort)
        self.arithmetic = Arithmetic(effort=self.effort)
        self.integers: set[Term] = set()
        self.sorts: dict[str, str] = {}
        """The enumerated sort of each variable that has one."""
        self._merges_read = 0

    def copy_into(self, twin: Established) -> None:
        twin.effort, twin.numbers = self.effort, self.numbers
        twin.congruence, twin.arithmetic = self.congruence.copy(), self.arithmetic.copy()
        twin.integers, twin.sorts = set(self.integers), dict(self.sorts)
        twin._merges_read = self._merges_read

    # What is taken as true

    def establish(self, statement: Statement, moment: Moment, number: int | None = None) -> int:
        """Makes a statement known; the number that it has."""
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
        if isinstance(left, Operation) or isinstance(right, Operation):
            return
        if comparison.operator == "=":
            self.congruence.equate(left, right)
            self._follow_merges()
        elif comparison.operator == "!=":
            self.congruence.differ(left, right, number)

    def _follow_merges(self) -> None:
        """Says the comparisons again of what is in the place of terms that were made one."""
        merged = self.congruence.merged
        while self._merges_read < len(merged):
            lost, kept = merged[self._merges_read]
            self._merges_read += 1
            if lost in self.integers:
                self.integers.add(kept)
            if isinstance(lost, Variable):
                if isinstance(kept, Variable) and lost.name in self.sorts:
                    self.sorts.setdefault(kept.name, self.sorts[lost.name])
                for comparison in self.arithmetic.mentioning(lost.name):
                    number = self.arithmetic.discard(comparison)
                    assert number is not None
                    self._calculate(self._canonical_comparison(comparison), number)

    def _calculate(self, comparison: Comparison, number: int) -> None:
        """Takes a comparison of integers for the arithmetic. Of a column of words and integers one side may be a word."""
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
                    elif kind == "enumerated" and isinstance(kept := self.find(term), Variable):
                        self.sorts.setdefault(kept.name, column.name)

    # What follows

    def find(self, term: Term) -> Term:
        return self.congruence.find(term)

    def equal(self, one: Term, other: Term) -> bool:
        return self.congruence.equal(one, other)

    def distinct(self, one: Term, other: Term) -> Found:
        """Why two terms are different things, or False."""
        return self._distinct(one, other, frozenset())

    def _distinct(self, one: Term, other: Term, without: frozenset[Pair]) -> Found:
        self.effort.spend(3)
        one, other = self.find(one), self.find(other)
        pair = frozenset((one, other))
        if one == other or pair in without:
            return False
        if isinstance(one, Constant) and isinstance(other, Constant):
            return None
        said = self.congruence.inequality(one, other)
        if said is not None:
            return Ref(said)
        if self.is_number(one) and self.is_number(other):
            found = self.arithmetic.refutation(Comparison("!=", one, other))
            if found:
                return ("linear", *_linear(found))
        return len(without) < MAX_DEPTH and self._distinct_by_key(one, other, without | {pair})

    def _distinct_by_key(self, one: Term, other: Term, without: frozenset[Pair]) -> Found:
        """Two statements whose keys would be one if the terms were, with unequal values; or False."""
        alike: dict[tuple[Place, Row], list[tuple[int, Row]]] = {}
        for term in (one, other):
            for number, place, width, row in self.congruence.keyed_with(term):
                self.effort.spend()
                key = tuple(other if t == one else t for t in row[:width])
                there = alike.setdefault((place, key), [])
                for before, earlier in there:
                    for column in range(width, len(row)):
                        found = self._distinct(earlier[column], row[column], without)
                        if found is not False:
                            self.constraints.used.add((place, "key"))
                            return ("key", Ref(before), Ref(number), column, found)
                there.append((number, row))
        return False

    def compares_without(self, comparison: Comparison) -> bool:
        """Whether a comparison that was taken as true would be proved by what else is known; True where unsure."""
        canonical = self._canonical_comparison(comparison)
        one, other = canonical.left, canonical.right
        if one == other:
            return True
        said = [c for c in (canonical, swapped(canonical)) if c in self.arithmetic]
        numbers = [self.arithmetic.discard(premise) for premise in said]
        try:
            if self.is_number(one) and self.is_number(other) and self.arithmetic.entails(canonical):
                return True
        finally:
            for premise, number in zip(said, numbers, strict=True):
                assert number is not None
                self.arithmetic.add(premise, number)
        if isinstance(one, Operation) or isinstance(other, Operation) or comparison.operator != "!=":
            return False
        are_constants = isinstance(one, Constant) and isinstance(other, Constant)
        pair = frozenset({frozenset((one, other))})
        return are_constants or self._distinct_by_key(one, other, pair) is not False

    def compares(self, comparison: Comparison) -> Found:
        """Why a comparison holds, and can be read without leaving 64 bits; or False."""
        left, right = comparison.left, comparison.right
        if not isinstance(left, Operation) and not isinstance(right, Operation):
            if comparison.operator == "=" and self.equal(left, right):
                return ("same",)
            if comparison.operator == "!=" and (found := self.distinct(left, right)) is not False:
                return ("apart", found)
        if not (self.is_number(left) and self.is_number(right)):
            return False
        canonical = self._canonical_comparison(comparison)
        number = self.arithmetic.number(canonical)
        if number is not None:
            return Ref(number)
        entailed = self.arithmetic.refutation(canonical)
        if not entailed:
            return False
        fitting = self._fits(canonical.left), self._fits(canonical.right)
        return False if False in fitting else ("linear", *_linear(entailed), *fitting)

    def entails(self, comparison: Comparison) -> Found:
        """Why a comparison holds of all numbers that what is known allows, as integers without bounds; or False."""
        found = self.arithmetic.refutation(self._canonical_comparison(comparison))
        return _linear(found) if found else False

    def _fits(self, expression: Expression) -> Found:
        """Why evaluating an expression cannot leave 64 bits, unless the learned rule itself would; or False."""
        if not isinstance(expression, Operation):
            return None
        names = [v.name for v in expression_variables(expression)]
        for comparison in self.arithmetic.mentioning(names[0]) if names else ():
            if expression in operations(comparison):
                number = self.arithmetic.number(comparison)
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

    def is_number(self, expression: Expression) -> bool:
        """Whether an expression is known to be an integer."""
        match expression:
            case Constant():
                return isinstance(expression.value, int)
            case Variable():
                found = self.find(expression)
                return isinstance(found.value, int) if isinstance(found, Constant) else found in self.integers
            case Operation():
                return is_of_integers(expression.operator) and all(map(self.is_number, expression.operands))

    def conflicting(self) -> Found:
        """Why one thing would be two, or not itself; False where it would not."""
        if self.congruence.conflict is None:
            return False
        by = self.congruence.conflict_by
        return None if by is None else ("unequal", Ref(by))

    def contradictory(self) -> Found:
        """Why what is known can never hold together, by keys, comparisons and closed sorts; or False."""
        found = self.conflicting()
        if found is not False:
            return found
        if numbers := self.arithmetic.contradictory():
            return ("linear", *_linear(numbers))
        for term in self.congruence.unequal_terms():
            if isinstance(term, Variable) and term.name in self.sorts:
                words = self.vocabulary.sorts[self.sorts[term.name]].constants
                said = [self.congruence.inequality(term, Constant(word)) for word in words]
                if None not in said:
                    return ("words", term.name, tuple(Ref(number) for number in said if number is not None))
        return False

    def refuse_contradiction(self) -> None:
        """Raises where one thing would be two: of a rule of which that is so, all or nothing is proved."""
        if self.congruence.conflict is not None:
            raise RejectedError("the conditions can never hold together")

    # Declarations

    def moment_of(self, statement: Statement, moment: Moment) -> Moment:
        return place_of(statement, moment, self.vocabulary)[1]

    def is_lasting(self, statement: Statement) -> bool:
        """Whether what a theory states holds at every moment of every state: a static fact, and no action."""
        return (
            isinstance(statement, Atom) and self.vocabulary.predicates[statement.predicate].kind == "static"
        )

    def _key(self, place: Place) -> int | None:
        declared = self.vocabulary.predicates.get(place[0])
        if declared is None:
            return None
        if declared.kind == "action":
            return 0  # one action is taken
        return declared.key if place in self.constraints.keys else None


def operations(comparison: Comparison) -> set[Expression]:
    """All arithmetic that a comparison evaluates."""
    evaluated: set[Expression] = set()
    todo: list[Expression] = [comparison.left, comparison.right]
    while todo:
        expression = todo.pop()
        if isinstance(expression, Operation):
            evaluated.add(expression)
            todo += expression.operands
    return evaluated


def _linear(found: Refutation) -> tuple[Found, Found]:
    """The witness of what is entailed."""
    premises, sums = found
    return tuple(map(Ref, premises)), sums
