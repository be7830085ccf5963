"""What is established while a certificate is replayed: statements, equalities, inequalities, arithmetic.

Statements hold by being there; words are equal by the keys of `->` declarations and by the learned rule's
equations, different only by its `!=` or by unequal values of one key; numbers compare by linear entailment,
with results provably (or by the rule's own conditions) within 64 bits.
"""

from __future__ import annotations

from dataclasses import dataclass

from hornbook.compiler.checker.congruence import Congruence, Moment, Place, Row
from hornbook.compiler.checker.entailment import Arithmetic, swapped
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
)
from hornbook.kb.ast.theory import Vocabulary

MAX_EFFORT = 300_000
"""Statements and pairs of terms looked at for one certificate."""
MAX_DEPTH = 12
"""How many keys in a row a proof that two things differ may go through."""

Pair = frozenset[Term]


class RejectedError(Exception):
    """The certificate does not show that the rule follows; the message says where it breaks."""


@dataclass(frozen=True, slots=True)
class Constraints:
    """The places at which a `->` key holds of every two facts, and those at which a set has no more members than its
    count says (compiler/checker/constraints.py finds them).
    """

    keys: frozenset[Place]
    closed: frozenset[Place]


class Effort:
    """What is left of the work that one certificate may take."""

    def __init__(self) -> None:
        self.left = MAX_EFFORT

    def spend(self, amount: int = 1) -> None:
        self.left -= amount
        if self.left < 0:
            raise RejectedError(f"to check it would take more than {MAX_EFFORT:,} comparisons of statements")


