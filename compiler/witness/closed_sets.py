"""The closed sets among the known facts: their sizes, their known members, and proofs that members are
distinct.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations

from hornbook.compiler.witness.congruence import Moment, Place, Row
from hornbook.compiler.witness.proof_state import Constraints, Found, ProofState, Ref
from hornbook.kb.ast.terms import Atom, Comparison, Constant, CountIn, Operation, Term
from hornbook.kb.ast.theory import Vocabulary, counts_of

ClosedSet = tuple[Place, Row]
"""The relation and moment of a set, and the representatives of its key."""


class ClosedSets(ProofState):
    """The known facts with closed sets. Two members count as two only if they are proved distinct."""

    def __init__(self, vocabulary: Vocabulary, constraints: Constraints) -> None:
        super().__init__(vocabulary, constraints)
        self._counted_by = {name: predicate.name for name, predicate in counts_of(vocabulary).items()}

    def is_closed(self, place: Place) -> bool:
        """Return whether the sets of a timed predicate have no more members than their counts state."""
        if place in self.constraints.closed:
            self.constraints.used.add((place, "count"))
            return True
        return False

    def closed_set(self, member: Atom, width: int, moment: Moment) -> ClosedSet:
        """Return the set of a member, whose last `width` columns are left out."""
        place = member.predicate, self.moment_of(member, moment)
        return place, self.congruence.row(member.terms[: len(member.terms) - width])

    def members(self, closed: ClosedSet) -> list[tuple[int, Row]]:
        """Return the known members of a set with their numbers; some may be equal."""
        (relation, moment), key = closed
        width = self.vocabulary.predicates[relation].arity - len(key)
        found = self.congruence.numbered_rows(relation, moment, (*key, *[None] * width))
        return [(number, row[len(key) :]) for number, row in found]

    def size(self, closed: ClosedSet) -> tuple[int, int] | None:
        """Return the size of a set, if it is a known number, and the number of the count that states it."""
        (relation, moment), key = closed
        counter = self._counted_by.get(relation)
        if counter is not None:
            for number, row in self.congruence.numbered_rows(counter, moment, (*key, None)):
                size = row[-1]
                if isinstance(size, Constant) and isinstance(size.value, int):
                    return size.value, number
        return None

    def counted_sets(self) -> Iterator[tuple[int, Place, Row, Term]]:
        """Yield the closed sets whose size is a known term, each with the number of its count and that
        term.
        """
        for relation, moment in sorted(self.constraints.closed, key=str):
            counter = self._counted_by[relation]
            pattern = [None] * self.vocabulary.predicates[counter].arity
            for number, row in self.congruence.numbered_rows(counter, moment, pattern):
                yield number, (relation, moment), row[:-1], row[-1]

    def same_cardinality(self, one: ClosedSet, other: ClosedSet) -> Found:
        """Return the numbers of two counts that prove that two sets have the same cardinality; or False.

        The count of the first set must be unique. For equal sets, the result is None.
        """
        if one == other:
            return None
        for number, size in self._only_sizes(one, other):
            same = self.congruence.number(self._counted_by[one[0][0]], other[0][1], (*other[1], size))
            if same is not None:
                self._use_size(one)
                return Ref(number), Ref(same)
        return False

    def changed_cardinality(
        self, one: ClosedSet, other: ClosedSet
    ) -> tuple[int, tuple[Found, Found], Found] | None:
        """Return by how many members the second set is larger: 1, -1 or 0.

        The other values are the numbers of the two counts, and the proof for them. Return None if no such
        difference is proved.
        """
        for number, size in self._only_sizes(one, other):
            counter = self._counted_by[one[0][0]]
            for changed, row in self.congruence.numbered_rows(counter, other[0][1], (*other[1], None)):
                for difference in (1, -1, 0):
                    expected = Operation("+", (size, Constant(difference)))
                    why = self.entails(Comparison("=", row[-1], expected))
                    if why is not False:
                        self._use_size(one)
                        return difference, (Ref(number), Ref(changed)), why
        return None

    def _only_sizes(self, one: ClosedSet, other: ClosedSet) -> Iterator[tuple[int, Term]]:
        """Yield the known sizes of the first of two sets with the numbers of their counts, if it has only one
        size.
        """
        (relation, moment), key = one
        counter = self._counted_by.get(relation)
        # Sets of different relations are not compared.
        if relation == other[0][0] and counter is not None and self._key((counter, moment)) == len(key):
            for number, row in self.congruence.numbered_rows(counter, moment, (*key, None)):
                yield number, row[-1]

    def _use_size(self, closed: ClosedSet) -> None:
        """Record that the set has only one size."""
        (relation, moment), _ = closed
        self.constraints.used.add(((self._counted_by[relation], moment), "key"))

    def union(self, condition: CountIn, moment: Moment) -> tuple[frozenset[ClosedSet], frozenset[Term]]:
        width = len(condition.variables)
        sets = frozenset(self.closed_set(member, width, moment) for member in condition.sets)
        return sets, frozenset(self.find(term) for term in condition.excluded)

    def size_of_union(self, condition: CountIn, moment: Moment) -> Found:
        """Return the number of members of complete sets, less the excluded ones, with its witness; or
        False.
        """
        width = len(condition.variables)
        union: list[Row] = []
        sets: list[Found] = []
        for member in condition.sets:
            closed = self.closed_set(member, width, moment)
            counted = self.size(closed)
            if not self.is_closed(closed[0]) or counted is None:
                return False  # there may be more members than the count says
            members = self.members(closed)
            chosen = self.all_distinct([row for _, row in members], counted[0])
            if chosen is None:
                return False
            sets.append((Ref(counted[1]), tuple(Ref(members[i][0]) for i in chosen)))
            union += [members[i][1] for i in chosen if members[i][1] not in union]
        pairs = self.pairs(union)
        excluded = [self.congruence.row((term,)) for term in condition.excluded]
        left = [row for row in union if row not in excluded]
        excluded_proofs = tuple(self._different_rows(row, other) for row in left for other in excluded)
        return (
            False
            if pairs is False or False in excluded_proofs
            else (len(left), tuple(sets), pairs, excluded_proofs)
        )

    def overfull(self) -> Found:
        """Return a proof that a closed set before the action has more distinct members than its count states;
        or False.
        """
        for relation, counter in self._counted_by.items():
            declared = self.vocabulary.predicates[relation]
            moment: Moment = "before" if declared.has_tense else None
            if (relation, moment) not in self.constraints.closed:
                continue
            width = self.vocabulary.predicates[counter].arity - 1
            for row in self.congruence.rows(counter, moment, [None] * (width + 1)):
                closed = (relation, moment), row[:-1]
                counted = self.size(closed)
                if counted is None:
                    continue
                members = self.members(closed)
                if len(members) > counted[0]:
                    chosen = self.all_distinct([row for _, row in members], counted[0] + 1)
                    if chosen is not None and self.is_closed(closed[0]):
                        members_found = tuple(Ref(members[i][0]) for i in chosen)
                        return (
                            "full",
                            Ref(counted[1]),
                            members_found,
                            self.pairs([members[i][1] for i in chosen]),
                        )
        return False

    def all_distinct(self, rows: Sequence[Row], size: int) -> list[int] | None:
        """Return the indices of `size` rows that are proved pairwise distinct, or None."""
        if size < 0 or size > len(rows):
            return None
        chosen: list[int] = []
        start = 0
        while len(chosen) < size:
            if start > len(rows) - (size - len(chosen)):
                if not chosen:
                    return None
                start = chosen.pop() + 1
            elif all(self._different_rows(rows[start], rows[earlier]) is not False for earlier in chosen):
                chosen.append(start)
                start += 1
            else:
                start += 1
        return chosen

    def pairs(self, rows: Sequence[Row]) -> Found:
        """Return proofs that rows differ pairwise; or False."""
        pairs = tuple(self._different_rows(one, other) for one, other in combinations(rows, 2))
        return False if False in pairs else pairs

    def _different_rows(self, one: Row, other: Row) -> Found:
        """Return a column that distinguishes two rows, with the proof; None if constants differ; or False."""
        columns = list(zip(one, other, strict=True))
        if any(isinstance(a, Constant) and isinstance(b, Constant) and a != b for a, b in columns):
            return None
        for column, (a, b) in enumerate(columns):
            why = self.distinct(a, b)
            if why is not False:
                return (column, why)
        return False
