"""Congruence closure of the known statements.

Every statement is stored with representatives. Equal terms have the same representative, which is a constant
if the terms equal one. A statement is therefore known exactly if the statement with its representatives is
stored. Two statements with the same `->` key have the same value: equal keys imply equal values, up to a
fixed point. Two different constants that would become equal are a conflict; the conflict is recorded and they
are not merged. All merges and the statements that caused them are recorded in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from hornbook.kb.ast.terms import Constant, Tense, Term
from hornbook.kb.lower.budget import Budget

Moment = Tense | None
Place = tuple[str, Moment]
"""A timed predicate: a relation at a moment."""
Row = tuple[Term, ...]


class Congruence:
    """A store of known statements and equalities.

    `key_of` returns the width of the `->` key of a timed predicate. Every lookup is charged to the search
    budget `budget`.
    """

    def __init__(self, key_of: Callable[[Place], int | None], budget: Budget) -> None:
        self._key_of, self.budget = key_of, budget
        self._parents: dict[Term, Term] = {}
        # Each statement has a number. `_rows` has its current row, and every index is consistent with it.
        self._rows: dict[int, tuple[Place, Row]] = {}
        self._numbers: dict[tuple[Place, Row], int] = {}
        self._with: dict[Term, dict[int, None]] = {}
        self._where: dict[tuple[Place, int, Term], dict[int, None]] = {}
        self._of: dict[Place, dict[int, None]] = {}
        self._keyed: dict[tuple[Place, Row], int] = {}
        self._times: dict[int, int] = {}
        self._unequal: dict[Term, dict[Term, int]] = {}
        self.conflict: tuple[Term, Term] | None = None
        """Two different constants that would be equal, or a term that would differ from itself."""
        self.conflict_by: int | None = None
        """The number of the inequality between a term and itself, if that is the conflict."""
        self.log: list[tuple[Place, int, int]] = []
        """The pairs of statements, by number, whose values are equal because their keys are, in order."""
        self.merged: list[tuple[Term, Term]] = []
        """The merges, in order: each replaced representative and its replacement."""

    def copy(self) -> Congruence:
        self.budget.spend(len(self._rows) + len(self._parents))
        result = Congruence(self._key_of, self.budget)
        result.conflict, result.conflict_by, result.log = self.conflict, self.conflict_by, list(self.log)
        result._parents, result._rows, result._numbers = (
            dict(self._parents),
            dict(self._rows),
            dict(self._numbers),
        )
        result._keyed, result._times, result.merged = dict(self._keyed), dict(self._times), list(self.merged)
        result._with = {term: dict(numbers) for term, numbers in self._with.items()}
        result._where = {place: dict(numbers) for place, numbers in self._where.items()}
        result._of = {place: dict(numbers) for place, numbers in self._of.items()}
        result._unequal = {term: dict(others) for term, others in self._unequal.items()}
        return result

    # Terms

    def find(self, term: Term) -> Term:
        """Return the representative of a term."""
        root = term
        while root in self._parents:
            root = self._parents[root]
        while term != root:
            self._parents[term], term = root, self._parents[term]
        return root

    def row(self, terms: Iterable[Term]) -> Row:
        return tuple(self.find(term) for term in terms)

    def equal(self, one: Term, other: Term) -> bool:
        return self.find(one) == self.find(other)

    def equate(self, one: Term, other: Term) -> None:
        """Merge two terms, and all values that become equal by keys."""
        waiting = [(one, other)]
        while waiting:
            replaced, root = (self.find(term) for term in waiting.pop())
            if replaced == root:
                continue
            if isinstance(replaced, Constant) and isinstance(root, Constant):
                self.conflict = (replaced, root)
                continue
            # A constant always remains. Of two variables, the one in fewer statements is replaced, so that
            # each statement is rewritten only a few times.
            if isinstance(replaced, Constant) or (
                not isinstance(root, Constant)
                and len(self._with.get(replaced, ())) > len(self._with.get(root, ()))
            ):
                replaced, root = root, replaced
            waiting += self._merge(replaced, root)

    def _merge(self, replaced: Term, root: Term) -> list[tuple[Term, Term]]:
        """Replace one representative by another; return the pairs of terms that must be equal as a result."""
        self._parents[replaced] = root
        self.merged.append((replaced, root))
        for other, number in self._unequal.pop(replaced, {}).items():
            if other != replaced:
                del self._unequal[other][replaced]
            self.differ(root, other, number)
        follows: list[tuple[Term, Term]] = []
        for number in list(self._with.get(replaced, ())):
            place, row = self._rows[number]
            self._forget(number)
            follows += self._note(number, place, self.row(row))
        return follows

    def differ(self, one: Term, other: Term, number: int) -> None:
        """Record that two terms differ, by the inequality with a number."""
        one, other = self.find(one), self.find(other)
        if one == other:
            self.conflict, self.conflict_by = (one, other), number
            return
        self._unequal.setdefault(one, {}).setdefault(other, number)
        self._unequal.setdefault(other, {}).setdefault(one, number)

    def inequality(self, one: Term, other: Term) -> int | None:
        """Return the number of the inequality between two terms; None if there is none."""
        return self._unequal.get(self.find(one), {}).get(self.find(other))

    def unequal_terms(self) -> list[Term]:
        """Return the representatives that are recorded as different from some term."""
        return [term for term, others in self._unequal.items() if others]

    # Statements

    def statements(self) -> list[tuple[Place, int, Row]]:
        """Return the known statements: timed predicate, number, and representatives of the terms."""
        return [(place, number, row) for number, (place, row) in self._rows.items()]

    def equates_terms_of(self, earlier: Congruence) -> bool:
        """Return whether terms that are distinct in an earlier congruence are equal here.

        It also holds if a term of the earlier congruence's statements is a constant only here.
        """
        earlier_terms = {term for term, numbers in earlier._with.items() if numbers}
        if any(
            isinstance(self.find(t), Constant) and not isinstance(earlier.find(t), Constant)
            for t in earlier_terms
        ):
            return True
        return len({self.find(term) for term in earlier_terms}) < len(
            {earlier.find(term) for term in earlier_terms}
        )

    def add(self, relation: str, moment: Moment, terms: Sequence[Term], number: int) -> None:
        """Record a statement and the equalities that follow from the key of its relation."""
        self._times[number] = 1
        for one, other in self._note(number, (relation, moment), self.row(terms)):
            self.equate(one, other)

    def _note(self, number: int, place: Place, row: Row) -> list[tuple[Term, Term]]:
        """Add a statement to every index.

        Return the values that must be equal because its key is already stored.
        """
        self.budget.spend(1 + len(row))
        width = self._key_of(place)
        same = self._numbers.get((place, row))
        if same is not None:
            self._times[same] += self._times.pop(number)
            if width is not None:
                self._keyed.setdefault((place, row[:width]), same)
            return []
        self._rows[number] = place, row
        self._numbers[place, row] = number
        self._of.setdefault(place, {})[number] = None
        for position, term in enumerate(row):
            self._with.setdefault(term, {})[number] = None
            self._where.setdefault((place, position, term), {})[number] = None
        if width is None:
            return []
        existing = self._keyed.setdefault((place, row[:width]), number)
        if existing == number:
            return []
        self.log.append((place, number, existing))
        return list(zip(row[width:], self._rows[existing][1][width:], strict=True))

    def _forget(self, number: int) -> None:
        place, row = self._rows.pop(number)
        del self._numbers[place, row]
        del self._of[place][number]
        for position, term in enumerate(row):
            self._with[term].pop(number, None)
            self._where[place, position, term].pop(number, None)
        width = self._key_of(place)
        if width is not None and self._keyed.get((place, row[:width])) == number:
            del self._keyed[place, row[:width]]

    def size(self, place: Place) -> int:
        """Return the number of known statements of a timed predicate."""
        return len(self._of.get(place, {}))

    def holds(self, relation: str, moment: Moment, terms: Sequence[Term]) -> bool:
        return self.number(relation, moment, terms) is not None

    def number(self, relation: str, moment: Moment, terms: Sequence[Term]) -> int | None:
        """Return the number of a known statement; None if it is not known."""
        return self._numbers.get(((relation, moment), self.row(terms)))

    def times_recorded(self, relation: str, moment: Moment, terms: Sequence[Term]) -> int:
        """Return how many of the recorded statements equal this one, modulo known equalities."""
        number = self._numbers.get(((relation, moment), self.row(terms)))
        return 0 if number is None else self._times[number]

    def rows(self, relation: str, moment: Moment, pattern: Sequence[Term | None]) -> Iterator[Row]:
        """Return the known statements of a relation that match a pattern; None matches every term."""
        return (row for _, row in self.numbered_rows(relation, moment, pattern))

    def numbered_rows(
        self, relation: str, moment: Moment, pattern: Sequence[Term | None]
    ) -> Iterator[tuple[int, Row]]:
        """Yield the known statements that match a pattern, each with its number."""
        place = relation, moment
        bound_columns = [
            (position, self.find(term)) for position, term in enumerate(pattern) if term is not None
        ]
        if bound_columns:
            lists = (self._where.get((place, position, term), {}) for position, term in bound_columns)
            candidates = min(lists, key=len)
        else:
            candidates = self._of.get(place, {})
        self.budget.spend(len(candidates))
        for number in list(candidates):
            row = self._rows[number][1]
            if all(row[position] == term for position, term in bound_columns):
                yield number, row

    def keyed_with(self, term: Term) -> Iterator[tuple[int, Place, int, Row]]:
        """Yield the statements with a term in their key, each with its number and the width of that key."""
        numbers = list(self._with.get(self.find(term), ()))
        self.budget.spend(len(numbers))
        for number in numbers:
            place, row = self._rows[number]
            width = self._key_of(place)
            if width is not None and self.find(term) in row[:width]:
                yield number, place, width, row