class Established:
    """Statements at moments, equalities, inequalities and arithmetic that are known."""

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        self.vocabulary, self.constraints = vocabulary, constraints
        self.effort = Effort()
        self.congruence = Congruence(self._key)
        self.arithmetic = Arithmetic()
        self.integers: set[Term] = set()
        self.sorts: dict[str, str] = {}
        """The enumerated sort of each variable that has one."""
        self._merges_read = 0

    def copy_into(self, twin: Established) -> None:
        twin.effort = self.effort
        twin.congruence, twin.arithmetic = self.congruence.copy(), self.arithmetic.copy()
        twin.integers, twin.sorts = set(self.integers), dict(self.sorts)
        twin._merges_read = self._merges_read

    # What is taken as true

    def establish(self, statement: Statement, moment: Moment) -> None:
        self._note_sorts(statement)
        self.congruence.add(statement.relation, self.moment_of(statement, moment), statement.terms)
        self._follow_merges()

    def take_comparison(self, comparison: Comparison) -> None:
        left, right = comparison.left, comparison.right
        if is_of_numbers(comparison) or self.is_number(left) or self.is_number(right):
            for side in (left, right):
                self.integers |= {self.find(v) for v in expression_variables(side)}
            self.arithmetic.add(self._canonical_comparison(comparison))
        if isinstance(left, Operation) or isinstance(right, Operation):
            return
        if comparison.operator == "=":
            self.congruence.equate(left, right)
            self._follow_merges()
        elif comparison.operator == "!=":
            self.congruence.differ(left, right)

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
                    self.arithmetic.discard(comparison)
                    self.arithmetic.add(self._canonical_comparison(comparison))

    def _note_sorts(self, statement: Statement) -> None:
        atoms = (
            [statement] if isinstance(statement, Atom) else [a for a in (statement.game, statement.by) if a]
        )
        for atom in atoms:
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

    def distinct(self, one: Term, other: Term) -> bool:
        """Whether two terms are proved to be different things."""
        return self._distinct(one, other, frozenset())

    def _distinct(self, one: Term, other: Term, without: frozenset[Pair]) -> bool:
        self.effort.spend()
        one, other = self.find(one), self.find(other)
        pair = frozenset((one, other))
        if one == other or pair in without:
            return False
        if self.congruence.differs(one, other):
            return True
        numbers = self.is_number(one) and self.is_number(other)
        if numbers and self.arithmetic.entails(Comparison("!=", one, other)):
            return True
        return len(without) < MAX_DEPTH and self._distinct_by_key(one, other, without | {pair})

    def _distinct_by_key(self, one: Term, other: Term, without: frozenset[Pair]) -> bool:
        """Whether there are two statements whose keys would be one if the terms were, with unequal values."""
        alike: dict[tuple[Place, Row], list[tuple[int, Row]]] = {}
        for term in (one, other):
            for place, width, row in self.congruence.keyed_with(term):
                self.effort.spend()
                key = tuple(other if t == one else t for t in row[:width])
                there = alike.setdefault((place, key), [])
                if any(
                    self._distinct(a, b, without)
                    for _, earlier in there
                    for a, b in zip(earlier[width:], row[width:], strict=True)
                ):
                    return True
                there.append((width, row))
        return False

    def compares_without(self, comparison: Comparison) -> bool:
        """Whether a comparison that was taken as true would be proved by what else is known; True where unsure."""
        canonical = self._canonical_comparison(comparison)
        one, other = canonical.left, canonical.right
        if one == other:
            return True
        said = [c for c in (canonical, swapped(canonical)) if c in self.arithmetic]
        for premise in said:
            self.arithmetic.discard(premise)
        try:
            if self.is_number(one) and self.is_number(other) and self.arithmetic.entails(canonical):
                return True
        finally:
            for premise in said:
                self.arithmetic.add(premise)
        if isinstance(one, Operation) or isinstance(other, Operation) or comparison.operator != "!=":
            return False
        are_constants = isinstance(one, Constant) and isinstance(other, Constant)
        return are_constants or self._distinct_by_key(one, other, frozenset({frozenset((one, other))}))

    def compares(self, comparison: Comparison) -> bool:
        """Whether a comparison is proved to hold, and to be read without leaving 64 bits."""
        left, right = comparison.left, comparison.right
        if not isinstance(left, Operation) and not isinstance(right, Operation):
            if comparison.operator == "=" and self.equal(left, right):
                return True
            if comparison.operator == "!=" and self.distinct(left, right):
                return True
        if not (self.is_number(left) and self.is_number(right)):
            return False
        canonical = self._canonical_comparison(comparison)
        if canonical in self.arithmetic or swapped(canonical) in self.arithmetic:
            return True
        return (
            self.arithmetic.entails(canonical) and self._fits(canonical.left) and self._fits(canonical.right)
        )

    def entails(self, comparison: Comparison) -> bool:
        """Whether a comparison holds of all numbers that what is known allows, as integers without bounds."""
        return self.arithmetic.entails(self._canonical_comparison(comparison))

    def _fits(self, expression: Expression) -> bool:
        """Whether evaluating an expression cannot leave 64 bits, unless the learned rule itself would."""
        if not isinstance(expression, Operation):
            return True
        names = [v.name for v in expression_variables(expression)]
        if names and any(expression in operations(c) for c in self.arithmetic.mentioning(names[0])):
            return True
        if expression.operator == "//" and not _is_positive(expression.right):
            return False
        return (
            self._fits(expression.left) and self._fits(expression.right) and self.arithmetic.fits(expression)
        )

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
                return found in self.integers or (
                    isinstance(found, Constant) and isinstance(found.value, int)
                )
            case Operation():
                return self.is_number(expression.left) and self.is_number(expression.right)

    def refuse_contradiction(self) -> None:
        """Raises where what is known can never hold together: such a rule says nothing."""
        if self.congruence.conflict is not None:
            one, other = (_shown(term) for term in self.congruence.conflict)
            if one == other:
                raise RejectedError(f"the conditions can never hold together: {one} would differ from itself")
            raise RejectedError(
                f"the conditions can never hold together: one thing would be {one} and {other}"
            )

    def refuse_empty_ranges(self) -> None:
        """Raises where the comparisons leave a variable no value that it could have."""
        if self.arithmetic.contradictory():
            raise RejectedError("the conditions can never hold together: no numbers satisfy the comparisons")
        for term in self.congruence.unequal_terms():
            if isinstance(term, Variable) and term.name in self.sorts:
                words = self.vocabulary.sorts[self.sorts[term.name]].constants
                if all(self.congruence.differs(term, Constant(word)) for word in words):
                    raise RejectedError(
                        f"the conditions can never hold together: {_shown(term)} can be none of"
                        f" {', '.join(words)}"
                    )

    # Declarations

    def moment_of(self, statement: Statement, moment: Moment) -> Moment:
        """When a statement is read: its own word, else the given moment; nothing for what never changes."""
        if isinstance(statement, Atom) and not self.vocabulary.predicates[statement.predicate].has_tense:
            return None
        return statement.tense or moment or "before"

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


def is_of_numbers(comparison: Comparison) -> bool:
    """Whether a comparison says by itself that its sides are numbers."""
    has_arithmetic = isinstance(comparison.left, Operation) or isinstance(comparison.right, Operation)
    return has_arithmetic or comparison.operator not in ("=", "!=")


def operations(comparison: Comparison) -> set[Expression]:
    """All arithmetic that a comparison evaluates."""
    evaluated: set[Expression] = set()
    todo: list[Expression] = [comparison.left, comparison.right]
    while todo:
        expression = todo.pop()
        if isinstance(expression, Operation):
            evaluated.add(expression)
            todo += [expression.left, expression.right]
    return evaluated


def _is_positive(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.value, int) and expression.value > 0


def _shown(term: Term) -> str:
    return f"`?{term.name}`" if isinstance(term, Variable) else f"`{term.value}`"
