"""Facts from outside as coded facts, checked against the declarations of their relations.

Facts of `stated` predicates are refused. Accepted words are cached for each sort, so that known words need
one lookup per column.
"""

from __future__ import annotations

from array import array

from hornbook.kb.ast.declarations import Sort
from hornbook.kb.ast.fact_columns import FactColumns
from hornbook.kb.ast.plain_values import plain_value
from hornbook.kb.ast.theory import GroundFact
from hornbook.kb.lower.coding import Coding
from hornbook.kb.parse.facts import (
    STATED_ONLY,
    FactError,
    check_fact,
    plain_fact,
    value_problem,
    why_stated_only,
    with_forms,
)
from hornbook.kb.sources.diagnostics import did_you_mean
from hornbook.matcher.program.coded import Cell, Fact, PredicateId


class FactCoder:
    """The coder of outside facts for one vocabulary."""

    def __init__(self, coding: Coding) -> None:
        self.coding = coding
        cells = {name: _Cells(coding, sort) for name, sort in coding.vocabulary.sorts.items()}
        self._columns = [tuple(cells[sort] for sort in relation.sorts) for relation in coding.relations]
        self.words: list[tuple[dict[str | int, Cell] | None, ...]] = [
            tuple(None if coding.is_integer(sort) else cells[sort] for sort in relation.sorts)
            for relation in coding.relations
        ]
        """The cells of accepted words for each column of each relation, or None for columns of integers."""
        self._numbers: dict[tuple[str, str | None], PredicateId] = {}

    def fact(self, fact: GroundFact) -> Fact:
        """Return the coded fact. Raises FactError if it does not fit its declaration, TypeError if it is not
        a fact.
        """
        if fact.__class__ is not GroundFact or fact.values.__class__ is not tuple:
            return self._checked_fact(fact)
        relation, values, tense = fact
        try:
            number = self._numbers[relation, tense]
            columns = zip(self._columns[number], values, strict=True)
            return Fact(number, tuple([cells[value] for cells, value in columns]))
        except (LookupError, TypeError, ValueError):
            return self._checked_fact(fact)

    def columns(self, facts: FactColumns) -> tuple[PredicateId, list[array[int]]] | None:
        """Return the coded facts of columns. Each word is checked once.

        None is returned if there are no columns, or if some fact may not fit. Then `fact` gives the error.
        """
        try:
            number = self.coding.predicate_id(facts.relation, facts.tense)
        except KeyError:
            return None
        if self._why_refused(facts.relation) is not None:
            return None
        relation = self.coding.relations[number]
        if not relation.sorts or len(relation.sorts) != len(facts.columns):
            return None
        coded = []
        classes = relation.forms or (None,) * len(relation.columns)
        for column, cells, kind, form in zip(
            facts.columns, self._columns[number], relation.columns, classes, strict=True
        ):
            if column.number is not (form or int):
                return None
            if (column.words is None) != (kind == "integer") and kind != "mixed":
                return None
            if kind == "integer":
                coded.append(column.cells)
                continue
            try:
                if column.words is None:
                    coded.append(array("q", map(cells.__getitem__, column.cells)))
                else:
                    known = [cells[word] for word in column.words]
                    coded.append(array("q", map(known.__getitem__, column.cells)))
            except KeyError:
                return None
        return number, coded

    def _checked_fact(self, fact: GroundFact) -> Fact:
        """Return the coded fact after a complete check, for unknown or invalid facts."""
        value: object = fact
        if not isinstance(value, GroundFact):
            way_out = "a text is added by `add_text`" if isinstance(value, str) else "make one of it"
            raise TypeError(f"a fact is a GroundFact, not a {type(value).__name__}; {way_out}")
        try:
            number = self.coding.predicate_id(fact.relation, fact.tense)
        except KeyError:
            hint = did_you_mean(fact.relation, (r.template.relation for r in self.coding.relations))
            raise FactError(f"no relation `{fact.relation}` at this moment is declared; {hint}") from None
        problem = self._why_refused(fact.relation)
        if problem is not None:
            raise FactError(f"{problem} (HB070); {STATED_ONLY}")
        relation = self.coding.relations[number]
        if relation.forms is not None:
            fact = with_forms(fact, relation.sorts, self.coding.vocabulary)
        fact = plain_fact(fact)
        check_fact(fact, relation.sorts, self.coding.vocabulary)
        self._numbers[fact.relation, fact.tense] = number
        return self.coding.fact(fact)

    def _why_refused(self, relation: str) -> str | None:
        """Return the reason why facts of a relation may not come from outside, or None."""
        return why_stated_only(self.coding.vocabulary.predicates.get(relation))


class _Cells(dict[str | int, Cell]):
    """The cells of accepted words of a sort, filled on access. Integers of a mixed or integer sort are
    accepted too.
    """

    def __init__(self, coding: Coding, sort: Sort) -> None:
        self._coding = coding
        self._sort = sort
        self._kind = coding.kind(sort.name)

    def __missing__(self, value: str | int) -> Cell:
        if plain_value(value) is not value or value_problem(value, self._sort) is not None:
            raise KeyError(value)
        cell = self._coding.cell(value, self._kind)
        if isinstance(value, str):  # True must not be found as 1
            self[value] = cell
        return cell
