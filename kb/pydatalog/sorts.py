"""Sort inference for a program without declarations: groups of columns with common values.

Columns are joined if a variable or a word occurs in both, or if a comparison relates them. Integers and words
never share a sort. A sort of words is named after its most frequent variable with a descriptive name.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import replace

from networkx.utils import UnionFind

from hornbook.kb.ast import terms as t
from hornbook.kb.ast.declarations import INTEGER_SORT, VALUE_SORT
from hornbook.kb.pydatalog.program_reader import PyDatalogProgram
from hornbook.kb.pydatalog.syntax import FRESH, refusal
from hornbook.kb.sources.diagnostics import Diagnostic

Column = tuple[str, int]
"""The signature of a predicate, and the index of one of its columns."""
Place = Hashable
"""A column, or a variable of a clause: an item with a sort."""
_TELLING = re.compile(r"([A-Z][a-z]{2,})\d*")


class SortInference:
    """The sorts of the columns of a program.

    - `mixed`: Diagnostics for places where words and integers meet: one for each sort, or all with `every`.
    - `rules`: The rules of the program, without redundant conditions that an integer is not `None`.
    """

    def __init__(self, program: PyDatalogProgram, *, every: bool = False) -> None:
        self.mixed: list[Diagnostic] = []
        self.rules = program.rules
        self._joined: UnionFind[Place] = UnionFind()
        self._first: dict[str, Place] = {}
        self._together: set[tuple[Place, Place]] = set()
        self._words: set[Place] = set()
        self._numbers: set[Place] = set()
        self._constants: list[tuple[Place, str | int | None, t.Span]] = []
        self._variables: list[tuple[Place, str]] = []
        self._columns = [(key, i) for key, s in program.signatures.items() for i in range(s.arity)]
        for key, facts in program.facts.items():
            for i in range(program.signatures[key].arity):
                for value in dict.fromkeys([fact.values[i] for fact in facts]):
                    self._put((key, i), value)
        something: list[tuple[int, str, t.Condition]] = []
        for number, rule in enumerate(program.rules):
            for condition in (rule.head, *rule.body):
                match condition:
                    case t.Comparison(
                        left=t.Variable(name=name), right=t.Constant(value="None"), operator="!="
                    ):
                        something.append((number, name, condition))
                    case _:
                        self._read(number, condition)
        integers = {self._joined[place] for place in self._numbers}
        certain = {(n, condition) for n, name, condition in something if self._joined[n, name] in integers}
        for number, _, condition in something:
            if (number, condition) not in certain:
                self._read(number, condition)
        if certain:
            bodies = [tuple(c for c in r.body if (n, c) not in certain) for n, r in enumerate(program.rules)]
            self.rules = tuple(replace(r, body=body) for r, body in zip(program.rules, bodies, strict=True))
        self._integers = {self._joined[place] for place in self._numbers}
        if both := self._integers & {self._joined[place] for place in self._words}:
            self.mixed += self._mixed(program, both, every=every)

    def names(self) -> dict[Column, str]:
        """Return the name of each column's sort."""
        roots = dict.fromkeys(self._joined[column] for column in self._columns)
        words = [root for root in roots if root not in self._integers]
        counts: dict[Place, Counter[str]] = {root: Counter() for root in words}
        for place, variable in self._variables:
            telling = _TELLING.fullmatch(variable)
            if telling is not None and self._joined[place] in counts:
                counts[self._joined[place]][telling[1].lower()] += 1
        names: dict[Place, str] = dict.fromkeys(self._integers, INTEGER_SORT)
        taken = {INTEGER_SORT, VALUE_SORT}
        for root in words:
            first = next(column for column in self._columns if self._joined[column] == root)
            plain = "thing" if len(words) == 1 else f"{_word(first[0])}_{first[1] + 1}"
            likeliest = [name for name, _ in counts[root].most_common() if name not in taken]
            names[root] = unused([*likeliest, plain], taken)
        return {column: names[self._joined[column]] for column in self._columns}

    # Collecting

    def _read(self, number: int, condition: t.Condition) -> None:
        match condition:
            case t.Absent(conditions=conditions):
                for inner in conditions:
                    self._read(number, inner)
            case t.Aggregate(conditions=conditions):
                for inner in conditions:
                    self._read(number, inner)
                self._calculates(number, condition.result)
                if condition.function != "count":
                    self._calculates(number, *condition.variables)
            case t.Atom():
                for i, term in enumerate(condition.arguments):
                    self._join((condition.predicate, i), term, number)
            case t.Comparison(left=left, right=right, operator=operator):
                if operator not in ("=", "!=") or t.Operation in (type(left), type(right)):
                    self._calculates(number, left, right)
                else:
                    # A separate place, since both sides may be constants
                    self._join((number, condition.span), left, number)
                    self._join((number, condition.span), right, number)
            case _:
                raise AssertionError(condition)

    def _join(self, place: Place, term: t.Expression, number: int) -> None:
        match term:
            case t.Variable(name=name):
                self._joined.union(place, (number, name))
                if not name.startswith(FRESH):
                    self._variables.append((place, name))
            case t.Constant(value=value):
                self._constants.append((place, value, term.span))
                self._put(place, value)
            case t.Operation():
                raise AssertionError(term)

    def _put(self, place: Place, value: str | int) -> None:
        if not isinstance(value, str):
            self._numbers.add(place)
            return
        self._words.add(place)
        # Otherwise a query that joins both columns would compare two sorts
        first = self._first.setdefault(value, place)
        if first != place and (first, place) not in self._together:
            self._together.add((first, place))
            self._joined.union(first, place)

    def _calculates(self, number: int, *expressions: t.Expression) -> None:
        for expression in expressions:
            match expression:
                case t.Operation():
                    self._calculates(number, *expression.operands)
                case t.Variable(name=name):
                    self._numbers.add((number, name))
                    self._constants.append(((number, name), None, expression.span))
                case t.Constant(value=str()):
                    help_ = "only integers are calculated with and have an order"
                    self.mixed.append(refusal("a word where an integer must stand", expression.span, help_))

    def _mixed(self, program: PyDatalogProgram, both: set[Place], *, every: bool) -> Iterator[Diagnostic]:
        """Yield a diagnostic for integers in a sort with words, in the order of the text."""
        places = [*self._constants]
        for key, facts in program.facts.items():
            columns = [i for i in range(program.signatures[key].arity) if self._joined[key, i] in both]
            places += [((key, i), f.values[i], f.place(i)) for f in facts for i in columns]
        found = [(self._joined[place], value, span) for place, value, span in places]
        found.sort(key=lambda part: (part[2].line, part[2].column))
        words = {root: (value, span) for root, value, span in reversed(found) if isinstance(value, str)}
        reported: set[Place] = set()
        for root, value, span in found:
            if root in both and not isinstance(value, str) and (every or root not in reported):
                reported.add(root)
                word, where = words[root]
                number = "an integer must stand here" if value is None else f"`{value}` is an integer"
                message = f"{number}, and the word `{word}` (line {where.line}) is of the same sort"
                help_ = "a sort has words or integers: write all in quotes, or part them into two predicates"
                yield refusal(message, span, help_)


def _word(signature: str) -> str:
    return re.split(r"[/\[]", signature)[0].lstrip("_") or "column"


def unused(names: Iterable[str], taken: set[str]) -> str:
    """Return the first free name, or else the last with a number, and mark it as taken."""
    names = list(names)
    name = next((name for name in names if name not in taken), names[-1])
    number = 2
    while name in taken:
        name = f"{names[-1]}_{number}"
        number += 1
    taken.add(name)
    return name
