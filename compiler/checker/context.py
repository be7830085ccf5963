"""The facts known while a certificate is replayed: numbered conditions at moments, and equalities between
terms.

Conditions are assumed of *variables*, not of fresh constants, so two variables may always denote the same
object. Witnesses refer to known conditions by number. Notes add conclusions to them. This module contains no
search.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from hornbook.compiler.checker.certificate import Witness
from hornbook.compiler.checker.dependencies import IntegrityAssumptions, TimedPredicate, place_of
from hornbook.compiler.checker.form import term_of_form
from hornbook.kb.ast.operators import signature
from hornbook.kb.ast.substitution import apply_to_condition, apply_to_expression, at_moment, rename_condition
from hornbook.kb.ast.terms import (
    MAX_INTEGER,
    MIN_INTEGER,
    Absent,
    Aggregate,
    All,
    Atom,
    Comparison,
    Condition,
    Constant,
    CountIn,
    Expression,
    GameStatement,
    Operation,
    Statement,
    Tense,
    Term,
    Variable,
    condition_variables,
    expression_variables,
    is_numeric,
    numbers_in,
    statements,
)

Moment = Tense | None
Row = tuple[Term, ...]
C = TypeVar("C", bound=Condition)


class RejectedError(Exception):
    """The certificate does not prove the rule; the message names the point of failure."""


class ProofContext:
    """Known conditions, equalities and integer terms.

    `own` contains the variables that denote fixed objects.
    """

    def __init__(self, usable: IntegrityAssumptions, own: Iterable[str] = ()) -> None:
        self.usable, self.vocabulary = usable, usable.theory.vocabulary
        self.own = set(own)
        self.depth = 0
        """The nesting depth of universal introductions."""
        self.inversions = 0
        """The nesting depth of inversions."""
        self.smaller: set[int] = set()
        """The numbers of facts derived before the fact over which the induction runs."""
        self.conflict: tuple[Term, Term] | None = None
        """Two different constants that the known facts equate, if there are any."""
        self._known: list[tuple[Condition, Moment]] = []
        self._parents: dict[Term, Term] = {}
        self._numbers: set[Term] = set()
        self._sorts: dict[Term, str] = {}

    def branch(self, own: Iterable[str] = ()) -> ProofContext:
        """Return an independent copy of the context with additional variables of its own."""
        result = ProofContext(self.usable, {*self.own, *own})
        result.depth, result.inversions, result.conflict = self.depth, self.inversions, self.conflict
        result.smaller = set(self.smaller)
        result._known, result._parents = list(self._known), dict(self._parents)
        result._numbers, result._sorts = set(self._numbers), dict(self._sorts)
        return result

    # Additions to the known facts

    def take(self, conditions: Sequence[Condition], moment: Moment) -> range:
        """Add conditions to the known facts, in order, and return their numbers."""
        numbers = range(len(self._known), len(self._known) + len(conditions))
        for condition in conditions:
            self._known.append((condition, moment))
            if isinstance(condition, (Atom, GameStatement)):
                self._note_sorts(condition)
            elif isinstance(condition, (CountIn, Aggregate)):
                self._are_numbers(condition.result)
        comparisons = [c for c in conditions if isinstance(c, Comparison)]
        # Comparisons that are certainly between numbers come first, because they determine how the others are
        # read.
        for comparison in sorted(comparisons, key=lambda c: not is_of_numbers(c)):
            left, right = comparison.left, comparison.right
            if is_of_numbers(comparison) or self.is_number(left) or self.is_number(right):
                self._are_numbers(left, right)
            if comparison.operator == "=" and isinstance(left, Term) and isinstance(right, Term):
                self._equate(left, right)
        return numbers

    def _note_sorts(self, statement: Statement) -> None:
        for atom in atoms_of(statement):
            columns = self.vocabulary.predicates[atom.predicate].columns
            for term, column in zip(atom.arguments, columns, strict=True):
                kind = self.vocabulary.sorts[column.name].kind
                if kind == "integer" and isinstance(term, Variable):
                    self._numbers.add(self.find(term))
                elif kind == "enumerated":
                    self._sorts.setdefault(self.find(term), column.name)

    def _are_numbers(self, *sides: Expression) -> None:
        self._numbers |= {self.find(v) for side in sides for v in numbers_in(side)}

    def _equate(self, one: Term, other: Term) -> None:
        replaced, root = self.find(one), self.find(other)
        if replaced == root:
            return
        if isinstance(replaced, Constant):
            replaced, root = root, replaced
        if isinstance(replaced, Constant):
            self.conflict = (replaced, root)
            return
        self._parents[replaced] = root
        if replaced in self._numbers:
            self._numbers.add(root)
        if replaced in self._sorts:
            self._sorts.setdefault(root, self._sorts[replaced])

    def note(self, notes: Witness) -> None:
        """Add the conclusions that notes name. Raise RejectedError if one does not hold."""
        for note in listed(notes):
            if not self._noted(note):
                raise RejectedError(f"its note {shown(note)} does not hold")

    def _noted(self, note: Witness) -> bool:
        match note:
            case ("fact", str(predicate), tuple(terms)):
                fact = Atom(predicate, tuple(map(term_of, terms)))
                if fact not in self.usable.facts:
                    return False
                self.take([fact], None)
            case ("key", one, other):
                (place, row), (other_place, other_row) = self.statement(one), self.statement(other)
                width = self.usable.key(place)
                if (
                    place != other_place
                    or width is None
                    or not self.are_equal(row[:width], other_row[:width])
                ):
                    return False
                for a, b in zip(row[width:], other_row[width:], strict=True):
                    self._equate(a, b)
            case ("member", number, member):
                condition, moment = self.all_of(number)
                closed = self.closed_set(condition.member, len(condition.variables), moment)
                there_is = self.member(closed, member)
                if there_is is None or not self.usable.closed(self.place(condition.member, moment)):
                    return False
                inside = [apply_to_condition(c, of_row(condition, there_is)) for c in condition.conditions]
                self.take([c for c in inside if {v.name for v in condition_variables(c)} <= self.own], moment)
            case ("sizes", one, other):
                (first, at), (second, other_moment) = self.count_of(one), self.count_of(other)
                union = self.union(first, at)
                if union != self.union(second, other_moment) or not all(
                    map(self.usable.closed, (p for p, _ in union[0]))
                ):
                    return False
                self.take([Comparison("=", first.result, second.result)], None)
            case _:
                return False
        return True

    # Terms

    def find(self, term: Term) -> Term:
        """Return the representative of a term's equivalence class.

        It is a constant if the class contains one.
        """
        while term in self._parents:
            term = self._parents[term]
        return term

    def row(self, terms: Iterable[Term]) -> Row:
        return tuple(map(self.find, terms)) if self._parents else tuple(terms)

    def are_equal(self, terms: Sequence[Term], others: Sequence[Term]) -> bool:
        return self.row(terms) == self.row(others)

    def sort_of(self, term: Term) -> str | None:
        """Return the enumerated sort of a term, or None if it is not known."""
        return self._sorts.get(self.find(term))

    def is_number(self, expression: Expression) -> bool:
        """Return whether an expression is known to be an integer, if it has a value."""
        return is_numeric(expression, self._is_integer)

    def _is_integer(self, term: Term) -> bool:
        found = self.find(term)
        return found in self._numbers or (isinstance(found, Constant) and isinstance(found.value, int))

    def canonical(self, expression: Expression) -> Expression:
        if not isinstance(expression, Operation):
            return self.find(expression)
        return apply_to_expression(
            expression, {v.name: self.find(v) for v in expression_variables(expression)}
        )

    def canonical_comparison(self, comparison: Comparison) -> Comparison:
        return Comparison(
            comparison.operator, self.canonical(comparison.left), self.canonical(comparison.right)
        )

    # Known facts by number

    def _at(self, number: Witness) -> tuple[Condition, Moment]:
        if isinstance(number, int) and 0 <= number < len(self._known):
            return self._known[number]
        raise RejectedError(f"it refers to a condition {shown(number)}, and {len(self._known)} are known")

    def statement(self, number: Witness) -> tuple[TimedPredicate, Row]:
        condition, moment = self._at(number)
        if not isinstance(condition, (Atom, GameStatement)):
            raise RejectedError(f"the known condition {number} is not a statement")
        return self.place(condition, moment), self.row(condition.terms)

    def comparison(self, number: Witness) -> Comparison:
        """Return a known comparison with each term replaced by its representative."""
        condition, _ = self._at(number)
        if not isinstance(condition, Comparison):
            raise RejectedError(f"the known condition {number} is not a comparison")
        return self.canonical_comparison(condition)

    def all_of(self, number: Witness) -> tuple[All, Moment]:
        condition, moment = self._at(number)
        if not isinstance(condition, All):
            raise RejectedError(f"the known condition {number} is not an `all`")
        return condition, moment

    def count_of(self, number: Witness) -> tuple[CountIn, Moment]:
        condition, moment = self._at(number)
        if not isinstance(condition, CountIn):
            raise RejectedError(f"the known condition {number} is not a `count`")
        return condition, moment

    def summary(self, number: Witness) -> tuple[Absent | Aggregate, Moment]:
        """Return a known absence or aggregate and its moment."""
        condition, moment = self._at(number)
        if not isinstance(condition, (Absent, Aggregate)):
            raise RejectedError(f"the known condition {number} is neither an absence nor an aggregate")
        return condition, moment

    def is_known(self, statement: Statement, moment: Moment, number: Witness) -> bool:
        """Return whether a statement equals the known fact with a number."""
        try:
            known = self.statement(number)
        except RejectedError:
            return False
        return known == (self.place(statement, moment), self.row(statement.terms))

    def place(self, statement: Statement, moment: Moment) -> TimedPredicate:
        return place_of(statement, moment, self.vocabulary)

    # Closed sets

    def closed_set(self, member: Atom, width: int, moment: Moment) -> tuple[TimedPredicate, Row]:
        """Return the closed set of a member: its timed predicate, and its key without the last `width`
        columns.
        """
        return self.place(member, moment), self.row(member.terms[: len(member.terms) - width])

    def member(self, closed: tuple[TimedPredicate, Row], number: Witness) -> Row | None:
        """Return a known fact as a member of a set; None if it is not a member."""
        place, row = self.statement(number)
        width = len(closed[1])
        return row[width:] if (place, row[:width]) == closed else None

    def size(self, closed: tuple[TimedPredicate, Row], number: Witness) -> Term | None:
        """Return the number of members of a set according to a known fact.

        Return None if the fact is no count of it.
        """
        (name, moment), key = closed
        counter = self.usable.counters.get(name)
        place, row = self.statement(number)
        if counter is None or place != (counter.name, moment) or row[:-1] != key:
            return None
        return row[-1]

    def counted(self, number: Witness) -> tuple[tuple[TimedPredicate, Row], Term] | None:
        """Return the closed set that a known fact counts, with its size.

        Return None if a count may not be used there.
        """
        (name, moment), row = self.statement(number)
        declared = self.vocabulary.predicates.get(name)
        if declared is None or declared.closes is None:
            return None
        closed = (declared.closes, moment), row[:-1]
        size = self.size(closed, number)
        return None if size is None or not self.usable.closed(closed[0]) else (closed, size)

    def union(
        self, condition: CountIn, moment: Moment
    ) -> tuple[frozenset[tuple[TimedPredicate, Row]], frozenset[Term]]:
        width = len(condition.variables)
        sets = frozenset(self.closed_set(member, width, moment) for member in condition.sets)
        return sets, frozenset(map(self.find, condition.excluded))

    def form(self, condition: C, moment: Moment) -> C:
        """Return a canonical form of a closed condition; equal forms mean equivalent conditions.

        Each term is replaced by its representative. The condition's own variables get names that do not
        depend on the original ones.
        """
        if moment is not None and not any(s.tense for s in statements([condition])):
            condition = at_moment(condition, moment, self.vocabulary)
        names: dict[str, str] = {}

        def name(old: str) -> str:
            return old if old in self.own else names.setdefault(old, f"#{len(names)}")

        representatives = {v.name: self.find(v) for v in condition_variables(condition) if v.name in self.own}
        return apply_to_condition(rename_condition(condition, name), representatives)


def is_of_numbers(comparison: Comparison) -> bool:
    """Return whether a comparison is between numbers according to its operators."""
    has_arithmetic = any(
        isinstance(side, Operation) and signature(side.operator).result == "integer"
        for side in (comparison.left, comparison.right)
    )
    return has_arithmetic or comparison.operator not in ("=", "!=")


def atoms_of(statement: Statement) -> tuple[Atom, ...]:
    """Return the atoms of a statement; each has a declaration."""
    if isinstance(statement, Atom):
        return (statement,)
    return (statement.game,) if statement.by is None else (statement.game, statement.by)


def of_row(condition: All, row: Row) -> Mapping[str, Term]:
    """Return a substitution of a member for the listed variables of a closed condition."""
    return {variable.name: term for variable, term in zip(condition.variables, row, strict=True)}


def listed(witness: Witness) -> tuple[Witness, ...]:
    if isinstance(witness, tuple):
        return witness
    raise RejectedError(f"{shown(witness)} was found instead of a list")


def term_of(witness: Witness) -> Term:
    if isinstance(witness, str) or (isinstance(witness, int) and MIN_INTEGER <= witness <= MAX_INTEGER):
        return term_of_form(witness)
    raise RejectedError(f"{shown(witness)} was found instead of a term")


def shown(witness: Witness) -> str:
    """Return a witness on one line, truncated if it is long."""
    text = repr(witness)
    return text if len(text) < 80 else f"{text[:80]}…"
