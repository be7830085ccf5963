"""Sorts for a program that declares none: which columns hold the same sort of things.

Columns are joined where a variable or a word stands in both, or a comparison speaks of both. Integers and words
never share a sort; a sort of words is called as the variables that most often stand for it, where those have names
that say something.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable

from networkx.utils import UnionFind

from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT
from hornbook.kb.ast.terms import (
    Absent,
    Aggregate,
    Atom,
    Comparison,
    Condition,
    Constant,
    Expression,
    Operation,
    Span,
    Variable,
)
from hornbook.kb.pydatalog.reading import PyDatalogProgram
from hornbook.kb.pydatalog.syntax import FRESH, refusal
from hornbook.kb.sources.diagnostics import Diagnostic

Column = tuple[str, int]
"""A predicate's signature and the place of one of its columns."""
Place = Hashable
"""A column, or a variable of a clause: what has a sort."""
_TELLING = re.compile(r"([A-Z][a-z]{2,})\d*")


class Sorts:
    """What is known of the sorts of a program's columns; `mixed` tells where words and integers meet.

    It tells one place for each sort, or `every` place. `certain` are the conditions, with the number of their rule,
    that an integer is not `None`.
    """

    def __init__(self, program: PyDatalogProgram, *, every: bool = False) -> None:
        self._every = every
        self.mixed: list[Diagnostic] = []
        self.certain: set[tuple[int, Comparison]] = set()
        self._nothing: list[tuple[int, Comparison]] = []
        self._joined: UnionFind[Place] = UnionFind()
        self._first: dict[str, Place] = {}
        self._together: set[tuple[Place, Place]] = set()
        self._constants: list[tuple[Place, str | int | None, Span]] = []
        self._variables: list[tuple[Place, str]] = []
        self._columns = [(key, i) for key, s in program.signatures.items() for i in range(s.arity)]
        for number, rule in enumerate(program.rules):
            self._read(number, (rule.head, *rule.body), is_outside=True)
        integers = {self._joined[place] for place, value, _ in self._constants if not isinstance(value, str)}
        for number, unequal in self._nothing:
            assert isinstance(unequal.left, Variable)
            if self._joined[number, unequal.left.name] in integers:
                self.certain.add((number, unequal))
            else:
                self._join((number, unequal.span), unequal.left, number)
                self._join((number, unequal.span), unequal.right, number)
        self._integers: set[Place] = self._find_integers()

    def names(self) -> dict[Column, str]:
        """The name of each column's sort."""
        roots = dict.fromkeys(self._joined[column] for column in self._columns)
        words = [root for root in roots if root not in self._integers]
        told: dict[Place, Counter[str]] = {root: Counter() for root in words}
        for place, variable in self._variables:
            telling = _TELLING.fullmatch(variable)
            if telling is not None and self._joined[place] in told:
                told[self._joined[place]][telling[1].lower()] += 1
        names: dict[Place, str] = dict.fromkeys(self._integers, INTEGER_SORT)
        taken = {INTEGER_SORT, VALUE_SORT}
        for root in words:
            first = next(column for column in self._columns if self._joined[column] == root)
            plain = "thing" if len(words) == 1 else f"{_word(first[0])}_{first[1] + 1}"
            likeliest = [name for name, _ in told[root].most_common() if name not in taken]
            names[root] = unused([*likeliest, plain], taken)
        return {column: names[self._joined[column]] for column in self._columns}

    # Reading

    def _read(self, number: int, conditions: Iterable[Condition], *, is_outside: bool = False) -> None:
        for condition in conditions:
            match condition:
                case Absent():
                    self._read(number, condition.conditions)
                case Aggregate():
                    self._read(number, condition.conditions)
                    if condition.function == "count":
                        self._calculates(number, condition.result)
                    else:
                        self._calculates(number, condition.result, *condition.variables)
                case Atom():
                    for i, term in enumerate(condition.arguments):
                        self._join((condition.predicate, i), term, number)
                case Comparison(left=Variable(), right=Constant(value="None"), operator="!=") if is_outside:
                    self._nothing.append((number, condition))
                case Comparison(left=left, right=right, operator=operator):
                    if (
                        operator not in ("=", "!=")
                        or isinstance(left, Operation)
                        or isinstance(right, Operation)
                    ):
                        self._calculates(number, left, right)
                    else:
                        # A place of its own, for both sides may be constants.
                        self._join((number, condition.span), left, number)
                        self._join((number, condition.span), right, number)
                case _:
                    raise AssertionError(condition)

    def _join(self, place: Place, term: Expression, number: int) -> None:
        match term:
            case Variable(name=name):
                self._joined.union(place, (number, name))
                if not name.startswith(FRESH):
                    self._variables.append((place, name))
            case Constant(value=value):
                self._constants.append((place, value, term.span))
                if isinstance(value, str):
                    # Otherwise a query that joins both columns would be one across two sorts.
                    first = self._first.setdefault(value, place)
                    if first != place and (first, place) not in self._together:
                        self._together.add((first, place))
                        self._joined.union(first, place)
            case Operation():
                raise AssertionError(term)

    def _calculates(self, number: int, *expressions: Expression) -> None:
        for expression in expressions:
            match expression:
                case Operation():
                    self._calculates(number, *expression.operands)
                case Variable(name=name):
                    self._constants.append(((number, name), None, expression.span))
                case Constant(value=str()):
                    help_ = "only integers are calculated with and have an order"
                    self.mixed.append(refusal("a word where an integer must stand", expression.span, help_))
                case Constant():
                    pass

    def _find_integers(self) -> set[Place]:
        """The roots of all places where integers stand; words beside them are reported, once each place."""
        roots = {place: self._joined[place] for place in {place for place, _, _ in self._constants}}
        integers = {roots[place] for place, value, _ in self._constants if not isinstance(value, str)}
        words: dict[Place, tuple[str, Span]] = {}
        for place, value, span in reversed(self._constants):
            if isinstance(value, str) and (root := roots[place]) in integers:
                words[root] = value, span
        reported: set[Place] = set()
        for place, value, span in self._constants if words else ():
            root = roots[place]
            if not isinstance(value, str) and root in words and (self._every or root not in reported):
                reported.add(root)
                word, where = words[root]
                number = "an integer must stand here" if value is None else f"`{value}` is an integer"
                message = f"{number}, and the word `{word}` (line {where.line}) is of the same sort"
                help_ = "a sort has words or integers: write all in quotes, or part them into two predicates"
                self.mixed.append(refusal(message, span, help_))
        return integers


def _word(signature: str) -> str:
    return re.split(r"[/\[]", signature)[0].lstrip("_") or "column"


def unused(names: Iterable[str], taken: set[str]) -> str:
    """The first name that is not taken, or the last with a number; it is taken from then on."""
    names = list(names)
    name = next((name for name in names if name not in taken), names[-1])
    number = 2
    while name in taken:
        name = f"{names[-1]}_{number}"
        number += 1
    taken.add(name)
    return name
