"""Coded rules: flat rules with the numbers that an engine uses, stratified.

A relation may seem to depend on its own absence although only some of its facts depend on the absence of
others, as in `(<= (goal ?r 0) (not (goal ?r 100)))`. Then the relation is split: if all rules conclude words
in one of its columns, each of these words gets its own relation.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from hornbook.kb.ast.terms import Span
from hornbook.matcher.program.coded import (
    AbsentOf,
    CodedCondition,
    CodedPredicate,
    CodedRule,
    CodedTerm,
    Compare,
    Fact,
    Match,
    Var,
)
from hornbook.matcher.program.dataclass import dataclass
from hornbook.matcher.program.errors import NotStratifiedError
from hornbook.matcher.program.stratify import strata
from hornbook.planner.gdl.flattening import (
    Column,
    FlatAbsent,
    FlatAtom,
    FlatCondition,
    FlatEqual,
    FlatRule,
    Relation,
    width,
)
from hornbook.planner.gdl.kif import KifVariable
from hornbook.planner.gdl.plain_rules import ALTERNATIVE

_NOWHERE = Span("", 1, 1, 1, 1)


@dataclass(frozen=True, slots=True)
class CodedGame:
    """A coded program.

    Each rule's id is its index in `origins`; cell number `n` denotes `words[n]`.
    """

    numbers: dict[Relation, int]
    predicates: tuple[CodedPredicate, ...]
    words: tuple[str, ...]
    facts: tuple[Fact, ...]
    rules: tuple[CodedRule, ...]
    origins: tuple[FlatRule, ...]
    strata: tuple[frozenset[int], ...]


class NotStratified(Exception):
    """A relation depends on its own absence; `names` lists the relations of the cycle."""

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(" → ".join(names))
        self.names = tuple(names)


def code(flat: Iterable[FlatRule], given: Iterable[Relation] = ()) -> CodedGame:
    """Return the program of flat rules; `given` are relations that only states and moves provide.

    Raises NotStratified.
    """
    rules = list(dict.fromkeys(flat))
    relations = tuple(given)
    whole: set[Relation] = set()
    while True:
        program = _Coder(rules, relations)
        try:
            return program.coded()
        except NotStratifiedError as problem:
            circle = [program.relations[number] for number in problem.cycle]
            found = next(filter(None, (_splits(rules, each) for each in circle if each not in whole)), None)
            if found is None:
                names = (name.split(" ")[0] for name, _ in circle if not name.startswith(ALTERNATIVE))
                raise NotStratified(list(dict.fromkeys(names))) from None
            relation, column = found
            whole.add(relation)
            rules = _split(rules, relation, column)


class _Coder:
    """Numbers for the relations and words of rules."""

    def __init__(self, rules: Sequence[FlatRule], given: Iterable[Relation]) -> None:
        self.rules = rules
        self.numbers: dict[Relation, int] = {}
        self.cells: dict[str, int] = {}
        self.widths: dict[int, int] = {}
        for relation in given:
            self.numbers.setdefault(relation, len(self.numbers))

    @property
    def relations(self) -> list[Relation]:
        return list(self.numbers)

    def coded(self) -> CodedGame:
        facts: list[Fact] = []
        rules: list[CodedRule] = []
        for number, rule in enumerate(self.rules):
            variables: dict[str, int] = {}
            head = self.match(rule.head, variables)
            if not rule.body and not variables:
                facts.append(
                    Fact(head.predicate, tuple(cell for cell in head.terms if isinstance(cell, int)))
                )
                continue
            body = tuple(self.condition(condition, variables) for condition in rule.body)
            rules.append(CodedRule(number, head, body, len(variables)))
        order = strata(rules)
        predicates = tuple(CodedPredicate(_width_of(relation)) for relation in self.numbers)
        return CodedGame(
            self.numbers, predicates, tuple(self.cells), tuple(facts), tuple(rules), tuple(self.rules), order
        )

    def match(self, atom: FlatAtom, variables: dict[str, int]) -> Match:
        number = self.numbers.setdefault(atom.relation, len(self.numbers))
        return Match(number, tuple(self.term(column, variables) for column in atom.columns))

    def term(self, column: str | KifVariable, variables: dict[str, int]) -> CodedTerm:
        if isinstance(column, str):
            return self.cells.setdefault(column, len(self.cells))
        return Var(variables.setdefault(column.name, len(variables)))

    def condition(self, condition: FlatCondition, variables: dict[str, int]) -> CodedCondition:
        match condition:
            case FlatAtom():
                return self.match(condition, variables)
            case FlatEqual(left=left, right=right):
                return Compare("=", self.term(left, variables), self.term(right, variables))
            case FlatAbsent(conditions=(FlatEqual(left=left, right=right),)):
                return Compare("!=", self.term(left, variables), self.term(right, variables))
            case FlatAbsent(conditions=inside):
                return AbsentOf(tuple(self.condition(each, variables) for each in inside))


def _splits(rules: Sequence[FlatRule], relation: Relation) -> tuple[Relation, int] | None:
    """Return the first column of a relation with several concluded words and no concluded variables."""
    heads = [rule.head.columns for rule in rules if rule.head.relation == relation]
    for column in range(_width_of(relation)):
        words = {head[column] for head in heads}
        if len(words) > 1 and all(isinstance(word, str) for word in words):
            return relation, column
    return None


def _split(rules: Sequence[FlatRule], relation: Relation, column: int) -> list[FlatRule]:
    """Return the rules with a separate relation for each word in a column.

    They include rules that define the whole relation by its parts.
    """
    parts: dict[str, Relation] = {}

    def part(word: str) -> Relation:
        return parts.setdefault(word, (f"{relation[0]} {word}", relation[1]))

    def atom(flat: FlatAtom) -> FlatAtom:
        word = flat.columns[column] if flat.relation == relation else None
        return FlatAtom(part(word), flat.columns) if isinstance(word, str) else flat

    def condition(flat: FlatCondition) -> FlatCondition:
        match flat:
            case FlatAtom():
                return atom(flat)
            case FlatAbsent(conditions=inside):
                return FlatAbsent(tuple(map(condition, inside)))
        return flat

    found = [FlatRule(atom(rule.head), tuple(map(condition, rule.body)), rule.rule) for rule in rules]
    ones = {rule.head.relation: rule for rule in found}
    for word, made in parts.items():
        if made in ones:
            columns: tuple[Column, ...] = tuple(
                KifVariable(f"{place}", _NOWHERE) for place in range(_width_of(relation))
            )
            columns = (*columns[:column], word, *columns[column + 1 :])
            found.append(FlatRule(FlatAtom(relation, columns), (FlatAtom(made, columns),), ones[made].rule))
    return found


def _width_of(relation: Relation) -> int:
    return sum(map(width, relation[1]))
