"""Congruence: the statements that are known, and which of their terms are known to be one thing.

Every statement stands under representatives: equal terms have one representative (a constant where they are
equal to one), so a statement is known exactly when its own representatives are found. Two statements with one
`->` key have one value: whatever makes keys equal makes the values equal, to a fixed point. Two constants that
would be one are a conflict, which is noted; they are not merged. What was made one because of which statements is
written down, in order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from hornbook.compiler.witness.effort import Effort
from hornbook.kb.ast.terms import Constant, Tense, Term

Moment = Tense | None
Place = tuple[str, Moment]
"""A relation at a moment."""
Row = tuple[Term, ...]


class Congruence:
    """Known statements and equalities. `key_of` gives the width of a relation's `->` key at a moment; what is looked at is
    taken from the effort that is left.
    """

    def __init__(self, key_of: Callable[[Place], int | None], effort: Effort) -> None:
        self._key_of, self.effort = key_of, effort
        self._parents: dict[Term, Term] = {}
        # Each statement has a number; what it says now is in `_rows`, and every index follows that.
        self._rows: dict[int, tuple[Place, Row]] = {}
        self._numbers: dict[tuple[Place, Row], int] = {}
        self._with: dict[Term, dict[int, None]] = {}
        self._where: dict[tuple[Place, int, Term], dict[int, None]] = {}
        self._of: dict[Place, dict[int, None]] = {}
        self._keyed: dict[tuple[Place, Row], int] = {}
        self._said: dict[int, int] = {}
        self._unequal: dict[Term, dict[Term, int]] = {}
        self.conflict: tuple[Term, Term] | None = None
        """Two different constants that would be one, or a thing that differs from itself."""
        self.conflict_by: int | None = None
        """The number of the inequality between one thing and itself, where the conflict is that."""
        self.log: list[tuple[Place, int, int]] = []
        """The pairs of statements, by number, whose values are one since their keys are, in order."""
        self.merged: list[tuple[Term, Term]] = []
        """What was made one, in order: what is no representative any more, and what is in its place."""

    def copy(self) -> Congruence:
        self.effort.spend(len(self._rows) + len(self._parents))
        twin = Congruence(self._key_of, self.effort)
        twin.conflict, twin.conflict_by, twin.log = self.conflict, self.conflict_by, list(self.log)
        twin._parents, twin._rows, twin._numbers = dict(self._parents), dict(self._rows), dict(self._numbers)
        twin._keyed, twin._said, twin.merged = dict(self._keyed), dict(self._said), list(self.merged)
        twin._with = {term: dict(numbers) for term, numbers in self._with.items()}
        twin._where = {place: dict(numbers) for place, numbers in self._where.items()}
        twin._of = {place: dict(numbers) for place, numbers in self._of.items()}
        twin._unequal = {term: dict(others) for term, others in self._unequal.items()}
        return twin

    # Terms

    def find(self, term: Term) -> Term:
        """The representative of a term."""
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
        """Notes that two terms are one thing, and all that follows by keys."""
        waiting = [(one, other)]
        while waiting:
            lost, kept = (self.find(term) for term in waiting.pop())
            if lost == kept:
                continue
            if isinstance(lost, Constant) and isinstance(kept, Constant):
                self.conflict = (lost, kept)
                continue
            # A constant always stays; of two variables the one that fewer statements have goes, so that a
            # statement is rewritten few times.
            if isinstance(lost, Constant) or (
                not isinstance(kept, Constant)
                and len(self._with.get(lost, ())) > len(self._with.get(kept, ()))
            ):
                lost, kept = kept, lost
            waiting += self._merge(lost, kept)

    def _merge(self, lost: Term, kept: Term) -> list[tuple[Term, Term]]:
        """Puts one representative in the place of another; what must be one thing because of that."""
        self._parents[lost] = kept
        self.merged.append((lost, kept))
        for other, number in self._unequal.pop(lost, {}).items():
            if other != lost:
                del self._unequal[other][lost]
            self.differ(kept, other, number)
        follows: list[tuple[Term, Term]] = []
        for number in list(self._with.get(lost, ())):
            place, row = self._rows[number]
            self._forget(number)
            follows += self._note(number, place, self.row(row))
        return follows

    def differ(self, one: Term, other: Term, number: int) -> None:
        """Notes that two terms are different things, by the inequality with a number."""
        one, other = self.find(one), self.find(other)
        if one == other:
            self.conflict, self.conflict_by = (one, other), number
            return
        self._unequal.setdefault(one, {}).setdefault(other, number)
        self._unequal.setdefault(other, {}).setdefault(one, number)

    def differs(self, one: Term, other: Term) -> bool:
        """Whether it was noted that two terms are different things (two constants always are)."""
        one, other = self.find(one), self.find(other)
        if isinstance(one, Constant) and isinstance(other, Constant):
            return one != other
        return other in self._unequal.get(one, ())

    def inequality(self, one: Term, other: Term) -> int | None:
        """The number of the inequality between two terms; None where there is none."""
        return self._unequal.get(self.find(one), {}).get(self.find(other))

    def unequal_terms(self) -> list[Term]:
        """The representatives of which it is noted that they differ from something."""
        return [term for term, others in self._unequal.items() if others]

    # Statements

    def statements(self) -> list[tuple[Place, int, Row]]:
        """What is known: of which relation at which moment, by which number, with the representatives of its terms."""
        return [(place, number, row) for number, (place, row) in self._rows.items()]

    def makes_one_of_two(self, earlier: Congruence) -> bool:
        """Whether two terms that another one, which knows less, has in its statements are one thing here and not there; or one of
        them is a constant here.
        """
        apart = {term for term, numbers in earlier._with.items() if numbers}
        if any(
            isinstance(self.find(t), Constant) and not isinstance(earlier.find(t), Constant) for t in apart
        ):
            return True
        return len({self.find(term) for term in apart}) < len({earlier.find(term) for term in apart})

    def add(self, relation: str, moment: Moment, terms: Sequence[Term], number: int) -> None:
        """Notes a statement, and what follows by the key of its relation."""
        self._said[number] = 1
        for one, other in self._note(number, (relation, moment), self.row(terms)):
            self.equate(one, other)

    def _note(self, number: int, place: Place, row: Row) -> list[tuple[Term, Term]]:
        """Enters a statement into every index; the values that must be one because its key is there already."""
        self.effort.spend(1 + len(row))
        width = self._key_of(place)
        same = self._numbers.get((place, row))
        if same is not None:
            self._said[same] += self._said.pop(number)
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
        there = self._keyed.setdefault((place, row[:width]), number)
        if there == number:
            return []
        self.log.append((place, number, there))
        return list(zip(row[width:], self._rows[there][1][width:], strict=True))

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
        """How many statements are known at a place."""
        return len(self._of.get(place, {}))

    def holds(self, relation: str, moment: Moment, terms: Sequence[Term]) -> bool:
        return self.number(relation, moment, terms) is not None

    def number(self, relation: str, moment: Moment, terms: Sequence[Term]) -> int | None:
        """The number of a known statement; None where it is not known."""
        return self._numbers.get(((relation, moment), self.row(terms)))

    def times_said(self, relation: str, moment: Moment, terms: Sequence[Term]) -> int:
        """How many of the statements noted say this one, under all that is known to be equal."""
        number = self._numbers.get(((relation, moment), self.row(terms)))
        return 0 if number is None else self._said[number]

    def rows(self, relation: str, moment: Moment, pattern: Sequence[Term | None]) -> Iterator[Row]:
        """The known statements of a relation that have the pattern's terms; None stands for any."""
        return (row for _, row in self.numbered_rows(relation, moment, pattern))

    def numbered_rows(
        self, relation: str, moment: Moment, pattern: Sequence[Term | None]
    ) -> Iterator[tuple[int, Row]]:
        """The same, each with its number."""
        place = relation, moment
        wanted = [(position, self.find(term)) for position, term in enumerate(pattern) if term is not None]
        if wanted:
            lists = (self._where.get((place, position, term), {}) for position, term in wanted)
            candidates = min(lists, key=len)
        else:
            candidates = self._of.get(place, {})
        self.effort.spend(len(candidates))
        for number in list(candidates):
            row = self._rows[number][1]
            if all(row[position] == term for position, term in wanted):
                yield number, row

    def keyed_with(self, term: Term) -> Iterator[tuple[int, Place, int, Row]]:
        """The statements that have a term in their key, each with its number and the width of that key."""
        numbers = list(self._with.get(self.find(term), ()))
        self.effort.spend(len(numbers))
        for number in numbers:
            place, row = self._rows[number]
            width = self._key_of(place)
            if width is not None and self.find(term) in row[:width]:
                yield number, place, width, row
