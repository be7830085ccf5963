"""The quick look: whether a conjunction's sorts are plainly right, as those of nearly every rule are.

It never says what is wrong: where it is not sure, kb/check/clauses/sorts.py and kb/check/clauses/constants.py look again.
"""

from __future__ import annotations

from collections.abc import Iterable

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT
from hornbook.kb.ast.values import VALUES
from hornbook.kb.check.subject import Reading, Subject, parts

_VALUES = frozenset(VALUES)


class QuickLook:
    """The columns of a vocabulary, laid out for speed: for each its sort, and what constants it takes."""

    def __init__(self, subject: Subject) -> None:
        self.integers = frozenset(s.name for s in subject.vocabulary.sorts.values() if s.kind == "integer")
        self.words = frozenset(s.name for s in subject.vocabulary.sorts.values() if s.kind == "open")
        self.constants = subject.constants
        self.columns = {
            predicate.name: tuple(column.name for column in predicate.columns)
            for predicate in subject.vocabulary.predicates.values()
        }

    def is_right(self, reading: Reading) -> bool:
        """Whether each name has one sort, and constants and comparisons fit at first sight."""
        sorts: dict[str, str] = {}
        if not self.fits(reading.everything(), sorts):
            return False
        for level in reading.level.all_inner():
            if level.comparisons or isinstance(level.opener, t.CountIn | t.Aggregate):
                return False
        units: set[str] = set()
        compared = all(self._compares(comparison, sorts, units) for comparison in reading.level.comparisons)
        return compared and len(units - {INTEGER_SORT}) <= 1

    def fits(self, statements: Iterable[t.Statement], sorts: dict[str, str]) -> bool:
        """Whether statements fit their columns, with the sorts that their variables have or get."""
        for statement in statements:
            for atom in parts(statement):
                columns = self.columns.get(atom.predicate)
                if columns is None or len(columns) != len(atom.arguments):
                    continue
                for term, sort in zip(atom.arguments, columns, strict=True):
                    if isinstance(term, t.Variable):
                        if sorts.setdefault(term.name, sort) != sort:
                            return False
                    elif not self._takes(sort, term.value):
                        return False
            if isinstance(statement, t.GameStatement):
                value = statement.value
                if isinstance(value, t.Variable):
                    if sorts.setdefault(value.name, VALUE_SORT) != VALUE_SORT:
                        return False
                elif value.value not in _VALUES:
                    return False
        return True

    def _takes(self, sort: str, value: str | int) -> bool:
        closed = self.constants.get(sort)
        if closed is not None:
            return value in closed
        return sort in self.integers if isinstance(value, int) else sort in self.words

    def _compares(self, comparison: t.Comparison, sorts: dict[str, str], units: set[str]) -> bool:
        """Whether a comparison fits at first sight; the sorts of what it calculates with join `units`."""
        left, right = comparison.left, comparison.right
        if comparison.operator in ("=", "!=") and isinstance(left, t.Variable):
            sort = sorts.get(left.name)
            if sort is None:
                return False
            if isinstance(right, t.Variable):
                return sort == sorts.get(right.name)
            if isinstance(right, t.Constant):
                return self._takes(sort, right.value)
        return self._is_number(left, sorts, units) and self._is_number(right, sorts, units)

    def _is_number(self, expression: t.Expression, sorts: dict[str, str], units: set[str]) -> bool:
        match expression:
            case t.Variable():
                sort = sorts.get(expression.name, "")
                units.add(sort)
                return sort in self.integers
            case t.Constant():
                return isinstance(expression.value, int)
            case t.Operation():
                return self._is_number(expression.left, sorts, units) and self._is_number(
                    expression.right, sorts, units
                )
